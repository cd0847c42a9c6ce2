#include "predict/predict_order_verdict.h"

#include <string.h>

#include "predict/clob_private.h"

enum {
    AGAIN_MS = 5000,         /* between two polls that count as two */
    PATIENCE_MS = 60 * 1000, /* with a venue that contradicts itself; longer than its answers ever lag */
    CENT = 10000,
};

/* ---- fills ---- */

static struct fill *fill_find(const struct order_fills *fills, const char *trade)
{
    for (size_t i = 0; i < fills->count; i++)
        if (strcmp(fills->list[i].trade, trade) == 0)
            return &fills->list[i];
    return NULL;
}

static bool fill_may_become(enum fill_state from, enum fill_state to)
{
    return from != FILL_CONFIRMED && (from != FILL_FAILED || to == FILL_CONFIRMED);
}

/* They, added up by what became of them. */
struct fill_sums {
    uint64_t matched, paid, settled; /* without those that failed */
    uint64_t failed;
    bool all_settled;
};

static struct fill_sums fills_sum(const struct order_fills *fills)
{
    struct fill_sums sums = { .all_settled = true };

    for (const struct fill *f = fills->list; f < fills->list + fills->count; f++) {
        if (f->state == FILL_FAILED) {
            sums.failed += f->size;
            continue;
        }
        sums.matched += f->size;
        sums.paid += f->paid;
        sums.settled += f->state == FILL_CONFIRMED ? f->size : 0;
        sums.all_settled &= f->state == FILL_CONFIRMED;
    }
    return sums;
}

/* The venue rounds what it shows of sizes and prices. */
static bool fills_have_room(const struct order *o, const struct order_fills *fills, const struct fill *f)
{
    const struct fill_sums sums = fills_sum(fills);
    uint64_t most = order_cost(o) + CENT;

    if (order_spends(o))
        return f->paid <= most && sums.paid <= most - f->paid;
    return f->size <= order_shares(o) && sums.matched <= order_shares(o) - f->size;
}

/* Whether it names a transaction that was not known. */
static bool part_settles(const struct fill *f, const struct fill *part)
{
    return part->has_tx && (!f->has_tx || memcmp(f->tx_hash, part->tx_hash, sizeof f->tx_hash) != 0);
}

static void fill_change(struct order_fills *fills, struct fill *f, const struct fill *part)
{
    bool settles = part_settles(f, part);

    if (!fill_may_become(f->state, part->state) || (f->state == part->state && !settles))
        return;
    if (part->state == FILL_FAILED)
        fills->failed_now += f->size;
    f->state = part->state;
    f->has_tx |= settles;
    if (settles)
        memcpy(f->tx_hash, part->tx_hash, sizeof f->tx_hash);
    fills->news[f - fills->list] = true;
}

void fills_add(struct arena *a, struct order_fills *fills, const struct fill *f)
{
    fills->list = arena_grow(a, fills->list, fills->count, sizeof *fills->list);
    fills->news = arena_grow(a, fills->news, fills->count, sizeof *fills->news);
    fills->list[fills->count] = *f;
    fills->news[fills->count++] = false;
}

void fills_merge(struct arena *a, const struct order *o, struct order_fills *fills, const struct fill *part)
{
    struct fill *f = fill_find(fills, part->trade);

    if (f != NULL) {
        if (f->state != FILL_FAILED || fills_have_room(o, fills, f))
            fill_change(fills, f, part);
        return;
    }
    if (!fills_have_room(o, fills, part))
        return;
    fills_add(a, fills, part);
    f = &fills->list[fills->count - 1];
    f->execution_id = o->execution_id;
    /* By the rate of its market: takers pay it, makers pay none. */
    const struct clob_market m = { .fee_rate = o->fee_rate, .fee_exponent = o->fee_exponent };
    f->fee = f->maker ? 0 : clob_fee_charged(&m, f->price, f->size);
    fills->failed_now += part->state == FILL_FAILED ? part->size : 0;
    fills->news[fills->count - 1] = true;
}

bool fills_any_news(const struct order_fills *fills)
{
    for (size_t i = 0; i < fills->count; i++)
        if (fills->news[i])
            return true;
    return false;
}

/* ---- matches ---- */

static uint64_t shares_less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* ---- its present state ---- */

/* The results of one poll, put together. */
struct order_account {
    const struct order *o;
    const struct order_observation *s;
    struct fill_sums fills;
    uint64_t matched, paid;
    bool all_known; /* every trade is known and settled */
};

/* An order off the venue's book was matched whole, or as far as possible at once. A smaller matched amount is
 * out of date, unless a settlement has failed. */
static enum order_status status_matched(const struct order_account *c)
{
    bool rest_dropped = c->o->type == ORDER_FAK && c->matched > 0;

    return rest_dropped || (c->all_known && c->fills.failed > 0) ? ORDER_CANCELLED : ORDER_OPEN;
}

static enum order_status status_seen(const struct order_account *c)
{
    switch (c->s->at_venue.status) {
    case CLOB_LIVE:
        return ORDER_OPEN;
    case CLOB_MATCHED:
        return status_matched(c);
    case CLOB_ENDED:
        break;
    }
    return c->o->status == ORDER_REJECTED && c->matched == 0 ? ORDER_REJECTED : ORDER_CANCELLED;
}

static bool never_rests(const struct order *o)
{
    return o->type == ORDER_FOK || o->type == ORDER_FAK;
}

/* Whether it is gone, although the venue never said what became of it. */
static bool order_is_gone(const struct order_account *c)
{
    const struct order *o = c->o;
    const struct order_observation *s = c->s;
    int64_t missed_ms = o->missed > 0 ? s->now_ms - o->polled_ms : 0;
    bool expired = o->expires_ms != 0 && s->now_ms - o->expires_ms > PATIENCE_MS;
    bool over = never_rests(o) && (c->matched > 0 || c->fills.failed > 0 || missed_ms >= PATIENCE_MS);

    if (s->says != ORDER_UNKNOWN)
        return false;
    return s->taken_back || ((s->cancelled || expired || over) && missed_ms >= AGAIN_MS);
}

/* All of FOK is matched, or nothing: what its trades lack of its size is the venue's rounding. */
static enum order_status status_gone(const struct order_account *c)
{
    bool whole = c->o->type == ORDER_FOK && c->matched > 0 && c->fills.failed == 0;

    return whole ? ORDER_FILLED : ORDER_CANCELLED;
}

static enum order_status status_unseen(const struct order_account *c)
{
    enum order_status was = c->o->status;

    if (was == ORDER_OPEN && order_is_gone(c))
        return status_gone(c);
    if (was == ORDER_FILLED && c->o->type == ORDER_FOK && c->matched > 0 && c->fills.failed == 0)
        return ORDER_FILLED;
    if (was == ORDER_FILLED) /* no longer: a settlement has failed */
        return never_rests(c->o) && c->all_known ? ORDER_CANCELLED : ORDER_OPEN;
    if ((was == ORDER_PENDING || was == ORDER_REJECTED) && c->matched > 0)
        return ORDER_OPEN;
    return was;
}

static enum order_status status_of(const struct order_account *c)
{
    if (order_is_whole(c->o, c->matched, c->paid))
        return ORDER_FILLED;
    return c->s->says == ORDER_SEEN ? status_seen(c) : status_unseen(c);
}

/* An order that was matched whole can change no more once that is settled. Of another one the end must have
 * been recorded some seconds ago: what the venue shows lags behind what it does. */
static bool order_is_final(const struct order_account *c, enum order_status status)
{
    if (status == ORDER_REJECTED)
        return true;
    if (!c->all_known || (status != ORDER_FILLED && status != ORDER_CANCELLED))
        return false;
    return order_is_whole(c->o, c->matched, c->paid) ||
           (c->o->status == status && c->o->matched == c->matched &&
            c->s->now_ms - c->o->updated_ms >= AGAIN_MS);
}

/* Looks in a row at which the venue did not know it, of an order that it took. */
static unsigned order_missed(const struct order_account *c, enum order_status status)
{
    if (status != ORDER_OPEN || c->s->says == ORDER_SEEN)
        return 0;
    return c->s->says == ORDER_UNKNOWN ? 1 : c->o->missed;
}

/* ---- reports ---- */

static const char *order_event(const struct order *o, const struct order_verdict *v)
{
    if (v->status != o->status && v->status == ORDER_FILLED)
        return "order.filled";
    if (v->status != o->status && v->status == ORDER_CANCELLED)
        return "order.cancelled";
    return v->corrected || v->matched != o->matched ? "order.partially_filled" : NULL;
}

static struct order_account order_account(const struct order *o, const struct order_observation *s)
{
    struct order_account c = { .o = o, .s = s, .fills = fills_sum(s->fills) };

    /* The venue's matched amount may still include failed trades, and may be ahead of its trades, or behind:
     * for a while it takes nothing back. */
    uint64_t held = shares_less(o->matched, s->fills->failed_now), said = held;

    if (s->says == ORDER_SEEN && !order_spends(o))
        said = shares_less(s->at_venue.matched, c.fills.failed);
    if (said < held && s->now_ms - o->updated_ms < PATIENCE_MS)
        said = held;
    c.matched = said > c.fills.matched ? said : c.fills.matched;
    /* Matched shares without a known trade count at the order's own price, which is the worst. */
    uint64_t paid = c.fills.paid + (c.matched - c.fills.matched) / ORDER_PRICE_ONE * o->price;
    c.paid = order_spends(o) && paid > order_cost(o) ? order_cost(o) : paid;
    c.all_known = c.fills.all_settled && c.matched == c.fills.matched;
    return c;
}

struct order_verdict order_verdict(const struct order *o, const struct order_observation *s)
{
    const struct order_account c = order_account(o, s);
    struct order_verdict v = { .matched = c.matched, .paid = c.paid, .settled = c.fills.settled };

    v.status = status_of(&c);
    v.final = order_is_final(&c, v.status);
    v.missed = order_missed(&c, v.status);
    v.corrected = v.matched < o->matched || (order_has_ended(o->status) && v.status != o->status);
    v.event = order_event(o, &v);
    return v;
}

bool order_wants_trades(const struct order *o, const struct order_observation *s)
{
    bool untold = s->says == ORDER_UNKNOWN ||
                  (s->says == ORDER_SEEN && order_spends(o) && s->at_venue.status != CLOB_LIVE);

    const struct order_account c = order_account(o, s);

    return !c.all_known || (untold && !order_is_whole(o, c.matched, c.paid));
}

bool order_wants_cancel(const struct order *o, int64_t now_ms)
{
    if (!order_is_open(o->status))
        return false;
    return o->cancel_requested_ms != 0 || (o->missed > 0 && now_ms - o->polled_ms >= PATIENCE_MS);
}
