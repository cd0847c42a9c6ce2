#include "perps/perps_markets.h"

#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/json_reader.h"
#include "perps/number.h"
#include "perps/perps_venue.h"
#include "service/conf.h"

enum {
    HOUR_MS = 60 * 60 * 1000,
    CONTEXTS_LIFE_MS = 2000,
    BOOK_LIFE_MS = 1000,
    BUSY_LIVES = 5, /* so much longer what is shown is good, rather than nothing, while the venue is busy */
    ASSETS_LIFE_MS = HOUR_MS,
    KEPT_MAX = 256 * 1024,
    MIN_ORDER_VALUE = 10, /* dollars */
};

unsigned perps_leverage_allowed(const struct ctx *ctx, unsigned most)
{
    return most < ctx->conf->perps_max_leverage ? most : ctx->conf->perps_max_leverage;
}

/* Hosts with another list, or another bound, have other answers. */
static const char *list_name(const struct ctx *ctx, struct arena *a, const char *what)
{
    return perps_cache_key(ctx, a, what,
                           arena_printf(a, "%s\n%u", ctx->conf->perps_assets, ctx->conf->perps_max_leverage));
}

static const struct err *names_of(const struct ctx *ctx, struct arena *a, struct perps_names *out)
{
    return perps_names_of(out, a, ctx->conf) ? NULL : &E_INTERNAL;
}

/* Nothing is ordered at a price that is older than it has to be. */
static const struct err *shown_while_busy(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                          const struct err *e, const char **text)
{
    if (perps_request_budget_asked_for() == PERPS_REQUEST_BUDGET_ORDERS)
        return e;
    return cached_while_busy(ctx, a, q, q->life_ms * BUSY_LIVES, e, text);
}

/* ---- assets ---- */

static void missing_tell(const struct perps_universe *u)
{
    if (u->missing != NULL)
        log_repeated("perps_asset_missing", "asked=meta",
                     "msg=\"the venue of perpetuals does not have an asset that is listed\" asset=%s",
                     u->missing);
}

static void assets_write(struct json_writer *w, const struct perps_universe *u)
{
    jw_array(w, "assets");
    for (size_t i = 0; i < u->count; i++)
        perps_asset_write(w, &u->markets[i].asset);
    jw_end(w);
}

static const struct err *make_assets(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    struct perps_asking q = { .questions = { { .type = "meta" } }, .count = 1 };
    const struct err *e = perps_ask(ctx, w->arena, &q);
    struct perps_universe u;

    if (e == NULL && !perps_read_meta(w->arena, &q.calls[0].answer, what, &u))
        e = perps_senseless("meta");
    perps_asking_free(&q);
    if (e != NULL)
        return e;
    missing_tell(&u);
    assets_write(w, &u);
    return NULL;
}

/* The venue's answer about them besides its contexts is newer than the cached one. */
static void assets_note(const struct ctx *ctx, struct arena *a, const struct perps_universe *u)
{
    struct json_writer w;
    const char *text;

    jw_init(&w, a, KEPT_MAX);
    jw_object(&w, NULL);
    assets_write(&w, u);
    jw_end(&w);
    text = jw_finish(&w);
    if (text != NULL)
        (void)cached_answer_note(ctx->db, list_name(ctx, a, "assets"), text);
}

static const struct err *assets_kept(const struct ctx *ctx, struct arena *a, const char **text)
{
    struct perps_names names;
    const struct cache_query q = { &perps_venue, list_name(ctx, a, "assets"), ASSETS_LIFE_MS, make_assets,
                                   &names };
    const struct err *e = names_of(ctx, a, &names);

    return e != NULL ? e : cached_answer_often(ctx, a, &q, text);
}

void perps_assets_poll(const struct ctx *ctx, struct arena *a)
{
    const char *text;

    if (ctx->conf->perps_trading)
        (void)assets_kept(ctx, a, &text);
}

const struct err *perps_asset_find(const struct ctx *ctx, struct arena *a, const char *market,
                                   struct perps_asset *out, bool *there)
{
    const char *text = NULL;
    const struct err *e = assets_kept(ctx, a, &text);
    const json_t *row;
    json_t *doc;
    size_t i;

    *there = false;
    if (e != NULL)
        return e;
    doc = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(doc, "assets"), i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));

        if (!*there && name != NULL && perps_is_meant(name, market))
            *there = perps_asset_read(a, row, out);
    }
    json_decref(doc);
    return NULL;
}

const char *perps_asset_name(const struct ctx *ctx, struct arena *a, unsigned index)
{
    const char *text = NULL, *name = NULL;
    struct perps_asset p;
    const json_t *row;
    json_t *doc;
    size_t i;

    if (assets_kept(ctx, a, &text) != NULL)
        return NULL;
    doc = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(doc, "assets"), i, row)
    {
        if (name == NULL && perps_asset_read(a, row, &p) && p.index == index)
            name = p.name;
    }
    json_decref(doc);
    return name;
}

/* ---- the list ---- */

static void market_write(struct json_writer *w, const struct ctx *ctx, const struct perps_market *m,
                         int64_t now_ms)
{
    const struct perps_asset *p = &m->asset;

    jw_string(w, "name", perps_market_name(w->arena, p->name));
    jw_string(w, "asset", p->name);
    jw_integer(w, "szDecimals", p->sz_decimals);
    jw_integer(w, "maxLeverage", perps_leverage_allowed(ctx, p->leverage));
    jw_integer(w, "venueMaxLeverage", p->leverage);
    perps_number_write(w, "markPrice", m->mark);
    perps_number_write(w, "oraclePrice", m->oracle);
    if (m->mid != NULL)
        perps_number_write(w, "midPrice", m->mid);
    else
        jw_null(w, "midPrice");
    perps_number_write(w, "fundingRate", m->funding);
    jw_time(w, "nextFundingAt", (now_ms / HOUR_MS + 1) * HOUR_MS);
    perps_number_write(w, "openInterest", m->open_interest);
    perps_number_write(w, "volume24h", m->volume);
    perps_number_write(w, "priceChange24h", m->change);
    jw_integer(w, "minOrderValue", MIN_ORDER_VALUE);
    jw_bool(w, "onlyIsolated", p->only_isolated);
}

/* Reads a market as the function above wrote it. */
static bool market_read(struct arena *a, const json_t *row, struct perps_market *out)
{
    const char *name = json_string_value(json_object_get(row, "asset"));

    *out = (struct perps_market){ .asset = { .name = name != NULL ? arena_strdup(a, name) : NULL,
                                             .only_isolated =
                                                 json_is_true(json_object_get(row, "onlyIsolated")) },
                                  .mark = perps_number(a, row, "markPrice"),
                                  .oracle = perps_number(a, row, "oraclePrice"),
                                  .mid = perps_number(a, row, "midPrice"),
                                  .funding = perps_signed(a, row, "fundingRate"),
                                  .open_interest = perps_number(a, row, "openInterest"),
                                  .volume = perps_number(a, row, "volume24h"),
                                  .change = perps_signed(a, row, "priceChange24h") };
    return name != NULL && out->mark != NULL && out->oracle != NULL && out->funding != NULL &&
           out->open_interest != NULL && out->volume != NULL && out->change != NULL &&
           perps_whole(&out->asset.sz_decimals, row, "szDecimals", PERPS_SIZE_PLACES_MAX) &&
           perps_whole(&out->asset.leverage, row, "venueMaxLeverage", PERPS_LEVERAGE_MAX);
}

static const struct err *make_markets(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    struct perps_asking q = { .questions = { { .type = "metaAndAssetCtxs" } }, .count = 1 };
    const struct err *e = perps_ask(ctx, w->arena, &q);
    struct perps_universe u;

    if (e == NULL && !perps_read_contexts(w->arena, &q.calls[0].answer, what, &u))
        e = perps_senseless("metaAndAssetCtxs");
    perps_asking_free(&q);
    if (e != NULL)
        return e;
    missing_tell(&u);
    assets_note(ctx, w->arena, &u);
    jw_array(w, "markets");
    for (size_t i = 0; i < u.count; i++) {
        jw_object(w, NULL);
        market_write(w, ctx, &u.markets[i], clock_ms());
        jw_end(w);
    }
    jw_end(w);
    return NULL;
}

const struct err *perps_markets(const struct ctx *ctx, struct arena *a, const char **text)
{
    struct perps_names names;
    const struct cache_query q = { &perps_venue, list_name(ctx, a, "markets"), CONTEXTS_LIFE_MS, make_markets,
                                   &names };
    const struct err *e = names_of(ctx, a, &names);

    if (e != NULL)
        return e;
    return shown_while_busy(ctx, a, &q, cached_answer_often(ctx, a, &q, text), text);
}

const struct err *perps_list(const struct ctx *ctx, struct arena *a, struct perps_list *out)
{
    const char *text = NULL;
    const struct err *e = perps_markets(ctx, a, &text);
    const json_t *rows, *row;
    json_t *doc;
    size_t i;

    *out = (struct perps_list){ .count = 0 };
    if (e != NULL)
        return e;
    doc = json_read_texts(text, strlen(text));
    rows = json_object_get(doc, "markets");
    out->markets = ARENA_ARRAY(a, struct perps_market, json_array_size(rows) + 1);
    json_array_foreach(rows, i, row) out->count += market_read(a, row, &out->markets[out->count]);
    json_decref(doc);
    return NULL;
}

const struct perps_market *perps_list_find(const struct perps_list *list, const char *market)
{
    for (size_t i = 0; i < list->count; i++)
        if (perps_is_meant(list->markets[i].asset.name, market))
            return &list->markets[i];
    return NULL;
}

/* ---- books ---- */

static const struct err *make_book(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    struct perps_asking q = { .questions = { { .type = "l2Book", .asset = what } }, .count = 1 };
    const struct err *e = perps_ask(ctx, w->arena, &q);
    struct perps_depth depth;

    if (e == NULL && !perps_read_depth(w->arena, &q.calls[0].answer, what, &depth))
        e = perps_senseless("l2Book");
    perps_asking_free(&q);
    if (e == NULL)
        perps_depth_write(w, &depth);
    return e;
}

static const struct err *book_kept(const struct ctx *ctx, struct arena *a, const char *asset,
                                   const char **text)
{
    const struct cache_query q = { &perps_venue, perps_cache_key(ctx, a, "book", asset), BOOK_LIFE_MS,
                                   make_book, asset };

    return shown_while_busy(ctx, a, &q, cached_answer(ctx, a, &q, text), text);
}

const struct err *perps_depth_find(const struct ctx *ctx, struct arena *a, const char *asset,
                                   struct perps_depth *out)
{
    const char *text = NULL;
    const struct err *e = book_kept(ctx, a, asset, &text);

    if (e != NULL)
        return e;
    return perps_depth_of(a, text, out) ? NULL : &E_INTERNAL;
}

/* ---- one market ---- */

/* Its members have to be read again, since its list is kept as a whole. */
const struct err *perps_market(const struct ctx *ctx, struct arena *a, const char *name, const char **text)
{
    struct perps_list list;
    const char *book = NULL;
    const struct err *e = perps_list(ctx, a, &list);
    const struct perps_market *m;
    struct json_writer w;

    if (e != NULL)
        return e;
    m = perps_list_find(&list, name);
    if (m == NULL)
        return err_hint(a, &E_MARKET_NOT_FOUND, "GET /perps/markets lists their names");
    e = book_kept(ctx, a, m->asset.name, &book);
    if (e != NULL)
        return e;
    jw_init(&w, a, KEPT_MAX);
    jw_object(&w, NULL);
    market_write(&w, ctx, m, clock_ms());
    jw_members(&w, book, strlen(book), NULL);
    jw_end(&w);
    *text = jw_finish(&w);
    return *text != NULL ? NULL : &E_INTERNAL;
}
