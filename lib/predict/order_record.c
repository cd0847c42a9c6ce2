#include "predict/order_record.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "orders/order_record.h"
#include "predict/predict_order_view.h"
#include "store/agent_versions.h"
#include "store/fills.h"
#include "store/order_states.h"
#include "store/orders.h"
#include "webhook/payload.h"

/* An order as it was, as it is now, and what of it is news. */
struct order_news {
    const struct order_poll *poll;
    struct order_verdict verdict;
    struct order now;
    const char *event_body; /* NULL: there is nothing to tell */
};

enum { GROUP_MAX = EVENTS_AT_ONCE };

struct news_group {
    struct order_news *list;
    unsigned n;
};

static bool order_changes(const struct order *was, const struct order *now)
{
    return was->status != now->status || was->matched != now->matched || was->paid != now->paid ||
           was->settled != now->settled || was->final != now->final;
}

static const char *event_body(struct arena *a, const struct order_news *news)
{
    const struct order_fills *fills = &news->poll->fills;
    struct json_writer w;

    payload_open(&w, a, news->verdict.event, clock_ms());
    order_view(&w, &news->now, fills->list, fills->count);
    jw_bool(&w, "settled", news->now.settled == news->now.matched);
    jw_true_if(&w, "corrected", news->verdict.corrected);
    return payload_close(&w);
}

static struct order_news order_news(struct arena *a, const struct order_poll *poll)
{
    struct order_news news = { .poll = poll,
                               .verdict = order_verdict(poll->order, &poll->observation),
                               .now = *poll->order };
    const struct order_verdict *v = &news.verdict;

    news.now.status = v->status;
    news.now.matched = v->matched;
    news.now.paid = v->paid;
    news.now.settled = v->settled;
    news.now.final = v->final;
    news.now.missed = v->missed;
    news.now.updated_ms = poll->observation.now_ms;
    if (v->status != ORDER_REJECTED)
        news.now.error_code = news.now.error_message = NULL;
    if (v->event != NULL)
        news.event_body = event_body(a, &news);
    return news;
}

/* ---- in one transaction ---- */

static bool fills_record(struct db *db, const struct order_fills *fills)
{
    for (size_t i = 0; i < fills->count; i++)
        if (fills->news[i] && !fills_put(db, &fills->list[i]))
            return false;
    return true;
}

static bool spend_record(struct db *db, const struct order_news *news)
{
    const struct order *was = news->poll->order, *now = &news->now;

    if (order_spends(now))
        return order_spend_record(db, now->execution_id, (struct order_progress){ was->status, was->paid },
                                  (struct order_progress){ now->status, now->paid }, order_cost(now));
    return order_spend_record(db, now->execution_id, (struct order_progress){ was->status, was->matched },
                              (struct order_progress){ now->status, now->matched }, order_shares(now));
}

static enum db_update news_record(struct db *db, const struct order_news *news)
{
    const struct order *was = news->poll->order;
    enum db_update recorded = UPDATED;

    if (order_changes(was, &news->now))
        recorded = orders_record(db, was, &news->now);
    else if (was->missed != news->now.missed && !orders_missed(db, was->execution_id, news->now.missed > 0))
        return DB_ERROR;
    if (recorded != UPDATED)
        return recorded;
    return fills_record(db, &news->poll->fills) && spend_record(db, news) ? UPDATED : DB_ERROR;
}

static bool events_record_all(struct db *db, const struct news_group *g)
{
    struct event_draft drafts[GROUP_MAX];
    size_t n = 0;

    for (const struct order_news *news = g->list; news < g->list + g->n; news++)
        if (news->event_body != NULL)
            drafts[n++] = (struct event_draft){ .agent_id = news->now.agent_id,
                                                .type = news->verdict.event,
                                                .body = news->event_body };
    return order_events_record(db, drafts, n);
}

/* Last of the rows, since all of an agent's orders wait for its own. */
static bool totals_record(struct db *db, const struct news_group *g)
{
    struct order_move moves[GROUP_MAX];
    size_t n = 0;

    for (const struct order_news *news = g->list; news < g->list + g->n; news++)
        if (news->poll->order->status != news->now.status)
            moves[n++] =
                (struct order_move){ news->now.agent_id, news->poll->order->status, news->now.status };
    return order_moves_count(db, moves, n);
}

static enum tx_verdict group_record_tx(struct db *db, void *arg)
{
    const struct news_group *g = arg;
    enum db_update recorded = UPDATED;

    for (unsigned i = 0; i < g->n && recorded == UPDATED; i++) {
        recorded = news_record(db, &g->list[i]);
        if (recorded == UPDATED && !agent_versions_renew(db, g->list[i].now.agent_id))
            return TX_FAILED;
    }
    if (recorded == UNCHANGED)
        return TX_ROLLBACK; /* another process has changed it: the next poll goes from there */
    return recorded == UPDATED && totals_record(db, g) && events_record_all(db, g) ? TX_COMMIT : TX_FAILED;
}

static void news_log(const struct order_news *news)
{
    const struct order *was = news->poll->order, *now = &news->now;

    if (order_changes(was, now))
        log_info("order_moved",
                 "execution=%" PRIu64 " order=%s was=%s matched=%" PRIu64 " settled=%" PRIu64 " final=%d",
                 now->execution_id, order_status_text(now->status), order_status_text(was->status),
                 now->matched, now->settled, now->final);
}

/* One that cannot be recorded must not keep the others from it. */
static bool group_record(struct db *db, struct news_group *g)
{
    enum tx_result result = STEP("order_poll.record", db_transact(db, group_record_tx, g), TX_UNKNOWN);
    bool all = true;

    if (result == TX_UNKNOWN || (result != TX_DONE && g->n == 1))
        return false;
    for (unsigned i = 0; i < g->n; i++) {
        struct news_group one = { .list = &g->list[i], .n = 1 };

        if (result == TX_DONE)
            news_log(&g->list[i]);
        else
            all = group_record(db, &one) && all;
    }
    return all;
}

static bool news_is_any(const struct order_news *news)
{
    return order_changes(news->poll->order, &news->now) || news->poll->order->missed != news->now.missed ||
           fills_any_news(&news->poll->fills);
}

bool order_polls_record(struct db *db, struct arena *a, const struct order_poll *polls, unsigned n)
{
    struct news_group g = { .list = ARENA_ARRAY(a, struct order_news, GROUP_MAX) };
    bool all = true;

    for (unsigned i = 0; i < n; i++) {
        g.list[g.n] = order_news(a, &polls[i]);
        g.n += news_is_any(&g.list[g.n]);
        if (g.n < GROUP_MAX && i + 1 < n)
            continue;
        if (g.n > 0)
            all = group_record(db, &g) && all;
        g.n = 0;
    }
    return all;
}
