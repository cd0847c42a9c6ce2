/* Balances and allowances of a trading wallet, as the chain shows them, and the batches of calls by which a
 * deposit wallet changes them. Its owner signs them; the relayer carries them out, each once. */
#ifndef PREDICT_TRADING_WALLET_H
#define PREDICT_TRADING_WALLET_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/commit.h"
#include "exec/plan.h"
#include "model/predict_account.h"
#include "service/ctx.h"
#include "venue/polymarket_message.h"
#include "venue/polymarket_order.h"

enum { POLYMARKET_EXCHANGES = 3 };

/* The place of a deposit wallet by the factory's own answer. */
enum wallet_place {
    PLACE_UNTOLD, /* it does not say */
    PLACE_SAME,   /* at the address that was computed */
    PLACE_OTHER,
};

struct trading_wallet {
    struct evm_addr address, owner;
    bool is_contract; /* a deposit wallet; otherwise the owner itself */
    bool deployed;
    enum wallet_place place; /* of a contract that is not deployed */
    uint64_t nonce;          /* of the contract's next batch */
    struct u256 collateral;  /* pUSD, smallest units */
    /* By enum polymarket_exchange: how much of it each may take, and whether it may move outcome tokens. */
    struct u256 allowance[POLYMARKET_EXCHANGES];
    bool trusted[POLYMARKET_EXCHANGES];
};

/* Asks a node, and lays over what it shows what has happened since. NULL, E_UPSTREAM, E_BEHIND, E_INTERNAL.
 */
const struct err *trading_wallet_poll(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                                      struct trading_wallet *out);

/* The contract of the outcome tokens of the exchange's markets, which has to know the trusted contracts. */
struct evm_addr outcome_tokens_addr(enum polymarket_exchange e);

/* ---- batches of a deposit wallet ---- */

enum { TRADING_BATCH_VALID_S = 10 * 60 }; /* signers take no deadline beyond 15 minutes */

struct trading_batch {
    struct evm_addr wallet, owner;
    uint64_t nonce;
    struct polymarket_call calls[POLYMARKET_CALLS_MAX];
    size_t count;
};

void trading_batch_begin(struct trading_batch *b, const struct trading_wallet *w);
/* Calldata that was written to `data`, which is freed; the batch has a copy in the arena. */
void trading_batch_add(struct trading_batch *b, struct arena *a, struct evm_addr target, struct buf *data);
/* `spender` may take so much of the wallet's collateral from now on. */
void trading_batch_allow(struct trading_batch *b, struct arena *a, struct evm_addr spender,
                         struct u256 amount);
/* `whom` may move the wallet's outcome tokens in the contract `at`. */
void trading_batch_trust(struct trading_batch *b, struct arena *a, struct evm_addr at, struct evm_addr whom);

/* Appends to the plan's requests what the relayer has to do: the making of the wallet where it is not there,
 * then the batch where it has calls. `b` must live as long as the plan. */
void trading_batch_request(struct plan *p, struct arena *a, const struct trading_wallet *w,
                           const struct trading_batch *b, int64_t deadline);

/* The same for a wallet that trades itself: appends the calls, which only allow, as steps of its own. */
void trading_batch_steps(struct plan *p, struct arena *a, const struct trading_batch *b);

/* Within a commit, under the wallet's lock: NULL when no batch of the wallet is in progress and none was
 * carried out since the poll, so that the batch's nonce is still the next; else E_TRANSFER_UNDER_WAY. */
const struct err *trading_batch_free(const struct commit *c, const struct trading_wallet *w);

#endif
