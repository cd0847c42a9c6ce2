/* The signer's side: one request in, one answer out. What is decided here is decided without trust in the
 * asker: the transaction is decoded, its digest computed, its wallet's sealed key opened with the binding
 * that the asker claims, and the key's own address compared. */
#ifndef SIGNER_SERVER_H
#define SIGNER_SERVER_H

#include "keys/keyring.h"
#include "signer/message.h"

/* Never fails: the answer's status says what happened. */
void signer_answer_to(struct signer_answer *out, const struct keyring *k, const uint8_t *packet, size_t len);

/* Serves listen_fd until SIGTERM or SIGINT, only to peers whose uid is in `uids` (SO_PEERCRED). */
int signer_serve(int listen_fd, const struct keyring *k, const unsigned *uids, size_t nuids);

#endif
