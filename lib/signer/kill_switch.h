/* The operator's kill switch: a file of the signer's that holds a reason while nothing may be signed on this
 * host. The signer checks it before each signature, so it takes effect at once and survives restarts: it is
 * kept open (signer/operator_file.h). */
#ifndef SIGNER_KILL_SWITCH_H
#define SIGNER_KILL_SWITCH_H

#include <stdbool.h>

/* Also true when the file cannot be read or was removed. */
bool kill_switch_is_set(int fd);
/* For the operator's command. A reason sets it, NULL clears it. */
bool kill_switch_set(const char *path, const char *reason);

#endif
