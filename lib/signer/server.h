/* The signer's loop: many clients on one socket, one packet of each at a time. */
#ifndef SIGNER_SERVER_H
#define SIGNER_SERVER_H

#include "signer/answer.h"

/* Serves listen_fd until SIGTERM or SIGINT, only to peers whose uid is in `uids` (SO_PEERCRED). `confine`, if
 * not NULL, is called once everything that the loop needs is open; when it returns false, nothing is served.
 */
int signer_serve(int listen_fd, const struct signer_state *state, const unsigned *uids, size_t nuids,
                 bool (*confine)(void));

#endif
