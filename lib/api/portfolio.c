#include "swap/wallet_portfolio.h"

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/left_behind.h"
#include "api/view.h"
#include "chain/address.h"
#include "model/agent.h"
#include "store/executions.h"
#include "store/wallets.h"

/* ---- parameters ---- */

struct portfolio_in {
    const char *wallet_address, *chain;
};

static const struct param portfolio_params[] = {
    { "wallet_address", P_TEXT, INTO(struct portfolio_in, wallet_address), .check = param_wallet_fault,
      .bad = &E_WALLET_ADDRESS, .max = PARAM_NAME_MAX, .about = "One of the agent's wallets; absent: all" },
    { "chain", P_TEXT, INTO(struct portfolio_in, chain), .max = PARAM_NAME_MAX,
      .about = "Chain key or alias; absent: all" },
    { 0 },
};

/* ---- answers ---- */

static const char *const holder_types[] = { "evm", "solana", "mixed", NULL };

/* clang-format off */
static const struct schema holding_schema = { "Holding", "A token that a wallet holds", FIELDS {
    { "symbol",         TEXT("USDC"),      "Symbol" },
    { "name",           TEXT("USD Coin"),  "Name", FULL_ONLY },
    { "chain",          TEXT("base"),      "Key of the chain" },
    { "address",        TEXT(A_TOKEN),     "Contract address; the zero address is the native coin", FULL_ONLY },
    { "wallet_address", TEXT(A_WALLET),    "Whose it is", FULL_IF_NULL },
    { "balance",        AMOUNT("1500.25"), "How much" },
    { "usd_value",      TEXT("1500.25"),   "Its worth in dollars; null without a price", MAY_BE_NULL },
    END } };

static const struct schema in_transit_schema = { "InTransit", "What a swap between chains will bring", FIELDS {
    { "swap_id", WHOLE("42"),       "The swap" },
    { "chain",   TEXT("base"),      "Key of the chain on which it will arrive" },
    { "symbol",  TEXT("USDC"),      "Symbol" },
    { "amount",  AMOUNT("1496.75"), "How much is expected" },
    END } };

static const struct schema portfolio_schema = { "Portfolio", "What the wallets hold", FIELDS {
    SUCCESS,
    { "wallet_address", TEXT(A_WALLET),              "The wallet, when there is only one", MAY_BE_ABSENT },
    { "wallet_type",    CHOICE(holder_types, "evm"), "Their kind; null without a wallet", MAY_BE_NULL | FULL_ONLY },
    { "chain_filter",   TEXT("null"),                "The chain asked for", MAY_BE_NULL | FULL_ONLY },
    { "total_usd",      TEXT("1500.25"),             "Worth in dollars of all that has a price" },
    { "balances",       LIST(holding_schema),        "What is there" },
    { "in_transit",     LIST(in_transit_schema),     "What has left one chain and not arrived on the other; not in total_usd" },
    { "unavailable",    TEXTS("ethereum"),           "Chains that could not be read", MAY_BE_ABSENT },
    END } };
/* clang-format on */

/* ---- handlers ---- */

enum { CENTS = 2 };

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
    jw_string_or_null(w, "usd_value", h->priced ? amount_places_down(w->arena, h->usd, CENTS) : NULL);
    jw_end(w);
}

static void holdings_write(struct json_writer *w, const struct holdings *p, bool one)
{
    jw_string(w, "total_usd", amount_places_down(w->arena, p->total, CENTS));
    jw_array(w, "balances");
    for (size_t i = 0; i < p->count; i++)
        holding_write(w, &p->held[i], one);
    jw_end(w);
}

static void unread_write(struct json_writer *w, const struct holdings *p)
{
    if (p->unread_count == 0)
        return;
    jw_array(w, "unavailable");
    for (size_t i = 0; i < p->unread_count; i++)
        jw_string(w, NULL, p->unread[i]->key);
    jw_end(w);
}

/* Whether the execution is of one of these wallets and goes to the requested chain. */
static bool is_shown(const struct execution *x, const struct wallet *list, size_t n, const struct chain *only)
{
    if (only != NULL && x->to.chain_id != only->id)
        return false;
    while (n > 0 && list[n - 1].id != x->wallet_id)
        n--;
    return n > 0;
}

static void in_transit_write(struct json_writer *w, const struct execution *x)
{
    const struct chain *c = chain_by_id(x->to.chain_id);

    jw_object(w, NULL);
    jw_integer(w, "swap_id", (int64_t)x->id);
    jw_string(w, "chain", c != NULL ? c->key : "");
    jw_string(w, "symbol", x->to.symbol);
    amount_write(w, "amount", (struct amount){ x->expected_out, x->to.decimals });
    jw_end(w);
}

static struct reply *get_portfolio(struct api_call *c, const void *arg)
{
    const struct portfolio_in *in = arg;
    const struct chain *only = in->chain == NULL ? NULL : chain_find(in->chain);
    struct json_writer *w;
    struct wallet *list;
    struct execution *margin_op;
    struct holdings p;
    const struct err *e;
    int found, count;
    size_t n;

    if (in->chain != NULL && only == NULL)
        return reply_err(c->rq,
                         err_on(c->arena, err_fmt(c->arena, &E_CHAIN_UNKNOWN, in->chain, NULL), "chain"));
    found = wallets_list(c->ctx->db, c->arena, c->agent->id, &list);
    if (found < 0)
        return NULL;
    n = (size_t)found;
    e = in->wallet_address == NULL ? NULL : wallet_pick(in->wallet_address, &list, &n);
    if (e == NULL && n > PORTFOLIO_MAX_WALLETS)
        e = err_on(c->arena, &E_PORTFOLIO_SIZE, "wallet_address");
    if (e != NULL)
        return reply_err(c->rq, e);
    /* Before the chains are read: what arrives meanwhile is then shown twice rather than not at all. */
    count = executions_in_transit(c->ctx->db, c->arena, c->agent->id, &margin_op);
    if (count < 0)
        return NULL;
    portfolio_balances(c->ctx, c->arena, list, n, only, &p);
    portfolio_value(c->ctx, c->arena, &p);
    left_behind_note(c, &p);
    w = reply_open(c->rq, 200);
    jw_string_if(w, "wallet_address", n == 1 ? list[0].ref.address : NULL);
    jw_string_or_null(w, "wallet_type", wallets_type(list, n));
    jw_string_or_null(w, "chain_filter", only != NULL ? only->key : NULL);
    holdings_write(w, &p, n == 1);
    jw_array(w, "in_transit");
    for (int i = 0; i < count; i++)
        if (is_shown(&margin_op[i], list, n, only))
            in_transit_write(w, &margin_op[i]);
    jw_end(w);
    unread_write(w, &p);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *holding_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %s on %s", phrase_text(item, "balance"), phrase_text(item, "symbol"),
                        phrase_text(item, "chain"));
}

/* The balances of the token that was asked about, or all. */
static json_t *balances_of(const json_t *balances, const char *token)
{
    json_t *list = json_array(), *item;
    size_t i;

    json_array_foreach(balances, i, item)
    {
        if (*token == '\0' || strcmp(phrase_text(item, "symbol"), token) == 0)
            json_array_append(list, item);
    }
    return list;
}

static const char *portfolio_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *token = phrase_text(asked, "token"), *out;
    json_t *list = balances_of(json_object_get(body, "balances"), token);

    if (json_is_null(json_object_get(body, "wallet_type")))
        out = "There is no wallet yet: say \"create a wallet\"";
    else if (json_array_size(list) == 0)
        out = arena_printf(a, "You hold no %s%s", *token == '\0' ? "tokens" : token,
                           phrase_on_chain(a, phrase_text(body, "chain_filter")));
    else
        out = arena_printf(a, "You hold %s", phrase_list(a, list, holding_phrase, PHRASE_ITEMS_MAX));
    if (*token == '\0' && json_array_size(list) > 0)
        out = arena_printf(a, "%s, worth $%s in all", out, phrase_text(body, "total_usd"));
    json_decref(list);
    return arena_printf(a, "%s%s", out,
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
        .summary = "What the agent's wallets hold, and its worth",
        .about =
            "Native coins and listed tokens with exact amounts; a chain that could not be read is named, never shown as zero.",
        .tag = TAG_WALLETS,
        .skill = SKILL_WALLETS,
        .status = 200,
        .answer = &portfolio_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, &E_WALLET_ADDRESS, &E_PORTFOLIO_SIZE, &E_WALLET_NOT_YOURS, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

const struct endpoint_group portfolio_endpoints = { ENDPOINT_ROWS(rows) };
