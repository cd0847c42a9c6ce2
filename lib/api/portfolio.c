#include "swap/wallet_portfolio.h"

#include <strings.h>

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/left_behind.h"
#include "api/view.h"
#include "base/clock.h"
#include "chain/address.h"
#include "model/agent.h"
#include "store/executions.h"
#include "store/wallets.h"

/* ---- parameters ---- */

struct portfolio_in {
    const char *wallet_address, *chain, *token;
};

static const struct param portfolio_params[] = {
    { "wallet_address", P_TEXT, INTO(struct portfolio_in, wallet_address), .check = param_wallet_fault,
      .bad = &E_WALLET_ADDRESS, .max = PARAM_NAME_MAX, .about = "One of the agent's wallets; absent: all" },
    { "chain", P_TEXT, INTO(struct portfolio_in, chain), .max = PARAM_NAME_MAX,
      .about = "Chain key or alias; absent: all" },
    { "token", P_TEXT, INTO(struct portfolio_in, token), .max = PARAM_NAME_MAX,
      .about = "Symbol or contract address of a token; absent: all" },
    { 0 },
};

/* ---- answers ---- */

static const char *const holder_types[] = { "evm", "solana", "mixed", NULL };
static const char *const price_sources[] = { "symbol", NULL };

/* clang-format off */
static const struct schema holding_schema = { "Holding", "A token that a wallet holds", FIELDS {
    { "symbol",         TEXT("USDC"),      "Symbol" },
    { "name",           TEXT("USD Coin"),  "Name", FULL_ONLY },
    { "chain",          TEXT("base"),      "Key of the chain" },
    { "address",        TEXT(A_TOKEN),     "Contract address; the zero address is the native coin", FULL_ONLY },
    { "wallet_address", TEXT(A_WALLET),    "Whose it is", FULL_IF_NULL },
    { "balance",        AMOUNT("1500.25"), "How much" },
    { "usd_value",      TEXT("1500.25"),   "Its worth in dollars; null without a price", MAY_BE_NULL },
    { "price_source",   CHOICE(price_sources, "symbol"), "symbol: priced as the token of that symbol on another chain", MAY_BE_ABSENT },
    END } };

static const struct schema asset_schema = { "Position", "What a wallet has at a market, or owes there", FIELDS {
    { "market",         TEXT("lend"),    "perps, predict or lend" },
    { "chain",          TEXT("base"),    "Key of the chain; null: on none", MAY_BE_NULL },
    { "wallet_address", TEXT(A_WALLET),  "Whose it is", FULL_IF_NULL },
    { "symbol",         TEXT("USDC"),    "Symbol; on prediction markets outcome and question" },
    { "amount",         AMOUNT("250.5"), "How much" },
    { "usd_value",      TEXT("250.50"),  "Its worth in dollars, of a debt less than 0; null without a price", MAY_BE_NULL },
    { "debt",           FLAG("true"),    "It is owed", MAY_BE_ABSENT },
    END } };

static const struct schema in_transit_schema = { "InTransit", "What a swap between chains will bring", FIELDS {
    { "swap_id",   WHOLE("42"),       "The swap" },
    { "chain",     TEXT("base"),      "Key of the chain on which it will arrive" },
    { "symbol",    TEXT("USDC"),      "Symbol" },
    { "amount",    AMOUNT("1496.75"), "How much is expected" },
    { "usd_value", TEXT("1496.75"),   "Its worth in dollars; null without a price", MAY_BE_NULL },
    END } };

static const struct schema portfolio_schema = { "Portfolio", "The agent's net worth, and what it consists of", FIELDS {
    SUCCESS,
    { "wallet_address", TEXT(A_WALLET),              "The wallet, when there is only one", MAY_BE_ABSENT },
    { "wallet_type",    CHOICE(holder_types, "evm"), "Their kind; null without a wallet", MAY_BE_NULL | FULL_ONLY },
    { "chain_filter",   TEXT("null"),                "The chain asked for", MAY_BE_NULL | FULL_ONLY },
    { "token_filter",   TEXT("null"),                "The token asked for", MAY_BE_NULL | FULL_ONLY },
    { "total_usd",      TEXT("1750.75"),             "Net worth in dollars of all that has a price: wallets_usd and markets_usd less debts_usd" },
    { "wallets_usd",    TEXT("1500.25"),             "Of balances", MAY_BE_ABSENT },
    { "markets_usd",    TEXT("250.50"),              "Of positions that are no debts", MAY_BE_ABSENT },
    { "debts_usd",      TEXT("0.00"),                "Of debts", MAY_BE_ABSENT },
    { "balances",       LIST(holding_schema),        "What wallets hold" },
    { "positions",      LIST(asset_schema),          "What they have at markets, and owe there" },
    { "in_transit",     LIST(in_transit_schema),     "What has left one chain and not arrived on the other; not in total_usd" },
    { "unpriced",       TEXTS("PAUSE on base"),      "What has no price, and is not in total_usd", MAY_BE_ABSENT },
    { "unavailable",    TEXTS("ethereum"),           "Chains and markets that could not be read", MAY_BE_ABSENT },
    END } };
/* clang-format on */

/* ---- what there is ---- */

enum { CENTS = 2, MARKET_MS = 3000 /* after which a market is asked about no further wallet */ };

/* Something between chains, as it will be held. */
struct moving {
    uint64_t swap_id;
    const char *symbol;
    struct holding held;
};

struct net_worth {
    struct api_call *call;
    const struct wallet *wallets;
    size_t wallet_count;
    const struct chain *only; /* NULL: all */
    const char *token;        /* NULL: any */
    struct holdings held;
    struct assets assets;
    struct moving *moving;
    size_t moving_count;
    struct amount of_wallets, of_markets, of_debts;
};

/* Narrows the list to the named wallet, or refuses. */
static const struct err *wallet_pick(const char *address, struct wallet **list, size_t *n)
{
    for (size_t i = 0; i < *n; i++) {
        if (!address_same((*list)[i].ref.address, address))
            continue;
        *list += i;
        *n = 1;
        return NULL;
    }
    return &E_WALLET_NOT_YOURS;
}

/* The kind of all wallets: "mixed" when they differ, null when there is no wallet. */
static const char *wallets_type(const struct wallet *list, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (list[i].ref.kind != list[0].ref.kind)
            return "mixed";
    return n == 0 ? NULL : chain_type_text(wallet_chain_type(list[0].ref.kind));
}

/* Whether it is the requested token: by any name of its chain's list, or by the symbol alone. */
static bool is_wanted(const struct net_worth *x, const struct holding *h, const char *symbol)
{
    const struct token *t = x->token == NULL || h->chain == NULL ? NULL : token_find(h->chain, x->token);

    if (x->token == NULL)
        return true;
    return h->token != NULL && t != NULL ? h->token == t
                                         : strcasecmp(symbol, t != NULL ? t->symbol : x->token) == 0;
}

static void balances_read(struct net_worth *x)
{
    struct holdings *p = &x->held;
    size_t n = 0;

    portfolio_balances(x->call->ctx, x->call->arena, x->wallets, x->wallet_count, x->only, p);
    for (size_t i = 0; i < p->count; i++)
        if (is_wanted(x, &p->held[i], p->held[i].token->symbol))
            p->held[n++] = p->held[i];
    p->count = n;
}

/* Only markets that the agent has had something at are asked. */
static void assets_read(struct net_worth *x, const struct wallet_traces *traces)
{
    struct assets *out = &x->assets;
    size_t n = 0;

    for (size_t i = 0; asset_sources[i] != NULL; i++) {
        const struct assets_question q = { x->wallets, x->wallet_count, x->only,
                                           clock_mono_ms() + MARKET_MS };

        if (asset_source_is_known(asset_sources[i], x->call->arena, traces))
            asset_sources[i]->read(x->call->ctx, &q, out);
    }
    for (size_t i = 0; i < out->count; i++)
        if (is_wanted(x, &out->list[i].held, out->list[i].what))
            out->list[n++] = out->list[i];
    out->count = n;
}

/* Whether the execution is of one of these wallets. */
static bool is_of_wallets(const struct net_worth *x, const struct execution *e)
{
    for (size_t i = 0; i < x->wallet_count; i++)
        if (x->wallets[i].id == e->wallet_id)
            return true;
    return false;
}

static void moving_add(struct net_worth *x, const struct execution *e)
{
    struct moving m = { .swap_id = e->id,
                        .symbol = e->to.symbol,
                        .held = { .chain = chain_by_id(e->to.chain_id),
                                  .token = token_known(&e->to),
                                  .balance = { e->expected_out, e->to.decimals } } };

    if (!is_of_wallets(x, e) || (x->only != NULL && m.held.chain != x->only) ||
        !is_wanted(x, &m.held, m.symbol))
        return;
    x->moving = arena_grow(x->call->arena, x->moving, x->moving_count, sizeof *x->moving);
    x->moving[x->moving_count++] = m;
}

/* Prices are asked for at once, each token's once. */
static void value_all(struct net_worth *x)
{
    struct arena *a = x->call->arena;
    struct holding **list =
        ARENA_ARRAY(a, struct holding *, x->held.count + x->assets.count + x->moving_count);
    size_t n = 0;

    for (size_t i = 0; i < x->held.count; i++)
        list[n++] = &x->held.held[i];
    for (size_t i = 0; i < x->assets.count; i++)
        list[n++] = &x->assets.list[i].held;
    for (size_t i = 0; i < x->moving_count; i++)
        list[n++] = &x->moving[i].held;
    portfolio_value_shown(x->call->ctx, a, list, n);
}

/* What cannot be added counts as without a price. */
static void sum_add(struct amount *sum, struct holding *h)
{
    sum->decimals = RATE_PLACES;
    h->priced = h->priced && u256_add(&sum->raw, sum->raw, h->usd.raw);
}

static void sums_make(struct net_worth *x)
{
    struct amount rest = { .decimals = RATE_PLACES };

    x->of_wallets = x->of_markets = x->of_debts = rest;
    for (size_t i = 0; i < x->held.count; i++)
        sum_add(&x->of_wallets, &x->held.held[i]);
    for (size_t i = 0; i < x->assets.count; i++) {
        struct asset *asset = &x->assets.list[i];

        sum_add(asset->is_debt ? &x->of_debts : &x->of_markets, &asset->held);
    }
}

/* NULL, or why it is not known. */
static const struct err *worth_read(struct net_worth *x)
{
    struct api_call *c = x->call;
    struct wallet_traces traces = { .held_on = "," };
    struct execution *moving;
    int count;

    /* Before the chains are read: what arrives meanwhile is then shown twice rather than not at all. */
    count = executions_in_transit(c->ctx->db, c->arena, c->agent->id, &moving);
    if (count < 0 || (x->wallet_count > 0 && !wallets_traces(c->ctx->db, c->arena, c->agent->id, &traces)))
        return c->endpoint->internal;
    for (int i = 0; i < count; i++)
        moving_add(x, &moving[i]);
    balances_read(x);
    assets_read(x, &traces);
    if (x->assets.failed)
        return c->endpoint->internal;
    left_behind_note(c, &traces, &x->held);
    left_behind_note_assets(c, &traces, &x->assets);
    value_all(x);
    sums_make(x);
    return NULL;
}

/* ---- as members ---- */

static const char *cents_text(struct arena *a, const struct holding *h, bool minus)
{
    return h->priced ? arena_printf(a, "%s%s", minus ? "-" : "", amount_places_down(a, h->usd, CENTS)) : NULL;
}

/* `one`: all are of one wallet, which the answer names above. */
static void holding_write(struct json_writer *w, const struct holding *h, bool one)
{
    jw_object(w, NULL);
    jw_string(w, "symbol", h->token->symbol);
    jw_string(w, "name", h->token->name);
    jw_string(w, "chain", h->chain->key);
    jw_string(w, "address", h->token->address_text);
    if (!one || !jw_is_compact(w))
        jw_string(w, "wallet_address", h->wallet);
    amount_write(w, "balance", h->balance);
    jw_string_or_null(w, "usd_value", cents_text(w->arena, h, false));
    jw_string_if(w, "price_source", h->priced && h->by_symbol ? "symbol" : NULL);
    jw_end(w);
}

static void asset_write(struct json_writer *w, const struct asset *x, bool one)
{
    jw_object(w, NULL);
    jw_string(w, "market", x->market);
    jw_string_or_null(w, "chain", x->held.chain != NULL ? x->held.chain->key : NULL);
    if (!one || !jw_is_compact(w))
        jw_string(w, "wallet_address", x->held.wallet);
    jw_string(w, "symbol", x->what);
    amount_write(w, "amount", x->held.balance);
    jw_string_or_null(w, "usd_value", cents_text(w->arena, &x->held, x->is_debt));
    if (x->is_debt)
        jw_bool(w, "debt", true);
    jw_end(w);
}

static void moving_write(struct json_writer *w, const struct moving *m)
{
    jw_object(w, NULL);
    jw_integer(w, "swap_id", (int64_t)m->swap_id);
    jw_string(w, "chain", m->held.chain != NULL ? m->held.chain->key : "");
    jw_string(w, "symbol", m->symbol);
    amount_write(w, "amount", m->held.balance);
    jw_string_or_null(w, "usd_value", cents_text(w->arena, &m->held, false));
    jw_end(w);
}

/* The sums; in compact form their parts only where there is something at markets. */
static void sums_write(struct json_writer *w, const struct net_worth *x)
{
    struct amount plus = x->of_wallets, total = plus;
    bool fits = u256_add(&plus.raw, plus.raw, x->of_markets.raw),
         minus = fits && !u256_sub(&total.raw, plus.raw, x->of_debts.raw);
    struct arena *a = w->arena;

    if (minus)
        fits = u256_sub(&total.raw, x->of_debts.raw, plus.raw);
    jw_string(w, "total_usd",
              arena_printf(a, "%s%s", minus ? "-" : "", fits ? amount_places_down(a, total, CENTS) : "0.00"));
    if (x->assets.count == 0 && jw_is_compact(w))
        return;
    jw_string(w, "wallets_usd", amount_places_down(a, x->of_wallets, CENTS));
    jw_string(w, "markets_usd", amount_places_down(a, x->of_markets, CENTS));
    jw_string(w, "debts_usd", amount_places_down(a, x->of_debts, CENTS));
}

/* A list of texts that is absent when it is empty. */
struct texts {
    struct json_writer *w;
    const char *name;
    bool open;
};

static void texts_add(struct texts *t, const char *text)
{
    if (!t->open)
        jw_array(t->w, t->name);
    t->open = true;
    jw_string(t->w, NULL, text);
}

static void texts_end(struct texts *t)
{
    if (t->open)
        jw_end(t->w);
}

static void unpriced_write(struct json_writer *w, const struct net_worth *x)
{
    struct texts list = { w, "unpriced", false };

    for (size_t i = 0; i < x->held.count; i++) {
        const struct holding *h = &x->held.held[i];

        if (!h->priced)
            texts_add(&list, arena_printf(w->arena, "%s on %s", h->token->symbol, h->chain->key));
    }
    for (size_t i = 0; i < x->assets.count; i++) {
        const struct asset *asset = &x->assets.list[i];

        if (!asset->held.priced)
            texts_add(&list, arena_printf(w->arena, "%s at %s", asset->what, asset->market));
    }
    texts_end(&list);
}

static void unavailable_write(struct json_writer *w, const struct net_worth *x)
{
    struct texts list = { w, "unavailable", false };

    for (size_t i = 0; i < x->held.unread_count; i++)
        texts_add(&list, x->held.unread[i]->key);
    for (size_t i = 0; i < x->assets.silent_count; i++)
        texts_add(&list, silent_market_text(w->arena, &x->assets.silent[i]));
    texts_end(&list);
}

static void worth_write(struct json_writer *w, const struct net_worth *x)
{
    bool one = x->wallet_count == 1;

    jw_string_if(w, "wallet_address", one ? x->wallets[0].ref.address : NULL);
    jw_string_or_null(w, "wallet_type", wallets_type(x->wallets, x->wallet_count));
    jw_string_or_null(w, "chain_filter", x->only != NULL ? x->only->key : NULL);
    jw_string_or_null(w, "token_filter", x->token != NULL ? err_shown(w->arena, x->token) : NULL);
    sums_write(w, x);
    jw_array(w, "balances");
    for (size_t i = 0; i < x->held.count; i++)
        holding_write(w, &x->held.held[i], one);
    jw_end(w);
    jw_array(w, "positions");
    for (size_t i = 0; i < x->assets.count; i++)
        asset_write(w, &x->assets.list[i], one);
    jw_end(w);
    jw_array(w, "in_transit");
    for (size_t i = 0; i < x->moving_count; i++)
        moving_write(w, &x->moving[i]);
    jw_end(w);
    unpriced_write(w, x);
    unavailable_write(w, x);
}

static struct reply *get_portfolio(struct api_call *c, const void *arg)
{
    const struct portfolio_in *in = arg;
    struct net_worth x = { .call = c,
                           .only = in->chain == NULL ? NULL : chain_find(in->chain),
                           .token = in->token,
                           .assets.arena = c->arena };
    struct json_writer *w;
    struct wallet *list;
    const struct err *e;
    int found;
    size_t n;

    if (in->chain != NULL && x.only == NULL)
        return reply_err(c->rq,
                         err_on(c->arena, err_fmt(c->arena, &E_CHAIN_UNKNOWN, in->chain, NULL), "chain"));
    found = wallets_list(c->ctx->db, c->arena, c->agent->id, &list);
    if (found < 0)
        return NULL;
    n = (size_t)found;
    e = in->wallet_address == NULL ? NULL : wallet_pick(in->wallet_address, &list, &n);
    if (e == NULL && n > PORTFOLIO_MAX_WALLETS)
        e = err_on(c->arena, &E_PORTFOLIO_SIZE, "wallet_address");
    x.wallets = list;
    x.wallet_count = n;
    if (e == NULL)
        e = worth_read(&x);
    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    worth_write(w, &x);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *holding_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %s on %s", phrase_text(item, "balance"), phrase_text(item, "symbol"),
                        phrase_text(item, "chain"));
}

static const char *asset_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %s at %s", phrase_text(item, "amount"), phrase_text(item, "symbol"),
                        phrase_text(item, "market"));
}

/* The positions that are debts, or the others. */
static json_t *positions_of_side(const json_t *positions, bool debts)
{
    json_t *list = json_array(), *item;
    size_t i;

    json_array_foreach(positions, i, item)
    {
        if (json_is_true(json_object_get(item, "debt")) == debts)
            json_array_append(list, item);
    }
    return list;
}

static const char *portfolio_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *token = phrase_text(asked, "token"), *out;
    const json_t *balances = json_object_get(body, "balances"),
                 *positions = json_object_get(body, "positions");
    json_t *at_markets = positions_of_side(positions, false), *debts = positions_of_side(positions, true);
    size_t held = json_array_size(balances), lent = json_array_size(at_markets),
           owed = json_array_size(debts);

    if (json_is_null(json_object_get(body, "wallet_type")))
        out = "There is no wallet yet: say \"create a wallet\"";
    else if (held + lent == 0)
        out = arena_printf(a, "You hold no %s%s", *token == '\0' ? "tokens" : token,
                           phrase_on_chain(a, phrase_text(body, "chain_filter")));
    else
        out = arena_printf(a, "You hold %s%s%s",
                           held > 0 ? phrase_list(a, balances, holding_phrase, PHRASE_ITEMS_MAX) : "",
                           held > 0 && lent > 0 ? ", and " : "",
                           lent > 0 ? phrase_list(a, at_markets, asset_phrase, PHRASE_ITEMS_MAX) : "");
    if (owed > 0)
        out = arena_printf(a, "%s, and owe %s", out, phrase_list(a, debts, asset_phrase, PHRASE_ITEMS_MAX));
    if (*token == '\0' && held + lent + owed > 0)
        out = arena_printf(a, "%s, worth $%s in all", out, phrase_text(body, "total_usd"));
    json_decref(at_markets);
    json_decref(debts);
    return arena_printf(a, "%s%s%s", out,
                        phrase_besides(a, json_object_get(body, "unpriced"), "has no price"),
                        phrase_besides(a, json_object_get(body, "unavailable"), "could not be read"));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/portfolio",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(portfolio_params, struct portfolio_in),
        .handler = get_portfolio,
        .flags = WAITS | LISTS | CORE,
        .tool = "get_portfolio",
        .sentence = portfolio_sentence,
        .summary = "The agent's net worth by wallets, markets and debts",
        .about =
            "Native coins and listed tokens with exact amounts, and what it has at markets that it has used; what has no price and what could not be read are named, never shown as zero.",
        .tag = TAG_WALLETS,
        .skill = SKILL_WALLETS,
        .status = 200,
        .answer = &portfolio_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, &E_WALLET_ADDRESS, &E_PORTFOLIO_SIZE, &E_WALLET_NOT_YOURS, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

const struct endpoint_group portfolio_endpoints = { ENDPOINT_ROWS(rows) };
