/* Conclusions from a look at a wallet with a debt to a lender: the events for its agent, and the data stored
 * until the next look. Pure.
 *
 * Logs say who was liquidated, and for what. Nodes may leave some out, so what the wallet has is compared
 * with what it had: where both collateral and debt are less though it has done nothing itself, and no log
 * says why for a few looks, that is told in place of the log. */
#ifndef LEND_WATCH_H
#define LEND_WATCH_H

#include "base/arena.h"
#include "lend/chain_read.h"
#include "lend/liquidation.h"
#include "model/lend_watch.h"

enum {
    LEND_DEBTLESS_POLLS = 15, /* a node may be behind, or lie: so many before the wallet is watched no more */
    LEND_MISSING_POLLS = 3,
};

/* A wallet's collateral and debt in one of Aave's reserves, or in a market of Morpho. */
struct lend_holding {
    struct evm_addr asset; /* the reserve's, or Morpho's loan token */
    struct u256 collateral, debt;
};

/* As lend_watch.held has them; in the arena. */
const uint8_t *lend_holdings_pack(struct arena *a, const struct lend_holding *list, size_t count,
                                  size_t *len);
/* NULL, and none, for bytes that are none. */
struct lend_holding *lend_holdings_unpack(struct arena *a, const uint8_t *bytes, size_t len, size_t *count);

/* The result of a look. */
struct lend_observation {
    uint64_t block;
    const struct lend_account *account; /* NULL: it has nothing there */
    const struct lend_holding *held;
    size_t held_count;
    const struct lend_liquidation *logs; /* of this debt, some of which are told already */
    size_t log_count;
    bool operating; /* an operation of its own has not ended, ... */
    bool operated;  /* ... or has ended since w->held_block */
};

/* A loss without a log. */
struct lend_loss {
    const struct lend_holding *had_collateral, *had_debt; /* NULL: none of it */
    struct u256 taken, repaid;
};

struct lend_watch_verdict {
    bool counts;                    /* else it is older than the last look, and only logs are told */
    bool tells_low;                 /* lend.health.low */
    bool ends;                      /* it is watched no more */
    const struct lend_loss *losses; /* a lend.liquidated for each */
    size_t loss_count;
    struct lend_watch next;
};

/* `alert` in millionths. */
struct lend_watch_verdict lend_watch_judge(struct arena *a, const struct lend_watch *w,
                                           const struct lend_observation *s, uint32_t alert);
/* Whether the log is to be told if no webhook is. */
bool lend_watch_tells(const struct lend_watch *w, const struct lend_liquidation *l);

#endif
