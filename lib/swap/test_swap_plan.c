#include "base/test.h"
#include "swap/swap_plan.c"

#include <string.h>

#include "codec/hex.h"
#include "service/conf.h"

#define ME        "0x1111111111111111111111111111111111111111"
#define COIN      "0x0000000000000000000000000000000000000000"
#define WETH      "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define USDC      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define USDT      "0xdAC17F958D2ee523a2206206994597C13D831ec7"
#define V2_ROUTER "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"

static struct arena *a;
static struct conf conf;
static struct ctx ctx = { .conf = &conf };

static struct evm_addr addr_of(const char *text)
{
    struct evm_addr v = { { 0 } };

    CHECK(evm_addr_parse(&v, text));
    return v;
}

static bool value_is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

/* 1000 units for at least 900, straight through Uniswap V2. */
static struct quote pair_quote(const char *from, const char *to)
{
    struct evm_addr path[] = { addr_of(strcmp(from, COIN) == 0 ? WETH : from),
                               addr_of(strcmp(to, COIN) == 0 ? WETH : to) };
    struct quote q = {
        .provider = "uniswap",
        .from = { .chain_id = 1 },
        .to = { .chain_id = 1 },
        .amount_in = u256_from_u64(1000),
        .min_out = u256_from_u64(900),
        .gas_units = 115000,
        .route = { 3, 1 },
        .route_len = 2 + sizeof path,
    };

    snprintf(q.from.address, sizeof q.from.address, "%s", from);
    snprintf(q.to.address, sizeof q.to.address, "%s", to);
    memcpy(q.route + 2, path, sizeof path);
    return q;
}

static const char *hex_of(const struct step *s)
{
    char *text = arena_alloc(a, 2 * s->data_len + 1);

    hex_encode(text, s->data, s->data_len);
    return text;
}

#define APPROVE "095ea7b30000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488d"
#define NOTHING "0000000000000000000000000000000000000000000000000000000000000000"
#define AMOUNT  "00000000000000000000000000000000000000000000000000000000000003e8"

static void a_coin_needs_no_approval(void)
{
    struct quote q = pair_quote(COIN, USDC);
    struct plan p;

    CHECK(swap_plan_make(&p, &ctx, a, &q, ME, 1800000000) == NULL);
    CHECK(p.count == 1 && p.spend == 0 && p.steps[0].kind == TX_SPEND && p.deadline == 1800000000);
    CHECK(p.leaves.native && value_is(p.leaves.amount, 1000) && value_is(p.arrives.amount, 900));
    CHECK(p.probe != NULL && p.steps[0].quoted_gas == 115000);
    CHECK(value_is(p.steps[0].value, 1000) && p.steps[0].token == NULL);
    CHECK(strcmp(p.steps[0].to, V2_ROUTER) == 0);
}

static void a_token_is_approved_exactly(void)
{
    struct quote q = pair_quote(USDC, COIN);
    struct plan p;

    CHECK(swap_plan_make(&p, &ctx, a, &q, ME, 1800000000) == NULL);
    CHECK(!p.leaves.native && p.spend == 1);
    CHECK(p.count == 2 && p.steps[0].kind == TX_APPROVAL && p.steps[1].kind == TX_SPEND);
    CHECK(strcmp(p.steps[0].to, USDC) == 0 && value_is(p.steps[0].value, 0));
    CHECK_STR(hex_of(&p.steps[0]), APPROVE AMOUNT);
    for (int i = 0; i < 2; i++) {
        CHECK(strcmp(p.steps[i].token, USDC) == 0);
        CHECK(strcmp(p.steps[i].spender, V2_ROUTER) == 0 && value_is(p.steps[i].token_amount, 1000));
    }
    CHECK(value_is(p.steps[1].value, 0) && strcmp(p.steps[1].to, V2_ROUTER) == 0);
}

/* Tether refuses to change an allowance that is not zero. */
static void tether_is_set_to_zero_first(void)
{
    struct quote q = pair_quote(USDT, USDC);
    struct plan p;

    CHECK(swap_plan_make(&p, &ctx, a, &q, ME, 1800000000) == NULL);
    CHECK(p.count == 3 && p.steps[2].kind == TX_SPEND);
    CHECK(p.steps[0].kind == TX_APPROVAL && p.steps[1].kind == TX_APPROVAL);
    CHECK_STR(hex_of(&p.steps[0]), APPROVE NOTHING);
    CHECK_STR(hex_of(&p.steps[1]), APPROVE AMOUNT);
    CHECK(value_is(p.steps[0].token_amount, 0) && value_is(p.steps[1].token_amount, 1000));
}

static void wrapping_needs_no_approval(void)
{
    struct quote q = pair_quote(WETH, COIN);
    struct plan p;

    q.route[0] = 2; /* unwrap */
    q.route[1] = 0;
    q.route_len = 2;
    CHECK(swap_plan_make(&p, &ctx, a, &q, ME, 1800000000) == NULL);
    CHECK(p.count == 1 && strcmp(p.steps[0].token, WETH) == 0 && value_is(p.steps[0].token_amount, 1000));
}

static void malformed_wallets_are_not_planned(void)
{
    static const char *const wallets[] = { "",
                                           "0x",
                                           "me",
                                           "0x11",
                                           "0x111111111111111111111111111111111111111g",
                                           "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB49" };
    struct quote q = pair_quote(COIN, USDC);
    struct plan p;

    for (size_t i = 0; i < sizeof wallets / sizeof wallets[0]; i++)
        CHECK_STR(swap_plan_make(&p, &ctx, a, &q, wallets[i], 1)->text, E_WALLET_ADDRESS.text);
    q.route_len = 7;
    CHECK(swap_plan_make(&p, &ctx, a, &q, ME, 1) == &E_NO_LIQUIDITY);
    q = pair_quote(COIN, USDC);
    snprintf(q.provider, sizeof q.provider, "gone");
    CHECK(swap_plan_make(&p, &ctx, a, &q, ME, 1) == &E_PRICE_MOVED);
    q = pair_quote(COIN, USDC);
    q.from.chain_id = 999;
    CHECK(swap_plan_make(&p, &ctx, a, &q, ME, 1) == &E_INTERNAL);
}

static void plan_test_start(void)
{
    a = arena_new();
}

static void plan_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(plan_test_start), TEST(a_coin_needs_no_approval), TEST(a_token_is_approved_exactly),
          TEST(tether_is_set_to_zero_first), TEST(wrapping_needs_no_approval),
          TEST(malformed_wallets_are_not_planned), TEST(plan_test_end))
