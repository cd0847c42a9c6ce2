#include "base/test.h"
#include "route/wrap.c"

#include "chain/evm/abi.h"
#include "chain/evm/test_play.h"
#include "codec/hex.h"

#define WETH_AT "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define ETHER   "0000000000000000000000000000000000000000000000000de0b6b3a7640000"

static struct arena *a;
static struct conf conf;
static struct nodes *nodes;
static struct ctx ctx = { .conf = &conf };

static struct token_ref ref_on(const struct chain *c, const char *symbol)
{
    const struct token *known = token_find(c, symbol);
    struct token_ref t = { .chain_id = c->id, .decimals = known->decimals };

    snprintf(t.symbol, sizeof t.symbol, "%s", known->symbol);
    snprintf(t.address, sizeof t.address, "%s", known->address_text);
    return t;
}

static struct route_in pair_on(const char *chain, const char *from, const char *to)
{
    const struct chain *c = chain_find(chain);

    return (struct route_in){
        .from_chain = c,
        .to_chain = c,
        .from = ref_on(c, from),
        .to = ref_on(c, to),
        .amount_in = u256_from_u64(1000000000000000000),
        .wallet = "0x1111111111111111111111111111111111111111",
    };
}

static struct route_in wrap_pair(const char *from, const char *to)
{
    return pair_on("ethereum", from, to);
}

static void its_pairs_alone(void)
{
    struct route_in in = wrap_pair("ETH", "USDC");
    struct call call;

    CHECK(wrap.supports(in.from_chain, in.to_chain) && !wrap_is_pair(&in));
    CHECK(!wrap.ask(&call, &ctx, &in, a));
    in = wrap_pair("USDC", "WETH");
    CHECK(!wrap_is_pair(&in));
    in = wrap_pair("ETH", "WETH");
    CHECK(wrap_is_pair(&in));
    in = wrap_pair("WETH", "ETH");
    CHECK(wrap_is_pair(&in));
    in.to_chain = chain_find("base");
    CHECK(!wrap_is_pair(&in) && !wrap.supports(in.from_chain, in.to_chain));
    CHECK(wrap.supports(chain_find("solana"), chain_find("solana")));
    CHECK(!wrap.supports(chain_find("sui"), chain_find("sui")));
    in = pair_on("solana", "SOL", "USDC");
    CHECK(!wrap_is_pair(&in));
    in = pair_on("solana", "WSOL", "WSOL");
    CHECK(!wrap_is_pair(&in));
}

/* A node that knows the base fee, or nothing at all. */
static bool wrap_asked(const struct route_in *in, bool silent, struct route_answer *out)
{
    static const char text[] = "[{\"id\":0,\"result\":\"0x"
                               "0000000000000000000000000000000000000000000000000000000000000020"
                               "0000000000000000000000000000000000000000000000000000000000000001"
                               "0000000000000000000000000000000000000000000000000000000000000020"
                               "0000000000000000000000000000000000000000000000000000000000000001"
                               "0000000000000000000000000000000000000000000000000000000000000040"
                               "0000000000000000000000000000000000000000000000000000000000000020"
                               "000000000000000000000000000000000000000000000000000000003b9aca00\"}]";
    struct call call;
    enum ask_end end;

    *out = (struct route_answer){ .count = 0 };
    CHECK(wrap.ask(&call, &ctx, in, a));
    if (silent)
        call.result = CALL_TIMEOUT;
    else
        node_plays(&call, text, strlen(text));
    end = wrap.read(&call, in, a, out);
    call_free(&call);
    return end == ASK_OFFERED;
}

static void wrapping_is_one_to_one(void)
{
    struct route_in there = wrap_pair("ETH", "WETH"), back = wrap_pair("WETH", "ETH");
    struct route_answer answer;

    CHECK(wrap_asked(&there, false, &answer) && answer.count == 1);
    CHECK_STR(answer.offers[0].label, "wrap");
    CHECK(u256_cmp(answer.offers[0].out, there.amount_in) == 0 && answer.offers[0].spender == NULL);
    CHECK(u256_cmp(answer.reference_out, there.amount_in) == 0 && answer.offers[0].gas_units == GAS_WRAP);
    CHECK(u256_cmp(answer.gas.per_unit, u256_from_u64(1000000000 + chain_by_id(1)->tip_min)) == 0);
    CHECK(wrap_asked(&back, false, &answer) && answer.count == 1);
    CHECK_STR(answer.offers[0].label, "unwrap");
    CHECK(!wrap_asked(&there, true, &answer) && answer.count == 0);
}

static void on_solana_too(void)
{
    struct route_in there = pair_on("solana", "SOL", "WSOL"), back = pair_on("solana", "WSOL", "SOL");
    struct tx_in tx = { .route = there };
    struct route_answer answer = { .count = 0 };
    struct wallet_call call;
    struct call asked;

    CHECK(wrap.ask(&asked, &ctx, &there, a));
    asked.result = CALL_TIMEOUT;
    CHECK(wrap.read(&asked, &there, a, &answer) == ASK_UNAVAILABLE && answer.count == 0);
    call_free(&asked);
    CHECK(wrap.read_tx(NULL, &tx, a, &call) == TX_READY && call.data_len == 0);
    CHECK_STR(call.to, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
    CHECK(u256_cmp(call.value, there.amount_in) == 0);
    tx.route = back;
    CHECK(wrap.read_tx(NULL, &tx, a, &call) == TX_READY && u256_is_zero(call.value));
}

static const char *wrap_built(const struct route_in *in, struct wallet_call *call)
{
    struct tx_in tx = { .route = *in, .min_out = in->amount_in, .deadline = 1800000000 };
    char *text;

    CHECK(wrap.ask_tx == NULL && wrap.read_tx(NULL, &tx, a, call) == TX_READY);
    text = arena_alloc(a, 2 * call->data_len + 1);
    hex_encode(text, call->data, call->data_len);
    return text;
}

static void calls_of_the_coin(void)
{
    struct route_in there = wrap_pair("ETH", "WETH"), back = wrap_pair("WETH", "ETH"),
                    other = wrap_pair("ETH", "USDC");
    struct tx_in tx = { .route = other };
    struct wallet_call call;

    CHECK_STR(wrap_built(&there, &call), "d0e30db0");
    CHECK_STR(call.to, WETH_AT);
    CHECK(u256_cmp(call.value, there.amount_in) == 0 && call.spender == NULL);
    CHECK_STR(wrap_built(&back, &call), "2e1a7d4d" ETHER);
    CHECK_STR(call.to, WETH_AT);
    CHECK(u256_is_zero(call.value) && call.spender == NULL);
    CHECK(wrap.read_tx(NULL, &tx, a, &call) == TX_NO_ROUTE);
}

static void agents_know_it_as_before(void)
{
    CHECK_STR(provider_name("wrap"), "wrapped");
    CHECK_STR(provider_name("uniswap"), "uniswap");
    CHECK_STR(provider_name("gone"), "gone");
}

static void wrap_test_start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    ctx.nodes = nodes;
}

static void wrap_test_end(void)
{
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(wrap_test_start), TEST(its_pairs_alone), TEST(wrapping_is_one_to_one), TEST(on_solana_too),
          TEST(calls_of_the_coin), TEST(agents_know_it_as_before), TEST(wrap_test_end))
