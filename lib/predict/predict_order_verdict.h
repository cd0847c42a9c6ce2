/* The verdict of a poll of an order that was placed at the venue. Pure.
 *
 * The venue lags and forgets: its lists may omit an order that rests, it may not know for a moment what it
 * took, and what it calls matched counts only once the chain has settled it. What has ended it no longer
 * knows: trades alone say how much of it was matched. So silence changes nothing; an order that rested ends
 * without the venue's word only if it is unknown at two polls, some seconds apart, of which the second came
 * after a cancel or long after its time. One that never rests ends so if a trade of it is known, or it is
 * unknown for longer. It is final only when all of its trades
 * are settled and, unless it was matched whole, its end was seen twice. */
#ifndef PREDICT_PREDICT_ORDER_VERDICT_H
#define PREDICT_PREDICT_ORDER_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "model/order.h"
#include "predict/clob_orders.h"

enum order_says {
    ORDER_UNAVAILABLE, /* nothing was asked, or nothing sensible was answered */
    ORDER_UNKNOWN,     /* the venue says that it does not know it */
    ORDER_SEEN,
};

/* All fills of an order that are known, those included that a poll has just shown. */
struct order_fills {
    struct fill *list;
    bool *news; /* of each: whether it is new or changed at this poll */
    size_t count;
    uint64_t failed_now; /* the size of those that failed at this poll */
};

/* The result of one poll. */
struct order_observation {
    enum order_says says;
    struct clob_order at_venue; /* SEEN */
    const struct order_fills *fills;
    bool cancelled;  /* the venue has answered a cancel of it, just before it was asked for the order */
    bool taken_back; /* and said that this cancel is what ended it */
    int64_t now_ms;  /* by the database's clock */
};

struct order_verdict {
    enum order_status status;
    uint64_t matched, paid, settled; /* as in struct order */
    bool final;
    unsigned missed;   /* 1: the venue does not know it; order->polled_ms is since when */
    const char *event; /* the type of the event that tells the agent; NULL: there is nothing to tell */
    bool corrected;    /* it takes back what was told before */
};

struct order_verdict order_verdict(const struct order *o, const struct order_observation *s);

/* Whether the trades must be asked for: more or less is matched than its fills say, or one is not settled, or
 * the order itself says nothing of them: the venue shows none that has ended, and of one that spends not how
 * much is matched. */
bool order_wants_trades(const struct order *o, const struct order_observation *s);
/* Whether the order is to be cancelled at the venue before it is looked up: the agent asked for that, or the
 * venue has not known it for long. */
bool order_wants_cancel(const struct order *o, int64_t now_ms);

/* Adds one that is stored; texts are borrowed. */
void fills_add(struct arena *a, struct order_fills *fills, const struct fill *f);
/* Adds what a trade says of the order. What is confirmed stays, and so does what has failed, unless it is
 * confirmed after all. A part that would match more than the order has is left out: more shares or, where it
 * spends, more money. */
void fills_merge(struct arena *a, const struct order *o, struct order_fills *fills, const struct fill *part);
/* Whether any is new or changed. */
bool fills_any_news(const struct order_fills *fills);

#endif
