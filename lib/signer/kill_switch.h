/* The operator's kill switch: a file of the signer's own that holds a reason while nothing may be signed on
 * this host. The signer looks at it before each signature, so pulling it works at once, and on through every
 * restart. It is changed in place: the running signer keeps the file open. */
#ifndef SIGNER_KILL_SWITCH_H
#define SIGNER_KILL_SWITCH_H

#include <stdbool.h>

/* -1 with errno when it cannot be opened, or made where it is absent. */
int kill_switch_open(const char *path);
/* True too when the file cannot be read or was removed. */
bool kill_switch_is_set(int fd);
/* For the operator's command. A reason pulls it, NULL lets it go. */
bool kill_switch_set(const char *path, const char *reason);

#endif
