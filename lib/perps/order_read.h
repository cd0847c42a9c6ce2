/* Readers of the venue's answers about orders, trades and funding, and to actions. Pure. */
#ifndef PERPS_ORDER_READ_H
#define PERPS_ORDER_READ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "chain/evm/evm_addr.h"
#include "model/perps_order.h"

enum { PERPS_ROWS_MAX = 5000 };

/* ---- orders ---- */

enum perps_order_state {
    PERPS_RESTS, /* also as a trigger that waits, and as any word that is not known */
    PERPS_FILLED,
    PERPS_CANCELLED,
    PERPS_REJECTED,
};

/* An order as the venue shows it. */
struct perps_seen {
    uint8_t cloid[PERPS_CLOID_LEN]; /* zeros: it bears none */
    uint64_t oid;                   /* 0: it has no number yet */
    const char *asset;
    bool sells;
    uint64_t size, left;
    enum perps_order_state state;
    const struct err *why; /* of a rejected one, for the agent */
};

/* An answer to `orderStatus`. *known is false where the venue does not know it. False: it is malformed. */
bool perps_read_status(struct arena *a, const struct buf *answer, struct perps_seen *out, bool *known);

/* A list as the venue gave it. Rows of spot and of other venues on the same exchange ("@107", "PURR/USDC",
 * "xyz:NVDA",
 * "+9930") are left out of what is read, and so are malformed ones. */
struct perps_page {
    size_t rows;      /* of any market */
    int64_t last_ms;  /* the time of the last of them; 0: it has none */
    size_t senseless; /* rows of the venue's own markets that cannot be read */
};

/* An answer to `frontendOpenOrders`. */
bool perps_read_open(struct arena *a, const struct buf *answer, struct perps_seen **out, size_t *n,
                     struct perps_page *page);

/* ---- the past ---- */

/* Answers to `userFillsByTime` and `userFunding`, without whose they are. */
bool perps_read_fills(struct arena *a, const struct buf *answer, struct perps_fill **out, size_t *n,
                      struct perps_page *page);
bool perps_read_payments(struct arena *a, const struct buf *answer, struct perps_payment **out, size_t *n,
                         struct perps_page *page);

/* ---- actions ---- */

enum perps_answer {
    PERPS_REPLY_NONE,           /* nothing that can be relied on */
    PERPS_REPLY_DONE,           /* it has done it */
    PERPS_REPLY_REFUSED,        /* it has not, and will not: why */
    PERPS_REPLY_ARRIVED,        /* it has had these bytes before, with any result */
    PERPS_REPLY_UNKNOWN_SIGNER, /* it does not know whose signature this is */
    PERPS_REPLY_GONE,           /* of a cancel: there is no such order any more, or there never was */
};

struct perps_reply {
    enum perps_answer answer;
    bool traded;           /* of an order: something was met at once */
    const struct err *why; /* of NO, for the agent */
    const char *text;      /* its own words for the log; "": none */
};

/* An answer to POST /exchange. */
void perps_read_reply(struct arena *a, const struct buf *answer, struct perps_reply *out);

#endif
