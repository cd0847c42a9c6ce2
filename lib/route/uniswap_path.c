#include "route/uniswap_path.h"

#include <string.h>

#include "chain/tokens.h"

/* ---- candidates ---- */

struct candidates {
    const struct chain *chain;
    struct evm_addr from, to;
    struct uniswap_path *paths;
    unsigned count;
};

static void candidate_add(struct candidates *list, struct uniswap_path path)
{
    if (list->count < UNISWAP_PATHS_MAX)
        list->paths[list->count++] = path;
}

static bool token_is_stable(const struct chain *c, struct evm_addr a)
{
    const struct token *t = token_by_addr(c, a);

    return t != NULL && t->stable;
}

/* The fee tiers worth asking between two tokens: the cheapest only where both follow the dollar. */
static unsigned hop_tiers(const struct chain *c, struct evm_addr a, struct evm_addr b, uint32_t out[static 3])
{
    unsigned n = 0;

    if (token_is_stable(c, a) && token_is_stable(c, b))
        out[n++] = 100;
    out[n++] = 500;
    out[n++] = 3000;
    return n;
}

static void candidates_direct(struct candidates *list)
{
    static const uint32_t tiers[] = { 100, 500, 3000, 10000 };
    struct uniswap_path path = { UNISWAP_V2, { .hops = 1, .token = { list->from, list->to } } };

    candidate_add(list, path);
    path.kind = UNISWAP_V3;
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        path.pools.fee[0] = tiers[i];
        candidate_add(list, path);
    }
}

static void candidates_via(struct candidates *list, struct evm_addr middle)
{
    struct uniswap_path path = { UNISWAP_V2, { .hops = 2, .token = { list->from, middle, list->to } } };
    uint32_t first[3], second[3];
    unsigned n = hop_tiers(list->chain, list->from, middle, first);
    unsigned m = hop_tiers(list->chain, middle, list->to, second);

    candidate_add(list, path);
    path.kind = UNISWAP_V3;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < m; j++) {
            path.pools.fee[0] = first[i];
            path.pools.fee[1] = second[j];
            candidate_add(list, path);
        }
    }
}

unsigned uniswap_paths(struct uniswap_path out[static UNISWAP_PATHS_MAX], const struct chain *c,
                       struct evm_addr from, struct evm_addr to)
{
    struct candidates list = { c, from, to, out, 0 };

    candidates_direct(&list);
    for (size_t i = 0; i < tokens_count; i++) {
        struct evm_addr middle;

        if (!tokens[i].connector || strcmp(tokens[i].chain, c->key) != 0)
            continue;
        middle = token_addr(&tokens[i]);
        if (!evm_addr_eq(middle, from) && !evm_addr_eq(middle, to))
            candidates_via(&list, middle);
    }
    return list.count;
}

/* ---- as quotes keep it: kind, hops, tokens; V3: fees of three bytes ---- */

enum { HEAD = 2, FEE = 3 };

static size_t path_size(enum uniswap_kind kind, unsigned hops)
{
    return HEAD + (hops + 1) * (size_t)EVM_ADDR_LEN + (kind == UNISWAP_V3 ? hops * (size_t)FEE : 0);
}

struct payload uniswap_path_payload(struct arena *a, const struct uniswap_path *path)
{
    const struct pool_path *pools = &path->pools;
    size_t len = path_size(path->kind, pools->hops);
    uint8_t *data = arena_alloc(a, len), *to = data;

    *to++ = (uint8_t)path->kind;
    *to++ = (uint8_t)pools->hops;
    for (unsigned i = 0; i <= pools->hops; i++, to += EVM_ADDR_LEN)
        memcpy(to, pools->token[i].bytes, EVM_ADDR_LEN);
    for (unsigned i = 0; path->kind == UNISWAP_V3 && i < pools->hops; i++) {
        *to++ = (uint8_t)(pools->fee[i] >> 16);
        *to++ = (uint8_t)(pools->fee[i] >> 8);
        *to++ = (uint8_t)pools->fee[i];
    }
    return (struct payload){ data, len };
}

bool uniswap_path_read(struct uniswap_path *out, const struct payload *payload)
{
    const uint8_t *p = payload->data;
    struct pool_path *pools = &out->pools;

    if (payload->len < HEAD || (p[0] != UNISWAP_V2 && p[0] != UNISWAP_V3) || p[1] == 0 ||
        p[1] > POOL_HOPS_MAX)
        return false;
    *out = (struct uniswap_path){ (enum uniswap_kind)p[0], { .hops = p[1] } };
    if (payload->len != path_size(out->kind, pools->hops))
        return false;
    p += HEAD;
    for (unsigned i = 0; i <= pools->hops; i++, p += EVM_ADDR_LEN)
        memcpy(pools->token[i].bytes, p, EVM_ADDR_LEN);
    for (unsigned i = 0; out->kind == UNISWAP_V3 && i < pools->hops; i++, p += FEE)
        pools->fee[i] = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    return true;
}

const char *uniswap_path_label(struct arena *a, const struct uniswap_path *path)
{
    const char *hops = path->pools.hops > 1 ? ", two hops" : "";
    uint32_t fee = path->pools.fee[0];

    if (path->kind == UNISWAP_V2)
        return arena_printf(a, "Uniswap V2%s", hops);
    return arena_printf(a, "Uniswap V3 %u.%02u%%%s", fee / 10000, fee / 100 % 100, hops);
}
