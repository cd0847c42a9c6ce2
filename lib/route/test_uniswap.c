#include "base/test.h"
#include "route/uniswap.c"

#include "chain/evm/test_play.h"
#include "codec/hex.h"

#define WETH_WORD "000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
#define USDC_WORD "000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
#define ME_WORD   "0000000000000000000000001111111111111111111111111111111111111111"
#define ETHER     "0000000000000000000000000000000000000000000000000de0b6b3a7640000"
#define MIN_WORD  "00000000000000000000000000000000000000000000000000000000acda7d00"
#define ZERO_WORD "0000000000000000000000000000000000000000000000000000000000000000"
#define W(byte)   "00000000000000000000000000000000000000000000000000000000000000" byte

static struct arena *a;
static struct conf conf;
static struct nodes *nodes;
static struct ctx ctx = { .conf = &conf };

static struct evm_addr token(const char *symbol)
{
    return token_addr(token_find(chain_by_id(1), symbol));
}

static struct evm_addr me(void)
{
    return addr("0x1111111111111111111111111111111111111111");
}

static struct u256 ether(void)
{
    return u256_from_u64(1000000000000000000);
}

static const char *hex_of(const struct buf *b)
{
    char *text = arena_alloc(a, 2 * b->len + 1);

    hex_encode(text, (const uint8_t *)b->data, b->len);
    return text;
}

static struct path v2_path(void)
{
    return (struct path){ .kind = PATH_V2, .hops = 1, .token = { token("WETH"), token("USDC") } };
}

static struct path v3_path(void)
{
    return (
        struct path){ .kind = PATH_V3, .hops = 1, .token = { token("WETH"), token("USDC") }, .fee = { 500 } };
}

static struct path v3_two_hops(void)
{
    return (struct path){ .kind = PATH_V3,
                          .hops = 2,
                          .token = { token("WETH"), token("USDC"), token("USDT") },
                          .fee = { 500, 100 } };
}

/* ---- encoding, against published vectors ---- */

static void price_calls(void)
{
    const struct {
        struct path path;
        const char *hex;
    } rows[] = {
        { v2_path(), "d06ca61f" ETHER W("40") W("02") WETH_WORD USDC_WORD },
        { v3_path(), "c6a5026a" WETH_WORD USDC_WORD ETHER
                     "00000000000000000000000000000000000000000000000000000000000001f4" ZERO_WORD },
        { v3_two_hops(),
          "cdca1753" W("40") ETHER W(
              "42") "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc20001f4a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48000064dac17f958d2ee523a2206206994597c13d831ec7000000000000000000000000000000000000000000000000000000000000" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf out = BUF_INIT(4096);

        price_call(&out, &rows[i].path, ether());
        CHECK_STR(hex_of(&out), rows[i].hex);
        buf_free(&out);
    }
}

static void aggregates(void)
{
    struct multicall g = MULTICALL_INIT(4096);
    struct buf data = BUF_INIT(256), out = BUF_INIT(4096);

    abi_selector(&data, 0x70a08231); /* balanceOf */
    abi_addr(&data, me());
    multicall_add(&g, token("USDC"), &data);
    buf_reset(&data);
    abi_selector(&data, 0x313ce567); /* decimals */
    multicall_add(&g, token("USDC"), &data);
    multicall_finish(&g, &out);
    CHECK_STR(
        hex_of(&out),
        "82ad56cb" W("20") W("02") W(
            "40") "0000000000000000000000000000000000000000000000000000000000000100" USDC_WORD W("01") W("60")
            W("24") "70a08231000000000000000000000000111111111111111111111111111111111111111100000000000000000000000000000000000000000000000000000000" USDC_WORD
                W("01") W("60") W("04") "313ce56700000000000000000000000000000000000000000000000000000000");
    multicall_free(&g);
    buf_free(&data);
    buf_free(&out);
}

/* ---- the wallet's call ---- */

static void set_token(struct token_ref *t, const char *symbol)
{
    const struct token *known = token_find(chain_by_id(1), symbol);

    *t = (struct token_ref){ .chain_id = 1, .decimals = known->decimals };
    snprintf(t->symbol, sizeof t->symbol, "%s", known->symbol);
    snprintf(t->address, sizeof t->address, "%s", known->address_text);
}

/* One unit for at least 2900 USDC (or as many units of whatever is bought). */
static struct quote quote_of(const char *from, const char *to, const struct path *path)
{
    struct offer o = { .route_len = 0 };
    struct quote q = { .amount_in = ether(), .min_out = u256_from_u64(2900000000) };

    set_token(&q.from, from);
    set_token(&q.to, to);
    encode_route(&o, path);
    memcpy(q.route, o.route, o.route_len);
    q.route_len = o.route_len;
    return q;
}

static const char *built(const char *from, const char *to, struct path path, struct wallet_call *call)
{
    struct quote q = quote_of(from, to, &path);
    const char *hex;

    CHECK(build(call, &q, chain_by_id(1), me(), 1800000000));
    hex = hex_of(&call->data);
    buf_free(&call->data);
    return hex;
}

static bool same(struct evm_addr x, const char *text)
{
    return evm_addr_eq(x, addr(text));
}

#define V2_ROUTER "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"
#define V3_ROUTER "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"
#define WETH_ADDR "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define DEADLINE  "000000000000000000000000000000000000000000000000000000006b49d200"

static void v2_calls(void)
{
    struct path back = { .kind = PATH_V2, .hops = 1, .token = { token("USDC"), token("WETH") } };
    struct wallet_call call;

    CHECK_STR(built("ETH", "USDC", v2_path(), &call),
              "7ff36ab5" MIN_WORD W("80") ME_WORD DEADLINE W("02") WETH_WORD USDC_WORD);
    CHECK(same(call.to, V2_ROUTER) && u256_cmp(call.value, ether()) == 0 && !call.allowance);

    CHECK_STR(built("USDC", "ETH", back, &call),
              "18cbafe5" ETHER MIN_WORD W("a0") ME_WORD DEADLINE W("02") USDC_WORD WETH_WORD);
    CHECK(same(call.to, V2_ROUTER) && u256_is_zero(call.value));
    CHECK(call.allowance && same(call.spender, V2_ROUTER));

    CHECK_STR(built("WETH", "USDC", v2_path(), &call),
              "38ed1739" ETHER MIN_WORD W("a0") ME_WORD DEADLINE W("02") WETH_WORD USDC_WORD);
    CHECK(call.allowance && u256_is_zero(call.value));
}

#define SINGLE(recipient)                                                                                    \
    "04e45aaf" WETH_WORD USDC_WORD                                                                           \
    "00000000000000000000000000000000000000000000000000000000000001f4" recipient ETHER MIN_WORD ZERO_WORD
#define PAD28 "00000000000000000000000000000000000000000000000000000000"

/* SwapRouter02 has no deadline of its own, so each call is wrapped. */
static void v3_calls(void)
{
    struct wallet_call call;

    CHECK_STR(built("ETH", "USDC", v3_path(), &call),
              "5ae401dc" DEADLINE W("40") W("01") W("20") W("e4") SINGLE(ME_WORD) PAD28);
    CHECK(same(call.to, V3_ROUTER) && u256_cmp(call.value, ether()) == 0 && !call.allowance);

    CHECK_STR(built("WETH", "USDC", v3_path(), &call),
              "5ae401dc" DEADLINE W("40") W("01") W("20") W("e4") SINGLE(ME_WORD) PAD28);
    CHECK(u256_is_zero(call.value) && call.allowance && same(call.spender, V3_ROUTER));

    CHECK_STR(
        built("ETH", "USDT", v3_two_hops(), &call),
        "5ae401dc" DEADLINE W("40") W("01") W(
            "20") "0000000000000000000000000000000000000000000000000000000000000124b858183f" W("20") W("80")
            ME_WORD ETHER MIN_WORD W(
                "42") "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc20001f4a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48000064dac17f958d2ee523a2206206994597c13d831ec7000000000000000000000000000000000000000000000000000000000000" PAD28);
}

/* The router keeps what it swapped (recipient 2) and unwraps it for the wallet in the same transaction. */
static void v3_calls_that_unwrap(void)
{
    struct wallet_call call;

    /* the path is not what the names say; only the shape matters here */
    CHECK_STR(built("USDC", "ETH", v3_path(), &call),
              "5ae401dc" DEADLINE W("40") W("02") W(
                  "40") "0000000000000000000000000000000000000000000000000000000000000160" /* 64 + 32 + 256 */
              W("e4") SINGLE(W("02")) PAD28 W("44") "49404b7c" MIN_WORD ME_WORD PAD28);
    CHECK(call.allowance && same(call.spender, V3_ROUTER));
}

static void wrapping(void)
{
    struct path wrap = { .kind = PATH_WRAP }, unwrap = { .kind = PATH_UNWRAP };
    struct wallet_call call;

    CHECK_STR(built("ETH", "WETH", wrap, &call), "d0e30db0");
    CHECK(same(call.to, WETH_ADDR) && u256_cmp(call.value, ether()) == 0 && !call.allowance);
    CHECK_STR(built("WETH", "ETH", unwrap, &call), "2e1a7d4d" ETHER);
    CHECK(same(call.to, WETH_ADDR) && u256_is_zero(call.value) && !call.allowance);
}

static void what_cannot_be_built(void)
{
    struct path path = v2_path();
    struct quote q = quote_of("ETH", "USDC", &path);
    struct wallet_call call;

    CHECK(!build(&call, &q, chain_find("fantom"), me(), 1)); /* no router of ours there */
    q.route_len--;
    CHECK(!build(&call, &q, chain_by_id(1), me(), 1));
    q.route_len = 0;
    CHECK(!build(&call, &q, chain_by_id(1), me(), 1));
}

/* ---- routes as quotes keep them ---- */

static void routes_go_both_ways(void)
{
    const struct path paths[] = {
        { .kind = PATH_WRAP },
        { .kind = PATH_UNWRAP },
        v2_path(),
        { .kind = PATH_V2, .hops = 2, .token = { token("WBTC"), token("WETH"), token("USDC") } },
        v3_path(),
        v3_two_hops(),
        { .kind = PATH_V3, .hops = 1, .token = { token("WETH"), token("USDC") }, .fee = { 0xabcdef } },
    };

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct offer o = { .route_len = 0 };
        struct path back;

        encode_route(&o, &paths[i]);
        CHECK(o.route_len <= QUOTE_ROUTE_MAX);
        CHECK(decode_route(&back, o.route, o.route_len));
        CHECK(back.kind == paths[i].kind && back.hops == paths[i].hops);
        CHECK(memcmp(back.token, paths[i].token, sizeof back.token) == 0);
        CHECK(memcmp(back.fee, paths[i].fee, sizeof back.fee) == 0);
        for (size_t n = 0; n < o.route_len; n++)
            CHECK(!decode_route(&back, o.route, n));
        CHECK(!decode_route(&back, o.route, o.route_len + 1));
    }
}

static void routes_that_are_none(void)
{
    static const uint8_t bad[][2] = { { 0, 0 },       { 5, 0 },       { PATH_V2, 0 },  { PATH_V3, 0 },
                                      { PATH_V2, 1 }, { PATH_V2, 3 }, { PATH_V3, 255 } };
    static const uint8_t zeros[QUOTE_ROUTE_MAX];
    struct path path;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!decode_route(&path, bad[i], 2));
    for (size_t n = 0; n <= sizeof zeros; n++)
        CHECK(!decode_route(&path, zeros, n));
}

/* ---- asking ---- */

static struct route_in pair(const char *from, const char *to, struct u256 amount)
{
    struct route_in in = { .from_chain = chain_by_id(1), .to_chain = chain_by_id(1), .amount_in = amount };

    set_token(&in.from, from);
    set_token(&in.to, to);
    in.from_addr = addr(in.from.address);
    in.to_addr = addr(in.to.address);
    return in;
}

static const struct plan *asked(struct call *call, const struct route_in *in)
{
    CHECK(ask(call, &ctx, in, a));
    return ((struct node_query *)call->owner)->owner;
}

/* Nobody wants to know any more. */
static void forgotten(struct call *call, const struct route_in *in)
{
    CHECK(read_answer(call, in, a, NULL, 0) == 0);
    call_free(call);
}

static bool has_path(const struct plan *p, enum path_kind kind, unsigned hops, const char *middle,
                     uint32_t fee0, uint32_t fee1)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct path *t = &p->paths[i];

        if (t->kind == kind && t->hops == hops && t->fee[0] == fee0 && t->fee[1] == fee1 &&
            (hops == 1 || evm_addr_eq(t->token[1], token(middle))))
            return true;
    }
    return false;
}

static void candidates(void)
{
    static const uint32_t tiers[] = { 100, 500, 3000, 10000 };
    struct route_in in = pair("ETH", "USDC", ether());
    const struct plan *p;
    struct call call;

    memset(shortlists, 0, sizeof shortlists);
    p = asked(&call, &in);
    CHECK(p->scan && !p->price_gas && evm_addr_eq(p->from, token("WETH")));
    CHECK(has_path(p, PATH_V2, 1, NULL, 0, 0));
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++)
        CHECK(has_path(p, PATH_V3, 1, NULL, tiers[i], 0));
    CHECK(has_path(p, PATH_V2, 2, "USDT", 0, 0) && has_path(p, PATH_V3, 2, "USDT", 500, 100));
    CHECK(!has_path(p, PATH_V2, 2, "USDC", 0, 0) && !has_path(p, PATH_V2, 2, "WETH", 0, 0));
    forgotten(&call, &in);

    in = pair("USDC", "WBTC", u256_from_u64(1000000000));
    p = asked(&call, &in);
    CHECK(p->price_gas && has_path(p, PATH_V2, 2, "WETH", 0, 0) &&
          has_path(p, PATH_V3, 2, "WETH", 500, 3000));
    CHECK(has_path(p, PATH_V3, 2, "USDT", 100, 500) && p->count < MAX_PATHS);
    CHECK(p->body.len > 0 && !p->body.overflow);
    forgotten(&call, &in);
}

static void pairs_that_are_supported(void)
{
    struct route_in in = pair("ETH", "USDC", ether());

    CHECK(supports(&in));
    in.to_chain = chain_find("base");
    CHECK(!supports(&in));
    in.from_chain = chain_find("base");
    CHECK(supports(&in));
    in.from_chain = in.to_chain = chain_find("fantom");
    CHECK(!supports(&in));
    in.from_chain = in.to_chain = chain_find("solana");
    CHECK(!supports(&in));
}

/* ---- answers, made as Multicall3 makes them ---- */

struct answer {
    struct buf heads, tails;
    unsigned count;
};

static void answer_add(struct answer *r, bool ok, const struct buf *data)
{
    abi_u64(&r->heads, r->tails.len);
    abi_u64(&r->tails, ok);
    abi_u64(&r->tails, 64);
    abi_bytes_tail(&r->tails, data->data, data->len);
    r->count++;
}

static void answer_word(struct answer *r, uint64_t v)
{
    struct buf data = BUF_INIT(32);

    abi_u64(&data, v);
    answer_add(r, true, &data);
    buf_free(&data);
}

static void answer_failed(struct answer *r)
{
    struct buf nothing = BUF_INIT(0);

    answer_add(r, false, &nothing);
}

/* What the quoter or the router returns for a path. */
static void answer_path(struct answer *r, const struct path *path, uint64_t out, uint64_t gas)
{
    struct buf data = BUF_INIT(1024);

    if (path->kind == PATH_V2) {
        abi_u64(&data, 32);
        abi_u64(&data, path->hops + 1);
        for (unsigned i = 0; i < path->hops; i++)
            abi_u64(&data, 1);
        abi_u64(&data, out);
    } else {
        abi_u64(&data, out);
        abi_u64(&data, 1);
        abi_u64(&data, 1);
        abi_u64(&data, gas);
    }
    answer_add(r, true, &data);
    buf_free(&data);
}

static const char *answer_text(struct answer *r)
{
    struct buf bytes = BUF_INIT(MAX_UPSTREAM / 2);
    const char *text;

    abi_u64(&bytes, 32);
    abi_u64(&bytes, r->count);
    for (unsigned i = 0; i < r->count; i++) {
        uint64_t offset = 0;

        CHECK(abi_get_u64(&offset, (const uint8_t *)r->heads.data, r->heads.len, i));
        abi_u64(&bytes, offset + (uint64_t)r->count * ABI_WORD);
    }
    buf_add(&bytes, r->tails.data, r->tails.len);
    text = arena_printf(a, "[{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x%s\"}]", hex_of(&bytes));
    buf_free(&bytes);
    buf_free(&r->heads);
    buf_free(&r->tails);
    return text;
}

#define ANSWER                                                                                               \
    {                                                                                                        \
        .heads = BUF_INIT(MAX_UPSTREAM / 4), .tails = BUF_INIT(MAX_UPSTREAM / 4)                             \
    }

struct priced {
    enum path_kind kind;
    unsigned hops;
    uint32_t fee0, fee1;
    uint64_t out, gas; /* out 0: the call fails */
};

static const struct priced *price_of(const struct path *path, const struct priced *prices, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (prices[i].kind == path->kind && prices[i].hops == path->hops && prices[i].fee0 == path->fee[0] &&
            prices[i].fee1 == path->fee[1])
            return &prices[i];
    return NULL;
}

/* A whole exchange: asks, answers with these prices (all others fail), reads. */
static size_t exchange(const struct route_in *in, uint64_t base_fee, const struct priced *prices, size_t n,
                       uint64_t sample, struct offer *out)
{
    struct answer r = ANSWER;
    const struct plan *p;
    const char *text;
    struct call call;
    size_t count;

    p = asked(&call, in);
    answer_word(&r, base_fee);
    for (unsigned i = 0; i < p->count; i++) {
        const struct priced *price = price_of(&p->paths[i], prices, n);

        if (price != NULL && price->out > 0)
            answer_path(&r, &p->paths[i], price->out, price->gas);
        else
            answer_failed(&r);
    }
    if (p->price_gas) {
        struct path one = v2_path();

        answer_path(&r, &one, sample, 0);
        answer_failed(&r);
    }
    text = answer_text(&r);
    node_plays(&call, text, strlen(text));
    count = read_answer(&call, in, a, out, OFFERS_MAX);
    call_free(&call);
    return count;
}

static bool is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

enum { GWEI = 1000000000 };

static void pools_that_are_missing(void)
{
    static const struct priced prices[] = { { PATH_V2, 1, 0, 0, 2990701827, 0 },
                                            { PATH_V3, 1, 500, 0, 2998350157, 90000 } };
    struct route_in in = pair("ETH", "USDC", ether());
    struct offer out[OFFERS_MAX];

    memset(shortlists, 0, sizeof shortlists);
    CHECK(exchange(&in, 0, prices, 2, 0, out) == 2);
    CHECK(is(out[0].out, 2998350157) && out[0].gas_units == 90000 + GAS_V3_AROUND);
    CHECK_STR(out[0].label, "Uniswap V3 0.05%");
    CHECK(is(out[1].out, 2990701827) && out[1].gas_units == GAS_V2_FIRST);
    CHECK_STR(out[1].label, "Uniswap V2");
    CHECK(out[0].provider == &uniswap && out[1].provider == &uniswap);
}

static void no_pool_at_all(void)
{
    static const struct priced none[] = { { PATH_V2, 1, 0, 0, 0, 0 } };
    struct route_in in = pair("ETH", "USDC", ether());
    struct offer out[OFFERS_MAX];

    memset(shortlists, 0, sizeof shortlists);
    CHECK(exchange(&in, GWEI, none, 1, 0, out) == 0);
}

/* 20 gwei: 175,000 gas of V2 and 360,000 of V3 differ by 11 dollars, more than the prices do. */
static void the_best_is_net_of_gas(void)
{
    static const struct priced prices[] = { { PATH_V2, 1, 0, 0, 2990000000, 0 },
                                            { PATH_V3, 1, 500, 0, 2998000000, 300000 } };
    struct route_in in = pair("ETH", "USDC", ether());
    struct offer out[OFFERS_MAX];

    memset(shortlists, 0, sizeof shortlists);
    CHECK(exchange(&in, (uint64_t)20 * GWEI, prices, 2, 0, out) == 2);
    CHECK(is(out[0].out, 2990000000) && u256_cmp(out[0].net, out[1].net) > 0);
    CHECK(u256_cmp(out[0].net, out[0].out) < 0);

    /* the same with the wrapped coin on the other side: 1 wei is 1 wei */
    in = pair("USDC", "WETH", u256_from_u64(3000000000));
    CHECK(exchange(&in, (uint64_t)20 * GWEI,
                   (const struct priced[]){ { PATH_V2, 1, 0, 0, 990000000000000000, 0 },
                                            { PATH_V3, 1, 500, 0, 993000000000000000, 300000 } },
                   2, 0, out) == 2);
    CHECK(is(out[0].out, 990000000000000000));
    CHECK(is(out[0].net, 990000000000000000 - (uint64_t)GAS_V2_FIRST * (20 * (uint64_t)GWEI + 10000000)));

    /* and between two tokens, by what a thousandth of the coin buys */
    in = pair("USDC", "USDT", u256_from_u64(1000000000));
    CHECK(exchange(&in, (uint64_t)20 * GWEI,
                   (const struct priced[]){ { PATH_V2, 1, 0, 0, 996000000, 0 },
                                            { PATH_V3, 1, 100, 0, 999000000, 300000 } },
                   2, 3000000, out) == 2);
    CHECK(is(out[0].out, 996000000) && u256_cmp(out[0].net, out[1].net) > 0);
}

/* Four that promise more but cost more must not push out the one that is best in the end. */
static void the_best_is_kept_among_many(void)
{
    static const struct priced prices[] = {
        { PATH_V2, 1, 0, 0, 99000000, 0 },          { PATH_V3, 1, 100, 0, 99100000, 900000 },
        { PATH_V3, 1, 500, 0, 99200000, 900000 },   { PATH_V3, 1, 3000, 0, 99300000, 900000 },
        { PATH_V3, 1, 10000, 0, 99400000, 900000 }, { PATH_V3, 2, 500, 500, 99500000, 900000 },
    };
    struct route_in in = pair("ETH", "USDC", u256_from_u64(33000000000000000));
    struct offer out[OFFERS_MAX];
    size_t n;

    memset(shortlists, 0, sizeof shortlists);
    n = exchange(&in, (uint64_t)20 * GWEI, prices, 6, 0, out);
    CHECK(n > 1 && n <= OFFERS_MAX);
    CHECK(is(out[0].out, 99000000));
    for (size_t i = 1; i < n; i++)
        CHECK(u256_cmp(out[i - 1].net, out[i].net) >= 0);
}

static void gas_that_cannot_be(void)
{
    static const struct priced prices[] = { { PATH_V3, 1, 500, 0, 2998000000, 100000001 },
                                            { PATH_V3, 1, 3000, 0, 2997000000, UINT64_MAX },
                                            { PATH_V2, 1, 0, 0, 5, 0 } };
    struct route_in in = pair("ETH", "USDC", u256_from_u64(GWEI));
    struct offer out[OFFERS_MAX];

    memset(shortlists, 0, sizeof shortlists);
    /* dearer than what it buys: worth nothing in the end, but still an offer */
    CHECK(exchange(&in, GWEI, prices, 3, 0, out) == 1);
    CHECK(is(out[0].out, 5) && is(out[0].net, 0));
}

static void wrapping_is_one_to_one(void)
{
    static const struct priced none[] = { { PATH_V2, 1, 0, 0, 0, 0 } };
    struct route_in in = pair("ETH", "WETH", ether());
    struct offer out[OFFERS_MAX];

    CHECK(exchange(&in, GWEI, none, 0, 0, out) == 1);
    CHECK_STR(out[0].label, "wrap");
    CHECK(u256_cmp(out[0].out, ether()) == 0 && out[0].route_len == 2 && out[0].route[0] == PATH_WRAP);
    in = pair("WETH", "ETH", ether());
    CHECK(exchange(&in, GWEI, none, 0, 0, out) == 1);
    CHECK_STR(out[0].label, "unwrap");
    CHECK(out[0].route[0] == PATH_UNWRAP);
}

/* ---- small parts ---- */

/* What paths say, for each amount they are asked for; 0: the call fails. */
struct said {
    enum path_kind kind;
    uint32_t fee;
    uint64_t out[1 + PARTS];
};

static void answer_amounts(struct answer *r, const struct plan *p, const struct said *list, size_t n)
{
    for (unsigned i = 0; i < p->count; i++) {
        for (unsigned k = 0; k < p->each; k++) {
            uint64_t out = 0;

            for (size_t j = 0; j < n; j++)
                if (p->paths[i].hops == 1 && p->paths[i].kind == list[j].kind &&
                    p->paths[i].fee[0] == list[j].fee)
                    out = list[j].out[k + 1 + PARTS - p->each];
            if (out > 0)
                answer_path(r, &p->paths[i], out, 90000);
            else
                answer_failed(r);
        }
    }
}

/* Asks for an offer with its ideal, where the coin costs 3000 dollars. */
static struct offer ideal_offer(const struct route_in *in, const struct said *list, size_t n, bool *scan)
{
    struct offer out[OFFERS_MAX] = { { .label = "" } };
    struct answer r = ANSWER;
    struct call call;
    const struct plan *p = asked(&call, in);
    struct path coin[COIN_PATHS];
    const char *text;

    *scan = p->scan;
    answer_word(&r, (uint64_t)20 * GWEI - in->from_chain->tip_min);
    CHECK(coin_paths(p, coin) == COIN_PATHS);
    answer_failed(&r);
    answer_path(&r, &coin[1], 3000000, 1);
    answer_path(&r, &coin[2], 2900000, 1);
    answer_amounts(&r, p, list, n);
    text = answer_text(&r);
    node_plays(&call, text, strlen(text));
    CHECK(read_answer(&call, in, a, out, OFFERS_MAX) > 0);
    call_free(&call);
    return out[0];
}

static struct u256 ideal_alone(const struct route_in *in, const struct said *list, size_t n)
{
    struct answer r = ANSWER;
    struct buf asks = BUF_INIT(CALL_BYTES);
    struct rpc_answers answers;
    struct buf text = BUF_INIT(MAX_UPSTREAM);
    struct plan p;
    const uint8_t *data;
    struct u256 ideal;
    size_t len;

    CHECK(uniswap_ideal_ask(&asks, in) && asks.len > 0 && !asks.overflow);
    ideal_plan(&p, in);
    answer_amounts(&r, &p, list, n);
    buf_adds(&text, answer_text(&r));
    CHECK(rpc_read(&answers, a, &text, 1) && rpc_bytes(&data, &len, a, &answers.items[0]));
    ideal = uniswap_ideal_read(in, data, len);
    rpc_answers_free(&answers);
    buf_free(&text);
    buf_free(&asks);
    return ideal;
}

/* The path that is best for the whole is not the one that is best for a thousandth. */
static void the_best_price_of_a_small_part_counts(void)
{
    static const struct said said[] = { { PATH_V2, 0, { 2800000000, 2810000, 281000000 } },
                                        { PATH_V3, 500, { 1500000000, 2999999, 260000000 } },
                                        { PATH_V3, 3000, { 2700000000, 2700000, 270000000 } } };
    struct route_in in = pair("ETH", "USDC", ether());
    struct offer best;
    bool scan;

    memset(shortlists, 0, sizeof shortlists);
    in.wants_ideal = true;
    best = ideal_offer(&in, said, 3, &scan);
    CHECK(scan && is(best.out, 2800000000) && is(best.ideal, 3000000000));
    CHECK_STR(amount_text(a, (struct amount){ best.gas_usd, RATE_PLACES }), "6.9"); /* 115,000 at 20 gwei */
    CHECK(is(ideal_alone(&in, said, 3), 3000000000));
    /* and is among those that are asked again */
    best = ideal_offer(&in, said, 3, &scan);
    CHECK(!scan && is(best.ideal, 3000000000));
}

static void a_part_without_digits_is_no_measure(void)
{
    static const struct said coarse[] = { { PATH_V2, 0, { 90000, 999, 9999 } } };
    static const struct said tiny[] = { { PATH_V2, 0, { 9, 0, 0 } } };
    struct route_in in = pair("ETH", "USDC", ether());
    bool scan;

    memset(shortlists, 0, sizeof shortlists);
    in.wants_ideal = true;
    CHECK(is(ideal_offer(&in, coarse, 1, &scan).ideal, 100000));
    memset(shortlists, 0, sizeof shortlists);
    CHECK(is(ideal_offer(&in, tiny, 1, &scan).ideal, 0)); /* no answer, no measure */
    in.amount_in = u256_from_u64(5);
    CHECK(is(ideal_alone(&in, (const struct said[]){ { PATH_V2, 0, { 0, 4, 4 } } }, 1), 25));
}

static void coins_that_are_wrapped_lose_nothing(void)
{
    struct route_in in = pair("ETH", "WETH", ether());
    bool scan;

    in.wants_ideal = true;
    CHECK(is(ideal_offer(&in, NULL, 0, &scan).ideal, 1000000000000000000));
    CHECK(u256_cmp(uniswap_ideal_read(&in, NULL, 0), ether()) == 0);
}

/* ---- the shortlist ---- */

static bool scans(const struct route_in *in, unsigned *count)
{
    struct call call;
    const struct plan *p = asked(&call, in);
    bool scan = p->scan;

    *count = p->count;
    forgotten(&call, in);
    return scan;
}

static void after_a_scan_the_best_two_are_asked(void)
{
    static const struct priced prices[] = { { PATH_V2, 1, 0, 0, 2990000000, 0 },
                                            { PATH_V3, 1, 500, 0, 2998000000, 90000 },
                                            { PATH_V3, 1, 3000, 0, 2995000000, 90000 } };
    struct route_in in = pair("ETH", "USDC", ether());
    struct route_in back = pair("USDC", "ETH", u256_from_u64(3000000000));
    struct route_in more = pair("ETH", "USDC", u256_from_u64(UINT64_MAX));
    struct offer out[OFFERS_MAX];
    unsigned count;

    memset(shortlists, 0, sizeof shortlists);
    CHECK(scans(&in, &count) && count > 2);
    CHECK(scans(&in, &count)); /* asking alone remembers nothing */
    CHECK(exchange(&in, 0, prices, 3, 0, out) == 3);
    CHECK(!scans(&in, &count) && count == 2);
    CHECK(exchange(&in, 0, prices, 3, 0, out) == 2);
    CHECK(is(out[0].out, 2998000000) && is(out[1].out, 2995000000));
    CHECK(scans(&back, &count) && scans(&more, &count));
    /* and only for a while */
    for (size_t i = 0; i < sizeof shortlists / sizeof shortlists[0]; i++)
        if (shortlists[i].count > 0)
            shortlists[i].until_ms = clock_mono_ms() - 1;
    CHECK(scans(&in, &count) && count > 2);
}

static void a_scan_without_offers_is_not_remembered(void)
{
    static const struct priced none[] = { { PATH_V2, 1, 0, 0, 0, 0 } };
    struct route_in in = pair("ETH", "USDC", ether());
    struct offer out[OFFERS_MAX];
    unsigned count;

    memset(shortlists, 0, sizeof shortlists);
    CHECK(exchange(&in, 0, none, 1, 0, out) == 0);
    CHECK(scans(&in, &count) && count > 2);
}

/* ---- answers that are none ---- */

static size_t read_text(const struct route_in *in, const char *text, size_t n)
{
    struct offer out[OFFERS_MAX];
    struct call call;
    size_t count;

    memset(shortlists, 0, sizeof shortlists);
    (void)asked(&call, in);
    node_plays(&call, text, n);
    count = read_answer(&call, in, a, out, OFFERS_MAX);
    call_free(&call);
    return count;
}

static void garbage_gives_no_offers(void)
{
    static const char *const texts[] = {
        "",
        "x",
        "[]",
        "{}",
        "null",
        "<html></html>",
        "[{\"id\":0}]",
        "[{\"id\":0,\"result\":null}]",
        "[{\"id\":0,\"result\":\"\"}]",
        "[{\"id\":0,\"result\":\"0x\"}]",
        "[{\"id\":0,\"result\":\"0x0\"}]",
        "[{\"id\":0,\"result\":{}}]",
        "[{\"id\":1,\"result\":\"0x00\"}]",
        "[{\"id\":0,\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x\"}}]",
        "[{\"id\":0,\"result\":\"0x" ZERO_WORD "\"}]",
        /* no items; items behind the end; an item that is the head itself; offsets beyond all bounds */
        "[{\"id\":0,\"result\":\"0x" W("20") ZERO_WORD "\"}]",
        "[{\"id\":0,\"result\":\"0x" W("20") W("40") "\"}]",
        "[{\"id\":0,\"result\":\"0x" W("20") W("02") ZERO_WORD ZERO_WORD "\"}]",
        "[{\"id\":0,\"result\":\"0x" W("20") W("02") W("40") W("41") W("01") W("40") "\"}]",
        "[{\"id\":0,\"result\":\"0x" W("20") W(
            "02") "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0000000000000000000000000000000000000000000000000ffffffffffffffe0\"}]",
    };
    struct route_in in = pair("ETH", "USDC", ether());

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK(read_text(&in, texts[i], strlen(texts[i])) == 0);
}

/* An answer that ends early, word by word: what is read of it is what it said. */
static void answers_that_end_early(void)
{
    struct route_in in = pair("ETH", "USDC", ether());
    struct answer r = ANSWER;
    const struct plan *p;
    struct call call;
    const char *whole;
    size_t last = 0, n;

    memset(shortlists, 0, sizeof shortlists);
    p = asked(&call, &in);
    answer_word(&r, GWEI);
    for (unsigned i = 0; i < p->count; i++)
        answer_path(&r, &p->paths[i], 2990000000, 90000);
    whole = answer_text(&r);
    forgotten(&call, &in);
    n = strlen(whole) - 3; /* without "}] */
    for (size_t end = n % 64; end <= n; end += 64) {
        const char *text = arena_printf(a, "%.*s\"}]", (int)end, whole);
        size_t offers = read_text(&in, text, strlen(text));

        CHECK(offers >= last || offers == 4);
        last = offers;
    }
    CHECK(last == 4);
}

static void start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    ctx.nodes = nodes;
}

static void end(void)
{
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(start), TEST(price_calls), TEST(aggregates), TEST(v2_calls), TEST(v3_calls),
          TEST(v3_calls_that_unwrap), TEST(wrapping), TEST(what_cannot_be_built), TEST(routes_go_both_ways),
          TEST(routes_that_are_none), TEST(candidates), TEST(pairs_that_are_supported),
          TEST(pools_that_are_missing), TEST(no_pool_at_all), TEST(the_best_is_net_of_gas),
          TEST(the_best_is_kept_among_many), TEST(gas_that_cannot_be), TEST(wrapping_is_one_to_one),
          TEST(the_best_price_of_a_small_part_counts), TEST(a_part_without_digits_is_no_measure),
          TEST(coins_that_are_wrapped_lose_nothing), TEST(after_a_scan_the_best_two_are_asked),
          TEST(a_scan_without_offers_is_not_remembered), TEST(garbage_gives_no_offers),
          TEST(answers_that_end_early), TEST(end))
