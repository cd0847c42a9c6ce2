/* Confines the signer, once all files that it needs are open: first its memory, then its user, then its
 * system calls. After confine() the process can answer on sockets that it has or accepts, write to files that
 * it has open, and exit; any other system call kills it: no new file, socket, process or program, no
 * debugging of others. */
#ifndef SIGNER_CONFINE_H
#define SIGNER_CONFINE_H

#include <stdbool.h>

/* Keeps all memory, present and future, out of swap. False if the limit of locked memory (RLIMIT_MEMLOCK) is
 * too small and cannot be raised; keys then still lock their own pages as far as they can. */
bool confine_lock_memory(void);
/* No core files, no debugger, no new privileges, no system call that is not listed. */
bool confine(void);

#endif
