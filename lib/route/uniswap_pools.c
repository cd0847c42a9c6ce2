#include "route/uniswap_pools.h"

#include "chain/tokens.h"
#include "venue/uniswap_v2.h"
#include "venue/uniswap_v3.h"

enum {
    GAS_V2_FIRST = 115000,
    GAS_V2_HOP = 60000,
    GAS_V3_AROUND = 60000, /* what the router adds to the pools' own gas */
    GAS_SANE = 100000000,
    PARTS = 2,
    PRECISE = 1000, /* smallest units that a small part has to fetch to tell a price */
};

/* The small parts whose price a trade's own is held against. The second one is for amounts of which a
 * thousandth fetches too little to have digits. */
static const uint64_t parts[PARTS] = { 1000, 10 };

/* ---- one price ---- */

static struct evm_addr asked_of(const struct uniswap_contracts *at, const struct uniswap_path *path)
{
    return path->kind == UNISWAP_V2 ? at->v2_router : at->v3_quoter;
}

void uniswap_price_ask(struct multicall *m, const struct uniswap_contracts *at,
                       const struct uniswap_path *path, struct u256 amount)
{
    struct buf data = BUF_INIT(1024);

    if (path->kind == UNISWAP_V2)
        uniswap_v2_price(&data, &path->pools, amount);
    else
        uniswap_v3_price(&data, &path->pools, amount);
    multicall_add(m, asked_of(at, path), &data);
    buf_free(&data);
}

bool uniswap_price_read(struct u256 *out, uint64_t *gas, const struct multicall_results *r, unsigned i,
                        const struct uniswap_contracts *at, const struct uniswap_path *path)
{
    const uint8_t *p;
    size_t n;

    if (evm_addr_is_zero(asked_of(at, path)) || !multicall_result(r, i, &p, &n))
        return false;
    if (path->kind == UNISWAP_V2) {
        *gas = GAS_V2_FIRST + (uint64_t)(path->pools.hops - 1) * GAS_V2_HOP;
        return uniswap_v2_price_read(out, &path->pools, p, n);
    }
    if (!uniswap_v3_price_read(out, gas, p, n) || *gas > GAS_SANE)
        return false;
    *gas += GAS_V3_AROUND;
    return true;
}

const struct uniswap_path *uniswap_price_best(struct u256 *out, const struct multicall_results *r,
                                              const struct uniswap_contracts *at,
                                              const struct uniswap_path *paths, unsigned n, unsigned first,
                                              unsigned step)
{
    const struct uniswap_path *best = NULL;
    struct u256 fetched;
    uint64_t gas;

    *out = U256_ZERO;
    for (unsigned i = 0; i < n; i++) {
        if (!uniswap_price_read(&fetched, &gas, r, first + i * step, at, &paths[i]))
            continue;
        if (best == NULL || u256_cmp(fetched, *out) > 0) {
            *out = fetched;
            best = &paths[i];
        }
    }
    return best;
}

/* ---- all paths of a pair ---- */

/* The wrapped coin where it is the native one. */
static bool pool_token(struct evm_addr *out, const struct token_ref *t, const struct token *wrapped)
{
    if (!evm_addr_read(out, t->address))
        return false;
    if (evm_addr_is_zero(*out))
        *out = token_addr(wrapped);
    return true;
}

bool uniswap_pools_begin(struct uniswap_pools *p, const struct route_in *in, struct multicall *m)
{
    const struct token *wrapped = token_wrapped_native(in->from_chain);

    *p = (struct uniswap_pools){ .whole = in->amount_in };
    return wrapped != NULL &&
           (m == NULL ? uniswap_contracts(&p->at, in->from_chain)
                      : uniswap_contracts_ask(&p->at, in->from_chain, m)) &&
           pool_token(&p->from, &in->from, wrapped) && pool_token(&p->to, &in->to, wrapped) &&
           !evm_addr_eq(p->from, p->to);
}

void uniswap_pools_add_paths(struct uniswap_pools *p, const struct route_in *in)
{
    struct payload route;
    size_t at = 0;

    while (in->shortlist != NULL && (route.data = route_list_next(in->shortlist, &at, &route.len)) != NULL &&
           p->count < UNISWAP_PATHS_MAX)
        p->count += uniswap_path_read(&p->paths[p->count], &route);
    if (p->count == 0)
        p->count = uniswap_paths(p->paths, in->from_chain, p->from, p->to);
}

void uniswap_pools_add_whole(struct uniswap_pools *p)
{
    p->amounts[p->each++] = p->whole;
}

static void add_part(struct uniswap_pools *p, uint64_t of)
{
    struct u256 *part = &p->amounts[p->each++];

    if (!u256_div(part, NULL, p->whole, u256_from_u64(of)) || u256_is_zero(*part))
        *part = u256_from_u64(1);
    p->parts++;
}

void uniswap_pools_add_parts(struct uniswap_pools *p, struct u256 expected)
{
    bool known = !u256_is_zero(expected);

    for (unsigned i = 0; i < PARTS; i++) {
        struct u256 fetched;

        if (!u256_div(&fetched, NULL, expected, u256_from_u64(parts[i])))
            fetched = U256_ZERO;
        if (!known || i + 1 == PARTS || u256_cmp(fetched, u256_from_u64(PRECISE / 2)) >= 0)
            add_part(p, parts[i]);
        if (u256_cmp(fetched, u256_from_u64(2 * PRECISE)) >= 0)
            break;
    }
}

/* Path by path, each with all of its amounts: should a node run out of gas on the way, parts are missing
 * where the whole is. */
void uniswap_pools_ask(struct uniswap_pools *p, struct multicall *m)
{
    p->first = m->count;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned k = 0; k < p->each; k++)
            uniswap_price_ask(m, &p->at, &p->paths[i], p->amounts[k]);
}

/* As if one unit more had been fetched: so much may have been cut off. */
static struct u256 scaled_up(struct u256 fetched, struct u256 part, struct u256 whole)
{
    struct u256 all;

    return u256_add(&fetched, fetched, u256_from_u64(1)) && u256_muldiv(&all, fetched, whole, part)
               ? all
               : U256_ZERO;
}

struct u256 uniswap_pools_reference(const struct uniswap_pools *p, const struct multicall_results *r,
                                    const struct uniswap_path **of)
{
    struct u256 reference_out = U256_ZERO, fetched;
    const struct uniswap_path *best;

    *of = NULL;
    for (unsigned k = p->each - p->parts; k < p->each; k++) {
        best = uniswap_price_best(&fetched, r, &p->at, p->paths, p->count, p->first + k, p->each);
        if (best == NULL)
            continue;
        reference_out = scaled_up(fetched, p->amounts[k], p->whole);
        *of = best;
        if (u256_cmp(fetched, u256_from_u64(PRECISE)) >= 0)
            break;
    }
    return reference_out;
}
