#include "lend/place.h"

#include <string.h>

#include "chain/tokens.h"
#include "codec/hex.h"
#include "lend/market.h"
#include "lend/markets.h"
#include "model/amount.h"
#include "venue/aave_calls.h"

bool lend_place_is_morpho(const struct lend_place *p)
{
    return p->lender->kind == &morpho_blue;
}

/* ---- reading one ---- */

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? text : "";
}

static bool address_read(struct evm_addr *out, const json_t *object, const char *name)
{
    return evm_addr_parse(out, text_of(object, name));
}

/* The symbol of one that is not listed may be its address, of which only the beginning is shown. */
static bool token_read(struct token_ref *out, const struct chain *c, struct evm_addr at, const char *symbol,
                       const json_t *decimals)
{
    const struct token *known = token_by_addr(c, at);

    if (known != NULL) {
        *out = token_ref_of(known);
        return true;
    }
    *out = (struct token_ref){ .chain_id = c->id, .decimals = (uint8_t)json_integer_value(decimals) };
    (void)snprintf(out->symbol, sizeof out->symbol, "%s", symbol);
    evm_addr_text(out->address, at);
    return json_integer_value(decimals) <= AMOUNT_MAX_DECIMALS;
}

static bool aave_read(struct lend_place *out, const json_t *market)
{
    out->lender = contract_of(out->chain, &aave_pool);
    out->can_be_collateral = json_is_true(json_object_get(market, "canBeCollateral"));
    return address_read(&out->a_token, market, "aToken") &&
           address_read(&out->debt_token, market, "debtToken");
}

static bool morpho_read(struct lend_place *out, const json_t *market, const json_t *terms)
{
    struct amount lltv;

    out->lender = contract_of(out->chain, &morpho_blue);
    if (!address_read(&out->terms.loan, market, "address") ||
        !address_read(&out->terms.oracle, market, "oracle") ||
        !address_read(&out->terms.collateral, terms, "collateral") ||
        amount_parse(&lltv, text_of(terms, "lltv"), 0) != AMOUNT_FINE)
        return false;
    if (!address_read(&out->terms.rates, market, "irm"))
        out->terms.rates = (struct evm_addr){ { 0 } };
    out->terms.lltv = lltv.raw;
    if (!token_read(&out->collateral, out->chain, out->terms.collateral, text_of(market, "collateralToken"),
                    json_object_get(terms, "collateralDecimals")))
        out->collateral.chain_id = 0;
    morpho_market_id(out->market, &out->terms);
    return true;
}

static const struct err *place_read(struct lend_place *out, const json_t *market)
{
    const json_t *terms = json_object_get(market, LEND_TERMS);
    struct evm_addr loan;
    bool sound;

    *out = (struct lend_place){ .chain = chain_find(text_of(market, "chain")),
                                .id = text_of(market, "id"),
                                .protocol = text_of(market, "protocol") };
    if (out->chain == NULL || !json_is_object(terms) || !address_read(&loan, market, "address") ||
        !token_read(&out->loan, out->chain, loan, text_of(market, "loanToken"),
                    json_object_get(terms, "decimals")))
        return &E_MARKET_NOT_FOUND;
    sound = strcmp(out->protocol, "morpho") == 0 ? morpho_read(out, market, terms) : aave_read(out, market);
    return sound && out->lender != NULL ? NULL : &E_MARKET_NOT_FOUND;
}

/* ---- finding it ---- */

static const struct err *market_missing(struct arena *a)
{
    return err_hint(a, &E_MARKET_NOT_FOUND, "GET /lend/markets lists the ids");
}

static bool lends_token(const json_t *market, const struct token *t, const char *asset)
{
    struct evm_addr at;

    if (strcmp(text_of(market, "protocol"), "aave-v3") != 0 || !address_read(&at, market, "address"))
        return false;
    if (t != NULL)
        return evm_addr_eq(at, token_addr(t));
    return strcasecmp(text_of(market, "address"), asset) == 0 ||
           strcasecmp(text_of(market, "loanToken"), asset) == 0;
}

/* The coin is lent as the token that wraps it. */
static const struct token *token_named(const struct chain *c, const char *asset)
{
    const struct token *t = token_find(c, asset);

    return t != NULL && token_is_native(t) ? token_wrapped_native(c) : t;
}

static const struct err *find_by_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                       const char *asset, const json_t **out)
{
    const struct token *t = token_named(c, asset);
    const json_t *doc = NULL, *market;
    const struct err *e = lend_markets_often(ctx, a, c, &doc);
    struct evm_addr at;
    size_t i;

    if (e != NULL)
        return e;
    json_array_foreach(json_object_get(doc, "markets"), i, market)
    {
        *out = market;
        if (lends_token(market, t, asset))
            return NULL;
    }
    return t != NULL || evm_addr_parse(&at, asset)
               ? market_missing(a)
               : err_on(a, err_fmt(a, &E_TOKEN_UNKNOWN, asset, c->key), "asset");
}

static const struct err *missing(struct arena *a, const char *name)
{
    return err_on(a, err_fmt(a, &E_REQUIRED, name, NULL), name);
}

const struct err *lend_place_find(const struct ctx *ctx, struct arena *a, const struct lend_named *named,
                                  struct lend_place *out)
{
    const struct chain *c = NULL;
    const json_t *market = NULL;
    const struct err *e = lend_chain_of(ctx, a, named->chain, named->chain_id, &c);

    if (e != NULL)
        return e;
    if (named->market == NULL && c == NULL)
        return missing(a, "market");
    if (named->market == NULL && named->asset == NULL)
        return missing(a, "asset");
    e = named->market != NULL ? lend_market_find(ctx, a, c, named->market, &market)
                              : find_by_token(ctx, a, c, named->asset, &market);
    if (e == NULL)
        e = place_read(out, market);
    return e == &E_MARKET_NOT_FOUND ? market_missing(a) : e;
}
