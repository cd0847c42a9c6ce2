/* Hardening shared by every program that holds keys, secrets or passwords. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <sys/types.h>

/* Disables core files and keeps other processes of the same user out of this one's memory, by debugger as
 * well as through /proc. Children inherit this until they execute another program. Exits when the system
 * refuses. */
void process_close(void);

/* If root started the program and `uid` is not 0, switches to that user and the group of the same number for
 * good, and stays hardened. Open files that need root before. Clears the parent-death signal. Exits when the
 * system refuses. */
void process_become(unsigned uid);
/* The same, but it stays in that group too. */
void process_become_in(unsigned uid, gid_t group);

/* The name of this host, at most 63 characters. */
const char *process_host(void);

#endif
