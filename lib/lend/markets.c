#include "lend/markets.h"

#include <string.h>

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/params.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "chain/unavailable.h"
#include "lend/chain_read.h"
#include "net/bulkhead.h"
#include "service/conf.h"
#include "venue/aave_calls.h"
#include "venue/morpho_calls.h"

/* Views are made from cached reads. */
enum { LIFE_MS = 10000, SHOWN_LIFE_MS = 5000 };

static const struct cache_source chains_that_lend = {
    .deadline_ms = LEND_DEADLINE_MS,
    .lane = BULKHEAD_LENDING,
    .busy = "Too many calls are waiting for lending markets: try again in a second",
};

/* ---- which chains ---- */

static bool chain_lends(const struct ctx *ctx, const struct chain *c)
{
    return contract_of(c, &aave_pool) != NULL && nodes_known(ctx->nodes, c);
}

static const struct err *chain_unknown(struct arena *a, const char *key, uint64_t id)
{
    return err_fmt(a, &E_CHAIN_UNKNOWN, key != NULL ? key : arena_printf(a, "%llu", (unsigned long long)id),
                   NULL);
}

const struct err *lend_chain_of(const struct ctx *ctx, struct arena *a, const char *key, uint64_t id,
                                const struct chain **out)
{
    const struct chain *by_key = key != NULL ? chain_find(key) : NULL,
                       *by_id = id != 0 ? chain_by_id(id) : NULL;

    *out = by_key != NULL ? by_key : by_id;
    if (key != NULL && by_key == NULL)
        return chain_unknown(a, key, id);
    if (id != 0 && by_id == NULL)
        return chain_unknown(a, NULL, id);
    if (by_key != NULL && by_id != NULL && by_key != by_id)
        return err_on(a, &E_VALIDATION, "chainId");
    return *out == NULL || chain_lends(ctx, *out) ? NULL : err_fmt(a, &E_LEND_CHAIN, (*out)->key, NULL);
}

/* ---- asking ---- */

static void unread_write(struct json_writer *w, const struct lend_book *b)
{
    jw_array(w, "unavailable");
    for (size_t i = 0; i < b->unread_count; i++)
        jw_string(w, NULL, b->unread[i]->key);
    jw_end(w);
}

static void book_write(struct json_writer *w, const struct lend_book *b)
{
    jw_array(w, "markets");
    for (size_t i = 0; i < b->count; i++)
        lend_market_write(w, &b->markets[i]);
    jw_end(w);
    unread_write(w, b);
}

/* Whom a question is put to. */
struct chains_asked {
    const struct chain **list;
    size_t count;
    bool only; /* one was named: its silence is an error */
};

static struct chains_asked chains_asked_of(const struct ctx *ctx, struct arena *a, const struct chain *only)
{
    struct chains_asked to = { ARENA_ARRAY(a, const struct chain *, chains_count), 0, only != NULL };

    for (size_t i = 0; i < chains_count; i++)
        if (only == NULL ? chain_lends(ctx, &chains[i]) : only == &chains[i])
            to.list[to.count++] = &chains[i];
    return to;
}

static const struct err *make_markets(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct chains_asked *to = what;
    struct lend_book book;

    lend_read_chains(ctx, w->arena, to->list, to->count, NULL, &book);
    if (to->only && book.unread_count > 0)
        return chain_unavailable(ctx, w->arena, to->list[0]);
    lend_markets_sort(book.markets, book.count);
    book_write(w, &book);
    return NULL;
}

/* Hosts with other nodes, or other lists, have other answers. */
static const char *question_of(const struct ctx *ctx, struct arena *a, const struct chains_asked *to)
{
    const char *text = arena_printf(a, "%s %s", to->only ? "lend on terms" : "lend on terms anywhere",
                                    ctx->conf->lend_morpho_api);

    for (size_t i = 0; i < to->count; i++) {
        const char *key = to->list[i]->key, *nodes = conf_chain(ctx->conf, "rpc", key),
                   *listed = conf_chain(ctx->conf, "morpho_markets", key);

        text = arena_printf(a, "%s\n%s %s %s", text, key, nodes != NULL ? nodes : "",
                            listed != NULL ? listed : "");
    }
    return text;
}

/* Text that could not be written is NULL. Dollars may have more digits than integers of JSON values. */
static const struct err *doc_read(struct arena *a, const char *text, const json_t **out)
{
    *out = text != NULL ? json_in_arena(a, json_read(text, strlen(text))) : NULL;
    return *out != NULL ? NULL : &E_INTERNAL;
}

typedef const struct err *keeping_fn(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                     const char **text);

static const struct err *markets_read(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                      keeping_fn *keep, const json_t **out)
{
    const struct chains_asked to = chains_asked_of(ctx, a, c);
    const struct cache_query q = { &chains_that_lend, question_of(ctx, a, &to), LIFE_MS, make_markets, &to };
    const char *text;
    const struct err *e = keep(ctx, a, &q, &text);

    return e != NULL ? e : doc_read(a, text, out);
}

const struct err *lend_markets(const struct ctx *ctx, struct arena *a, const struct chain *c,
                               const json_t **out)
{
    return markets_read(ctx, a, c, cached_answer, out);
}

const struct err *lend_markets_often(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                     const json_t **out)
{
    return markets_read(ctx, a, c, cached_answer_often, out);
}

const struct err *lend_markets_shown(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                     const char *part, cache_fill *make, const void *what, const char **text)
{
    const struct chains_asked to = chains_asked_of(ctx, a, c);
    const struct cache_query q = { &chains_that_lend,
                                   arena_printf(a, "%s\n%s", question_of(ctx, a, &to), part), SHOWN_LIFE_MS,
                                   make, what };

    return cached_answer(ctx, a, &q, text);
}

/* ---- choosing ---- */

static const char *text_of(const json_t *market, const char *name)
{
    const char *text = json_string_value(json_object_get(market, name));

    return text != NULL ? text : "";
}

static bool symbol_is_in(const json_t *market, const char *symbol)
{
    return strcasecmp(text_of(market, "loanToken"), symbol) == 0 ||
           strcasecmp(text_of(market, "collateralToken"), symbol) == 0;
}

static bool asset_is_in(const json_t *market, const char *asset)
{
    const struct chain *c = chain_find(text_of(market, "chain"));
    const struct token *t = c != NULL ? token_find(c, asset) : NULL;

    return symbol_is_in(market, t != NULL ? t->symbol : asset) ||
           strcasecmp(text_of(market, "address"), asset) == 0;
}

bool lend_market_is_wanted(const json_t *market, const struct lend_filter *f)
{
    return (f->protocol == NULL || strcmp(text_of(market, "protocol"), f->protocol) == 0) &&
           (f->asset == NULL || asset_is_in(market, f->asset));
}

/* ---- one of them ---- */

/* The chain that an id of Aave's names; NULL: none that lends. */
static const struct chain *chain_in_id(const struct ctx *ctx, struct arena *a, const char *id)
{
    const char *digits = id + strlen("aave-v3:");
    const struct chain *c;
    uint64_t number;

    if (!params_whole(&number, arena_strndup(a, digits, strcspn(digits, ":"))))
        return NULL;
    c = chain_by_id(number);
    return c != NULL && chain_lends(ctx, c) ? c : NULL;
}

/* A market that no chain has shown may still exist while a chain that may have it is unavailable. */
static bool all_have_spoken(const json_t *doc)
{
    const json_t *key;
    size_t i;

    json_array_foreach(json_object_get(doc, "unavailable"), i, key)
    {
        const struct chain *c = chain_find(json_string_value(key));

        if (c != NULL && contract_of(c, &morpho_blue) != NULL)
            return false;
    }
    return true;
}

static const struct err *market_in(const json_t *doc, const char *id, const json_t **out)
{
    const json_t *market;
    size_t i;

    json_array_foreach(json_object_get(doc, "markets"), i, market)
    {
        *out = market;
        if (strcasecmp(text_of(market, "id"), id) == 0)
            return NULL;
    }
    return all_have_spoken(doc) ? &E_MARKET_NOT_FOUND : &E_UPSTREAM;
}

static const struct err *market_look_up(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                        const char *id, const json_t **out)
{
    const json_t *doc = NULL;
    const struct err *e;

    if (c == NULL && strncasecmp(id, "aave-v3:", strlen("aave-v3:")) == 0) {
        c = chain_in_id(ctx, a, id);
        if (c == NULL)
            return &E_MARKET_NOT_FOUND;
    }
    e = lend_markets_often(ctx, a, c, &doc);
    return e != NULL ? e : market_in(doc, id, out);
}

const struct err *lend_market_find(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                   const char *id, const json_t **out)
{
    const struct err *e = market_look_up(ctx, a, c, id, out);

    return e == &E_MARKET_NOT_FOUND ? err_hint(a, e, "GET /lend/markets lists the ids") : e;
}

/* ---- a wallet's balances ---- */

static const char *positions_text(struct arena *a, const struct lend_book *b)
{
    struct json_writer *w = ARENA_NEW(a, struct json_writer);

    jw_init(w, a, UPSTREAM_ANSWER_MAX);
    jw_object(w, NULL);
    jw_array(w, "positions");
    for (size_t i = 0; i < b->position_count; i++)
        lend_position_write(w, &b->positions[i]);
    jw_end(w);
    jw_array(w, "accounts");
    for (size_t i = 0; i < b->account_count; i++)
        lend_account_write(w, &b->accounts[i]);
    jw_end(w);
    unread_write(w, b);
    jw_end(w);
    return jw_finish(w);
}

void lend_held(const struct ctx *ctx, struct arena *a, const struct chain *c, struct evm_addr wallet,
               struct lend_book *out)
{
    struct chains_asked to = chains_asked_of(ctx, a, c);

    if (c != NULL && !chain_lends(ctx, c))
        to.count = 0;
    lend_read_chains(ctx, a, to.list, to.count, &wallet, out);
}

const struct err *lend_positions(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                 struct evm_addr wallet, const json_t **out)
{
    const struct chains_asked to = chains_asked_of(ctx, a, c);
    struct lend_book book;

    lend_read_chains(ctx, a, to.list, to.count, &wallet, &book);
    if (to.only && book.unread_count > 0)
        return chain_unavailable(ctx, a, to.list[0]);
    return doc_read(a, positions_text(a, &book), out);
}
