#include "route/uniswap.h"

#include <string.h>

#include "base/clock.h"
#include "chain/evm/abi.h"
#include "chain/evm/multicall.h"
#include "chain/evm/node.h"
#include "chain/evm/rpc.h"
#include "chain/tokens.h"
#include "chain/venues.h"

enum {
    SEL_GET_AMOUNTS_OUT = 0xd06ca61f,
    SEL_QUOTE_SINGLE = 0xc6a5026a,
    SEL_QUOTE_PATH = 0xcdca1753,
    SEL_GET_BASEFEE = 0x3e64a696,
};

enum path_kind { PATH_WRAP = 1, PATH_UNWRAP = 2, PATH_V2 = 3, PATH_V3 = 4 };

enum {
    MAX_HOPS = 2,
    MAX_PATHS = 40,
    GAS_V2_FIRST = 115000,
    GAS_V2_HOP = 60000,
    GAS_V3_AROUND = 60000, /* what the router adds to the pools' own gas */
    GAS_WRAP = 45000,
    GAS_UNWRAP = 30000,
    /* A pair's two price sums, which are written when its last trade was in another block; from nothing,
     * where that was its first liquidity. */
    GAS_V2_SUMS = 2 * 22100 + 800,
    CALL_BYTES = 128 * 1024,
    PARTS = 2,
    PRECISE = 1000, /* smallest units that a small part has to fetch to tell a price */
};

struct path {
    enum path_kind kind;
    unsigned hops;
    struct evm_addr token[MAX_HOPS + 1]; /* wrapped native in place of the native coin */
    uint32_t fee[MAX_HOPS];              /* V3: hundredths of a basis point */
};

/* The small parts whose price a trade's own is held against. The second one is for amounts of which a
 * thousandth fetches too little to have digits. */
static const uint64_t parts[PARTS] = { 1000, 10 };

struct plan {
    struct node_query query;
    struct rpc_batch batch;
    struct buf body; /* of the batch */
    const struct venue *venue;
    struct evm_addr wrapped;
    struct evm_addr from, to; /* of the pools: wrapped native in place of the native coin */
    struct path paths[MAX_PATHS];
    unsigned count;
    struct u256 amounts[1 + PARTS]; /* what each path is asked for */
    unsigned each;                  /* how many of them */
    unsigned first;                 /* place of the first path's first call */
    bool price_gas;                 /* calls for wrapped native → to stand behind the paths' */
    const struct token *dollar; /* calls for wrapped native → dollar stand before the paths'; NULL: none */
    bool scan;                  /* all candidates are asked, not only the shortlist */
};

/* The paths that were best for a pair and an order of magnitude when all candidates were last asked, the best
 * one for small parts among them. Prices are always asked anew; only which pools are worth asking is
 * remembered, and only for a while. A worker's own, like its connections: another worker merely asks all
 * candidates once more. */
static struct shortlist {
    uint64_t chain_id;
    struct evm_addr from, to;
    unsigned magnitude; /* bits of the amount, in steps of a factor of 16 */
    int64_t until_ms;   /* on the monotonic clock */
    struct path paths[3];
    unsigned count;
    bool ideal; /* small parts were asked for too */
} shortlists[64];

enum { SHORTLIST_MS = 30000 };

/* A small amount whose price is the price of gas: 0.001 of the native coin. */
static const uint64_t GAS_SAMPLE = 1000000000000000;

static struct evm_addr addr(const char *text)
{
    struct evm_addr a = { { 0 } };

    (void)evm_addr_parse(&a, text);
    return a;
}

static bool supports(const struct route_in *in)
{
    return in->from_chain == in->to_chain && in->from_chain->type == CHAIN_EVM && in->from_chain->routed &&
           venue_of(in->from_chain) != NULL && token_wrapped_native(in->from_chain) != NULL;
}

static bool decode_route(struct path *path, const uint8_t *p, size_t n)
{
    size_t want = 2;

    if (n < 2 || p[0] < PATH_WRAP || p[0] > PATH_V3 || p[1] > MAX_HOPS)
        return false;
    *path = (struct path){ .kind = (enum path_kind)p[0], .hops = p[1] };
    if (path->kind == PATH_V2 || path->kind == PATH_V3)
        want +=
            (path->hops + 1) * (size_t)EVM_ADDR_LEN + (path->kind == PATH_V3 ? path->hops * (size_t)3 : 0);
    if (n != want || (want > 2 && path->hops == 0))
        return false;
    if (want == 2)
        return true;
    p += 2;
    for (unsigned i = 0; i <= path->hops; i++, p += EVM_ADDR_LEN)
        memcpy(path->token[i].bytes, p, EVM_ADDR_LEN);
    for (unsigned i = 0; path->kind == PATH_V3 && i < path->hops; i++, p += 3)
        path->fee[i] = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    return true;
}

/* ---- which paths to ask ---- */

static void add_path(struct plan *p, struct path path)
{
    if (p->count < MAX_PATHS)
        p->paths[p->count++] = path;
}

static bool stable(const struct chain *c, struct evm_addr a)
{
    const struct token *t = token_by_addr(c, a);

    return t != NULL && t->stable;
}

/* The fee tiers worth asking between two tokens: the cheapest only where both follow the dollar. */
static unsigned hop_tiers(const struct chain *c, struct evm_addr a, struct evm_addr b, uint32_t out[static 3])
{
    unsigned n = 0;

    if (stable(c, a) && stable(c, b))
        out[n++] = 100;
    out[n++] = 500;
    out[n++] = 3000;
    return n;
}

static void add_direct(struct plan *p)
{
    static const uint32_t tiers[] = { 100, 500, 3000, 10000 };
    struct path path = { .kind = PATH_V2, .hops = 1, .token = { p->from, p->to } };

    add_path(p, path);
    path.kind = PATH_V3;
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        path.fee[0] = tiers[i];
        add_path(p, path);
    }
}

static void add_via(struct plan *p, const struct chain *c, struct evm_addr middle)
{
    struct path path = { .kind = PATH_V2, .hops = 2, .token = { p->from, middle, p->to } };
    uint32_t first[3], second[3];
    unsigned n = hop_tiers(c, p->from, middle, first), m = hop_tiers(c, middle, p->to, second);

    add_path(p, path);
    path.kind = PATH_V3;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < m; j++) {
            path.fee[0] = first[i];
            path.fee[1] = second[j];
            add_path(p, path);
        }
    }
}

static unsigned magnitude(struct u256 v)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < 4; i++)
        if (v.limb[i] != 0)
            bits = i * 64 + 64 - (unsigned)__builtin_clzll(v.limb[i]);
    return bits / 4;
}

static struct shortlist *shortlist_place(const struct plan *p, const struct route_in *in)
{
    unsigned at = magnitude(in->amount_in) * 7 + p->from.bytes[0] + p->from.bytes[19] + p->to.bytes[0] * 3u +
                  p->to.bytes[19] * 5u + (unsigned)in->from_chain->id;

    return &shortlists[at % (sizeof shortlists / sizeof shortlists[0])];
}

static bool use_shortlist(struct plan *p, const struct route_in *in)
{
    const struct shortlist *s = shortlist_place(p, in);

    if (s->until_ms < clock_mono_ms() || s->chain_id != in->from_chain->id ||
        !evm_addr_eq(s->from, p->from) || !evm_addr_eq(s->to, p->to) ||
        s->magnitude != magnitude(in->amount_in) || (in->wants_ideal && !s->ideal))
        return false;
    memcpy(p->paths, s->paths, s->count * sizeof s->paths[0]);
    p->count = s->count;
    return p->count > 0;
}

static void add_parts(struct plan *p, const struct route_in *in)
{
    for (unsigned i = 0; i < PARTS; i++) {
        struct u256 *part = &p->amounts[p->each++];

        if (!u256_div(part, NULL, in->amount_in, u256_from_u64(parts[i])) || u256_is_zero(*part))
            *part = u256_from_u64(1);
    }
}

/* The ends of the pair, and the path where they are one coin; true when pools are to be asked. */
static bool plan_begin(struct plan *p, const struct route_in *in)
{
    const struct chain *c = in->from_chain;
    bool native_in = evm_addr_is_zero(in->from_addr), native_out = evm_addr_is_zero(in->to_addr);

    *p = (struct plan){ .venue = venue_of(c), .wrapped = token_addr(token_wrapped_native(c)) };
    p->from = native_in ? p->wrapped : in->from_addr;
    p->to = native_out ? p->wrapped : in->to_addr;
    if (evm_addr_eq(p->from, p->to)) {
        add_path(p, (struct path){ .kind = native_in ? PATH_WRAP : PATH_UNWRAP });
        return false;
    }
    p->price_gas = !evm_addr_eq(p->from, p->wrapped) && !evm_addr_eq(p->to, p->wrapped);
    return true;
}

static void add_candidates(struct plan *p, const struct chain *c)
{
    p->scan = true;
    add_direct(p);
    for (size_t i = 0; i < tokens_count; i++) {
        struct evm_addr middle;

        if (!tokens[i].connector || strcmp(tokens[i].chain, c->key) != 0)
            continue;
        middle = token_addr(&tokens[i]);
        if (!evm_addr_eq(middle, p->from) && !evm_addr_eq(middle, p->to))
            add_via(p, c, middle);
    }
}

static void plan_make(struct plan *p, const struct route_in *in)
{
    if (plan_begin(p, in) && (in->verifies || !use_shortlist(p, in)))
        add_candidates(p, in->from_chain);
    p->amounts[p->each++] = in->amount_in;
    if (in->wants_ideal) {
        add_parts(p, in);
        p->dollar = token_dollar(in->from_chain, token_wrapped_native(in->from_chain));
    }
}

/* ---- asking: one aggregate3 ---- */

static void v3_path_bytes(struct buf *out, const struct path *path)
{
    for (unsigned i = 0; i <= path->hops; i++) {
        buf_add(out, path->token[i].bytes, EVM_ADDR_LEN);
        if (i < path->hops) {
            buf_addc(out, (uint8_t)(path->fee[i] >> 16));
            buf_addc(out, (uint8_t)(path->fee[i] >> 8));
            buf_addc(out, (uint8_t)path->fee[i]);
        }
    }
}

static void add_addresses(struct buf *out, const struct path *path)
{
    abi_u64(out, path->hops + 1);
    for (unsigned i = 0; i <= path->hops; i++)
        abi_addr(out, path->token[i]);
}

static void price_call(struct buf *out, const struct path *path, struct u256 amount)
{
    struct buf bytes = BUF_INIT(256);

    if (path->kind == PATH_V2) {
        abi_selector(out, SEL_GET_AMOUNTS_OUT);
        abi_u256(out, amount);
        abi_u64(out, 64);
        add_addresses(out, path);
    } else if (path->hops == 1) {
        abi_selector(out, SEL_QUOTE_SINGLE);
        abi_addr(out, path->token[0]);
        abi_addr(out, path->token[1]);
        abi_u256(out, amount);
        abi_u64(out, path->fee[0]);
        abi_u64(out, 0);
    } else {
        v3_path_bytes(&bytes, path);
        abi_selector(out, SEL_QUOTE_PATH);
        abi_u64(out, 64);
        abi_u256(out, amount);
        abi_bytes_tail(out, bytes.data, bytes.len);
    }
    buf_free(&bytes);
}

static void aggregate_path(struct multicall *g, const struct plan *p, const struct path *path,
                           struct u256 amount)
{
    struct buf data = BUF_INIT(1024);

    price_call(&data, path, amount);
    multicall_add(g, addr(path->kind == PATH_V2 ? p->venue->v2_router : p->venue->v3_quoter), &data);
    buf_free(&data);
}

/* Path by path, each with all of its amounts: should a node run out of gas on the way, parts are missing
 * where the whole is. */
static void aggregate_paths(struct multicall *g, struct plan *p)
{
    p->first = g->count;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned k = 0; k < p->each && (p->paths[i].kind == PATH_V2 || p->paths[i].kind == PATH_V3); k++)
            aggregate_path(g, p, &p->paths[i], p->amounts[k]);
}

/* The paths that price the native coin in dollars. */
enum { COIN_PATHS = 3 };

static unsigned coin_paths(const struct plan *p, struct path out[static COIN_PATHS])
{
    static const uint32_t tiers[] = { 500, 3000 };
    struct path path = { .kind = PATH_V2, .hops = 1, .token = { p->wrapped } };

    if (p->dollar == NULL)
        return 0;
    path.token[1] = token_addr(p->dollar);
    out[0] = path;
    path.kind = PATH_V3;
    for (unsigned i = 0; i < 2; i++) {
        path.fee[0] = tiers[i];
        out[1 + i] = path;
    }
    return COIN_PATHS;
}

/* The paths that price gas in the token that is bought. */
static unsigned gas_paths(const struct plan *p, struct path out[static 2])
{
    if (!p->price_gas)
        return 0;
    out[0] = (struct path){ .kind = PATH_V2, .hops = 1, .token = { p->wrapped, p->to } };
    out[1] = (struct path){ .kind = PATH_V3, .hops = 1, .token = { p->wrapped, p->to }, .fee = { 3000 } };
    return 2;
}

static bool ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    struct plan *p = ARENA_NEW(a, struct plan);
    struct path gas[2], coin[COIN_PATHS];
    struct multicall g = MULTICALL_INIT(CALL_BYTES);
    struct buf data = BUF_INIT(CALL_BYTES);

    if (in->verifies ? !nodes_verify(ctx->nodes, in->from_chain) : !nodes_known(ctx->nodes, in->from_chain))
        return false;
    plan_make(p, in);
    abi_selector(&data, SEL_GET_BASEFEE);
    multicall_add(&g, multicall_addr(), &data);
    buf_reset(&data);
    for (unsigned i = 0, n = coin_paths(p, coin); i < n; i++)
        aggregate_path(&g, p, &coin[i], u256_from_u64(GAS_SAMPLE));
    aggregate_paths(&g, p);
    for (unsigned i = 0, n = gas_paths(p, gas); i < n; i++)
        aggregate_path(&g, p, &gas[i], u256_from_u64(GAS_SAMPLE));
    multicall_finish(&g, &data);
    p->body = (struct buf)BUF_INIT(MAX_UPSTREAM);
    p->batch = rpc_begin(&p->body);
    multicall_call(&p->batch, &data);
    rpc_end(&p->batch);
    multicall_free(&g);
    buf_free(&data);
    p->query = (struct node_query){ .chain = in->from_chain,
                                    .batch = &p->batch,
                                    .role = in->verifies ? NODE_VERIFY : NODE_READ,
                                    .owner = p };
    return node_begin(call, ctx, &p->query, a);
}

/* ---- reading ---- */

static bool path_result(const struct multicall_results *r, unsigned i, const struct path *path,
                        struct u256 *out, uint64_t *gas)
{
    const uint8_t *p;
    size_t n;

    if (!multicall_result(r, i, &p, &n))
        return false;
    if (path->kind == PATH_V2) {
        *gas = GAS_V2_FIRST + (uint64_t)(path->hops - 1) * GAS_V2_HOP;
        return abi_get_u256(out, p, n, 2 + path->hops);
    }
    if (!abi_get_u256(out, p, n, 0) || !abi_get_u64(gas, p, n, 3) || *gas > 100000000)
        return false;
    *gas += GAS_V3_AROUND;
    return true;
}

static void encode_route(struct offer *o, const struct path *path)
{
    uint8_t *to = o->route;

    *to++ = (uint8_t)path->kind;
    *to++ = (uint8_t)path->hops;
    for (unsigned i = 0; path->hops > 0 && i <= path->hops; i++, to += EVM_ADDR_LEN)
        memcpy(to, path->token[i].bytes, EVM_ADDR_LEN);
    for (unsigned i = 0; path->kind == PATH_V3 && i < path->hops; i++) {
        *to++ = (uint8_t)(path->fee[i] >> 16);
        *to++ = (uint8_t)(path->fee[i] >> 8);
        *to++ = (uint8_t)path->fee[i];
    }
    o->route_len = (size_t)(to - o->route);
}

static void set_label(struct offer *o, const struct path *path)
{
    switch (path->kind) {
    case PATH_WRAP:
        (void)snprintf(o->label, sizeof o->label, "wrap");
        break;
    case PATH_UNWRAP:
        (void)snprintf(o->label, sizeof o->label, "unwrap");
        break;
    case PATH_V2:
        (void)snprintf(o->label, sizeof o->label, "Uniswap V2%s", path->hops > 1 ? ", two hops" : "");
        break;
    case PATH_V3:
        (void)snprintf(o->label, sizeof o->label, "Uniswap V3 %u.%02u%%%s", path->fee[0] / 10000,
                       path->fee[0] / 100 % 100, path->hops > 1 ? ", two hops" : "");
        break;
    }
}

/* What gas costs in smallest units of the token that is bought: `sample_out` for `sample_in` wei; and in
 * dollars: `sample_usd` for GAS_SAMPLE wei. */
struct gas_price {
    struct u256 wei_per_gas;
    struct u256 sample_in, sample_out, sample_usd;
};

static struct u256 net_of_gas(struct u256 out, uint64_t gas, const struct gas_price *price)
{
    struct u256 wei, cost, net;

    if (!u256_mul(&wei, price->wei_per_gas, u256_from_u64(gas)) ||
        !u256_muldiv(&cost, wei, price->sample_out, price->sample_in) || !u256_sub(&net, out, cost))
        return U256_ZERO;
    return net;
}

/* The most that one of the paths yields, whose calls begin at `at` and stand `step` apart; false when none
 * answered.
 */
static bool best_of(const struct multicall_results *r, const struct path *paths, unsigned n, unsigned at,
                    unsigned step, struct u256 *out, const struct path **of)
{
    struct u256 yield;
    uint64_t gas;

    *out = U256_ZERO;
    *of = NULL;
    for (unsigned i = 0; i < n; i++) {
        if (!path_result(r, at + i * step, &paths[i], &yield, &gas))
            continue;
        if (*of == NULL || u256_cmp(yield, *out) > 0) {
            *out = yield;
            *of = &paths[i];
        }
    }
    return *of != NULL;
}

/* As if one unit more had been fetched: so much may have been cut off. */
static struct u256 scaled_up(struct u256 fetched, struct u256 part, struct u256 whole)
{
    struct u256 all;

    return u256_add(&fetched, fetched, u256_from_u64(1)) && u256_muldiv(&all, fetched, whole, part)
               ? all
               : U256_ZERO;
}

/* What the whole would fetch at the best price of a part; 0 when no path answered. *of is the path. */
static struct u256 read_ideal(const struct multicall_results *r, const struct plan *p,
                              const struct route_in *in, const struct path **of)
{
    struct u256 ideal = U256_ZERO, fetched;
    const struct path *best;

    *of = NULL;
    for (unsigned k = p->each - PARTS; k < p->each; k++) {
        if (!best_of(r, p->paths, p->count, p->first + k, p->each, &fetched, &best))
            continue;
        ideal = scaled_up(fetched, p->amounts[k], in->amount_in);
        *of = best;
        if (u256_cmp(fetched, u256_from_u64(PRECISE)) >= 0)
            break;
    }
    return ideal;
}

/* With RATE_PLACES; 0 when nobody knows. */
static struct u256 read_coin_price(const struct multicall_results *r, const struct plan *p)
{
    struct path coin[COIN_PATHS];
    const struct path *of;
    struct u256 usd;

    if (!best_of(r, coin, coin_paths(p, coin), 1, 1, &usd, &of))
        return U256_ZERO;
    for (int d = p->dollar->decimals; d < RATE_PLACES; d++)
        if (!u256_mul(&usd, usd, u256_from_u64(10)))
            return U256_ZERO;
    return usd;
}

static struct u256 gas_in_dollars(uint64_t gas, const struct gas_price *price)
{
    struct u256 wei, usd;

    return u256_mul(&wei, price->wei_per_gas, u256_from_u64(gas)) &&
                   u256_muldiv(&usd, wei, price->sample_usd, u256_from_u64(GAS_SAMPLE))
               ? usd
               : U256_ZERO;
}

/* Base fee (0 when the call failed) and what the native coin buys; without a price gas counts nothing. */
static struct gas_price read_gas_price(const struct multicall_results *r, const struct plan *p,
                                       const struct route_in *in, struct u256 best_out)
{
    struct gas_price g = { U256_ZERO, u256_from_u64(1), U256_ZERO, read_coin_price(r, p) };
    unsigned behind_paths = p->first + p->count * p->each;
    struct path gas[2];
    const struct path *of;
    const uint8_t *bytes;
    size_t n;

    if (multicall_result(r, 0, &bytes, &n) && !abi_get_u256(&g.wei_per_gas, bytes, n, 0))
        g.wei_per_gas = U256_ZERO;
    if (!u256_add(&g.wei_per_gas, g.wei_per_gas, u256_from_u64(in->from_chain->tip_min)))
        g.wei_per_gas = U256_ZERO;
    if (evm_addr_eq(p->to, p->wrapped)) {
        g.sample_out = u256_from_u64(1);
    } else if (evm_addr_eq(p->from, p->wrapped)) {
        g.sample_in = in->amount_in;
        g.sample_out = best_out;
    } else {
        g.sample_in = u256_from_u64(GAS_SAMPLE);
        (void)best_of(r, gas, gas_paths(p, gas), behind_paths, 1, &g.sample_out, &of);
    }
    return g;
}

static struct offer offer_of(const struct path *path, struct u256 out, uint64_t gas)
{
    struct offer o = { .provider = &uniswap, .out = out, .net = out, .gas_units = gas };

    encode_route(&o, path);
    set_label(&o, path);
    return o;
}

/* What a path yields. */
struct yield {
    const struct path *path;
    struct u256 out, net, gas_usd;
    uint64_t gas;
};

static int better_first(const void *x, const void *y)
{
    const struct yield *a = x, *b = y;
    int by_net = u256_cmp(b->net, a->net);

    return by_net != 0 ? by_net : u256_cmp(b->out, a->out);
}

/* The yields of all paths that answered, best net output first. *dust: the amount is worth nothing on one. */
static size_t read_yields(const struct multicall_results *r, const struct plan *p, const struct route_in *in,
                          struct yield *out, bool *dust)
{
    struct u256 best = U256_ZERO;
    struct gas_price price;
    size_t n = 0;

    for (unsigned i = 0; i < p->count; i++) {
        struct yield y = { .path = &p->paths[i] };

        if (!path_result(r, p->first + i * p->each, y.path, &y.out, &y.gas))
            continue;
        if (u256_is_zero(y.out)) {
            *dust = true;
            continue;
        }
        if (u256_cmp(best, y.out) < 0)
            best = y.out;
        if (evm_addr_is_zero(in->to_addr))
            y.gas += GAS_UNWRAP;
        out[n++] = y;
    }
    price = read_gas_price(r, p, in, best);
    for (size_t i = 0; i < n; i++) {
        out[i].net = net_of_gas(out[i].out, out[i].gas, &price);
        out[i].gas_usd = gas_in_dollars(out[i].gas, &price);
    }
    qsort(out, n, sizeof out[0], better_first);
    return n;
}

static void shortlist_add(struct shortlist *s, const struct path *path)
{
    for (unsigned i = 0; i < s->count; i++)
        if (memcmp(&s->paths[i], path, sizeof *path) == 0)
            return;
    s->paths[s->count++] = *path;
}

/* Of a full scan's yields, best first: the best two, and the path that is best for a small part. */
static void keep_shortlist(const struct plan *p, const struct route_in *in, const struct yield *yields,
                           size_t n, const struct path *small)
{
    struct shortlist *s = shortlist_place(p, in);

    *s = (struct shortlist){
        .chain_id = in->from_chain->id,
        .from = p->from,
        .to = p->to,
        .magnitude = magnitude(in->amount_in),
        .until_ms = clock_mono_ms() + SHORTLIST_MS,
        .ideal = in->wants_ideal,
    };
    for (size_t i = 0; i < 2 && i < n; i++)
        shortlist_add(s, yields[i].path);
    if (small != NULL && s->count > 0)
        shortlist_add(s, small);
}

static size_t read_paths(const struct multicall_results *r, const struct plan *p, const struct route_in *in,
                         struct offer *out, size_t max)
{
    enum { KEEP = 4 };
    struct yield yields[MAX_PATHS];
    bool dust = false;
    size_t n = read_yields(r, p, in, yields, &dust);
    const struct path *small = NULL;
    struct u256 ideal = in->wants_ideal ? read_ideal(r, p, in, &small) : U256_ZERO;

    if (p->scan && !in->verifies)
        keep_shortlist(p, in, yields, n, small);
    else if (!p->scan && n == 0)
        shortlist_place(p, in)->until_ms = 0; /* its pools are gone or dry: ask all the next time */
    if (n == 0 && dust && max > 0) {
        out[0] = offer_of(&p->paths[0], U256_ZERO, 0);
        return 1;
    }
    for (size_t i = 0; i < n && i < max && i < KEEP; i++) {
        out[i] = offer_of(yields[i].path, yields[i].out, yields[i].gas);
        out[i].net = yields[i].net;
        out[i].gas_usd = yields[i].gas_usd;
        out[i].ideal = ideal;
    }
    return n < max && n < KEEP ? n : max < KEEP ? max : KEEP;
}

static struct offer wrap_offer(const struct multicall_results *r, const struct plan *p,
                               const struct route_in *in)
{
    struct gas_price price = read_gas_price(r, p, in, in->amount_in);
    struct offer o = offer_of(&p->paths[0], in->amount_in, GAS_WRAP);

    o.ideal = in->amount_in;
    o.gas_usd = gas_in_dollars(GAS_WRAP, &price);
    return o;
}

static size_t read_answer(const struct call *call, const struct route_in *in, struct arena *a,
                          struct offer *out, size_t max)
{
    struct node_query *q = call->owner;
    struct plan *p = q->owner;
    struct multicall_results r;
    size_t n = 0;

    buf_free(&p->body);
    if (!node_end(q))
        return 0;
    if (rpc_bytes(&r.data, &r.len, a, &q->answers.items[0])) {
        if (p->paths[0].kind == PATH_V2 || p->paths[0].kind == PATH_V3)
            n = read_paths(&r, p, in, out, max);
        else if (max > 0)
            out[n++] = wrap_offer(&r, p, in);
    }
    rpc_answers_free(&q->answers);
    return n;
}

/* ---- the price alone ---- */

static void ideal_plan(struct plan *p, const struct route_in *in)
{
    if (plan_begin(p, in))
        add_candidates(p, in->from_chain);
    add_parts(p, in);
}

bool uniswap_ideal_ask(struct buf *data, const struct route_in *in)
{
    struct multicall g = MULTICALL_INIT(CALL_BYTES);
    struct plan p;
    bool ok = supports(in);

    if (ok) {
        ideal_plan(&p, in);
        aggregate_paths(&g, &p);
        multicall_finish(&g, data);
    }
    multicall_free(&g);
    return ok;
}

struct u256 uniswap_ideal_read(const struct route_in *in, const uint8_t *data, size_t n)
{
    const struct multicall_results r = { data, n };
    const struct path *of;
    struct plan p;

    ideal_plan(&p, in);
    return p.scan ? read_ideal(&r, &p, in, &of) : in->amount_in;
}

/* ---- the wallet's call ---- */

struct trade {
    const struct quote *q;
    const struct path *path;
    struct evm_addr wallet;
    int64_t deadline;
    bool native_in, native_out;
};

static void build_v2(struct buf *out, const struct trade *t)
{
    abi_selector(out, t->native_in    ? SEL_ETH_FOR_TOKENS
                      : t->native_out ? SEL_TOKENS_FOR_ETH
                                      : SEL_TOKENS_FOR_TOKENS);
    if (!t->native_in)
        abi_u256(out, t->q->amount_in);
    abi_u256(out, t->q->min_out);
    abi_u64(out, t->native_in ? 128 : 160);
    abi_addr(out, t->wallet);
    abi_u64(out, (uint64_t)t->deadline);
    add_addresses(out, t->path);
}

static void v3_swap(struct buf *out, const struct trade *t)
{
    /* The router keeps the wrapped coin for itself until it is unwrapped in the same transaction. */
    static const struct evm_addr the_router = { { [19] = 2 } };
    struct evm_addr recipient = t->native_out ? the_router : t->wallet;
    struct buf path = BUF_INIT(256);

    if (t->path->hops == 1) {
        abi_selector(out, SEL_INPUT_SINGLE);
        abi_addr(out, t->path->token[0]);
        abi_addr(out, t->path->token[1]);
        abi_u64(out, t->path->fee[0]);
        abi_addr(out, recipient);
        abi_u256(out, t->q->amount_in);
        abi_u256(out, t->q->min_out);
        abi_u64(out, 0);
    } else {
        v3_path_bytes(&path, t->path);
        abi_selector(out, SEL_INPUT_PATH);
        abi_u64(out, 32);
        abi_u64(out, 128);
        abi_addr(out, recipient);
        abi_u256(out, t->q->amount_in);
        abi_u256(out, t->q->min_out);
        abi_bytes_tail(out, path.data, path.len);
    }
    buf_free(&path);
}

/* multicall(deadline, calls): the structs of SwapRouter02 carry no deadline of their own. */
static void build_v3(struct buf *out, const struct trade *t)
{
    struct buf swap = BUF_INIT(2048), unwrap = BUF_INIT(256);
    size_t padded;

    v3_swap(&swap, t);
    padded = (swap.len + ABI_WORD - 1) / ABI_WORD * ABI_WORD;
    abi_selector(out, SEL_MULTICALL_DEADLINE);
    abi_u64(out, (uint64_t)t->deadline);
    abi_u64(out, 64);
    abi_u64(out, t->native_out ? 2 : 1);
    abi_u64(out, t->native_out ? 64 : 32);
    if (t->native_out)
        abi_u64(out, 64 + ABI_WORD + padded);
    abi_bytes_tail(out, swap.data, swap.len);
    if (t->native_out) {
        abi_selector(&unwrap, SEL_UNWRAP_WETH9);
        abi_u256(&unwrap, t->q->min_out);
        abi_addr(&unwrap, t->wallet);
        abi_bytes_tail(out, unwrap.data, unwrap.len);
    }
    buf_free(&swap);
    buf_free(&unwrap);
}

static bool is_native(const struct token_ref *t)
{
    return evm_addr_is_zero(addr(t->address));
}

static bool build(struct wallet_call *out, const struct quote *q, const struct chain *c,
                  struct evm_addr wallet, int64_t deadline)
{
    const struct venue *venue = venue_of(c);
    struct path path;
    struct trade t = { q, &path, wallet, deadline, is_native(&q->from), is_native(&q->to) };

    *out = (struct wallet_call){ .data = BUF_INIT(8192) };
    if (venue == NULL || !decode_route(&path, q->route, q->route_len))
        return false;
    if (t.native_in)
        out->value = q->amount_in;
    switch (path.kind) {
    case PATH_WRAP:
        out->to = token_addr(token_wrapped_native(c));
        abi_selector(&out->data, SEL_DEPOSIT);
        return true;
    case PATH_UNWRAP:
        out->to = token_addr(token_wrapped_native(c));
        abi_selector(&out->data, SEL_WITHDRAW);
        abi_u256(&out->data, q->amount_in);
        return true;
    case PATH_V2:
        out->to = addr(venue->v2_router);
        out->unseen_gas = path.hops * (uint64_t)GAS_V2_SUMS;
        build_v2(&out->data, &t);
        break;
    case PATH_V3:
        out->to = addr(venue->v3_router);
        build_v3(&out->data, &t);
        break;
    }
    out->allowance = !t.native_in;
    out->spender = out->to;
    return true;
}

const struct provider uniswap = { "uniswap", supports, ask, read_answer, build };
