/* How the signer shuts itself in, in this order: what it needs from files is open, then memory, user, cage.
 * After confine the process can answer on sockets that it has or accepts, write to files that it has open,
 * and end; any other system call ends it: no new file, socket, process or program, no debugging of others. */
#ifndef SIGNER_CONFINE_H
#define SIGNER_CONFINE_H

#include <stdbool.h>

/* Keeps all memory, present and later, out of swap. False where the limit of locked memory (RLIMIT_MEMLOCK)
 * is too small and not ours to raise; then keys lock the pages of their own as far as they can. */
bool confine_lock_memory(void);
/* No core file, no debugger, no new rights, no call off the list. */
bool confine(void);

#endif
