#include "route/price.h"

#include <string.h>

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/shapes.h"
#include "api/view.h"

/* ---- parameters ---- */

struct prices_in {
    const char *symbols;
};

static const struct param prices_params[] = {
    /* The handler reports a missing value itself, together with the supported symbols. */
    { "symbols", P_TEXT, INTO(struct prices_in, symbols), .needed = true, .max = 1000,
      .about = "1 to 20 symbols, separated by commas", .example = "ETH,USDC" },
    { 0 },
};

/* ---- what they answer ---- */

/* clang-format off */
static const struct schema price_schema = { "Price", "A price in dollars", FIELDS {
    { "usd",        NUMBER("2998.8"), "Dollars for one" },
    { "change_24h", NUMBER("-1.25"),  "Per cent within a day; null when unknown", MAY_BE_NULL },
    END } };

static const struct schema prices_schema = { "Prices", "Prices by symbol", FIELDS {
    SUCCESS,
    { "prices",          MAP(price_schema, "ETH"), "The prices" },
    { "unknown_symbols", TEXTS("NOPE"),            "Symbols that nobody knows", MAY_BE_ABSENT },
    { "unavailable",     TEXTS("ARB"),             "Symbols whose price is unavailable at the moment", MAY_BE_ABSENT },
    END } };
/* clang-format on */

/* ---- handlers ---- */

enum { SYMBOLS_MAX = 20 };

/* The specification wants a JSON number here. It is made from the exact decimal text and only shown: nothing
 * computes with it. */
static json_t *number_view(struct arena *a, struct amount v, bool minus)
{
    double shown = strtod(amount_text(a, v), NULL);

    return json_real(minus ? -shown : shown);
}

static json_t *price_view(struct arena *a, const struct price *p)
{
    return json_pack("{s:o, s:o}", "usd", number_view(a, p->usd, false), "change_24h",
                     p->has_change ? number_view(a, p->change_24h, p->change_minus) : json_null());
}

static bool symbol_is_listed(const struct price *list, size_t n, const char *symbol)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].symbol, symbol) == 0)
            return true;
    return false;
}

/* The symbols of a comma-separated list, each once; SYMBOLS_MAX + 1 when there are too many. */
static size_t symbols_read(struct api_call *c, const char *text, struct price *out)
{
    size_t n = 0;

    while (*text != '\0' && n <= SYMBOLS_MAX) {
        size_t skip = strspn(text, ", "), len = strcspn(text + skip, ", ");

        if (len > 0) {
            out[n] = price_of_symbol(c->ctx, c->arena, arena_strndup(c->arena, text + skip, len));
            n += !symbol_is_listed(out, n, out[n].symbol);
        }
        text += skip + len;
    }
    return n;
}

static struct reply *symbols_refuse(struct api_call *c, const struct err *e, const char *what)
{
    const char **symbols = price_symbols(c->ctx, c->arena);
    json_t *supported = json_array();

    for (; *symbols != NULL; symbols++)
        json_array_append_new(supported, json_string(*symbols));
    return reply_err_with(c->rq, e,
                          json_pack("{s:{s:s}, s:o}", "fields", "symbols", what, "supported", supported));
}

/* The symbols in that state; NULL when there are none. */
static json_t *symbols_in_state(struct arena *a, const struct price *list, size_t n, enum price_state state)
{
    json_t *names = NULL;

    for (size_t i = 0; i < n; i++) {
        if (list[i].state != state)
            continue;
        if (names == NULL)
            names = json_array();
        json_array_append_new(names, json_string(err_shown(a, list[i].symbol)));
    }
    return names;
}

static struct reply *get_prices(struct api_call *c, const void *arg)
{
    const struct prices_in *in = arg;
    struct price list[SYMBOLS_MAX + 1];
    size_t n = in->symbols == NULL ? 0 : symbols_read(c, in->symbols, list);
    json_t *prices;

    if (n == 0)
        return symbols_refuse(c, err_fmt(c->arena, &E_REQUIRED, "symbols", NULL), "is required");
    if (n > SYMBOLS_MAX)
        return symbols_refuse(c, &E_SYMBOLS, "must have at most 20 symbols");
    prices_ask(c->ctx, c->arena, list, n);
    prices = json_object();
    for (size_t i = 0; i < n; i++)
        if (list[i].state == PRICE_KNOWN)
            json_object_set_new(prices, list[i].symbol, price_view(c->arena, &list[i]));
    return reply_json(c->rq, 200,
                      json_pack("{s:o, s:o*, s:o*}", "prices", prices, "unknown_symbols",
                                symbols_in_state(c->arena, list, n, PRICE_UNKNOWN), "unavailable",
                                symbols_in_state(c->arena, list, n, PRICE_UNAVAILABLE)));
}

/* ---- as a sentence ---- */

/* Cents, and more places below a dollar. */
static const char *dollars_phrase(struct arena *a, const json_t *usd)
{
    double shown = json_number_value(usd);

    return arena_printf(a, "$%.*f", shown < 1 ? 6 : 2, shown);
}

static const char *prices_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *out = "", *name;
    json_t *price;

    (void)asked;
    json_object_foreach(json_object_get(body, "prices"), name, price)
    {
        out = arena_printf(a, "%s%s%s is %s", out, *out == '\0' ? "" : ", ", name,
                           dollars_phrase(a, json_object_get(price, "usd")));
    }
    out = arena_printf(a, "%s%s%s", out,
                       phrase_besides(a, json_object_get(body, "unavailable"), "cannot be priced now"),
                       phrase_besides(a, json_object_get(body, "unknown_symbols"), "is not known"));
    return out + (*out == ';' ? 2 : 0);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/prices",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(prices_params, struct prices_in),
        .handler = get_prices,
        .flags = WAITS,
        .tool = "get_prices",
        .sentence = prices_sentence,
        .summary = "Dollar prices of tokens",
        .about = "For orientation; POST /quote says what a swap really gives.",
        .tag = TAG_DISCOVERY,
        .skill = SKILL_QUOTE,
        .status = 200,
        .answer = &prices_schema,
        .errors = ERRORS{ &E_SYMBOLS, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

const struct endpoint_group prices_endpoints = { ENDPOINT_ROWS(rows) };
