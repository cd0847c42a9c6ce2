/* Payouts of the venue, or of Circle for it, on a chain, by the chain's logs. Pure: the question to a node,
 * and the reader of its answer. */
#ifndef PERPS_WITHDRAWAL_PAYMENT_H
#define PERPS_WITHDRAWAL_PAYMENT_H

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/evm/evm_addr.h"
#include "chain/rpc/rpc.h"
#include "model/perps_transfer.h"

/* A payment that is looked for. */
struct withdrawal_payment_wanted {
    const struct chain *chain;
    enum perps_route route;
    struct evm_addr wallet;
    struct u256 most, expected, least; /* smallest units of the dollar there */
    const char *const *taken;          /* the ids of payments that are others', ending with NULL */
};

struct withdrawal_payment {
    const char *id; /* of the event, among all of the wallet's; "": there is none */
    struct tx_hash tx;
    uint64_t block;
    struct u256 amount;
};

/* Adds the question for all payments to the wallet in these blocks; `to` 0: up to the newest. */
void withdrawal_payments_ask(struct rpc_batch *b, const struct withdrawal_payment_wanted *w, uint64_t from,
                             uint64_t to);
/* Reads the payment of the expected amount from the answer or, where there is none, of the largest possible
 * one, if that is better than *out. False when the answer is malformed. */
bool withdrawal_payments_read(struct arena *a, const struct rpc_answer *answer,
                              const struct withdrawal_payment_wanted *w, struct withdrawal_payment *out);

#endif
