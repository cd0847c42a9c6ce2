/* What wallets have at markets rather than on chains: money that a venue or a lender keeps for them,
 * positions, and debts. A row of functions for each market, in the market's folder; registry/asset_sources.c
 * lists them.
 */
#ifndef EXEC_ASSETS_H
#define EXEC_ASSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "exec/holdings.h"
#include "model/wallet.h"
#include "service/ctx.h"
#include "store/wallets.h"

/* Something that a wallet has at a market, or owes there. */
struct asset {
    const char *market; /* the source's name */
    const char *what;   /* symbol of a token, or the outcome of a prediction market */
    /* Chain NULL: on none that wallets are on. With a token it is priced as that token; without one it has
     * the market's own figure, or no price. */
    struct holding held;
    bool is_debt;
};

/* A market that did not answer, or the part of it that is on this chain. */
struct silent_market {
    const char *market;
    const struct chain *chain; /* NULL: all of it */
    bool certain;              /* the wallet is known to have an account there */
};

struct assets {
    struct arena *arena;
    struct asset *list;
    size_t count;
    struct silent_market *silent;
    size_t silent_count;
    bool failed; /* the database */
};

void assets_add(struct assets *out, struct asset x);
/* Once each. */
void assets_add_silent(struct assets *out, struct silent_market x);
/* "perps", "lend on base" */
const char *silent_market_text(struct arena *a, const struct silent_market *x);

/* The wallets of one agent. */
struct assets_question {
    const struct wallet *wallets;
    size_t count;
    const struct chain *only; /* NULL: all chains, and what is on none */
    int64_t until_ms;         /* by clock_mono_ms: after it no further wallet is asked about */
};

struct asset_source {
    const char *name; /* in answers, and in wallets.held_on */
    uint32_t kinds;   /* bits of the kinds of execution that are acts at this market */
    /* Whether a wallet may have something there without any such execution. NULL: it may. */
    bool (*is_offered)(const struct ctx *ctx);
    void (*read)(const struct ctx *ctx, const struct assets_question *q, struct assets *out);
    /* Ids of the agent's orders that may still be filled, at most ASSET_ORDERS_MAX of either status. Returns
     * how many, or -1 when the database failed. NULL: the market has no orders. */
    int (*open_orders)(struct db *db, struct arena *a, uint64_t agent_id, const char **ids);
};
enum { ASSET_ORDERS_MAX = 50 };

extern const struct asset_source *const asset_sources[]; /* ended by NULL */

/* Whether the agent has done something at this market, or was seen to have something there. */
bool asset_source_is_known(const struct asset_source *s, struct arena *a, const struct wallet_traces *t);

#endif
