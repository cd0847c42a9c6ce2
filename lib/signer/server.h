/* The signer's side: one request in, one answer out. What is decided here is decided without trust in the
 * asker: the transaction is decoded, its digest computed, what it does held against the list of what wallets
 * may do and against the operator's limits, its wallet's sealed key opened with the binding that the asker
 * claims, and the key's own address compared. Every decision is in the audit file before the answer leaves.
 */
#ifndef SIGNER_SERVER_H
#define SIGNER_SERVER_H

#include "keys/keyring.h"
#include "signer/audit_log.h"
#include "signer/ledger.h"
#include "signer/limits.h"
#include "signer/message.h"

/* What the signer works with. */
struct signer_state {
    struct keyring *keyring;
    const struct limits *limits;
    struct ledger *ledger;       /* for these limits; NULL where none is for a day */
    struct audit_log *audit_log; /* NULL: nothing is recorded */
    int kill_switch;             /* open file of signer/kill_switch.h; -1: none */
    bool locked;                 /* memory is kept out of swap */
    struct secret *operator_key; /* of MACs of the operator; NULL: no sweeps */
};

/* Never fails: the answer's status says what happened. */
void signer_answer_to(struct signer_answer *out, const struct signer_state *d, const uint8_t *packet,
                      size_t len);

/* Serves listen_fd until SIGTERM or SIGINT, only to peers whose uid is in `uids` (SO_PEERCRED). `shut_in`, if
 * not NULL, is called once all is open that the loop needs; it ends the service when it is false. */
int signer_serve(int listen_fd, const struct signer_state *d, const unsigned *uids, size_t nuids,
                 bool (*shut_in)(void));

#endif
