/* Losses of an agent's deletion: its wallets' balances on chains and at markets, and unfinished
 * executions. */
#ifndef API_LEFT_BEHIND_H
#define API_LEFT_BEHIND_H

#include "api/admission/api_call.h"
#include "exec/assets.h"
#include "model/execution.h"

/* Something that a wallet holds. */
struct left_item {
    const char *place; /* key of a chain, or name of a market */
    const char *chain; /* key; NULL: on none that the agent has wallets on */
    const char *what;  /* symbol of the token, or the outcome of a market */
    struct amount amount;
    bool valued;
    struct amount usd; /* then; RATE_PLACES */
};

/* An order that may still be filled. */
struct left_order {
    const char *market;
    const char *id;
};

struct left_behind {
    struct left_item *items;
    size_t count;
    struct amount usd;   /* of all that is valued, RATE_PLACES */
    bool unvalued;       /* some of it is not */
    const char **silent; /* places that have held this agent's money and did not answer */
    size_t silent_count;
    struct execution *unended;
    size_t unended_count;
    struct left_order *orders;
    size_t order_count;
};

/* Asks the database, nodes and markets, within half a minute; takes a slot where there is a wallet. NULL, or
 * E_BUSY, the row's internal error. */
const struct err *left_behind_read(struct api_call *c, struct left_behind *out);
/* Why it wants a confirmation: more than a dollar is left, an amount without a price, something that has not
 * ended, or it is unknown. NULL: it wants none. */
const struct err *left_behind_error(const struct left_behind *left);
/* Members of an error that say all of it. */
void left_behind_write(struct json_writer *w, const struct left_behind *left);

/* Stores places where wallets were seen to hold something, in `t` and the database. */
void left_behind_note(struct api_call *c, struct wallet_traces *t, const struct holdings *held);
void left_behind_note_assets(struct api_call *c, struct wallet_traces *t, const struct assets *assets);

#endif
