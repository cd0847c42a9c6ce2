#include "route/feed.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "chain/tokens.h"
#include "service/conf.h"

enum { FEED_KEEP_MS = 60000, FEED_RETRY_MS = 5000, FEED_DEADLINE_MS = 1500 };

static struct {
    struct feed_price *coins;
    bool answered;
    int64_t until_ms; /* on the monotonic clock */
} feed;

bool feed_configured(const struct ctx *ctx)
{
    return ctx->conf->price_feed_url != NULL && *ctx->conf->price_feed_url != '\0';
}

bool feed_ask(struct call *call, const struct ctx *ctx, struct arena *a)
{
    if (!feed_configured(ctx) || clock_mono_ms() < feed.until_ms)
        return false;
    call_init(call, feed_url(a, ctx->conf->price_feed_url), MAX_UPSTREAM);
    call->timeout_ms = FEED_DEADLINE_MS;
    call_use_lane(call, ctx->bulkhead, BULKHEAD_FEED);
    return true;
}

void feed_keep(struct call *call)
{
    if (feed.coins == NULL && (feed.coins = calloc((size_t)feed_coins_count, sizeof *feed.coins)) == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    feed.answered =
        call->result == CALL_ANSWERED && call->status == 200 && feed_read(feed.coins, &call->answer);
    feed.until_ms = clock_mono_ms() + (feed.answered ? FEED_KEEP_MS : FEED_RETRY_MS);
    if (!feed.answered) /* without its URL, which may contain a key */
        log_repeated("prices_no_answer", "source=feed",
                     "msg=\"price feed gave no answer\" status=%d why=\"%s\"", call->status, call->why);
    call_free(call);
}

void feed_refresh(const struct ctx *ctx, struct arena *a)
{
    struct call call;

    if (!feed_ask(&call, ctx, a))
        return;
    (void)calls_run(ctx->net, &call, 1, FEED_DEADLINE_MS);
    feed_keep(&call);
}

const struct feed_price *feed_price(int coin)
{
    return feed.answered && coin >= 0 ? &feed.coins[coin] : NULL;
}

bool feed_usd(const struct ctx *ctx, const struct token_ref *t, struct amount *usd)
{
    const struct chain *c = chain_by_id(t->chain_id);
    const struct token *known = c == NULL ? NULL : token_find(c, t->address);
    const struct feed_price *p =
        known == NULL || !feed_configured(ctx) ? NULL : feed_price(feed_find(known->symbol));

    if (p == NULL || !p->has_usd)
        return false;
    *usd = p->usd;
    return true;
}
