#include "perps/perps_order_verdict.h"

#include <string.h>

enum {
    AGAIN_MS = 5000,             /* between two polls that count as two */
    TRADES_LATE_MS = 10 * 60000, /* after which trades that never came are not waited for */
    PATIENCE_MS = 60 * 1000,     /* longer than reads ever lag */
};

/* A row with our cloid that is another order, or has more than we asked for, is not our order. */
static bool is_it(const struct perps_order *o, const struct perps_seen *at)
{
    return strcmp(o->asset, at->asset) == 0 && o->sells == at->sells && at->size <= o->size &&
           (o->role != PERPS_ORDER || o->reduce_only || at->size == o->size);
}

static enum order_status status_seen(const struct perps_order *o, const struct perps_seen *at,
                                     uint64_t filled)
{
    switch (at->state) {
    case PERPS_RESTS:
        return order_has_ended(o->status) && o->status != ORDER_REJECTED ? o->status : ORDER_OPEN;
    case PERPS_FILLED:
        return ORDER_FILLED;
    case PERPS_CANCELLED:
        break;
    case PERPS_REJECTED: /* of one that is pending, the engine records it */
        return o->status == ORDER_PENDING ? ORDER_PENDING : filled > 0 ? ORDER_CANCELLED : ORDER_REJECTED;
    }
    return o->status == ORDER_FILLED ? ORDER_FILLED : ORDER_CANCELLED;
}

/* A trigger of an order that was cancelled or rejected has ended with it. */
static bool is_orphan(const struct perps_order *o, const struct perps_observation *s)
{
    return o->oid == 0 && (s->parent == ORDER_CANCELLED || s->parent == ORDER_REJECTED);
}

static bool is_unseen(const struct perps_observation *s)
{
    return !s->seen && s->unknown;
}

/* The venue has forgotten it, twice, after it was cancelled or had no number. */
static bool is_gone(const struct perps_order *o, const struct perps_observation *s)
{
    return s->unknown && s->cancelled && o->polled_ms != 0 && s->now_ms - o->polled_ms >= AGAIN_MS &&
           (s->parent == 0 || s->parent == ORDER_FILLED);
}

static void see(struct perps_order *now, const struct perps_order *o, const struct perps_observation *s)
{
    uint64_t filled = s->at_venue.size - s->at_venue.left;

    now->oid = s->at_venue.oid != 0 ? s->at_venue.oid : o->oid;
    now->filled = filled > o->filled ? filled : o->filled;
    now->status = status_seen(o, &s->at_venue, now->filled);
    now->polled_ms = 0;
    if (now->status == ORDER_REJECTED && s->at_venue.why != NULL) {
        now->error_code = s->at_venue.why->code;
        now->error_message = s->at_venue.why->text;
    }
}

static void see_nothing(struct perps_order *now, const struct perps_order *o,
                        const struct perps_observation *s)
{
    if (o->status == ORDER_OPEN && (is_orphan(o, s) || is_gone(o, s)))
        now->status = ORDER_CANCELLED;
    else if (s->unknown && o->polled_ms == 0)
        now->polled_ms = s->now_ms;
}

/* Trades of more than was ordered are implausible, and fewer than before are old. */
static void count_trades(struct perps_order *now, const struct perps_observation *s)
{
    if (s->traded.size > now->size || (s->traded.size < now->filled && now->paid > s->traded.paid))
        return;
    if (s->traded.size > now->filled)
        now->filled = s->traded.size;
    now->paid = s->traded.paid;
    now->fee = s->traded.fee;
}

/* All of it was traded, although the venue does not know it any more. A trigger may trade less. */
static bool is_traded_whole(const struct perps_order *now, const struct perps_observation *s)
{
    return is_unseen(s) && (now->status == ORDER_OPEN || now->status == ORDER_CANCELLED) && now->size != 0 &&
           s->traded.size == now->size;
}

static const char *event_of(const struct perps_order *o, const struct perps_order *now)
{
    if (now->status == o->status)
        return now->filled != o->filled ? "perps.order.partially_filled" : NULL;
    switch (now->status) {
    case ORDER_FILLED:
        return "perps.order.filled";
    case ORDER_CANCELLED:
        return "perps.order.cancelled";
    case ORDER_REJECTED:
        return "perps.order.rejected";
    case ORDER_PENDING:
    case ORDER_OPEN:
    case ORDER_WAITING:
        break;
    }
    return now->filled != o->filled ? "perps.order.partially_filled" : NULL;
}

/* The trades of one whose end no answer tells are asked for once more after that. */
static bool is_final(const struct perps_order *o, const struct perps_order *now,
                     const struct perps_observation *s)
{
    bool complete = s->traded.size >= now->filled || s->now_ms - now->updated_ms > TRADES_LATE_MS;
    bool told = !is_unseen(s) || o->oid == 0 || order_has_ended(o->status);

    return now->status == ORDER_REJECTED || (order_has_ended(now->status) && complete && told);
}

struct perps_verdict perps_verdict(const struct perps_order *o, const struct perps_observation *s)
{
    struct perps_verdict v = { .now = *o };
    struct perps_order *now = &v.now;

    if (s->seen && is_it(o, &s->at_venue))
        see(now, o, s);
    else
        see_nothing(now, o, s);
    count_trades(now, s);
    if (is_traded_whole(now, s))
        now->status = ORDER_FILLED;
    if (now->status != ORDER_REJECTED)
        now->error_code = now->error_message = NULL;
    now->final = is_final(o, now, s);
    v.untold = is_unseen(s) && o->oid != 0 && o->polled_ms == 0;
    v.event = event_of(o, now);
    v.changed = now->status != o->status || now->filled != o->filled || now->paid != o->paid ||
                now->fee != o->fee || now->final != o->final || now->oid != o->oid ||
                now->polled_ms != o->polled_ms;
    if (v.event != NULL)
        now->updated_ms = s->now_ms;
    return v;
}

bool perps_wants_fills(const struct perps_verdict *v)
{
    return !v->now.final && (v->untold || v->now.filled > 0 || order_has_ended(v->now.status));
}

bool perps_wants_cancel(const struct perps_order *o, const struct perps_observation *s)
{
    return is_unseen(s) && !s->cancelled && o->status == ORDER_OPEN && o->polled_ms != 0 &&
           s->now_ms - o->polled_ms >= PATIENCE_MS;
}
