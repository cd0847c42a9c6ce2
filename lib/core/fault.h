/* Named fault points of the test build (-DFAULTS). `FAULT("execute.committed")` does nothing in a release. In
 * the test build it looks up the name in the file named by GATEWAY_FAULTS, lines of "name action" with action
 * kill, hang or error, optionally "name action N" for the Nth time only; kill is SIGKILL to the own process.
 * FAULT yields true when the caller shall behave as if the step had failed. */
#ifndef CORE_FAULT_H
#define CORE_FAULT_H

#include <stdbool.h>

#ifdef FAULTS
bool fault_hit(const char *name);
#define FAULT(name) fault_hit(name)
#else
#define FAULT(name) ((bool)0)
#endif

#endif
