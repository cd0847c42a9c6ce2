#include "lend/morpho_api.h"

#include <string.h>

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/params.h"
#include "chain/tokens.h"
#include "codec/hex.h"
#include "venue/morpho_calls.h"

enum { WARNINGS_MAX = 16, WARNING_MAX = 40, WARNINGS_BYTES = 2048 };

/* ---- asking ---- */

char *morpho_api_url(struct arena *a, const char *base)
{
    return arena_printf(a, "%s/graphql", base);
}

void morpho_api_ask(struct buf *out, const struct chain *c)
{
    buf_addf(out,
             "{\"query\":\"query{markets(first:%d,orderBy:SupplyAssetsUsd,orderDirection:Desc,"
             "where:{chainId_in:[%llu],listed:true}){items{marketId lltv loanAsset{address symbol}"
             " collateralAsset{address symbol} oracle{address} irmAddress listed creationTimestamp"
             " warnings{type level}}}}\"}",
             MORPHO_API_MARKETS, (unsigned long long)c->id);
}

/* ---- reading ---- */

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? text : "";
}

/* The symbol is known to belong to the address, or could be mistaken for nothing that is known. */
static bool symbol_is_honest(const struct chain *c, struct evm_addr at, const char *symbol)
{
    const struct token *named = token_find(c, symbol), *there = token_by_addr(c, at);

    return named != NULL ? named == there : there != NULL || !token_symbol_passes(c, symbol);
}

static bool asset_read(struct evm_addr *out, const struct chain *c, const json_t *item, const char *name)
{
    const json_t *asset = json_object_get(item, name);

    return evm_addr_parse(out, text_of(asset, "address")) &&
           symbol_is_honest(c, *out, text_of(asset, "symbol"));
}

/* It is the hash of all of these, so that none of them can be another one's. */
static bool id_read(uint8_t id[static HASH_LEN], const struct chain *c, const json_t *item)
{
    uint8_t hash[HASH_LEN];
    struct morpho_market m;
    size_t n;

    if (!hex_decode_0x(id, HASH_LEN, &n, text_of(item, "marketId")) || n != HASH_LEN ||
        !asset_read(&m.loan, c, item, "loanAsset") ||
        !asset_read(&m.collateral, c, item, "collateralAsset") ||
        !evm_addr_parse(&m.oracle, text_of(json_object_get(item, "oracle"), "address")) ||
        !evm_addr_parse(&m.rates, text_of(item, "irmAddress")) || !u256_parse(&m.lltv, text_of(item, "lltv")))
        return false;
    morpho_market_id(hash, &m);
    return memcmp(hash, id, HASH_LEN) == 0;
}

static bool warning_is_plain(const char *type, const char *level)
{
    size_t n = strlen(type);

    return n > 0 && n <= WARNING_MAX && strspn(type, "abcdefghijklmnopqrstuvwxyz0123456789_") == n &&
           (strcmp(level, "YELLOW") == 0 || strcmp(level, "RED") == 0);
}

static const char *warnings_read(struct arena *a, const json_t *item)
{
    struct json_writer w;
    const json_t *warning;
    size_t i, count = 0;

    jw_init(&w, a, WARNINGS_BYTES);
    jw_array(&w, NULL);
    json_array_foreach(json_object_get(item, "warnings"), i, warning)
    {
        const char *type = text_of(warning, "type"), *level = text_of(warning, "level");

        if (!warning_is_plain(type, level) || count++ == WARNINGS_MAX)
            continue;
        jw_object(&w, NULL);
        jw_string(&w, "type", type);
        jw_string(&w, "level", level);
        jw_end(&w);
    }
    jw_end(&w);
    return jw_finish(&w);
}

/* Seconds, as a number or as text; 0 for what is no time. */
static int64_t time_read(const json_t *v)
{
    const uint64_t latest_s = 253402300799; /* the end of the year 9999 */
    uint64_t s = 0;

    if (json_is_integer(v) && json_integer_value(v) > 0)
        s = (uint64_t)json_integer_value(v);
    else if (json_is_string(v) && !params_whole(&s, json_string_value(v)))
        s = 0;
    return s <= latest_s ? (int64_t)s * 1000 : 0;
}

static bool listing_read(struct lend_listing *out, struct arena *a, const struct chain *c, const json_t *item)
{
    if (!json_is_true(json_object_get(item, "listed")) || !id_read(out->id, c, item))
        return false;
    out->created_ms = time_read(json_object_get(item, "creationTimestamp"));
    out->warnings = warnings_read(a, item);
    return out->warnings != NULL;
}

static bool is_listed_already(const struct lend_listing *list, size_t count, const struct lend_listing *l)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(list[i].id, l->id, HASH_LEN) == 0)
            return true;
    return false;
}

bool morpho_api_read(struct arena *a, const struct chain *c, const struct buf *answer,
                     struct lend_listing **out, size_t *count)
{
    json_t *doc = json_read(buf_text(answer), answer->len);
    const json_t *items = json_object_get(json_object_get(json_object_get(doc, "data"), "markets"), "items"),
                 *item;
    bool is_list = json_is_array(items);
    size_t i;

    *count = 0;
    *out = ARENA_ARRAY(a, struct lend_listing, MORPHO_API_MARKETS);
    json_array_foreach(items, i, item)
    {
        struct lend_listing l;

        if (*count < MORPHO_API_MARKETS && listing_read(&l, a, c, item) &&
            !is_listed_already(*out, *count, &l))
            (*out)[(*count)++] = l;
    }
    json_decref(doc);
    return is_list;
}
