/* A prediction market as the venue's catalogue describes it. Texts are in the arena that the reader was
 * given; decimals are kept as they were received, and never become floating point. */
#ifndef PREDICT_PREDICT_MARKET_H
#define PREDICT_PREDICT_MARKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "venue/polymarket_order.h"

enum { MARKET_OUTCOMES_MAX = 16, MARKET_ID_MAX = 20, TOKEN_ID_MAX = 78 };

enum market_status {
    MARKET_OPEN,
    MARKET_PAUSED, /* takes no orders at the moment */
    MARKET_CLOSED,
    MARKET_RESOLVED, /* closed, and its outcome is known */
};

struct outcome {
    const char *name;
    const char *price; /* decimal, 0 to 1 */
    const char *token; /* decimal id, up to TOKEN_ID_MAX digits */
};

/* The tags of a market or an event: lower case, in any order. */
struct market_tags {
    const char **list;
    size_t count;
};

struct market {
    const char *id;
    const char *condition; /* "0x" and 64 digits */
    const char *question, *description;
    const char *category; /* lower case; "other" when it has none */
    struct market_tags tags;
    const char *end_date, *created; /* ISO 8601; NULL: unknown */
    const char *volume, *liquidity; /* decimals */
    const char *tick, *min_size;    /* decimals; NULL: unknown */
    const char *fee_rate;           /* decimal, of takers (predict/clob_private.h); NULL: unknown */
    uint32_t fee_exponent;          /* where the rate is known */
    const char *resolved_outcome;   /* NULL: none yet */
    enum market_status status;
    bool active, closed, neg_risk;
    bool has_exchange; /* false: of a version that this program does not know; not traded */
    enum polymarket_exchange exchange;
    struct outcome outcomes[MARKET_OUTCOMES_MAX];
    size_t outcome_count;
};

/* "open", "paused", "closed", "resolved" */
const char *market_status_name(enum market_status s);

/* An event: a question of several markets. */
struct market_event {
    const char *id, *title, *description, *category, *end_date, *volume, *liquidity;
    struct market_tags tags;
    struct market *markets;
    size_t count;
};

#endif
