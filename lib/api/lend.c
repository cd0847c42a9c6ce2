#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "exec/wallet.h"
#include "lend/market.h"
#include "lend/markets.h"
#include "lend/watch_events.h"
#include "model/agent.h"

/* ---- parameters ---- */

enum { MARKETS_DEFAULT = 50 };

static const char *const protocols[] = { "aave-v3", "morpho", NULL };
static const char *const levels[] = { "YELLOW", "RED", NULL };
static const char *const low_event[] = { EVENT_LEND_LOW, NULL };
static const char *const liquidated_event[] = { EVENT_LEND_LIQUIDATED, NULL };

struct lend_in {
    const char *chain, *protocol, *asset, *wallet_address;
    uint64_t chain_id, limit, offset;
};

/* clang-format off */
#define PARAMS_CHAIN \
    { "chain", P_TEXT, INTO(struct lend_in, chain), .max = PARAM_NAME_MAX, \
      .about = "Chain key or alias; absent: all chains with a lending market", .example = "base" }, \
    { "chainId", P_WHOLE, INTO(struct lend_in, chain_id), .min = 1, .max = INT64_MAX, \
      .about = "The same by its id" }
/* clang-format on */

static const struct param markets_params[] = {
    PARAMS_CHAIN,
    { "protocol", P_TEXT, INTO(struct lend_in, protocol), .choices = protocols, .any_case = true,
      .about = "aave-v3 or morpho; absent: both" },
    { "asset", P_TEXT, INTO(struct lend_in, asset), .max = PARAM_NAME_MAX,
      .about = "Symbol or address of a token that is lent, or serves as collateral", .example = "USDC" },
    { "limit", P_WHOLE, INTO(struct lend_in, limit), .number = MARKETS_DEFAULT, .min = 1, .max = PAGE_MAX,
      .bad = &E_LIMIT, .about = "Page size" },
    { "offset", P_WHOLE, INTO(struct lend_in, offset), .max = INT64_MAX, .bad = &E_OFFSET,
      .about = "Items to skip" },
    { 0 },
};

static const struct param market_params[] = { PARAMS_CHAIN, { 0 } };

static const struct param positions_params[] = { PARAMS_CHAIN, PARAM_WALLET(struct lend_in), { 0 } };

static const struct schema_field market_id = { "id", S_TEXT, .example = "aave-v3:8453:USDC",
                                               .about = "The market's id in GET /lend/markets" };

/* ---- answers ---- */

/* clang-format off */
static const struct schema warning_schema = { "LendingWarning", "What is wrong with a market", FIELDS {
    { "type",  TEXT("frozen"),             "What it is" },
    { "level", CHOICE(levels, "YELLOW"),   "RED: it may cost money" },
    END } };

#define MARKET_FIELDS \
    { "id",                    TEXT("aave-v3:8453:USDC"),       "Identifier of the market" }, \
    { "protocol",              CHOICE(protocols, "aave-v3"),    "Who lends", FULL_ONLY }, \
    { "chain",                 TEXT("base"),                    "Key of the chain" }, \
    { "chainId",               WHOLE("8453"),                   "Its id", FULL_ONLY }, \
    { "loanToken",             TEXT("USDC"),                    "Symbol of what is lent; the address of a token that is not listed, if its symbol could mislead" }, \
    { "collateralToken",       TEXT("*"),                       "Symbol of what one borrows against; *: any collateral of that market" }, \
    { "ltv",                   NUMBER("0.75"),                  "How much one may borrow, in parts of the collateral" }, \
    { "lltv",                  NUMBER("0.78"),                  "How much one may owe, likewise: beyond it the collateral is sold", FULL_ONLY }, \
    { "supplyApy",             NUMBER("3.561971"),              "What lenders get in a year, per cent" }, \
    { "borrowApy",             NUMBER("5.390256"),              "What borrowers pay, likewise" }, \
    { "utilization",           NUMBER("40"),                    "How much of the supply is borrowed, per cent", FULL_ONLY }, \
    { "totalSupply",           NUMBER("30000000"),              "The same as totalSupplyUsd", FULL_ONLY }, \
    { "totalBorrow",           NUMBER("12000000"),              "The same as totalBorrowUsd", FULL_ONLY }, \
    { "totalSupplyUsd",        NUMBER("30000000"),              "Dollars lent to the market", FULL_ONLY }, \
    { "totalBorrowUsd",        NUMBER("12000000"),              "Dollars borrowed from it", FULL_ONLY }, \
    { "availableLiquidityUsd", NUMBER("18000000"),              "Dollars that can be borrowed or taken out" }, \
    { "priceUsd",              NUMBER("1"),                     "Dollars for one of the loan token, as the lender's oracle has it", FULL_ONLY }, \
    { "supplyCap",             NUMBER("43000"),                 "So many of the token are taken at most; null: any number", MAY_BE_NULL | FULL_IF_NULL }, \
    { "borrowCap",             NUMBER("28000"),                 "So many are lent at most; null: any number", MAY_BE_NULL | FULL_IF_NULL }, \
    { "canSupply",             FLAG("true"),                    "Whether it takes the token now" }, \
    { "canBorrow",             FLAG("true"),                    "Whether it lends it now" }, \
    { "canBeCollateral",       FLAG("true"),                    "Whether one may borrow against it (aave-v3: the loan token; morpho: the collateral)" }, \
    { "listed",                FLAG("true"),                    "Whether the lender or the operator lists it", FULL_ONLY }, \
    { "warnings",              LIST(warning_schema),            "What is wrong with it" }

static const struct schema market_schema = { "LendingMarket", "A market in which a token is lent", FIELDS {
    MARKET_FIELDS,
    END } };

static const struct schema market_detail_schema = { "LendingMarketDetail", "A lending market with its contracts", FIELDS {
    SUCCESS,
    { "oracle",    TEXT("0x2Cc0Fc26eD4563A5ce5e8bdcfe1A2878676Ae156"), "The contract that tells prices", FULL_ONLY },
    { "irm",       TEXT("0x46415998764C29aB2a25CbeA6254146D50D22687"), "The one that sets the rates of a market of morpho; else empty", FULL_ONLY },
    { "createdAt", TEXT("2026-01-01T12:00:00Z"), "Since when it exists; empty: unknown", FULL_ONLY },
    { "address",   TEXT("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"), "The loan token" },
    { "aToken",    TEXT("0x4e65fE4DbA92790696d040ac24Aa414708F5c0AB"), "What lenders hold (aave-v3); else empty", FULL_ONLY },
    { "debtToken", TEXT("0x59dca05b6c26dbd64b5381374aAaC5CD05644C28"), "What borrowers owe in (aave-v3); else empty", FULL_ONLY },
    END }, .base = &market_schema };

static const struct schema markets_schema = { "LendingMarketList", "A page of lending markets, largest supply first", FIELDS {
    SUCCESS,
    { "markets",     LIST(market_schema),       "The markets" },
    { "pagination",  OBJECT(pagination_schema), "Which part of all this is" },
    { "unavailable", TEXTS("polygon"),          "Chains that did not answer: their markets are missing" },
    END } };

static const struct schema position_schema = { "LendingPosition", "What a wallet has in a lending market", FIELDS {
    { "market",            TEXT("aave-v3:8453:USDC"),    "Identifier of the market" },
    { "protocol",          CHOICE(protocols, "aave-v3"), "Who lends", FULL_ONLY },
    { "chain",             TEXT("base"),                 "Key of the chain" },
    { "chainId",           WHOLE("8453"),                "Its id", FULL_ONLY },
    { "asset",             TEXT("USDC"),                 "Symbol of the loan token" },
    { "supplied",          AMOUNT("1500.250001"),        "How much of it is lent to the market, with interest" },
    { "borrowed",          AMOUNT("0"),                  "How much of it is owed, with interest" },
    { "collateral",        AMOUNT("1500.250001"),        "How much serves as collateral: of the loan token (aave-v3), of the collateral token (morpho)" },
    { "collateralEnabled", FLAG("true"),                 "Whether what is supplied serves as one" },
    { "supplyApy",         NUMBER("3.561971"),           "What it earns in a year, per cent" },
    { "borrowApy",         NUMBER("5.390256"),           "What is paid for the debt, likewise" },
    { "suppliedUsd",       NUMBER("1500.25"),            "Dollars; null without a price", MAY_BE_NULL },
    { "borrowedUsd",       NUMBER("0"),                  "Dollars owed, likewise", MAY_BE_NULL },
    { "collateralUsd",     NUMBER("1500.25"),            "Dollars that serve as collateral, likewise", MAY_BE_NULL },
    END } };

static const struct schema account_schema = { "LendingAccount", "How a wallet stands with a lender", FIELDS {
    { "protocol",             CHOICE(protocols, "aave-v3"), "Who lends" },
    { "market",               TEXT("0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda"), "The market that it is about (morpho); empty: all of the lender's on the chain (aave-v3)" },
    { "chain",                TEXT("base"),                 "Key of the chain" },
    { "chainId",              WHOLE("8453"),                "Its id", FULL_ONLY },
    { "totalCollateralUsd",   NUMBER("1500.25"),            "Dollars that serve as collateral" },
    { "totalDebtUsd",         NUMBER("600"),                "Dollars owed" },
    { "availableBorrowUsd",   NUMBER("525.18"),             "Dollars that may still be borrowed" },
    { "ltv",                  NUMBER("0.75"),               "How much one may borrow, in parts of the collateral" },
    { "liquidationThreshold", NUMBER("0.78"),               "How much one may owe, likewise" },
    { "healthFactor",         NUMBER("1.950325"),           "Below 1 the collateral is sold; null without debt", MAY_BE_NULL },
    END } };

static const struct schema positions_schema = { "LendingPositionList", "What a wallet has lent and owes", FIELDS {
    SUCCESS,
    { "positions",   LIST(position_schema), "The positions" },
    { "accounts",    LIST(account_schema),  "How the wallet stands, for each chain of aave-v3 and each market of morpho" },
    { "unavailable", TEXTS("polygon"),      "Chains that did not answer: what is there is missing" },
    END } };

#define WATCHED_FIELDS \
    { "wallet_address",     TEXT(A_WALLET),               "The wallet" }, \
    { "chain",              TEXT("ethereum"),             "Key of the chain" }, \
    { "chainId",            WHOLE("1"),                   "Its id" }, \
    { "protocol",           CHOICE(protocols, "morpho"),  "Who lends" }, \
    { "market",             TEXT("0xb323495f7e4148be5643a4ea4a8221eef163e4bccfdedc2a6f4696baacbc86cc"), "Identifier of a market that is kept apart from all others (morpho); else empty" }, \
    { "totalCollateralUsd", NUMBER("24000"),              "Dollars that serve as collateral there" }, \
    { "totalDebtUsd",       NUMBER("18000"),              "Dollars owed there" }, \
    { "healthFactor",       NUMBER("1.1"),                "Below 1 the collateral is sold; null without debt", MAY_BE_NULL }

static const struct schema low_data_schema = { "LendingHealth", "How a wallet stands with a lender", FIELDS {
    WATCHED_FIELDS,
    { "alert", NUMBER("1.15"), "Below this the agent is told, once until it has recovered" },
    END } };

static const struct schema low_schema = { "LendingHealthLowEvent", "A wallet's health factor has become low", FIELDS {
    { "type",      CHOICE(low_event, EVENT_LEND_LOW), "What happened" },
    { "timestamp", TIME(LATER),                       "When" },
    { "data",      OBJECT(low_data_schema),           "How it stands" },
    END } };

static const struct schema liquidated_data_schema = { "LendingLiquidation", "Collateral that was sold for a debt", FIELDS {
    WATCHED_FIELDS,
    { "collateralAsset", TEXT("WETH"),   "What was taken: symbol, or the address of a token whose symbol is not known", MAY_BE_NULL },
    { "collateralTaken", AMOUNT("1.5"),  "Amount; null if unknown", MAY_BE_NULL },
    { "debtAsset",       TEXT("USDC"),   "What was owed, likewise", MAY_BE_NULL },
    { "debtRepaid",      AMOUNT("3000"), "How much of it was repaid for that", MAY_BE_NULL },
    { "tx_hash",         TEXT(A_HASH),   "The transaction; null when only the wallet's balances tell", MAY_BE_NULL },
    END } };

static const struct schema liquidated_schema = { "LendingLiquidatedEvent", "Collateral of a wallet was sold for its debt", FIELDS {
    { "type",      CHOICE(liquidated_event, EVENT_LEND_LIQUIDATED), "What happened" },
    { "timestamp", TIME(LATER),                                     "When" },
    { "data",      OBJECT(liquidated_data_schema),                  "What was taken, and how the wallet stands now" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

/* Without what only the detail shows. */
static void row_write(struct json_writer *w, const json_t *market)
{
    const char *name;
    json_t *v;

    jw_object(w, NULL);
    json_object_foreach((json_t *)(uintptr_t)market, name, v)
    {
        const char *const *detail = lend_details;

        while (*detail != NULL && strcmp(*detail, name) != 0)
            detail++;
        if (*detail == NULL && strcmp(name, LEND_TERMS) != 0)
            jw_value(w, name, v);
    }
    jw_end(w);
}

static void page_write(struct json_writer *w, const json_t *doc, const struct lend_in *in)
{
    const struct lend_filter filter = { .protocol = in->protocol, .asset = in->asset };
    const struct page page = { in->limit, in->offset };
    uint64_t total = 0, shown = 0;
    const json_t *market;
    size_t i;

    jw_array(w, "markets");
    json_array_foreach(json_object_get(doc, "markets"), i, market)
    {
        if (!lend_market_is_wanted(market, &filter))
            continue;
        if (total++ < page.offset || shown == page.limit)
            continue;
        row_write(w, market);
        shown++;
    }
    jw_end(w);
    view_pagination(w, total, &page, shown);
    jw_value(w, "unavailable", json_object_get(doc, "unavailable"));
}

/* The chain whose markets are asked for, and the filter. */
struct markets_asked {
    const struct chain *chain;
    const struct lend_in *in;
};

static const struct err *make_page(const struct ctx *ctx, struct json_writer *w, const void *what)
{
    const struct markets_asked *asked = what;
    const json_t *doc = NULL;
    const struct err *e = lend_markets(ctx, w->arena, asked->chain, &doc);

    if (e == NULL)
        page_write(w, doc, asked->in);
    return e;
}

static const char *part_of(struct arena *a, const struct lend_in *in)
{
    return arena_printf(a, "page %s\n%s\n%llu %llu", in->protocol != NULL ? in->protocol : "",
                        in->asset != NULL ? in->asset : "", (unsigned long long)in->limit,
                        (unsigned long long)in->offset);
}

static struct reply *list_markets(struct api_call *c, const void *arg)
{
    struct markets_asked asked = { .in = arg };
    const char *text = NULL;
    const struct err *e = lend_chain_of(c->ctx, c->arena, asked.in->chain, asked.in->chain_id, &asked.chain);

    if (e == NULL)
        e = lend_markets_shown(c->ctx, c->arena, asked.chain, part_of(c->arena, asked.in), make_page, &asked,
                               &text);
    return view_cached(c, e, text);
}

static struct reply *reply_members(struct api_call *c, const json_t *object)
{
    struct json_writer *w = reply_open(c->rq, 200);
    const char *name;
    json_t *v;

    json_object_foreach((json_t *)(uintptr_t)object, name, v)
    {
        if (strcmp(name, LEND_TERMS) != 0)
            jw_value(w, name, v);
    }
    return reply_close(w);
}

static struct reply *get_market(struct api_call *c, const void *arg)
{
    const struct lend_in *in = arg;
    const struct chain *chain = NULL;
    const json_t *market = NULL;
    const struct err *e = lend_chain_of(c->ctx, c->arena, in->chain, in->chain_id, &chain);

    if (e == NULL)
        e = lend_market_find(c->ctx, c->arena, chain, c->captured != NULL ? c->captured : "", &market);
    return e != NULL ? reply_err(c->rq, e) : reply_members(c, market);
}

static struct reply *reply_nothing_held(struct api_call *c)
{
    struct json_writer *w = reply_open(c->rq, 200);

    for (const char *const *list = (const char *const[]){ "positions", "accounts", "unavailable", NULL };
         *list != NULL; list++) {
        jw_array(w, *list);
        jw_end(w);
    }
    return reply_close(w);
}

/* An agent without a wallet has none. */
static struct reply *list_positions(struct api_call *c, const void *arg)
{
    const struct lend_in *in = arg;
    const struct chain *chain = NULL;
    const json_t *doc = NULL;
    struct wallet wallet;
    const struct err *e = lend_chain_of(c->ctx, c->arena, in->chain, in->chain_id, &chain);

    if (e == NULL)
        e = wallet_need(c->ctx, c->agent->id, WALLET_EVM, in->wallet_address, &wallet);
    if (e == &E_WALLET_NOT_FOUND)
        return reply_nothing_held(c);
    if (e == NULL)
        e = lend_positions(c->ctx, c->arena, chain, evm_addr_or_zero(wallet.ref.address), &doc);
    return e != NULL ? reply_err(c->rq, e) : reply_members(c, doc);
}

/* ---- as a sentence ---- */

static const char *market_phrase(struct arena *a, const json_t *item)
{
    const char *collateral = phrase_text(item, "collateralToken");

    return arena_printf(a, "%s %s on %s%s%s at %.2f %%, borrowed at %.2f %%", phrase_text(item, "protocol"),
                        phrase_text(item, "loanToken"), phrase_text(item, "chain"),
                        *collateral == '*' ? "" : " against ", *collateral == '*' ? "" : collateral,
                        json_number_value(json_object_get(item, "supplyApy")),
                        json_number_value(json_object_get(item, "borrowApy")));
}

static const char *markets_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "markets");
    size_t n = json_array_size(list);

    (void)asked;
    return arena_printf(a, "%zu lending market%s%s%s%s", n, phrase_plural(n), n == 0 ? "" : ": ",
                        n == 0 ? "" : phrase_list(a, list, market_phrase, PHRASE_ITEMS_MAX),
                        phrase_besides(a, json_object_get(body, "unavailable"), "did not answer"));
}

static const char *market_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return market_phrase(a, body);
}

static const char *position_phrase(struct arena *a, const json_t *item)
{
    const char *supplied = phrase_text(item, "supplied"), *borrowed = phrase_text(item, "borrowed");

    return arena_printf(a, "%s %s lent and %s borrowed on %s (%s)", supplied, phrase_text(item, "asset"),
                        borrowed, phrase_text(item, "chain"), phrase_text(item, "protocol"));
}

/* "; health factor 2.06 on base (aave-v3)" for each account with debt. */
static const char *health_phrase(struct arena *a, const json_t *accounts)
{
    const char *out = "";
    const json_t *account;
    size_t i;

    json_array_foreach(accounts, i, account)
    {
        const json_t *health = json_object_get(account, "healthFactor");

        if (json_is_number(health))
            out = arena_printf(a, "%s; health factor %.2f on %s (%s)", out, json_number_value(health),
                               phrase_text(account, "chain"), phrase_text(account, "protocol"));
    }
    return out;
}

static const char *positions_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "positions");
    size_t n = json_array_size(list);

    (void)asked;
    return arena_printf(a, "%zu lending position%s%s%s%s%s", n, phrase_plural(n), n == 0 ? "" : ": ",
                        n == 0 ? "" : phrase_list(a, list, position_phrase, PHRASE_ITEMS_MAX),
                        health_phrase(a, json_object_get(body, "accounts")),
                        phrase_besides(a, json_object_get(body, "unavailable"), "did not answer"));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/lend/markets",
        .auth = AUTH_NONE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(markets_params, struct lend_in),
        .handler = list_markets,
        .flags = WAITS | LISTS,
        .tool = "get_lending_markets",
        .sentence = markets_sentence,
        .summary = "Lending markets",
        .about = "Markets of Aave and Morpho as their chains show them, largest supply first; seconds old.",
        .tag = TAG_LENDING,
        .skill = SKILL_LENDING,
        .status = 200,
        .answer = &markets_schema,
        .errors = ERRORS{ &E_LIMIT, &E_OFFSET, &E_CHAIN_UNKNOWN, &E_LEND_CHAIN, &E_UPSTREAM, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        .method = GET,
        .path = V1 "/lend/market/{id}",
        .auth = AUTH_NONE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(market_params, struct lend_in),
        .handler = get_market,
        .flags = WAITS,
        .tool = "get_lending_market",
        .sentence = market_sentence,
        .summary = "Lending market",
        .about = "One market with its contracts; without a chain it is looked for on all.",
        .tag = TAG_LENDING,
        .skill = SKILL_LENDING,
        .path_param = &market_id,
        .status = 200,
        .answer = &market_detail_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, &E_LEND_CHAIN, &E_MARKET_NOT_FOUND, &E_UPSTREAM, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        .method = GET,
        .path = V1 "/lend/positions",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(positions_params, struct lend_in),
        .handler = list_positions,
        .flags = WAITS | LISTS,
        .tool = "get_lending_positions",
        .sentence = positions_sentence,
        .summary = "Lending positions",
        .about = "What a wallet has lent and owes, to the last unit, and how healthy that is.",
        .tag = TAG_LENDING,
        .skill = SKILL_LENDING,
        .status = 200,
        .answer = &positions_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, &E_LEND_CHAIN, &E_WALLET_NOT_YOURS, &E_UPSTREAM, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

static const struct endpoint_event events[] = {
    { EVENT_LEND_LOW, "onLendHealthLow", &low_schema },
    { EVENT_LEND_LIQUIDATED, "onLendLiquidated", &liquidated_schema },
    { .type = NULL },
};

const struct endpoint_group lend_endpoints = { ENDPOINT_ROWS(rows), .events = events };
