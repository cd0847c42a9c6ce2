#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "exec/wallet.h"
#include "model/agent.h"
#include "predict/catalogue.h"
#include "predict/positions.h"

/* ---- parameters ---- */

enum { QUERY_MAX = 200, CATEGORY_MAX = 64 };

static const char *const market_statuses[] = { "open", "paused", "closed", "resolved", "all", NULL };
static const char *const states[] = { "open", "paused", "closed", "resolved", NULL };
static const char *const exchanges[] = { "v2", "neg_risk", "v3", NULL };

struct markets_in {
    const char *query, *category, *status;
    uint64_t limit, offset;
};

/* clang-format off */
#define PARAMS_SEARCH(of) \
    { "query", P_TEXT, INTO(struct markets_in, query), .max = QUERY_MAX, \
      .about = "Words that " of " has, all of them", .example = "bitcoin" }, \
    { "category", P_TEXT, INTO(struct markets_in, category), .max = CATEGORY_MAX, \
      .about = "What it is filed under: its category, or another tag of the venue", .example = "crypto" }
/* clang-format on */

static const struct param markets_params[] = {
    PARAMS_SEARCH("the question"),
    { "status", P_TEXT, INTO(struct markets_in, status), .choices = market_statuses, .any_case = true,
      .assumed = "open", .about = "open, paused, closed, resolved or all" },
    PARAMS_PAGE(struct markets_in),
    { 0 },
};

static const struct param events_params[] = {
    PARAMS_SEARCH("the title"),
    PARAMS_PAGE(struct markets_in),
    { 0 },
};

struct trades_in {
    uint64_t limit;
};

static const struct param trades_params[] = {
    { "limit", P_WHOLE, INTO(struct trades_in, limit), .number = PAGE_DEFAULT, .min = 1, .max = PAGE_MAX,
      .bad = &E_LIMIT, .about = "How many" },
    { 0 },
};

struct positions_in {
    const char *wallet_address;
};

static const struct param positions_params[] = { PARAM_WALLET(struct positions_in), { 0 } };

static const struct schema_field market_id = { "id", S_TEXT, .example = "512347",
                                               .about = "The market's id in GET /predict/markets" };

/* ---- answers ---- */

#define A_CONDITION "0x9f1c2e6d4b8a70535c1f2e3d4a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d"

/* clang-format off */
static const struct schema outcome_schema = { "PredictionOutcome", "An outcome that can be bought and sold", FIELDS {
    { "name",    TEXT("Yes"),        "Its name" },
    { "price",   NUMBER("0.42"),     "Between 0 and 1: what a share costs that pays 1" },
    { "tokenId", TEXT(A_TOKEN_ID),   "Names it in orders" },
    END } };

static const struct schema market_token_schema = { "PredictionToken", "The token of an outcome", FIELDS {
    { "tokenId", TEXT(A_TOKEN_ID), "Its id" },
    { "outcome", TEXT("Yes"),      "The outcome's name" },
    END } };

#define MARKET_FIELDS \
    { "id",            TEXT("512347"),                  "Identifier of the market" }, \
    { "conditionId",   HEX(A_CONDITION),                "Its condition on the chain", FULL_ONLY }, \
    { "question",      TEXT("Will it rain tomorrow?"),  "What is asked" }, \
    { "category",      TEXT("weather"),                 "Its category, in lower case" }, \
    { "endDate",       TEXT("2026-12-31T00:00:00Z"),    "When it ends", MAY_BE_NULL }, \
    { "volume",        DECIMAL("125034.1"),              "Dollars traded" }, \
    { "liquidity",     DECIMAL("8031.55"),               "Dollars in the book" }, \
    { "outcomes",      LIST(outcome_schema),            "Its outcomes" }, \
    { "outcomePrices", NUMBERS("0.42"), "Their prices, in the same order", FULL_ONLY }, \
    { "tokens",        LIST(market_token_schema),       "Their tokens, likewise", FULL_ONLY }, \
    { "active",        FLAG("true"),                    "Whether the venue shows it", FULL_ONLY }, \
    { "status",        CHOICE(states, "open"),          "open: takes orders" }, \
    { "exchange",      CHOICE(exchanges, "v2"),         "The contract that settles it; null: one that is not traded here", MAY_BE_NULL | FULL_ONLY }

static const struct schema market_schema = { "PredictionMarket", "A prediction market", FIELDS {
    MARKET_FIELDS,
    END } };

static const struct schema market_detail_schema = { "PredictionMarketDetail", "A prediction market with its rules", FIELDS {
    SUCCESS,
    { "description",     TEXT("Resolves to Yes if …"),   "How it is decided", MAY_BE_NULL },
    { "createdAt",       TEXT("2026-01-01T12:00:00Z"),   "Since when it exists", MAY_BE_NULL | FULL_ONLY },
    { "resolvedOutcome", TEXT("null"),                   "The outcome that has won; null until it is known", MAY_BE_NULL | FULL_IF_NULL },
    { "tickSize",        DECIMAL("0.01"),                 "Prices are multiples of it", MAY_BE_NULL },
    { "minOrderSize",    DECIMAL("5"),                    "The least size of an order, in shares", MAY_BE_NULL },
    { "feeRate",         DECIMAL("0.04"),                 "What a taker pays: shares x feeRate x (price x (1 - price)) ^ feeExponent dollars; makers pay none", MAY_BE_NULL },
    { "feeExponent",     WHOLE("1"),                      "Its exponent", MAY_BE_NULL | FULL_ONLY },
    { "negRisk",         FLAG("false"),                  "Whether the outcomes of its event exclude one another", FULL_ONLY },
    { "closed",          FLAG("false"),                  "Whether it has ended", FULL_ONLY },
    END }, .base = &market_schema };

/* The venue does not say how many there are. */
static const struct schema market_page_schema = { "PredictionPage", "Which part of a list this is", FIELDS {
    { "limit",    WHOLE("20"),   "Page size" },
    { "offset",   WHOLE("0"),    "Items skipped" },
    { "has_more", FLAG("false"), "Whether there are more" },
    END } };

static const struct schema markets_schema = { "PredictionMarketList", "A page of markets, most traded first", FIELDS {
    SUCCESS,
    { "markets",    LIST(market_schema),        "The markets" },
    { "pagination", OBJECT(market_page_schema), "Which part of all this is" },
    END } };

static const struct schema event_schema = { "PredictionEvent", "A question of one or several markets", FIELDS {
    { "id",          TEXT("20911"),                 "Identifier of the event" },
    { "title",       TEXT("Who wins the election?"), "What it is about" },
    { "description", TEXT("This event …"),          "More about it", MAY_BE_NULL | FULL_ONLY },
    { "category",    TEXT("politics"),              "Its category, in lower case" },
    { "endDate",     TEXT("2026-12-31T00:00:00Z"),  "When it ends", MAY_BE_NULL },
    { "volume",      DECIMAL("925034.1"),            "Dollars traded" },
    { "liquidity",   DECIMAL("58031.55"),            "Dollars in the books" },
    { "markets",     LIST(market_schema),           "Its markets" },
    END } };

static const struct schema events_schema = { "PredictionEventList", "A page of events, most traded first", FIELDS {
    SUCCESS,
    { "events",     LIST(event_schema),         "The events" },
    { "pagination", OBJECT(market_page_schema), "Which part of all this is" },
    END } };

static const struct schema level_schema = { "BookLevel", "A price, and how many shares are offered at it", FIELDS {
    { "price", DECIMAL("0.41"),  "The price" },
    { "size",  DECIMAL("120.5"), "How many shares" },
    END } };

static const struct schema outcome_book_schema = { "PredictionBook", "The order book of an outcome", FIELDS {
    { "outcome",        TEXT("Yes"),        "The outcome's name" },
    { "tokenId",        TEXT(A_TOKEN_ID),   "Its token" },
    { "market",         HEX(A_CONDITION),   "The market's condition", FULL_ONLY },
    { "assetId",        TEXT(A_TOKEN_ID),   "The token again", FULL_ONLY },
    { "bids",           LIST(level_schema), "Who buys, highest price first" },
    { "asks",           LIST(level_schema), "Who sells, lowest price first" },
    { "midpoint",       DECIMAL("0.415"),    "Half-way between the best two; else the last price", MAY_BE_NULL },
    { "lastTradePrice", DECIMAL("0.41"),     "What was paid last", MAY_BE_NULL },
    { "tickSize",       DECIMAL("0.01"),     "Prices are multiples of it", MAY_BE_NULL },
    { "minOrderSize",   DECIMAL("5"),        "The least size of an order", MAY_BE_NULL },
    END } };

#define MARKET_HEAD \
    SUCCESS, \
    { "marketId", TEXT("512347"),                 "Identifier of the market" }, \
    { "question", TEXT("Will it rain tomorrow?"), "What is asked" }

static const struct schema book_schema = { "PredictionBooks", "The order books of a market", FIELDS {
    MARKET_HEAD,
    { "outcomes", LIST(outcome_book_schema), "One for each outcome" },
    END } };

static const struct schema outcome_price_schema = { "PredictionPrice", "The price of an outcome", FIELDS {
    { "outcome", TEXT("Yes"),      "The outcome's name" },
    { "tokenId", TEXT(A_TOKEN_ID), "Its token" },
    { "mid",     DECIMAL("0.415"),  "Half-way between the best bid and the best ask; else the last price", MAY_BE_NULL },
    END } };

static const struct schema price_schema = { "PredictionPrices", "The prices of a market's outcomes", FIELDS {
    MARKET_HEAD,
    { "prices", LIST(outcome_price_schema), "One for each outcome" },
    END } };

static const struct schema trade_schema = { "PredictionTrade", "A trade that happened", FIELDS {
    { "id",        TEXT(A_HASH),      "Identifier of the trade", FULL_ONLY },
    { "price",     DECIMAL("0.41"),    "What was paid for a share" },
    { "size",      DECIMAL("20"),      "How many shares" },
    { "side",      CHOICE(order_sides, "BUY"), "What the taker did" },
    { "timestamp", TIME(A_TIME),      "When" },
    { "outcome",   TEXT("Yes"),       "The outcome's name", MAY_BE_NULL },
    { "tokenId",   TEXT(A_TOKEN_ID),  "Its token" },
    { "tx_hash",   HEX(A_HASH),       "The transaction that settled it", FULL_ONLY },
    END } };

static const struct schema trades_schema = { "PredictionTrades", "Recent trades of a market, newest first", FIELDS {
    MARKET_HEAD,
    { "trades", LIST(trade_schema), "The trades" },
    END } };

static const struct schema position_schema = { "PredictionPosition", "Shares of an outcome that a wallet holds", FIELDS {
    { "asset",         TEXT(A_TOKEN_ID),              "The outcome's tokenId" },
    { "conditionId",   HEX(A_CONDITION),              "The market's condition", FULL_ONLY },
    { "size",          NUMBER("10"),                  "How many shares" },
    { "avgPrice",      NUMBER("0.4"),                 "What one cost, on average" },
    { "realizedPnl",   NUMBER("0"),                   "Dollars gained by what was sold; negative: lost", MAY_BE_NULL },
    { "unrealizedPnl", NUMBER("-0.2"),                "Dollars that selling all at currentPrice would gain", MAY_BE_NULL },
    { "currentPrice",  NUMBER("0.38"),                "What one is worth now" },
    { "question",      TEXT("Will it rain tomorrow?"), "The market's question", MAY_BE_NULL },
    { "outcome",       TEXT("Yes"),                   "The outcome's name", MAY_BE_NULL },
    END } };

static const struct schema positions_schema = { "PredictionPositionList", "What a wallet holds on prediction markets", FIELDS {
    SUCCESS,
    { "positions", LIST(position_schema), "The positions, largest first" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

/* An empty text matches anything. */
static const char *text_or_any(const char *text)
{
    return text != NULL && text[strspn(text, " ")] != '\0' ? text : NULL;
}

static struct catalogue_query query_of(const struct markets_in *in)
{
    struct catalogue_query q = { .words = text_or_any(in->query),
                                 .category = text_or_any(in->category),
                                 .any_status = in->status != NULL,
                                 .page = { in->limit, in->offset } };

    for (int s = MARKET_OPEN; in->status != NULL && s <= MARKET_RESOLVED; s++)
        if (strcmp(in->status, market_status_name((enum market_status)s)) == 0) {
            q.any_status = false;
            q.status = (enum market_status)s;
        }
    return q;
}

static struct reply *list_markets(struct api_call *c, const void *arg)
{
    struct catalogue_query q = query_of(arg);
    const char *text = NULL;
    const struct err *e = catalogue_markets(c->ctx, c->arena, &q, &text);

    return view_cached(c, e, text);
}

static struct reply *list_events(struct api_call *c, const void *arg)
{
    struct catalogue_query q = query_of(arg);
    const char *text = NULL;
    const struct err *e = catalogue_events(c->ctx, c->arena, &q, &text);

    return view_cached(c, e, text);
}

static const char *id_of(const struct api_call *c)
{
    return c->captured != NULL ? c->captured : "";
}

static struct reply *market_read(struct api_call *c,
                                 const struct err *(*read)(const struct ctx *ctx, struct arena *a,
                                                           const char *id, const char **text))
{
    const char *text = NULL;
    const struct err *e = read(c->ctx, c->arena, id_of(c), &text);

    return view_cached(c, e, text);
}

static struct reply *get_market(struct api_call *c, const void *arg)
{
    (void)arg;
    return market_read(c, catalogue_market);
}

static struct reply *get_book(struct api_call *c, const void *arg)
{
    (void)arg;
    return market_read(c, catalogue_book);
}

static struct reply *get_price(struct api_call *c, const void *arg)
{
    (void)arg;
    return market_read(c, catalogue_price);
}

static struct reply *get_trades(struct api_call *c, const void *arg)
{
    const struct trades_in *in = arg;
    const char *text = NULL;
    const struct err *e = catalogue_trades(c->ctx, c->arena, id_of(c), in->limit, &text);

    return view_cached(c, e, text);
}

/* An agent without a wallet has none. */
static const struct err *positions_read(struct api_call *c, const char *address, const char **text)
{
    struct wallet w;
    const struct err *e = wallet_need(c->ctx, c->agent->id, WALLET_EVM, address, &w);

    *text = "{\"positions\":[]}";
    if (e == &E_WALLET_NOT_FOUND)
        return NULL;
    return e != NULL ? e : positions_of(c->ctx, c->arena, &w, text);
}

static struct reply *list_positions(struct api_call *c, const void *arg)
{
    const struct positions_in *in = arg;
    const char *text;
    const struct err *e = positions_read(c, in->wallet_address, &text);

    return view_cached(c, e, text);
}

/* ---- as a sentence ---- */

static const char *outcome_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %g", phrase_text(item, "name"),
                        json_number_value(json_object_get(item, "price")));
}

static const char *market_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %s (%s)", phrase_text(item, "id"), phrase_text(item, "question"),
                        phrase_list(a, json_object_get(item, "outcomes"), outcome_phrase, PHRASE_ITEMS_MAX));
}

static const char *markets_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "markets");

    (void)asked;
    if (json_array_size(list) == 0)
        return "There are no such markets";
    return arena_printf(a, "%zu market%s: %s", json_array_size(list), phrase_plural(json_array_size(list)),
                        phrase_list(a, list, market_phrase, PHRASE_ITEMS_MAX));
}

static const char *market_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "%s, %s", market_phrase(a, body), phrase_text(body, "status"));
}

static const char *mid_phrase(struct arena *a, const json_t *item)
{
    const char *mid = phrase_text(item, "mid");

    return arena_printf(a, "%s %s", phrase_text(item, "outcome"), *mid != '\0' ? mid : "has no price");
}

static const char *price_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "%s %s", phrase_text(body, "question"),
                        phrase_list(a, json_object_get(body, "prices"), mid_phrase, PHRASE_ITEMS_MAX));
}

static const char *position_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%g %s of \"%s\" at %g", json_number_value(json_object_get(item, "size")),
                        phrase_text(item, "outcome"), phrase_text(item, "question"),
                        json_number_value(json_object_get(item, "currentPrice")));
}

static const char *positions_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "positions");

    (void)asked;
    if (json_array_size(list) == 0)
        return "There are no positions";
    return arena_printf(a, "%zu position%s: %s", json_array_size(list), phrase_plural(json_array_size(list)),
                        phrase_list(a, list, position_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

#define READ_ROW                                                                                             \
    .method = GET, .auth = AUTH_ACTIVE, .denied = &E_DENIED, .internal = &E_INTERNAL, .tag = TAG_PREDICTION, \
    .skill = SKILL_PREDICTION, .status = 200, .hints = HINT_OPEN_WORLD

static const struct endpoint rows[] = {
    {
        READ_ROW,
        .path = V1 "/predict/markets",
        TAKES(markets_params, struct markets_in),
        .handler = list_markets,
        .flags = WAITS | LISTS | CORE,
        .tool = "search_prediction_markets",
        .sentence = markets_sentence,
        .summary = "Search prediction markets",
        .about = "Markets of Polymarket, most traded first.",
        .answer = &markets_schema,
        .errors = ERRORS{ &E_LIMIT, &E_OFFSET, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        READ_ROW,
        .path = V1 "/predict/events",
        TAKES(events_params, struct markets_in),
        .handler = list_events,
        .flags = WAITS | LISTS | CORE,
        .tool = "list_prediction_events",
        .summary = "Browse prediction events",
        .about = "Questions with all of their markets, most traded first.",
        .answer = &events_schema,
        .errors = ERRORS{ &E_LIMIT, &E_OFFSET, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        READ_ROW,
        .path = V1 "/predict/market/{id}",
        .handler = get_market,
        .flags = WAITS | CORE,
        .tool = "get_prediction_market",
        .sentence = market_sentence,
        .summary = "Prediction market",
        .about = "One market with its rules, tick and least order size.",
        .path_param = &market_id,
        .answer = &market_detail_schema,
        .errors = ERRORS{ &E_MARKET_NOT_FOUND, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        READ_ROW,
        .path = V1 "/predict/market/{id}/book",
        .handler = get_book,
        .flags = WAITS | LISTS | CORE,
        .tool = "get_prediction_book",
        .summary = "Order books of a prediction market",
        .about = "What is bid and asked for each outcome, best first.",
        .path_param = &market_id,
        .answer = &book_schema,
        .errors = ERRORS{ &E_MARKET_NOT_FOUND, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        READ_ROW,
        .path = V1 "/predict/market/{id}/price",
        .handler = get_price,
        .flags = WAITS | CORE,
        .tool = "get_prediction_price",
        .sentence = price_sentence,
        .summary = "Prices of a prediction market",
        .about = "Half-way between best bid and best ask of each outcome.",
        .path_param = &market_id,
        .answer = &price_schema,
        .errors = ERRORS{ &E_MARKET_NOT_FOUND, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        READ_ROW,
        .path = V1 "/predict/market/{id}/trades",
        TAKES(trades_params, struct trades_in),
        .handler = get_trades,
        .flags = WAITS | LISTS | CORE,
        .tool = "get_prediction_trades",
        .summary = "Recent trades of a prediction market",
        .about = "The last trades of all outcomes, newest first.",
        .path_param = &market_id,
        .answer = &trades_schema,
        .errors = ERRORS{ &E_LIMIT, &E_MARKET_NOT_FOUND, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        READ_ROW,
        .path = V1 "/predict/positions",
        TAKES(positions_params, struct positions_in),
        .handler = list_positions,
        .flags = WAITS | LISTS | CORE,
        .tool = "list_prediction_positions",
        .sentence = positions_sentence,
        .summary = "Positions on prediction markets",
        .about = "What the trading wallet holds, as the venue reckons it; a few seconds old at most.",
        .answer = &positions_schema,
        .errors = ERRORS{ &E_WALLET_NOT_YOURS, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
};

const struct endpoint_group predict_endpoints = { ENDPOINT_ROWS(rows) };
