/* Answers of Polymarket's exchange about a wallet's own orders and the trades that matched them. Shares,
 * prices and money are in millionths. Foreign rows are read too: the caller knows its own by their hashes. */
#ifndef PREDICT_CLOB_ORDERS_H
#define PREDICT_CLOB_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "codec/hash.h"
#include "model/order.h"

enum clob_order_status {
    CLOB_LIVE = 1, /* rests, or is about to be matched */
    CLOB_MATCHED,  /* taken off the book, matched as far as it will be */
    CLOB_ENDED,    /* cancelled, expired, or not valid any more */
};

struct clob_order {
    uint8_t hash[HASH_LEN];
    enum clob_order_status status;
    uint64_t size;    /* in units: of shares, of collateral where it spends that (model/order.h) */
    uint64_t matched; /* shares; 0 where it does not say */
    bool has_terms;   /* the rest is there: what it asks for, as a model/order.h has it */
    struct u256 token;
    enum order_side side;
    enum order_type type;
    uint32_t price;
    int64_t created_ms, expires_ms;
};

/* One order's part in a trade. */
struct clob_fill {
    uint8_t order[HASH_LEN]; /* its hash */
    struct fill fill;        /* execution_id is not set */
};

/* Pages are asked for by a cursor, from the first one until a page says that it is the last. */
#define CLOB_FIRST_PAGE "MA=="

struct clob_page {
    struct clob_order *orders; /* of a page of orders */
    struct clob_fill *fills;   /* of a page of trades */
    size_t count;
    const char *next; /* the next page's cursor; NULL: this is the last */
};

/* The query of a page of trades, none of them older than the time, but for clocks that differ: those of a
 * market (its condition), of an address, or of both; NULL: of all. */
char *clob_trades_query(struct arena *a, const char *market, const char *maker, int64_t since_ms,
                        const char *cursor);

/* A malformed row is left out. False when the answer is none. */
bool clob_read_orders(struct arena *a, const struct buf *answer, struct clob_page *out);
bool clob_read_trades(struct arena *a, const struct buf *answer, struct clob_page *out);

/* The answer to the question for one order. *known is false when it says that there is none. False when the
 * answer is none. */
bool clob_read_order(const struct buf *answer, struct clob_order *out, bool *known);

/* An order's result in the answer to a cancel. */
enum clob_cancel {
    CLOB_CANCEL_UNSAID,
    CLOB_CANCELLED,  /* by this cancel */
    CLOB_OVER_BEFORE /* cancelled or matched before, or not known */
};
enum clob_cancel clob_read_cancel(struct arena *a, const struct buf *answer,
                                  const uint8_t hash[static HASH_LEN]);

#endif
