/* Named fault points of the test build (-DFAULTS); nothing in a release. Each is looked up in the file named
 * by GATEWAY_FAULTS, lines of "name action", optionally "name action N" for the Nth time only. The actions:
 *   kill   SIGKILL to the own process
 *   hang   blocks until the line is removed, then continues, as if the whole machine had been paused
 *   error  the caller behaves as if the step had failed
 * FAULT(name) yields true for error. STEP(name, call, failed) is `call` between the points NAME.before and
 * NAME.after: where one of them says error its value is `failed`, which is evaluated only then. */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef FAULTS
bool fault_hit(const char *name);
/* The offset of the wall clock in milliseconds, read from a file next to the list whose name ends with
 * ".clock". */
int64_t fault_clock_ms(void);
/* Whether this process only comes by: what it does every few seconds would otherwise meet points that are
 * meant for others. */
void fault_bystander(bool is);
#define FAULT(name) fault_hit(name)
#else
#define FAULT(name)         ((bool)0)
#define fault_bystander(is) ((void)(is))
#endif

#define STEP(name, call, failed)                                                                             \
    __extension__({                                                                                          \
        __typeof__(call) step_result_;                                                                       \
        if (FAULT(name ".before"))                                                                           \
            step_result_ = (failed);                                                                         \
        else if (step_result_ = (call), FAULT(name ".after"))                                                \
            step_result_ = (failed);                                                                         \
        step_result_;                                                                                        \
    })

#endif
