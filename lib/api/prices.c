#include "route/price.h"

#include <string.h>

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "chain/chains.h"

/* ---- parameters ---- */

struct prices_in {
    const char *symbols, *chain;
};

static const struct param prices_params[] = {
    /* The handler reports a missing value itself, together with the supported symbols. */
    { "symbols", P_TEXT, INTO(struct prices_in, symbols), .needed = true, .max = 1000,
      .about = "1 to 20 symbols, separated by commas", .example = "ETH,USDC" },
    { "chain", P_TEXT, INTO(struct prices_in, chain), .max = PARAM_NAME_MAX,
      .about = "Key or alias of a chain, which must be known: a symbol has the same price on all" },
    { 0 },
};

/* ---- answers ---- */

/* clang-format off */
static const struct schema price_schema = { "Price", "A price in dollars", FIELDS {
    { "usd",        NUMBER("2998.8"), "Dollars for one" },
    { "change_24h", NUMBER("-1.25"),  "Per cent within a day; null when unknown", MAY_BE_NULL },
    END } };

static const struct schema prices_schema = { "Prices", "Prices by symbol", FIELDS {
    SUCCESS,
    { "prices",          MAP(price_schema, "ETH"), "The prices" },
    { "unknown_symbols", TEXTS("NOPE"),            "Symbols without a price", MAY_BE_ABSENT },
    { "unavailable",     TEXTS("ARB"),             "Symbols whose price is unavailable at the moment", MAY_BE_ABSENT },
    END } };
/* clang-format on */

/* ---- handlers ---- */

enum { SYMBOLS_MAX = 20 };

/* The specification wants a JSON number here. It is made from the exact decimal text and only shown: nothing
 * computes with it. */
static void number_write(struct json_writer *w, const char *key, struct amount v, bool minus)
{
    double shown = strtod(amount_text(w->arena, v), NULL);

    jw_real(w, key, minus ? -shown : shown);
}

static void price_write(struct json_writer *w, const struct price *p)
{
    jw_object(w, p->symbol);
    number_write(w, "usd", p->usd, false);
    if (p->has_change)
        number_write(w, "change_24h", p->change_24h, p->change_minus);
    else
        jw_null(w, "change_24h");
    jw_end(w);
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
    struct param_faults faults = { NULL, NULL };
    struct json_writer *w;

    params_fault(&faults, e, "symbols", what);
    w = reply_err_open(c->rq, e, faults.fields);
    params_faults_free(&faults);
    jw_array(w, "supported");
    for (const char **symbols = price_symbols(c->ctx, c->arena); *symbols != NULL; symbols++)
        jw_string(w, NULL, *symbols);
    jw_end(w);
    return reply_close(w);
}

/* The symbols in that state; nothing when there are none. */
static void symbols_in_state_write(struct json_writer *w, const char *key, const struct price *list, size_t n,
                                   enum price_state state)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (list[i].state != state)
            continue;
        if (!any)
            jw_array(w, key);
        any = true;
        jw_string(w, NULL, err_shown(w->arena, list[i].symbol));
    }
    if (any)
        jw_end(w);
}

static struct reply *get_prices(struct api_call *c, const void *arg)
{
    const struct prices_in *in = arg;
    struct price list[SYMBOLS_MAX + 1];
    size_t n = in->symbols == NULL ? 0 : symbols_read(c, in->symbols, list);
    struct json_writer *w;

    if (in->chain != NULL && chain_find(in->chain) == NULL)
        return reply_err(c->rq,
                         err_on(c->arena, err_fmt(c->arena, &E_CHAIN_UNKNOWN, in->chain, NULL), "chain"));
    if (n == 0)
        return symbols_refuse(c, err_fmt(c->arena, &E_REQUIRED, "symbols", NULL), "is required");
    if (n > SYMBOLS_MAX)
        return symbols_refuse(c, &E_SYMBOLS, "must have at most 20 symbols");
    prices_ask(c->ctx, c->arena, list, n);
    w = reply_open(c->rq, 200);
    jw_object(w, "prices");
    for (size_t i = 0; i < n; i++)
        if (list[i].state == PRICE_KNOWN)
            price_write(w, &list[i]);
    jw_end(w);
    symbols_in_state_write(w, "unknown_symbols", list, n, PRICE_UNKNOWN);
    symbols_in_state_write(w, "unavailable", list, n, PRICE_UNAVAILABLE);
    return reply_close(w);
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
        .errors = ERRORS{ &E_SYMBOLS, &E_CHAIN_UNKNOWN, NULL },
        .hints = HINT_OPEN_WORLD,
    },
};

const struct endpoint_group prices_endpoints = { ENDPOINT_ROWS(rows) };
