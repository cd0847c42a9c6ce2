/* The known questions to venues, and to whom else this service asks. */
#include "base/clock.h"
#include "drift/source.h"
#include "lend/morpho_api.h"
#include "perps/depth.h"
#include "perps/perps_order_venue.h"
#include "perps/perps_venue.h"
#include "perps/universe.h"
#include "perps/usdc_routes.h"
#include "predict/clob.h"
#include "predict/data_api.h"
#include "predict/gamma.h"
#include "predict/relayer.h"
#include "route/price_feed.h"
#include "service/conf.h"

enum { DEADLINE_MS = 5000, TRADES = 5, FEES_OF = 25 * 1000 * 1000 };

/* Runs and reads one call, and frees it. */
typedef bool answer_read(struct asking *k, const struct buf *answer, void *out);

static bool ask(struct asking *k, struct call *call, const char *base, answer_read *read, void *out)
{
    bool good;

    (void)calls_run(k->ctx->net, call, 1, DEADLINE_MS);
    k->report.took_ms = k->report.took_ms > call->took_ms ? k->report.took_ms : call->took_ms;
    good = call->result == CALL_ANSWERED && call->status == 200 && read(k, &call->answer, out);
    if (!good)
        asking_failed(k, base);
    call_free(call);
    return good;
}

/* ---- Hyperliquid ---- */

static const char *perps_base(const struct ctx *ctx)
{
    return ctx->conf->perps_url;
}

static bool meta_read(struct asking *k, const struct buf *answer, void *out)
{
    struct perps_names names;

    return perps_names_of(&names, k->arena, k->ctx->conf) && perps_read_meta(k->arena, answer, &names, out);
}

static bool depth_read(struct asking *k, const struct buf *answer, void *out)
{
    const struct perps_question *book = out;

    return perps_read_depth(k->arena, answer, book->asset, ARENA_NEW(k->arena, struct perps_depth));
}

static void perps_drift(struct asking *k)
{
    struct perps_universe *u = ARENA_NEW(k->arena, struct perps_universe);
    struct perps_question book = { .type = "l2Book" };
    const char *asset;
    struct call call;

    perps_question_call(&call, k->ctx, k->arena, &(struct perps_question){ .type = "meta" });
    if (!ask(k, &call, perps_base(k->ctx), meta_read, u))
        return;
    if (u->count == 0) {
        asking_found(k, DRIFT_EMPTY, "it lists none of perps_assets");
        return;
    }
    asset = book.asset = u->markets[0].asset.name;
    perps_question_call(&call, k->ctx, k->arena, &book);
    if (!ask(k, &call, perps_base(k->ctx), depth_read, &book))
        return;
    if (u->missing != NULL)
        asking_found(k, DRIFT_CHANGED, "meta and the book of %s; %s of perps_assets is not listed", asset,
                     u->missing);
    else
        asking_found(k, DRIFT_WORKS, "meta, and the book of %s", asset);
}

static const char *exchange_base(const struct ctx *ctx)
{
    return ctx->conf->perps_trading ? ctx->conf->perps_url : NULL;
}

/* An object without an action is refused before anything of it is looked at: by whom takes actions of us. */
static void exchange_drift(struct asking *k)
{
    static const char nothing[] = "{}";
    struct call call;

    perps_exchange_call(&call, k->ctx, k->arena, (const uint8_t *)nothing, sizeof nothing - 1);
    (void)calls_run(k->ctx->net, &call, 1, DEADLINE_MS);
    k->report.took_ms = call.took_ms;
    if (call.result == CALL_ANSWERED && (call.status == 400 || call.status == 422))
        asking_found(k, DRIFT_WORKS, "it reads what is sent to it");
    else
        asking_failed(k, exchange_base(k->ctx));
    call_free(&call);
}

static const char *circle_base(const struct ctx *ctx)
{
    return ctx->conf->perps_trading ? ctx->conf->perps_circle_url : NULL;
}

static bool fees_read(struct asking *k, const struct buf *answer, void *out)
{
    (void)k;
    return usdc_read_fees(answer, u256_from_u64(FEES_OF), out);
}

static void circle_drift(struct asking *k)
{
    struct usdc_cost cost;
    struct call call;

    call_init(&call, usdc_fees_url(k->arena, circle_base(k->ctx), chain_find("arbitrum")), MAX_UPSTREAM);
    if (ask(k, &call, circle_base(k->ctx), fees_read, &cost))
        asking_found(k, DRIFT_WORKS, "what its protocol costs from arbitrum");
}

/* ---- Polymarket ---- */

static const char *gamma_base(const struct ctx *ctx)
{
    return ctx->conf->predict_gamma_url;
}

static const char *clob_base(const struct ctx *ctx)
{
    return ctx->conf->predict_clob_url;
}

static const char *data_base(const struct ctx *ctx)
{
    return ctx->conf->predict_data_url;
}

static const char *relayer_base(const struct ctx *ctx)
{
    return ctx->relayer_key == NULL ? NULL : ctx->conf->predict_relayer_url;
}

/* The busiest one that is open. */
static bool market_read(struct asking *k, const struct buf *answer, void *out)
{
    struct market *list, *busiest = out;
    size_t n;
    bool more;

    if (!gamma_read_markets(k->arena, answer, &list, &n, &more))
        return false;
    for (size_t i = 0; i < n && busiest->outcome_count == 0; i++)
        if (list[i].status == MARKET_OPEN && list[i].outcome_count > 0)
            *busiest = list[i];
    return true;
}

static bool market_find(struct asking *k, struct market *out)
{
    const struct gamma_page page = { .ended = GAMMA_OPEN };
    struct call call;

    *out = (struct market){ .outcome_count = 0 };
    call_init(&call, gamma_page_url(k->arena, gamma_base(k->ctx), "markets", &page), MAX_UPSTREAM);
    if (!ask(k, &call, gamma_base(k->ctx), market_read, out))
        return false;
    if (out->outcome_count == 0)
        asking_found(k, DRIFT_EMPTY, "its catalogue shows no open market");
    return out->outcome_count > 0;
}

static bool book_read(struct asking *k, const struct buf *answer, void *out)
{
    return clob_read_book(k->arena, answer, out);
}

static bool trades_read(struct asking *k, const struct buf *answer, void *out)
{
    struct market_trade *list;

    return data_read_trades(k->arena, answer, TRADES, &list, out);
}

static bool rows_read(struct asking *k, const struct buf *answer, void *out)
{
    static const uint8_t no_digest[HASH_LEN];

    return relayer_read_rows(k->arena, answer, "", no_digest, out);
}

static void gamma_drift(struct asking *k)
{
    struct market m;

    if (market_find(k, &m))
        asking_found(k, DRIFT_WORKS, "the catalogue, busiest market %s", m.id);
}

static void clob_drift(struct asking *k)
{
    struct market m;
    struct book book;
    struct call call;

    if (!market_find(k, &m))
        return;
    call_init(&call, clob_book_url(k->arena, clob_base(k->ctx), m.outcomes[0].token), MAX_UPSTREAM);
    if (ask(k, &call, clob_base(k->ctx), book_read, &book))
        asking_found(k, DRIFT_WORKS, "the book of market %s", m.id);
}

static void data_drift(struct asking *k)
{
    struct market m;
    struct call call;
    size_t n = 0;

    if (!market_find(k, &m))
        return;
    call_init(&call, data_trades_url(k->arena, data_base(k->ctx), m.condition, TRADES), MAX_UPSTREAM);
    if (ask(k, &call, data_base(k->ctx), trades_read, &n))
        asking_found(k, DRIFT_WORKS, "%zu trades of market %s", n, m.id);
}

static void relayer_drift(struct asking *k)
{
    struct relayer_row row;
    struct call call;

    call_init(&call, arena_printf(k->arena, "%s/transactions", relayer_base(k->ctx)), MAX_UPSTREAM);
    if (!relayer_head(&call, k->arena, k->ctx->relayer_key, clock_seconds(), "GET", "/transactions", NULL)) {
        call_free(&call);
        asking_found(k, DRIFT_OFF, "its key cannot sign");
        return;
    }
    if (ask(k, &call, relayer_base(k->ctx), rows_read, &row))
        asking_found(k, DRIFT_WORKS, "its list of transactions, by our key");
}

/* ---- others ---- */

static const char *morpho_base(const struct ctx *ctx)
{
    return ctx->conf->lend_morpho_api;
}

static bool listings_read(struct asking *k, const struct buf *answer, void *out)
{
    struct lend_listing *list;

    return morpho_api_read(k->arena, chain_by_id(1), answer, &list, out);
}

static void morpho_drift(struct asking *k)
{
    struct call call;
    size_t n = 0;

    call_init(&call, morpho_api_url(k->arena, morpho_base(k->ctx)), MORPHO_API_BYTES);
    call.headers[0] = "Content-Type: application/json";
    morpho_api_ask(&call.body, chain_by_id(1));
    if (ask(k, &call, morpho_base(k->ctx), listings_read, &n))
        asking_found(k, n > 0 ? DRIFT_WORKS : DRIFT_EMPTY, "%zu markets on ethereum", n);
}

static const char *feed_base(const struct ctx *ctx)
{
    return ctx->conf->price_feed_url;
}

static bool prices_read(struct asking *k, const struct buf *answer, void *out)
{
    struct feed_price *list = ARENA_ARRAY(k->arena, struct feed_price, (size_t)feed_coins_count);
    size_t *n = out;

    if (!feed_read(list, answer))
        return false;
    for (int i = 0; i < feed_coins_count; i++)
        *n += list[i].has_usd;
    return true;
}

static void feed_drift(struct asking *k)
{
    struct call call;
    size_t n = 0;

    call_init(&call, feed_url(k->arena, feed_base(k->ctx)), MAX_UPSTREAM);
    if (ask(k, &call, feed_base(k->ctx), prices_read, &n))
        asking_found(k, n > 0 ? DRIFT_WORKS : DRIFT_EMPTY, "prices of %zu coins", n);
}

const struct venue_source venue_sources[VENUE_SERVICES] = {
    { VENUE_GAMMA, gamma_base, gamma_drift },    { VENUE_CLOB, clob_base, clob_drift },
    { VENUE_DATA, data_base, data_drift },       { VENUE_RELAYER, relayer_base, relayer_drift },
    { VENUE_PERPS, perps_base, perps_drift },    { VENUE_PERPS_EXCHANGE, exchange_base, exchange_drift },
    { VENUE_CIRCLE, circle_base, circle_drift }, { VENUE_MORPHO_API, morpho_base, morpho_drift },
    { VENUE_PRICE_FEED, feed_base, feed_drift },
};
