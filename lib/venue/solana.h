/* The effect of a Solana transaction on a wallet's money, read from all of its instructions: an unknown
 * instruction makes it one that must not be signed. As with venue/trade.h, the signer and the worker's guard
 * look at nothing else. */
#ifndef VENUE_SOLANA_H
#define VENUE_SOLANA_H

#include "chain/solana/lookup_table.h"
#include "venue/trade.h"

/* The most that it costs in addition to the amount sold, in lamports. */
struct solana_costs {
    uint64_t fee;  /* for its signature, and for coming first */
    uint64_t rent; /* that accounts which it opens hold; of the wrapped coin's account it comes back */
    bool unwraps;  /* a transfer takes along the coin that is wrapped, however much that is */
};

/* Takes apart what is handed over with a transaction: the addresses that it looks up, in the order of
 * places, then what shows what it is for. False when there are not as many addresses. */
bool solana_proof_read(struct solana_accounts *out, struct trade_proof *order, const struct solana_tx *tx,
                       struct trade_proof proof);

/* Reads a transaction that the wallet alone signs and pays for: a swap by Jupiter, or a deposit to Relay as
 * it is written by ourselves (venue/relay_solana.h), whose order has to be shown. NULL, or why it must not be
 * signed; what could be read by then is in `out`. The coin is TRADE_COIN; its wrapped form is the token of
 * that mint. */
const char *trade_read_solana(struct trade *out, struct solana_costs *costs, const struct solana_tx *tx,
                              const struct solana_accounts *accounts, const struct solana_addr *wallet,
                              struct trade_proof order);

/* The same for transfers, which the operator alone may order: the coin to a recipient (TRADE_PAYMENT), or a
 * token into the recipient's associated account, which is opened for it (TRADE_TRANSFER); the instructions
 * for its fee come first, and there is nothing else. The recipient is the account's owner. */
const char *transfer_read_solana(struct trade *out, struct solana_costs *costs, const struct solana_tx *tx,
                                 const struct solana_accounts *accounts, const struct solana_addr *wallet);

#endif
