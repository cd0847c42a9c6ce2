#include <strings.h>

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "exec/wallet.h"
#include "model/agent.h"
#include "perps/perps_account.h"
#include "perps/perps_markets.h"
#include "perps/perps_quote.h"
#include "perps/perps_terms.h"

/* ---- parameters ---- */

static const struct param quote_params[] = {
    { "market", P_TEXT, INTO(struct perps_quote_in, market), .required = true, .min = 1,
      .max = PARAM_NAME_MAX, .about = "ETH-USD, or the asset alone", .example = "ETH-USD" },
    { "side", P_TEXT, INTO(struct perps_quote_in, side), .required = true, .check = perps_side_fault,
      .absent = &E_PERPS_SIDE, .bad = &E_PERPS_SIDE,
      .about = "long gains when the price rises, short when it falls", .example = "long" },
    { "size", P_DECIMAL, INTO(struct perps_quote_in, size), .required = true, .check = perps_size_fault,
      .absent = &E_PERPS_SIZE, .bad = &E_PERPS_SIZE,
      .about = "How much of the asset, with at most the market's szDecimals", .example = "0.5" },
    { "leverage", P_DECIMAL, INTO(struct perps_quote_in, leverage), .assumed = "1",
      .about =
          "The leverage, position value divided by margin, a whole number: 1 to the market's maxLeverage",
      .example = "5" },
    PARAM_WALLET(struct perps_quote_in),
    { 0 },
};

struct holder_in {
    const char *address, *wallet_address;
};

static const struct param account_params[] = { PARAM_WALLET(struct holder_in), { 0 } };

static const struct param positions_params[] = {
    { "address", P_TEXT, INTO(struct holder_in, address), .max = PARAM_NAME_MAX,
      .about = "One of the agent's wallets; default the oldest" },
    PARAM_WALLET(struct holder_in),
    { 0 },
};

static const struct schema_field market_name = { "name", S_TEXT, .example = "ETH-USD",
                                                 .about = "The market's name in GET /perps/markets" };

/* ---- answers ---- */

static const char *const sides[] = { "long", "short", NULL };
static const char *const margin_modes[] = { "cross", "isolated", NULL };
static const char *const account_modes[] = { "default", "disabled", "unifiedAccount", "portfolioMargin",
                                             NULL };
static const char *const key_statuses[] = { "none", "active", "expired", NULL };

/* clang-format off */
#define MARKET_FIELDS \
    { "name",             TEXT("ETH-USD"),           "Names it in all calls" }, \
    { "asset",            TEXT("ETH"),               "What its price is of", FULL_ONLY }, \
    { "szDecimals",       WHOLE("4"),                "How many decimals a size may have" }, \
    { "maxLeverage",      WHOLE("20"),               "The most leverage that may be asked for" }, \
    { "venueMaxLeverage", WHOLE("25"),               "The most that the venue allows any account", FULL_ONLY }, \
    { "markPrice",        NUMBER("3000.5"),          "Dollars, by which positions are valued" }, \
    { "oraclePrice",      NUMBER("3000.1"),          "Dollars that the asset costs elsewhere", FULL_ONLY }, \
    { "midPrice",         NUMBER("3000.45"),         "Half-way between the best orders; null: one side has none", MAY_BE_NULL | FULL_ONLY }, \
    { "fundingRate",      NUMBER("0.0000125"),       "The share of a position's worth that longs pay shorts each hour; below 0 shorts pay" }, \
    { "nextFundingAt",    TIME("2026-01-01T13:00:00.000Z"), "When that is paid next", FULL_ONLY }, \
    { "openInterest",     NUMBER("402105.5"),        "How much of the asset all positions are about", FULL_ONLY }, \
    { "volume24h",        NUMBER("1169046294.06"),   "Dollars traded in a day" }, \
    { "priceChange24h",   NUMBER("-1.25"),           "Per cent within a day" }, \
    { "minOrderValue",    WHOLE("10"),               "Dollars that an order has to be worth" }, \
    { "onlyIsolated",     FLAG("false"),             "Whether positions cannot share their margin with others", FULL_ONLY }

static const struct schema market_schema = { "PerpsMarket", "A perpetual future", FIELDS {
    MARKET_FIELDS,
    END } };

static const struct schema markets_schema = { "PerpsMarketList", "The perpetual futures that can be traded", FIELDS {
    SUCCESS,
    { "markets", LIST(market_schema), "The markets" },
    END } };

static const struct schema level_schema = { "PerpsBookLevel", "Orders at a price", FIELDS {
    { "price", NUMBER("3000.4"), "Dollars" },
    { "size",  NUMBER("6.6671"), "How much of the asset" },
    END } };

static const struct schema market_detail_schema = { "PerpsMarketDetail", "A perpetual future with its order book", FIELDS {
    SUCCESS,
    { "bids", LIST(level_schema), "Who buys, highest price first" },
    { "asks", LIST(level_schema), "Who sells, lowest price first" },
    END }, .base = &market_schema };

static const struct schema quote_schema = { "PerpsQuote", "What a position would cost now", FIELDS {
    SUCCESS,
    { "market",           TEXT("ETH-USD"),       "The market" },
    { "side",             CHOICE(sides, "long"), "long or short" },
    { "size",             NUMBER("0.5"),         "How much of the asset" },
    { "leverage",         WHOLE("5"),            "Leverage: position value divided by margin" },
    { "entryPrice",       NUMBER("3000.6"),      "Dollars for one, through the visible book" },
    { "margin",           NUMBER("300.06"),      "Dollars that it binds" },
    { "liquidationPrice", NUMBER("2449.469388"), "Dollars at which it is lost, if it has that margin alone; 0: at none" },
    { "fundingRate",      NUMBER("0.0000125"),   "The market's" },
    { "fee",              NUMBER("0.675135"),    "Dollars for the trade, by the wallet's own rate" },
    END } };

static const struct schema key_schema = { "PerpsTradingKey", "The key that signs the wallet's orders, and nothing else", FIELDS {
    { "address",   HEX(A_ROUTER),                  "Its address; null: there is none yet", MAY_BE_NULL },
    { "status",    CHOICE(key_statuses, "active"), "none until the first order" },
    { "expiresAt", TIME(LATER),                    "Until when the venue takes it; null: no end is known", MAY_BE_NULL },
    END } };

static const struct schema account_schema = { "PerpsAccount", "What a wallet has at the venue of perpetuals", FIELDS {
    { "wallet_address", HEX(A_WALLET),                    "The managed wallet" },
    { "mode",           CHOICE(account_modes, "default"), "How the venue keeps its dollars; unifiedAccount, portfolioMargin: in one with its spot balance" },
    { "accountValue",   AMOUNT("1052.25"),                "Dollars that it is worth, with what positions have gained; may be below 0" },
    { "withdrawable",   AMOUNT("752.19"),                 "Dollars that may leave" },
    { "marginUsed",     AMOUNT("300.06"),                 "Dollars that positions bind" },
    { "tradingKey",     OBJECT(key_schema),               "Who signs its orders" },
    END } };

static const struct schema account_found_schema = { "PerpsAccountFound", "The account", FIELDS {
    SUCCESS,
    { "account", OBJECT(account_schema), "The account" },
    END } };

static const struct schema position_schema = { "PerpsPosition", "A position in a perpetual", FIELDS {
    { "id",               TEXT(A_WALLET ":ETH-USD"),        "Identifier: a wallet has one in a market", FULL_ONLY },
    { "market",           TEXT("ETH-USD"),                  "The market" },
    { "side",             CHOICE(sides, "long"),            "long or short" },
    { "size",             NUMBER("0.5"),                    "How much of the asset" },
    { "leverage",         WHOLE("5"),                       "The most leverage: position value divided by margin" },
    { "entryPrice",       NUMBER("3000.6"),                 "Dollars that one cost" },
    { "markPrice",        NUMBER("3100.5"),                 "Dollars by which it is valued now" },
    { "margin",           NUMBER("310.05"),                 "Dollars that it binds" },
    { "unrealizedPnl",    NUMBER("49.95"),                  "Dollars that closing it would gain" },
    { "liquidationPrice", NUMBER("2449.469388"),            "Dollars at which it is lost; 0: at none" },
    { "fundingRate",      NUMBER("0.0000125"),              "The market's", FULL_ONLY },
    { "marginMode",       CHOICE(margin_modes, "isolated"), "cross: with the margin of the whole account" },
    { "fundingPaid",      NUMBER("0.0375"),                 "Dollars since it was opened; below 0: received", FULL_ONLY },
    { "positionValue",    NUMBER("1550.25"),                "Dollars that it is worth" },
    END } };

static const struct schema positions_schema = { "PerpsPositionList", "A wallet's positions in perpetuals", FIELDS {
    SUCCESS,
    { "positions", LIST(position_schema), "The positions" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

static struct reply *list_markets(struct api_call *c, const void *arg)
{
    const char *text = NULL;
    const struct err *e = perps_markets(c->ctx, c->arena, &text);

    (void)arg;
    return view_cached(c, e, text);
}

static struct reply *get_market(struct api_call *c, const void *arg)
{
    const char *text = NULL;
    const struct err *e = perps_market(c->ctx, c->arena, c->captured != NULL ? c->captured : "", &text);

    (void)arg;
    return view_cached(c, e, text);
}

static struct reply *make_quote(struct api_call *c, const void *arg)
{
    const struct perps_quote_in *in = arg;
    const char *text = NULL;
    struct wallet w;
    const struct err *e = wallet_need(c->ctx, c->agent->id, WALLET_EVM, in->wallet_address, &w);

    if (e == NULL)
        e = perps_quote(c->ctx, c->arena, in, &w, &text);
    else if (e == &E_WALLET_NOT_FOUND)
        e = perps_quote(c->ctx, c->arena, in, NULL, &text);
    return view_cached(c, e, text);
}

static struct reply *get_account(struct api_call *c, const void *arg)
{
    const struct holder_in *in = arg;
    const char *text = NULL;
    struct wallet w;
    const struct err *e = wallet_need(c->ctx, c->agent->id, WALLET_EVM, in->wallet_address, &w);

    if (e == NULL)
        e = perps_account(c->ctx, c->arena, &w, &text);
    return view_cached(c, e, text);
}

/* The wallet goes by the name that similar services have, or by that of our other calls. */
static const struct err *holder_find(struct api_call *c, const struct holder_in *in, struct wallet *out)
{
    const char *address = in->address != NULL ? in->address : in->wallet_address;

    if (in->wallet_address != NULL && strcasecmp(address, in->wallet_address) != 0)
        return err_on(c->arena, &E_VALIDATION, "wallet_address");
    return wallet_need(c->ctx, c->agent->id, WALLET_EVM, address, out);
}

/* An agent without a wallet has none. */
static struct reply *list_positions(struct api_call *c, const void *arg)
{
    const char *text = "{\"positions\":[]}";
    struct wallet w;
    const struct err *e = holder_find(c, arg, &w);

    if (e == &E_WALLET_NOT_FOUND)
        e = NULL;
    else if (e == NULL)
        e = perps_positions(c->ctx, c->arena, &w, &text);
    return view_cached(c, e, text);
}

/* ---- as a sentence ---- */

/* A number as it reads; a sentence needs no more digits. */
static const char *number_phrase(struct arena *a, const json_t *item, const char *member)
{
    return arena_printf(a, "%.8g", json_number_value(json_object_get(item, member)));
}

static const char *market_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s at %s", phrase_text(item, "name"), number_phrase(a, item, "markPrice"));
}

static const char *markets_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "markets");
    size_t n = json_array_size(list);

    (void)asked;
    return arena_printf(a, "%zu market%s%s%s", n, phrase_plural(n), n == 0 ? "" : ": ",
                        n == 0 ? "" : phrase_list(a, list, market_phrase, n));
}

static const char *market_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "%s, longs pay %s of their worth an hour", market_phrase(a, body),
                        number_phrase(a, body, "fundingRate"));
}

static const char *quote_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "A %s of %s %s at %s binds %s dollars, costs %s and is lost at %s",
                        phrase_text(body, "side"), number_phrase(a, body, "size"),
                        phrase_text(body, "market"), number_phrase(a, body, "entryPrice"),
                        number_phrase(a, body, "margin"), number_phrase(a, body, "fee"),
                        number_phrase(a, body, "liquidationPrice"));
}

static const char *account_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *account = json_object_get(body, "account");

    (void)asked;
    return arena_printf(a, "The account is worth %s dollars, of which positions bind %s and %s may leave",
                        phrase_text(account, "accountValue"), phrase_text(account, "marginUsed"),
                        phrase_text(account, "withdrawable"));
}

static const char *position_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%s %s of %s, %s dollars gained", phrase_text(item, "market"),
                        phrase_text(item, "side"), number_phrase(a, item, "size"),
                        number_phrase(a, item, "unrealizedPnl"));
}

static const char *positions_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "positions");
    size_t n = json_array_size(list);

    (void)asked;
    return arena_printf(a, "%zu position%s in perpetuals%s%s", n, phrase_plural(n), n == 0 ? "" : ": ",
                        n == 0 ? "" : phrase_list(a, list, position_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

#define PERPS_ROW                                                                                            \
    .denied = &E_DENIED, .internal = &E_INTERNAL, .tag = TAG_PERPS, .skill = SKILL_PERPS, .status = 200

static const struct endpoint rows[] = {
    {
        PERPS_ROW,
        .method = GET,
        .path = V1 "/perps/markets",
        .auth = AUTH_NONE,
        .handler = list_markets,
        .flags = WAITS,
        .tool = "get_perps_markets",
        .sentence = markets_sentence,
        .summary = "Perpetual futures",
        .about = "The perpetual futures that can be traded, with prices and funding.",
        .answer = &markets_schema,
        .errors = ERRORS{ &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        PERPS_ROW,
        .method = GET,
        .path = V1 "/perps/market/{name}",
        .auth = AUTH_NONE,
        .handler = get_market,
        .flags = WAITS,
        .tool = "get_perps_market",
        .sentence = market_sentence,
        .summary = "Perpetual future",
        .about = "One perpetual future with its order book.",
        .path_param = &market_name,
        .answer = &market_detail_schema,
        .errors = ERRORS{ &E_MARKET_NOT_FOUND, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        PERPS_ROW,
        .method = POST,
        .path = V1 "/perps/quote",
        .auth = AUTH_ACTIVE,
        TAKES(quote_params, struct perps_quote_in),
        .handler = make_quote,
        .flags = WAITS | DECIMALS,
        .tool = "quote_perps",
        .sentence = quote_sentence,
        .summary = "Quote a perpetual position",
        .about =
            "What a position would cost now and at which price it would be lost. Nothing is reserved: the price may move.",
        .answer = &quote_schema,
        .errors = ERRORS{ &E_PERPS_MARKET, &E_PERPS_SIZE_PLACES, &E_PERPS_LEVERAGE, &E_NO_LIQUIDITY,
                          &E_WALLET_NOT_YOURS, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
    {
        PERPS_ROW,
        .method = GET,
        .path = V1 "/perps/account",
        .auth = AUTH_ACTIVE,
        TAKES(account_params, struct holder_in),
        .handler = get_account,
        .flags = WAITS,
        .tool = "get_perps_account",
        .sentence = account_sentence,
        .summary = "Account for perpetuals",
        .about = "What the wallet has at the venue of perpetuals, and which key signs its orders.",
        .answer = &account_found_schema,
        .errors = ERRORS{ &E_WALLET_NOT_FOUND, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        PERPS_ROW,
        .method = GET,
        .path = V1 "/perps/positions",
        .auth = AUTH_ACTIVE,
        TAKES(positions_params, struct holder_in),
        .handler = list_positions,
        .flags = WAITS | LISTS,
        .tool = "list_perps_positions",
        .sentence = positions_sentence,
        .summary = "Positions in perpetuals",
        .about = "What the wallet holds, as the venue values it.",
        .answer = &positions_schema,
        .errors = ERRORS{ &E_WALLET_NOT_YOURS, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

const struct endpoint_group perps_endpoints = { ENDPOINT_ROWS(rows) };
