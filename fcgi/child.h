/* The common part of all children of the gateway's parent. */
#ifndef FCGI_CHILD_H
#define FCGI_CHILD_H

#include <sys/types.h>

/* As fork. A child that outlived its parent would answer requests in parallel to the next pool: it ends with
 * it. What the parent was asked before does not concern it. */
pid_t child_fork(void);
/* A child calls it once it has opened what only the parent's user may open: from then on it can read no key
 * file and no memory of the signer. */
void child_become(unsigned uid);
/* The same for one that connects to a socket which that group may connect to. */
void child_become_in(unsigned uid, gid_t group);

#endif
