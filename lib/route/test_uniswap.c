#include "base/test.h"
#include "route/gas_price.c"
#include "route/reference_price.c"
#include "route/shortlist.c"
#include "route/uniswap.c"
#include "route/uniswap_contracts.c"

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/evm_rpc_class.h"
#include "chain/evm/test_play.h"
#include "codec/hex.h"
#include "route/question.h"
#include "route/test_contracts_state.h"

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

static struct evm_addr token_at(const char *symbol)
{
    return token_addr(token_find(chain_by_id(1), symbol));
}

static struct u256 ether(void)
{
    return u256_from_u64(1000000000000000000);
}

static const char *calldata_hex(const void *data, size_t len)
{
    char *text = arena_alloc(a, 2 * len + 1);

    hex_encode(text, data, len);
    return text;
}

static struct uniswap_path v2_path(void)
{
    return (struct uniswap_path){ UNISWAP_V2,
                                  { .hops = 1, .token = { token_at("WETH"), token_at("USDC") } } };
}

static struct uniswap_path v3_path(void)
{
    struct uniswap_path path = v2_path();

    path.kind = UNISWAP_V3;
    path.pools.fee[0] = 500;
    return path;
}

static struct uniswap_path v3_two_hops(void)
{
    return (struct uniswap_path){
        UNISWAP_V3,
        { .hops = 2, .token = { token_at("WETH"), token_at("USDC"), token_at("USDT") }, .fee = { 500, 100 } }
    };
}

/* ---- the wallet's call ---- */

static void set_token(struct token_ref *t, const char *symbol)
{
    const struct token *known = token_find(chain_by_id(1), symbol);

    *t = (struct token_ref){ .chain_id = 1, .decimals = known->decimals };
    snprintf(t->symbol, sizeof t->symbol, "%s", known->symbol);
    snprintf(t->address, sizeof t->address, "%s", known->address_text);
}

/* One unit for at least 2900 USDC (or as many units of the bought token). */
static struct tx_in tx_in_of(const char *from, const char *to, const struct uniswap_path *path)
{
    struct tx_in in = { .route = { .from_chain = chain_by_id(1),
                                   .to_chain = chain_by_id(1),
                                   .amount_in = ether(),
                                   .wallet = "0x1111111111111111111111111111111111111111" },
                        .min_out = u256_from_u64(2900000000),
                        .deadline = 1800000000 };

    set_token(&in.route.from, from);
    set_token(&in.route.to, to);
    if (path != NULL)
        in.payload = uniswap_path_payload(a, path);
    return in;
}

static const char *call_built(const char *from, const char *to, struct uniswap_path path,
                              struct wallet_call *call)
{
    struct tx_in in = tx_in_of(from, to, &path);

    CHECK(uniswap.ask_tx == NULL && uniswap.read_tx(NULL, &in, a, call) == TX_READY);
    CHECK(u256_cmp(call->min_out, in.min_out) == 0);
    return calldata_hex(call->data, call->data_len);
}

static bool same_address(const char *x, const char *y)
{
    return x != NULL && strcmp(x, y) == 0;
}

#define V2_ROUTER "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"
#define V3_ROUTER "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"
#define WETH_ADDR "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define DEADLINE  "000000000000000000000000000000000000000000000000000000006b49d200"

static void v2_calls(void)
{
    struct uniswap_path back = { UNISWAP_V2, { .hops = 1, .token = { token_at("USDC"), token_at("WETH") } } };
    struct wallet_call call;

    CHECK_STR(call_built("ETH", "USDC", v2_path(), &call),
              "7ff36ab5" MIN_WORD W("80") ME_WORD DEADLINE W("02") WETH_WORD USDC_WORD);
    CHECK(same_address(call.to, V2_ROUTER) && u256_cmp(call.value, ether()) == 0 && call.spender == NULL);

    CHECK_STR(call_built("USDC", "ETH", back, &call),
              "18cbafe5" ETHER MIN_WORD W("a0") ME_WORD DEADLINE W("02") USDC_WORD WETH_WORD);
    CHECK(same_address(call.to, V2_ROUTER) && u256_is_zero(call.value));
    CHECK(same_address(call.spender, V2_ROUTER));

    CHECK_STR(call_built("WETH", "USDC", v2_path(), &call),
              "38ed1739" ETHER MIN_WORD W("a0") ME_WORD DEADLINE W("02") WETH_WORD USDC_WORD);
    CHECK(same_address(call.spender, V2_ROUTER) && u256_is_zero(call.value));
}

#define SINGLE(recipient)                                                                                    \
    "04e45aaf" WETH_WORD USDC_WORD                                                                           \
    "00000000000000000000000000000000000000000000000000000000000001f4" recipient ETHER MIN_WORD ZERO_WORD
#define PAD28 "00000000000000000000000000000000000000000000000000000000"

/* SwapRouter02 has no deadline of its own, so each call is wrapped. */
static void v3_calls(void)
{
    struct wallet_call call;

    CHECK_STR(call_built("ETH", "USDC", v3_path(), &call),
              "5ae401dc" DEADLINE W("40") W("01") W("20") W("e4") SINGLE(ME_WORD) PAD28);
    CHECK(same_address(call.to, V3_ROUTER) && u256_cmp(call.value, ether()) == 0 && call.spender == NULL);

    CHECK_STR(call_built("WETH", "USDC", v3_path(), &call),
              "5ae401dc" DEADLINE W("40") W("01") W("20") W("e4") SINGLE(ME_WORD) PAD28);
    CHECK(u256_is_zero(call.value) && same_address(call.spender, V3_ROUTER));

    CHECK_STR(
        call_built("ETH", "USDT", v3_two_hops(), &call),
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
    CHECK_STR(call_built("USDC", "ETH", v3_path(), &call),
              "5ae401dc" DEADLINE W("40") W("02") W(
                  "40") "0000000000000000000000000000000000000000000000000000000000000160" /* 64 + 32 + 256 */
              W("e4") SINGLE(W("02")) PAD28 W("44") "49404b7c" MIN_WORD ME_WORD PAD28);
    CHECK(same_address(call.spender, V3_ROUTER));
}

/* Quotes of earlier programs name this provider for them. */
static void wrapping_as_it_was_quoted(void)
{
    struct tx_in wrapped = tx_in_of("ETH", "WETH", NULL), unwrapped = tx_in_of("WETH", "ETH", NULL);
    struct wallet_call call;

    CHECK(uniswap.read_tx(NULL, &wrapped, a, &call) == TX_READY);
    CHECK_STR(calldata_hex(call.data, call.data_len), "d0e30db0");
    CHECK(uniswap.read_tx(NULL, &unwrapped, a, &call) == TX_READY);
    CHECK_STR(calldata_hex(call.data, call.data_len), "2e1a7d4d" ETHER);
}

static void malformed_paths_are_not_built(void)
{
    struct uniswap_path path = v2_path();
    struct tx_in in = tx_in_of("ETH", "USDC", &path);
    struct wallet_call call;

    in.route.from_chain = in.route.to_chain = chain_find("mantle"); /* no V2 there */
    CHECK(uniswap.read_tx(NULL, &in, a, &call) == TX_NO_ROUTE);
    in = tx_in_of("ETH", "USDC", &path);
    in.payload.len--;
    CHECK(uniswap.read_tx(NULL, &in, a, &call) == TX_NO_ROUTE);
    in.payload.len = 0;
    CHECK(uniswap.read_tx(NULL, &in, a, &call) == TX_NO_ROUTE);
    in = tx_in_of("ETH", "USDC", &path);
    in.route.wallet = "me";
    CHECK(uniswap.read_tx(NULL, &in, a, &call) == TX_NO_ROUTE);
}

/* ---- asking ---- */

static struct route_in pair_of(const char *from, const char *to, struct u256 amount)
{
    struct route_in in = { .from_chain = chain_by_id(1), .to_chain = chain_by_id(1), .amount_in = amount };

    set_token(&in.from, from);
    set_token(&in.to, to);
    return in;
}

static struct question question;

/* The query of a worker that knows no price of gas. */
static const struct uniswap_query *uniswap_asked(struct call *call, const struct route_in *in)
{
    shm_cache_clear(&cached_gas);
    CHECK(question_ask(&question, &uniswap, in, call, &ctx, a));
    return onchain_owner(call);
}

/* Reads the result of the call, by its own price of gas. */
static size_t read_question(struct offer *out)
{
    question_read(&question, a);
    call_free(question.call);
    question_rank(&question, &question.answer->gas);
    for (size_t i = 0; i < question.answer->count; i++)
        out[i] = question.answer->offers[i];
    return question.answer->count;
}

/* A question without a reader ends as silent. */
static void question_forgotten(void)
{
    CHECK(read_question(NULL) == 0 && question.end == ASK_UNAVAILABLE);
}

static bool asks_output(const struct uniswap_query *q)
{
    return q->gas.output_count > 0;
}

static void the_coin_is_priced_where_it_is_not_traded(void)
{
    struct route_in in = pair_of("ETH", "USDC", ether());
    const struct uniswap_query *q;
    struct call call;

    shm_cache_clear(&shortlists);
    q = uniswap_asked(&call, &in);
    CHECK(!asks_output(q) && evm_addr_eq(q->pools.from, token_at("WETH")) && q->pools.count > 10);
    question_forgotten();
    in = pair_of("USDC", "WBTC", u256_from_u64(1000000000));
    q = uniswap_asked(&call, &in);
    CHECK(asks_output(q) && q->pools.count < UNISWAP_PATHS_MAX);
    CHECK(q->onchain.body.len > 0 && !q->onchain.body.overflow);
    question_forgotten();
}

static void pairs_that_are_supported(void)
{
    const struct chain *ethereum = chain_by_id(1), *base = chain_find("base");
    struct route_in one_coin = pair_of("ETH", "WETH", ether());
    struct call call;

    CHECK(uniswap.supports(ethereum, ethereum) && uniswap.supports(base, base));
    CHECK(!uniswap.supports(ethereum, base));
    CHECK(uniswap.supports(chain_find("fantom"), chain_find("fantom"))); /* V2 alone */
    CHECK(uniswap.supports(chain_find("mantle"), chain_find("mantle"))); /* V3 alone */
    CHECK(!uniswap.supports(chain_find("solana"), chain_find("solana")));
    CHECK(!question_ask(&question, &uniswap, &one_coin, &call, &ctx, a));
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

/* The result of the quoter or the router for a path. */
static void answer_path(struct answer *r, const struct uniswap_path *path, uint64_t out, uint64_t gas)
{
    struct buf data = BUF_INIT(1024);

    if (path->kind == UNISWAP_V2) {
        abi_u64(&data, 32);
        abi_u64(&data, path->pools.hops + 1);
        for (unsigned i = 0; i < path->pools.hops; i++)
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

static void answer_bytes(struct answer *r, struct buf *out)
{
    abi_u64(out, 32);
    abi_u64(out, r->count);
    for (unsigned i = 0; i < r->count; i++) {
        uint64_t offset = 0;

        CHECK(abi_get_u64(&offset, (const uint8_t *)r->heads.data, r->heads.len, i));
        abi_u64(out, offset + (uint64_t)r->count * ABI_WORD);
    }
    buf_add(out, r->tails.data, r->tails.len);
    buf_free(&r->heads);
    buf_free(&r->tails);
}

static const char *answer_text(struct answer *r)
{
    struct buf bytes = BUF_INIT(MAX_UPSTREAM / 2);
    const char *text;

    answer_bytes(r, &bytes);
    text = arena_printf(a, "[{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x%s\"}]",
                        calldata_hex(bytes.data, bytes.len));
    buf_free(&bytes);
    return text;
}

#define ANSWER                                                                                               \
    {                                                                                                        \
        .heads = BUF_INIT(MAX_UPSTREAM / 4), .tails = BUF_INIT(MAX_UPSTREAM / 4)                             \
    }

struct priced {
    enum uniswap_kind kind;
    unsigned hops;
    uint32_t fee0, fee1;
    uint64_t out, gas; /* out 0: the call fails */
};

static const struct priced *price_of(const struct uniswap_path *path, const struct priced *prices, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (prices[i].kind == path->kind && prices[i].hops == path->pools.hops &&
            prices[i].fee0 == path->pools.fee[0] && prices[i].fee1 == path->pools.fee[1])
            return &prices[i];
    return NULL;
}

/* A whole exchange: asks, answers with these prices (all others fail), reads. */
static size_t exchange_prices(const struct route_in *in, uint64_t base_fee, const struct priced *prices,
                              size_t n, uint64_t sample, struct offer *out)
{
    struct answer r = ANSWER;
    const struct uniswap_query *q;
    const char *text;
    struct call call;

    q = uniswap_asked(&call, in);
    answer_word(&r, base_fee);
    for (unsigned i = 0; i < q->pools.count; i++) {
        const struct priced *price = price_of(&q->pools.paths[i], prices, n);

        if (price != NULL && price->out > 0)
            answer_path(&r, &q->pools.paths[i], price->out, price->gas);
        else
            answer_failed(&r);
    }
    if (asks_output(q)) {
        struct uniswap_path one = v2_path();

        answer_path(&r, &one, sample, 0);
        answer_failed(&r);
    }
    text = answer_text(&r);
    node_plays(&call, text, strlen(text));
    return read_question(out);
}

static bool units_are(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

enum { GWEI = 1000000000 };

static void pools_that_are_missing(void)
{
    static const struct priced prices[] = { { UNISWAP_V2, 1, 0, 0, 2990701827, 0 },
                                            { UNISWAP_V3, 1, 500, 0, 2998350157, 90000 } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct offer out[OFFERS_EACH];

    shm_cache_clear(&shortlists);
    CHECK(exchange_prices(&in, 0, prices, 2, 0, out) == 2);
    CHECK(units_are(out[0].out, 2998350157) && out[0].gas_units == 90000 + 60000);
    CHECK_STR(out[0].label, "Uniswap V3 0.05%");
    CHECK(units_are(out[1].out, 2990701827) && out[1].gas_units == 115000);
    CHECK_STR(out[1].label, "Uniswap V2");
    CHECK(out[0].provider == &uniswap && out[1].provider == &uniswap);
}

static void contracts_are(const char *chain, enum uniswap_kind version, int is)
{
    note_contracts(&(struct contracts_state){ .chain = chain_find(chain), .is = is, .again_ms = INT64_MAX },
                   version);
}

static void contracts_that_are_others_are_left_out(void)
{
    static const struct priced prices[] = { { UNISWAP_V2, 1, 0, 0, 2990701827, 0 },
                                            { UNISWAP_V3, 1, 500, 0, 2998350157, 90000 } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct uniswap_path two = v2_path(), three = v3_path();
    struct tx_in by_two = tx_in_of("ETH", "USDC", &two), by_three = tx_in_of("ETH", "USDC", &three);
    struct offer out[OFFERS_EACH];
    struct buf data = BUF_INIT(ONCHAIN_BYTES);
    struct wallet_call wallet_call;
    struct call call;

    shm_cache_clear(&shortlists);
    contracts_are("ethereum", UNISWAP_V3, IS_OTHER);
    CHECK(exchange_prices(&in, 0, prices, 2, 0, out) == 1 && units_are(out[0].out, 2990701827));
    CHECK(uniswap.read_tx(NULL, &by_two, a, &wallet_call) == TX_READY);
    CHECK(uniswap.read_tx(NULL, &by_three, a, &wallet_call) == TX_NO_ROUTE);
    contracts_are("ethereum", UNISWAP_V2, IS_OTHER);
    CHECK(!uniswap.ask(&call, &ctx, &in, a) && !reference_ask(&data, &in, ether()) && data.len == 0);
    CHECK(uniswap.supports(in.from_chain, in.to_chain));
    contracts_are_right("ethereum");
    buf_free(&data);
}

static void no_pool_at_all(void)
{
    static const struct priced none[] = { { UNISWAP_V2, 1, 0, 0, 0, 0 } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct offer out[OFFERS_EACH];

    shm_cache_clear(&shortlists);
    CHECK(exchange_prices(&in, GWEI, none, 1, 0, out) == 0);
}

/* 20 gwei: 175,000 gas of V2 and 360,000 of V3 differ by 11 dollars, more than the prices do. */
static void the_best_is_net_of_gas(void)
{
    static const struct priced prices[] = { { UNISWAP_V2, 1, 0, 0, 2990000000, 0 },
                                            { UNISWAP_V3, 1, 500, 0, 2998000000, 300000 } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct offer out[OFFERS_EACH];

    shm_cache_clear(&shortlists);
    CHECK(exchange_prices(&in, (uint64_t)20 * GWEI, prices, 2, 0, out) == 2);
    CHECK(units_are(out[0].out, 2990000000) && u256_cmp(out[0].net, out[1].net) > 0);
    CHECK(u256_cmp(out[0].net, out[0].out) < 0);

    /* the same with the wrapped coin on the other side: 1 wei is 1 wei */
    in = pair_of("USDC", "WETH", u256_from_u64(3000000000));
    CHECK(exchange_prices(&in, (uint64_t)20 * GWEI,
                          (const struct priced[]){ { UNISWAP_V2, 1, 0, 0, 990000000000000000, 0 },
                                                   { UNISWAP_V3, 1, 500, 0, 993000000000000000, 300000 } },
                          2, 0, out) == 2);
    CHECK(units_are(out[0].out, 990000000000000000));
    CHECK(units_are(out[0].net, 990000000000000000 - (uint64_t)115000 * (20 * (uint64_t)GWEI + 10000000)));

    /* and between two tokens, by what a thousandth of the coin buys */
    in = pair_of("USDC", "USDT", u256_from_u64(1000000000));
    CHECK(exchange_prices(&in, (uint64_t)20 * GWEI,
                          (const struct priced[]){ { UNISWAP_V2, 1, 0, 0, 996000000, 0 },
                                                   { UNISWAP_V3, 1, 100, 0, 999000000, 300000 } },
                          2, 3000000, out) == 2);
    CHECK(units_are(out[0].out, 996000000) && u256_cmp(out[0].net, out[1].net) > 0);
}

/* Four that promise more but cost more must not push out the one that is best in the end. */
static void the_best_is_kept_among_many(void)
{
    static const struct priced prices[] = {
        { UNISWAP_V2, 1, 0, 0, 99000000, 0 },          { UNISWAP_V3, 1, 100, 0, 99100000, 900000 },
        { UNISWAP_V3, 1, 500, 0, 99200000, 900000 },   { UNISWAP_V3, 1, 3000, 0, 99300000, 900000 },
        { UNISWAP_V3, 1, 10000, 0, 99400000, 900000 }, { UNISWAP_V3, 2, 500, 500, 99500000, 900000 },
    };
    struct route_in in = pair_of("ETH", "USDC", u256_from_u64(33000000000000000));
    struct offer out[OFFERS_EACH];
    size_t n;

    shm_cache_clear(&shortlists);
    n = exchange_prices(&in, (uint64_t)20 * GWEI, prices, 6, 0, out);
    CHECK(n > 1 && n <= OFFERS_EACH);
    CHECK(units_are(out[0].out, 99000000));
    for (size_t i = 1; i < n; i++)
        CHECK(u256_cmp(out[i - 1].net, out[i].net) >= 0);
}

static void gas_that_cannot_be(void)
{
    static const struct priced prices[] = { { UNISWAP_V3, 1, 500, 0, 2998000000, 100000001 },
                                            { UNISWAP_V3, 1, 3000, 0, 2997000000, UINT64_MAX },
                                            { UNISWAP_V2, 1, 0, 0, 5, 0 } };
    struct route_in in = pair_of("ETH", "USDC", u256_from_u64(GWEI));
    struct offer out[OFFERS_EACH];

    shm_cache_clear(&shortlists);
    /* dearer than what it buys: worth nothing in the end, but still an offer */
    CHECK(exchange_prices(&in, GWEI, prices, 3, 0, out) == 1);
    CHECK(units_are(out[0].out, 5) && units_are(out[0].net, 0));
}

/* No path brings anything, and some would if more went in. */
static void dust_is_no_offer(void)
{
    struct route_in in = pair_of("ETH", "USDC", u256_from_u64(1));
    struct offer out[OFFERS_EACH];
    struct answer r = ANSWER;
    struct call call;
    const struct uniswap_query *q;
    const char *text;

    shm_cache_clear(&shortlists);
    q = uniswap_asked(&call, &in);
    answer_word(&r, GWEI);
    for (unsigned i = 0; i < q->pools.count; i++)
        answer_path(&r, &q->pools.paths[i], 0, 90000);
    text = answer_text(&r);
    node_plays(&call, text, strlen(text));
    CHECK(read_question(out) == 0 && question.end == ASK_TOO_SMALL);
}

/* ---- small parts ---- */

/* The outputs of a path, for each amount asked for; 0: the call fails. */
struct said {
    enum uniswap_kind kind;
    uint32_t fee;
    uint64_t out[3]; /* the whole, a thousandth, a tenth */
};

static unsigned place_of(const struct uniswap_pools *p, struct u256 amount)
{
    struct u256 thousandth;

    CHECK(u256_div(&thousandth, NULL, p->whole, u256_from_u64(1000)));
    return u256_cmp(amount, p->whole) == 0 ? 0 : u256_cmp(amount, thousandth) == 0 ? 1 : 2;
}

static void answer_amounts(struct answer *r, const struct uniswap_pools *p, const struct said *list, size_t n)
{
    for (unsigned i = 0; i < p->count; i++) {
        for (unsigned k = 0; k < p->each; k++) {
            uint64_t out = 0;

            for (size_t j = 0; j < n; j++)
                if (p->paths[i].pools.hops == 1 && p->paths[i].kind == list[j].kind &&
                    p->paths[i].pools.fee[0] == list[j].fee)
                    out = list[j].out[place_of(p, p->amounts[k])];
            if (out > 0)
                answer_path(r, &p->paths[i], out, 90000);
            else
                answer_failed(r);
        }
    }
}

static unsigned parts_asked;

static struct u256 reference_out(void)
{
    return question.answer->reference_out;
}

/* Asks for an offer and its ideal, where the coin costs 3000 dollars. */
static struct offer reference_offer(const struct route_in *in, const struct said *list, size_t n, bool *scan)
{
    struct offer out[OFFERS_EACH] = { { .label = "" } };
    struct answer r = ANSWER;
    struct call call;
    const struct uniswap_query *q = uniswap_asked(&call, in);
    const char *text;

    *scan = question.in.shortlist == NULL;
    parts_asked = q->pools.parts;
    answer_word(&r, (uint64_t)20 * GWEI - in->from_chain->tip_min);
    CHECK(q->gas.usd_count == 3);
    answer_failed(&r);
    answer_path(&r, &q->gas.usd[1], 3000000, 1);
    answer_path(&r, &q->gas.usd[2], 2900000, 1);
    answer_amounts(&r, &q->pools, list, n);
    text = answer_text(&r);
    node_plays(&call, text, strlen(text));
    CHECK(read_question(out) > 0);
    return out[0];
}

static struct u256 reference_alone(const struct route_in *in, uint64_t expected, const struct said *list,
                                   size_t n)
{
    struct answer r = ANSWER;
    struct buf asks = BUF_INIT(ONCHAIN_BYTES);
    struct rpc_answers answers;
    struct buf text = BUF_INIT(MAX_UPSTREAM);
    struct uniswap_pools p;
    const uint8_t *data;
    struct u256 found;
    size_t len;

    CHECK(reference_ask(&asks, in, u256_from_u64(expected)) && asks.len > 0 && !asks.overflow);
    CHECK(reference_begin(&p, in, u256_from_u64(expected)));
    answer_amounts(&r, &p, list, n);
    buf_adds(&text, answer_text(&r));
    CHECK(rpc_read(&answers, a, &text, 1, evm_classify) && rpc_bytes(&data, &len, a, &answers.items[0]));
    found = reference_read(in, u256_from_u64(expected), data, len);
    rpc_answers_free(&answers);
    buf_free(&text);
    buf_free(&asks);
    return found;
}

/* The path that is best for the whole is not the one that is best for a thousandth. */
static void the_best_price_of_a_small_part_counts(void)
{
    static const struct said said[] = { { UNISWAP_V2, 0, { 2800000000, 2810000, 281000000 } },
                                        { UNISWAP_V3, 500, { 1500000000, 2999999, 260000000 } },
                                        { UNISWAP_V3, 3000, { 2700000000, 2700000, 270000000 } } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct offer best;
    bool scan;

    shm_cache_clear(&shortlists);
    in.wants_reference = true;
    best = reference_offer(&in, said, 3, &scan);
    CHECK(scan && units_are(best.out, 2800000000) && units_are(reference_out(), 3000000000));
    CHECK_STR(amount_text(a, (struct amount){ best.gas_usd, RATE_PLACES }), "6.9"); /* 115,000 at 20 gwei */
    CHECK(units_are(reference_alone(&in, 0, said, 3), 3000000000));
    CHECK(parts_asked == 2);
    /* and is among those that are asked again, for the part that told it */
    best = reference_offer(&in, said, 3, &scan);
    CHECK(!scan && parts_asked == 1 && units_are(reference_out(), 3000000000));
    in.amount_in = u256_from_u64(1500000000000000000);
    (void)reference_offer(&in, said, 3, &scan);
    CHECK(!scan && units_are(question.in.expected, 4500000000));
}

/* The data stored with a quote are enough to compare it with the same price again. */
static void a_shortlist_has_the_reference_too(void)
{
    static const struct said said[] = { { UNISWAP_V2, 0, { 2800000000, 2810000, 281000000 } },
                                        { UNISWAP_V3, 500, { 1500000000, 2999999, 260000000 } },
                                        { UNISWAP_V3, 3000, { 2700000000, 2700000, 270000000 } },
                                        { UNISWAP_V3, 10000, { 1, 2000000, 200000000 } } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct route_list kept;
    struct uniswap_pools p;
    bool scan;

    shm_cache_clear(&shortlists);
    in.wants_reference = true;
    (void)reference_offer(&in, said, 4, &scan);
    shortlist_make(&kept, question.answer);
    in.shortlist = &kept;
    CHECK(reference_begin(&p, &in, U256_ZERO) && p.count == 3);
    CHECK(units_are(reference_alone(&in, 0, said, 4), 3000000000));
    CHECK(units_are(reference_alone(&in, 2800000000, said, 4), 3000000000));
    kept.bytes[1] = 99; /* of a provider that is not known */
    kept.len = 1 + kept.bytes[0];
    CHECK(reference_begin(&p, &in, U256_ZERO) && p.count > 3);
}

static void parts_that_tell_no_more_are_not_asked_for(void)
{
    static const struct {
        uint64_t expected;
        unsigned parts;
    } rows[] = { { 0, 2 }, { 9999, 1 }, { 499999, 1 }, { 500000, 2 }, { 1999999, 2 }, { 2000000, 1 } };
    static const struct said said[] = { { UNISWAP_V2, 0, { 0, 500, 50001 } } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct uniswap_pools p;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(reference_begin(&p, &in, u256_from_u64(rows[i].expected)) && p.each == rows[i].parts);
    CHECK(reference_begin(&p, &in, u256_from_u64(2000000)) &&
          u256_cmp(p.amounts[0], u256_from_u64(1000000 * (uint64_t)GWEI)) == 0);
    CHECK(units_are(reference_alone(&in, 499999, said, 1), 500020)); /* by the tenth */
    CHECK(units_are(reference_alone(&in, 500000, said, 1), 500020)); /* the thousandth fetched too little */
}

static void a_part_without_digits_is_no_measure(void)
{
    static const struct said coarse[] = { { UNISWAP_V2, 0, { 90000, 999, 9999 } } };
    static const struct said tiny[] = { { UNISWAP_V2, 0, { 9, 0, 0 } } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    bool scan;

    shm_cache_clear(&shortlists);
    in.wants_reference = true;
    (void)reference_offer(&in, coarse, 1, &scan);
    CHECK(units_are(reference_out(), 100000));
    (void)reference_offer(&in, coarse, 1, &scan);
    CHECK(!scan && parts_asked == 1 && units_are(reference_out(), 100000));
    shm_cache_clear(&shortlists);
    (void)reference_offer(&in, tiny, 1, &scan);
    CHECK(units_are(reference_out(), 0)); /* no answer, no measure */
    in.amount_in = u256_from_u64(5);
    CHECK(units_are(reference_alone(&in, 0, (const struct said[]){ { UNISWAP_V2, 0, { 0, 4, 4 } } }, 1), 25));
}

static void coins_that_are_wrapped_lose_nothing(void)
{
    struct route_in in = pair_of("ETH", "WETH", ether());
    struct buf asks = BUF_INIT(ONCHAIN_BYTES);

    CHECK(reference_ask(&asks, &in, ether()) && asks.len > 0);
    CHECK(u256_cmp(reference_read(&in, ether(), NULL, 0), ether()) == 0);
    buf_free(&asks);
}

/* ---- the price of gas ---- */

static const struct gas_price *gas_asked(const struct route_in *in, uint64_t base_fee, unsigned *asked)
{
    struct gas_price *price = ARENA_NEW(a, struct gas_price);
    struct multicall m = MULTICALL_INIT(ONCHAIN_BYTES);
    struct gas_price_query q;
    struct answer r = ANSWER;
    struct multicall_results results = { .len = 0 };
    struct buf bytes = BUF_INIT(4096);

    gas_price_ask(&q, &m, in);
    *asked = m.count;
    if (m.count > 0)
        answer_word(&r, base_fee);
    for (unsigned i = 0; i < q.usd_count; i++)
        answer_path(&r, &q.usd[i], 3000000, 1);
    answer_bytes(&r, &bytes);
    results = (struct multicall_results){ (const uint8_t *)bytes.data, bytes.len };
    gas_price_read(price, &q, &results);
    multicall_free(&m);
    buf_free(&bytes);
    return price;
}

static bool is_gas(const struct gas_price *price, uint64_t base_fee, bool dollars)
{
    return units_are(price->per_unit, base_fee + chain_by_id(1)->tip_min) &&
           u256_is_zero(price->usd.get) != dollars;
}

static void gas_is_asked_for_once_a_block(void)
{
    struct route_in in = pair_of("ETH", "USDC", ether()), full = in, other = in;
    struct cached_gas kept;
    unsigned asked;

    shm_cache_clear(&cached_gas);
    full.wants_reference = true;
    CHECK(is_gas(gas_asked(&in, GWEI, &asked), GWEI, false) && asked == 1);
    CHECK(is_gas(gas_asked(&full, (uint64_t)2 * GWEI, &asked), (uint64_t)2 * GWEI, true) && asked == 4);
    CHECK(is_gas(gas_asked(&full, GWEI, &asked), (uint64_t)2 * GWEI, true) && asked == 0);
    CHECK(is_gas(gas_asked(&in, GWEI, &asked), (uint64_t)2 * GWEI, true) && asked == 0);
    other.from_chain = chain_find("base");
    (void)gas_asked(&other, GWEI, &asked);
    CHECK(asked == 1);
    CHECK(shm_cache_read(&cached_gas, gas_place(in.from_chain), &kept));
    kept.until_ms = clock_mono_ms();
    shm_cache_write(&cached_gas, gas_place(in.from_chain), &kept);
    CHECK(is_gas(gas_asked(&full, GWEI, &asked), GWEI, true) && asked == 4);
}

/* Neither does it believe what others said, nor is it believed. */
static void a_node_that_verifies_is_asked_for_gas(void)
{
    struct route_in in = pair_of("ETH", "USDC", ether()), verifies = in;
    unsigned asked;

    shm_cache_clear(&cached_gas);
    verifies.verifies = true;
    (void)gas_asked(&verifies, GWEI, &asked);
    CHECK(is_gas(gas_asked(&in, GWEI, &asked), GWEI, false) && asked == 1);
    CHECK(is_gas(gas_asked(&verifies, 7, &asked), 7, false) && asked == 1);
}

/* ---- the shortlist ---- */

static bool asks_all(const struct route_in *in, unsigned *count)
{
    struct call call;
    const struct uniswap_query *q = uniswap_asked(&call, in);
    bool scan = question.in.shortlist == NULL;

    *count = q->pools.count;
    question_forgotten();
    return scan;
}

static void after_a_scan_the_best_two_are_asked(void)
{
    static const struct priced prices[] = { { UNISWAP_V2, 1, 0, 0, 2990000000, 0 },
                                            { UNISWAP_V3, 1, 500, 0, 2998000000, 90000 },
                                            { UNISWAP_V3, 1, 3000, 0, 2995000000, 90000 } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct route_in back = pair_of("USDC", "ETH", u256_from_u64(3000000000));
    struct route_in more = pair_of("ETH", "USDC", u256_from_u64(UINT64_MAX));
    struct offer out[OFFERS_EACH];
    struct shortlist kept;
    unsigned count;

    shm_cache_clear(&shortlists);
    CHECK(asks_all(&in, &count) && count > 2);
    CHECK(asks_all(&in, &count)); /* asking alone remembers nothing */
    CHECK(exchange_prices(&in, 0, prices, 3, 0, out) == 3);
    CHECK(!asks_all(&in, &count) && count == 2);
    CHECK(exchange_prices(&in, 0, prices, 3, 0, out) == 2);
    CHECK(units_are(out[0].out, 2998000000) && units_are(out[1].out, 2995000000));
    CHECK(asks_all(&back, &count) && asks_all(&more, &count));
    /* and only for a while */
    CHECK(shortlist_find(&kept, &in, &uniswap));
    kept.until_ms = clock_mono_ms() - 1;
    shm_cache_write(&shortlists, shortlist_place(&in), &kept);
    CHECK(asks_all(&in, &count) && count > 2);
}

static void a_scan_without_offers_is_not_remembered(void)
{
    static const struct priced none[] = { { UNISWAP_V2, 1, 0, 0, 0, 0 } };
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct offer out[OFFERS_EACH];
    unsigned count;

    shm_cache_clear(&shortlists);
    CHECK(exchange_prices(&in, 0, none, 1, 0, out) == 0);
    CHECK(asks_all(&in, &count) && count > 2);
}

/* ---- answers that are none ---- */

static size_t offers_in_text(const struct route_in *in, const char *text, size_t n)
{
    struct offer out[OFFERS_EACH];
    struct call call;

    shm_cache_clear(&shortlists);
    (void)uniswap_asked(&call, in);
    node_plays(&call, text, n);
    return read_question(out);
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
    struct route_in in = pair_of("ETH", "USDC", ether());

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK(offers_in_text(&in, texts[i], strlen(texts[i])) == 0);
}

/* An answer that ends early, word by word: what is read of it is what it said. */
static void answers_that_end_early(void)
{
    struct route_in in = pair_of("ETH", "USDC", ether());
    struct answer r = ANSWER;
    const struct uniswap_query *q;
    struct call call;
    const char *whole;
    size_t last = 0, n;

    shm_cache_clear(&shortlists);
    q = uniswap_asked(&call, &in);
    answer_word(&r, GWEI);
    for (unsigned i = 0; i < q->pools.count; i++)
        answer_path(&r, &q->pools.paths[i], 2990000000, 90000);
    whole = answer_text(&r);
    question_forgotten();
    n = strlen(whole) - 3; /* without "}] */
    for (size_t end = n % 64; end <= n; end += 64) {
        const char *text = arena_printf(a, "%.*s\"}]", (int)end, whole);
        size_t offers = offers_in_text(&in, text, strlen(text));

        CHECK(offers >= last || offers == 4);
        last = offers;
    }
    CHECK(last == 4);
}

static void uniswap_test_start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    contracts_are_right("ethereum");
    contracts_are_right("base");
    ctx.nodes = nodes;
}

static void uniswap_test_end(void)
{
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(uniswap_test_start), TEST(v2_calls), TEST(v3_calls), TEST(v3_calls_that_unwrap),
          TEST(wrapping_as_it_was_quoted), TEST(malformed_paths_are_not_built),
          TEST(the_coin_is_priced_where_it_is_not_traded), TEST(pairs_that_are_supported),
          TEST(pools_that_are_missing), TEST(contracts_that_are_others_are_left_out), TEST(no_pool_at_all),
          TEST(the_best_is_net_of_gas), TEST(the_best_is_kept_among_many), TEST(gas_that_cannot_be),
          TEST(dust_is_no_offer), TEST(the_best_price_of_a_small_part_counts),
          TEST(a_shortlist_has_the_reference_too), TEST(parts_that_tell_no_more_are_not_asked_for),
          TEST(a_part_without_digits_is_no_measure), TEST(coins_that_are_wrapped_lose_nothing),
          TEST(gas_is_asked_for_once_a_block), TEST(a_node_that_verifies_is_asked_for_gas),
          TEST(after_a_scan_the_best_two_are_asked), TEST(a_scan_without_offers_is_not_remembered),
          TEST(garbage_gives_no_offers), TEST(answers_that_end_early), TEST(uniswap_test_end))
