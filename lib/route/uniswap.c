#include "route/uniswap.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/multicall.h"
#include "chain/evm/node.h"
#include "chain/evm/rpc.h"
#include "chain/tokens.h"
#include "chain/venues.h"
#include "core/clock.h"

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
    MAX_CALLS = MAX_PATHS + 4, /* and the base fee and the price of gas */
    GAS_V2_FIRST = 115000,
    GAS_V2_HOP = 60000,
    GAS_V3_AROUND = 60000, /* what the router adds to the pools' own gas */
    GAS_WRAP = 45000,
    GAS_UNWRAP = 30000,
    CALL_BYTES = 64 * 1024,
};

struct path {
    enum path_kind kind;
    unsigned hops;
    struct evm_addr token[MAX_HOPS + 1]; /* wrapped native in place of the native coin */
    uint32_t fee[MAX_HOPS];              /* V3: hundredths of a basis point */
};

struct plan {
    const struct venue *venue;
    struct evm_addr wrapped;
    struct evm_addr from, to; /* of the pools: wrapped native in place of the native coin */
    struct path paths[MAX_PATHS];
    unsigned count;
    bool price_gas; /* calls for wrapped native → to stand behind the paths' */
    bool scan;      /* all candidates are asked, not only the shortlist */
};

/* The paths that were best for a pair and an order of magnitude when all candidates were last asked. Prices
 * are always asked anew; only which pools are worth asking is remembered, and only for a while. A worker's
 * own, like its connections: another worker merely asks all candidates once more. */
static struct shortlist {
    uint64_t chain_id;
    struct evm_addr from, to;
    unsigned magnitude; /* bits of the amount, in steps of a factor of 16 */
    int64_t until_ms;   /* on the monotonic clock */
    struct path paths[2];
    unsigned count;
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
        s->magnitude != magnitude(in->amount_in))
        return false;
    memcpy(p->paths, s->paths, s->count * sizeof s->paths[0]);
    p->count = s->count;
    return p->count > 0;
}

static void plan_make(struct plan *p, const struct route_in *in)
{
    const struct chain *c = in->from_chain;
    bool native_in = evm_addr_is_zero(in->from_addr), native_out = evm_addr_is_zero(in->to_addr);

    *p = (struct plan){ .venue = venue_of(c), .wrapped = token_addr(token_wrapped_native(c)) };
    p->from = native_in ? p->wrapped : in->from_addr;
    p->to = native_out ? p->wrapped : in->to_addr;
    if (evm_addr_eq(p->from, p->to)) {
        add_path(p, (struct path){ .kind = native_in ? PATH_WRAP : PATH_UNWRAP });
        return;
    }
    p->price_gas = !evm_addr_eq(p->from, p->wrapped) && !evm_addr_eq(p->to, p->wrapped);
    if (use_shortlist(p, in))
        return;
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
    struct path gas[2];
    struct multicall g = MULTICALL_INIT(CALL_BYTES);
    struct buf data = BUF_INIT(CALL_BYTES);
    struct rpc_batch batch;

    if (!nodes_call(call, ctx, in->from_chain))
        return false;
    plan_make(p, in);
    call->owner = p;
    abi_selector(&data, SEL_GET_BASEFEE);
    multicall_add(&g, multicall_addr(), &data);
    buf_reset(&data);
    for (unsigned i = 0; i < p->count; i++)
        if (p->paths[i].kind == PATH_V2 || p->paths[i].kind == PATH_V3)
            aggregate_path(&g, p, &p->paths[i], in->amount_in);
    for (unsigned i = 0, n = gas_paths(p, gas); i < n; i++)
        aggregate_path(&g, p, &gas[i], u256_from_u64(GAS_SAMPLE));
    multicall_finish(&g, &data);
    batch = rpc_begin(&call->body);
    rpc_add_call(&batch, NULL, multicall_addr(), &data);
    rpc_end(&batch);
    multicall_free(&g);
    buf_free(&data);
    return true;
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

/* What gas costs in smallest units of the token that is bought: `sample_out` for `sample_in` wei. */
struct gas_price {
    struct u256 wei_per_gas;
    struct u256 sample_in, sample_out;
};

static struct u256 net_of_gas(struct u256 out, uint64_t gas, const struct gas_price *price)
{
    struct u256 wei, cost, net;

    if (!u256_mul(&wei, price->wei_per_gas, u256_from_u64(gas)) ||
        !u256_muldiv(&cost, wei, price->sample_out, price->sample_in) || !u256_sub(&net, out, cost))
        return U256_ZERO;
    return net;
}

/* Base fee (0 when the call failed) and what the native coin buys; without a price gas counts nothing. */
static struct gas_price read_gas_price(const struct multicall_results *r, const struct plan *p,
                                       const struct route_in *in, unsigned behind_paths, struct u256 best_out)
{
    struct gas_price g = { U256_ZERO, u256_from_u64(1), U256_ZERO };
    struct path gas[2];
    const uint8_t *bytes;
    size_t n;
    uint64_t ignored;

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
        for (unsigned i = 0, m = gas_paths(p, gas); i < m; i++) {
            struct u256 out;

            if (path_result(r, behind_paths + i, &gas[i], &out, &ignored) && u256_cmp(out, g.sample_out) > 0)
                g.sample_out = out;
        }
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
    struct u256 out, net;
    uint64_t gas;
};

static int better_first(const void *x, const void *y)
{
    const struct yield *a = x, *b = y;
    int by_net = u256_cmp(b->net, a->net);

    return by_net != 0 ? by_net : u256_cmp(b->out, a->out);
}

/* The yields of all paths that answered, best net output first. */
static size_t read_yields(const struct multicall_results *r, const struct plan *p, const struct route_in *in,
                          struct yield *out)
{
    struct u256 best = U256_ZERO;
    struct gas_price price;
    size_t n = 0;

    for (unsigned i = 0; i < p->count; i++) {
        struct yield y = { .path = &p->paths[i] };

        if (!path_result(r, 1 + i, y.path, &y.out, &y.gas) || u256_is_zero(y.out))
            continue;
        if (u256_cmp(best, y.out) < 0)
            best = y.out;
        if (evm_addr_is_zero(in->to_addr))
            y.gas += GAS_UNWRAP;
        out[n++] = y;
    }
    price = read_gas_price(r, p, in, 1 + p->count, best);
    for (size_t i = 0; i < n; i++)
        out[i].net = net_of_gas(out[i].out, out[i].gas, &price);
    qsort(out, n, sizeof out[0], better_first);
    return n;
}

/* Of a full scan's yields, best first: the best two. */
static void keep_shortlist(const struct plan *p, const struct route_in *in, const struct yield *yields,
                           size_t n)
{
    struct shortlist *s = shortlist_place(p, in);

    *s = (struct shortlist){
        .chain_id = in->from_chain->id,
        .from = p->from,
        .to = p->to,
        .magnitude = magnitude(in->amount_in),
        .until_ms = clock_mono_ms() + SHORTLIST_MS,
    };
    for (; s->count < 2 && s->count < n; s->count++)
        s->paths[s->count] = *yields[s->count].path;
}

static size_t read_paths(const struct multicall_results *r, const struct plan *p, const struct route_in *in,
                         struct offer *out, size_t max)
{
    enum { KEEP = 4 };
    struct yield yields[MAX_PATHS];
    size_t n = read_yields(r, p, in, yields);

    if (p->scan)
        keep_shortlist(p, in, yields, n);
    else if (n == 0)
        shortlist_place(p, in)->until_ms = 0; /* its pools are gone or dry: ask all the next time */
    for (size_t i = 0; i < n && i < max && i < KEEP; i++) {
        out[i] = offer_of(yields[i].path, yields[i].out, yields[i].gas);
        out[i].net = yields[i].net;
    }
    return n < max && n < KEEP ? n : max < KEEP ? max : KEEP;
}

static size_t read_answer(const struct call *call, const struct route_in *in, struct arena *a,
                          struct offer *out, size_t max)
{
    const struct plan *p = call->owner;
    struct rpc_answers answers;
    struct multicall_results r;
    size_t n = 0;

    if (!rpc_read(&answers, a, &call->answer, 1))
        return 0;
    if (rpc_bytes(&r.data, &r.len, a, &answers.items[0])) {
        if (p->paths[0].kind == PATH_V2 || p->paths[0].kind == PATH_V3)
            n = read_paths(&r, p, in, out, max);
        else if (max > 0)
            out[n++] = offer_of(&p->paths[0], in->amount_in, GAS_WRAP);
    }
    rpc_answers_free(&answers);
    return n;
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

static bool is_native(const struct swap_token *t)
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
