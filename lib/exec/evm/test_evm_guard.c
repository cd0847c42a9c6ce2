#include "exec/evm/evm_guard.c"

#include "base/test.h"
#include "venue/erc20.h"
#include "venue/hyperliquid_deposit.h"
#include "venue/polymarket_calls.h"
#include "venue/polymarket_order.h"
#include "venue/uniswap_v2.h"
#include "venue/uniswap_v3.h"
#include "venue/wrapped_native.h"

static const char AT_USDC[] = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                  AT_USDT[] = "0xdAC17F958D2ee523a2206206994597C13D831ec7",
                  AT_WETH[] = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                  AT_V2[] = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
                  AT_V3[] = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45",
                  AT_WALLET[] = "0x1111111111111111111111111111111111111111",
                  AT_OTHER[] = "0x2222222222222222222222222222222222222222";

enum { AMOUNT = 1000, MINIMUM = 400, DEADLINE = 1800000000 };

static struct evm_addr address(const char *text)
{
    struct evm_addr a = { { 0 } };

    CHECK(evm_addr_parse(&a, text));
    return a;
}

static struct plan_amount so_much(const char *token, uint64_t amount)
{
    struct plan_amount out = { .native = strcmp(token, TRADE_COIN) == 0, .amount = u256_from_u64(amount) };

    (void)snprintf(out.token.address, sizeof out.token.address, "%s", token);
    return out;
}

static struct plan plan_of(const char *from, const char *to)
{
    return (struct plan){ .chain = chain_by_id(1),
                          .wallet = AT_WALLET,
                          .deadline = DEADLINE,
                          .leaves = so_much(from, AMOUNT),
                          .arrives = so_much(to, MINIMUM) };
}

static const char *check_call(const struct plan *p, uint64_t chain_id, const char *to, uint64_t value,
                              const struct buf *data)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = chain_id, .gas_limit = 1, .to = address(to) };
    struct buf raw = BUF_INIT(MAX_TX);
    const char *why;

    tx.value = u256_from_u64(value);
    tx.data = (const uint8_t *)data->data;
    tx.data_len = data->len;
    evm_tx_unsigned(&raw, &tx);
    why = guard_check(p, NO_PROOF, (const uint8_t *)raw.data, raw.len);
    buf_free(&raw);
    return why == NULL ? "" : why;
}

/* The difference from a plan that sells USDC for USDT on V2. */
struct change {
    const char *from, *to, *recipient;
    uint64_t amount, minimum, deadline, value, chain_id;
    const char *why;
};

static void a_swap_keeps_its_plan(void)
{
    static const struct change rows[] = {
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT, MINIMUM, DEADLINE, 0, 1, "" },
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT, MINIMUM + 1, DEADLINE - 1, 0, 1, "" },
        { AT_WETH, AT_USDT, AT_WALLET, AMOUNT, MINIMUM, DEADLINE, 0, 1, "another input" },
        { AT_USDC, AT_WETH, AT_WALLET, AMOUNT, MINIMUM, DEADLINE, 0, 1, "another output" },
        { AT_USDC, AT_USDT, AT_OTHER, AMOUNT, MINIMUM, DEADLINE, 0, 1, "recipient is not the wallet" },
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT + 1, MINIMUM, DEADLINE, 0, 1, "another input" },
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT - 1, MINIMUM, DEADLINE, 0, 1, "another input" },
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT, MINIMUM - 1, DEADLINE, 0, 1, "a lower minimum" },
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT, MINIMUM, DEADLINE + 1, 0, 1, "a later deadline" },
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT, MINIMUM, DEADLINE, 1, 1, "value that is not traded" },
        { AT_USDC, AT_USDT, AT_WALLET, AMOUNT, MINIMUM, DEADLINE, 0, 8453, "not a call on the plan's chain" },
    };
    const struct plan p = plan_of(AT_USDC, AT_USDT);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct change *r = &rows[i];
        struct pool_path path = { .hops = 1, .token = { address(r->from), address(r->to) }, .fee = { 500 } };
        struct pool_swap s = { .path = &path,
                               .amount = u256_from_u64(r->amount),
                               .minimum = u256_from_u64(r->minimum),
                               .recipient = address(r->recipient),
                               .deadline = r->deadline };
        struct buf b = BUF_INIT(1024);

        uniswap_v2_swap(&b, &s);
        CHECK_STR(check_call(&p, r->chain_id, AT_V2, r->value, &b), r->why);
        CHECK(check_call(&p, r->chain_id, AT_OTHER, r->value, &b)[0] != '\0');
        buf_reset(&b);
        uniswap_v3_swap(&b, &s);
        CHECK_STR(check_call(&p, r->chain_id, AT_V3, r->value, &b), r->why);
        buf_free(&b);
    }
}

static void coins_are_paid_and_received_as_such(void)
{
    const struct plan buys = plan_of(TRADE_COIN, AT_USDC), sells = plan_of(AT_USDC, TRADE_COIN),
                      token = plan_of(AT_WETH, AT_USDC);
    struct pool_path in = { .hops = 1, .token = { address(AT_WETH), address(AT_USDC) }, .fee = { 500 } };
    struct pool_path out = { .hops = 1, .token = { address(AT_USDC), address(AT_WETH) }, .fee = { 500 } };
    struct pool_swap s = { .path = &in,
                           .amount = u256_from_u64(AMOUNT),
                           .minimum = u256_from_u64(MINIMUM),
                           .coin_in = true,
                           .recipient = address(AT_WALLET),
                           .deadline = DEADLINE };
    struct buf b = BUF_INIT(1024);

    uniswap_v3_swap(&b, &s);
    CHECK_STR(check_call(&buys, 1, AT_V3, AMOUNT, &b), "");
    CHECK_STR(check_call(&buys, 1, AT_V3, 0, &b), "another input");
    CHECK_STR(check_call(&token, 1, AT_V3, AMOUNT, &b), "another input");
    CHECK_STR(check_call(&token, 1, AT_V3, 0, &b), "");
    buf_reset(&b);
    uniswap_v2_swap(&b, &s);
    CHECK_STR(check_call(&buys, 1, AT_V2, AMOUNT, &b), "");
    CHECK_STR(check_call(&buys, 1, AT_V2, AMOUNT + 1, &b), "another input");
    buf_reset(&b);
    s.path = &out;
    s.coin_in = false;
    s.coin_out = true;
    uniswap_v3_swap(&b, &s);
    CHECK_STR(check_call(&sells, 1, AT_V3, 0, &b), "");
    buf_reset(&b);
    s.coin_out = false;
    uniswap_v3_swap(&b, &s);
    CHECK_STR(check_call(&sells, 1, AT_V3, 0, &b), "another output");
    buf_free(&b);
}

static void wrapping_keeps_its_plan(void)
{
    struct plan wrap = plan_of(TRADE_COIN, AT_WETH), unwrap = plan_of(AT_WETH, TRADE_COIN);
    struct buf b = BUF_INIT(128);

    wrapped_native_deposit(&b);
    CHECK_STR(check_call(&wrap, 1, AT_WETH, AMOUNT, &b), "");
    CHECK_STR(check_call(&wrap, 1, AT_WETH, AMOUNT - 1, &b), "another input");
    CHECK_STR(check_call(&unwrap, 1, AT_WETH, AMOUNT, &b), "another input");
    buf_reset(&b);
    wrapped_native_withdraw(&b, u256_from_u64(AMOUNT));
    CHECK_STR(check_call(&unwrap, 1, AT_WETH, 0, &b), "");
    unwrap.arrives.amount = u256_from_u64(AMOUNT + 1);
    CHECK_STR(check_call(&unwrap, 1, AT_WETH, 0, &b), "a lower minimum");
    buf_free(&b);
}

static void allowances_are_exact(void)
{
    static const struct {
        const char *token, *spender;
        uint64_t amount;
        const char *why;
    } rows[] = {
        { AT_USDC, AT_V2, AMOUNT, "" },
        { AT_USDC, AT_V3, AMOUNT, "" },
        { AT_USDC, AT_V2, 0, "" },
        { AT_USDC, AT_V2, AMOUNT + 1, "allowance of another amount" },
        { AT_USDT, AT_V2, AMOUNT, "allowance of another token" },
        { AT_USDC, AT_OTHER, AMOUNT, "spender not on the list" },
        { AT_USDC, AT_WETH, AMOUNT, "spender not on the list" },
    };
    const struct plan p = plan_of(AT_USDC, AT_USDT);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf b = BUF_INIT(128);

        erc20_approve(&b, address(rows[i].spender), u256_from_u64(rows[i].amount));
        CHECK_STR(check_call(&p, 1, rows[i].token, 0, &b), rows[i].why);
        buf_free(&b);
    }
}

static void nothing_else_is_a_step(void)
{
    const struct plan p = plan_of(AT_USDC, AT_USDT);
    struct buf b = BUF_INIT(128);

    CHECK_STR(check_call(&p, 1, AT_WALLET, 0, &b), "neither an allowance nor a trade");
    erc20_transfer(&b, address(AT_OTHER), u256_from_u64(AMOUNT));
    CHECK_STR(check_call(&p, 1, AT_USDC, 0, &b), "neither an allowance nor a trade");
    b.data[0] ^= 1;
    CHECK_STR(check_call(&p, 1, AT_USDC, 0, &b), "target or call not on the list");
    CHECK(guard_check(&p, NO_PROOF, (const uint8_t *)"x", 1) != NULL);
    buf_free(&b);
}

/* The guard reads each step, independent of who is going to sign it. */
static void all_steps_keep_the_plan(void)
{
    struct plan p = plan_of(AT_USDC, AT_USDT);
    struct pool_path path = { .hops = 1, .token = { address(AT_USDC), address(AT_USDT) } };
    struct pool_swap s = { .path = &path,
                           .amount = u256_from_u64(AMOUNT),
                           .minimum = u256_from_u64(MINIMUM),
                           .recipient = address(AT_WALLET),
                           .deadline = DEADLINE };
    struct buf approval = BUF_INIT(128), trade = BUF_INIT(1024);

    erc20_approve(&approval, address(AT_V2), s.amount);
    uniswap_v2_swap(&trade, &s);
    p.count = 2;
    p.steps[0] = (struct step){ .to = AT_USDC, .data = (uint8_t *)approval.data, .data_len = approval.len };
    p.steps[1] = (struct step){ .to = AT_V2, .data = (uint8_t *)trade.data, .data_len = trade.len };
    CHECK(evm_guard_steps(&p) == NULL);
    p.steps[1].value = u256_from_u64(1);
    CHECK_STR(evm_guard_steps(&p), "value that is not traded");
    p.steps[1].value = U256_ZERO;
    p.steps[0].to = AT_USDT;
    CHECK_STR(evm_guard_steps(&p), "allowance of another token");
    p.steps[0].to = "nowhere";
    CHECK_STR(evm_guard_steps(&p), "no address to call");
    p.steps[0].to = AT_USDC;
    p.wallet = AT_OTHER;
    CHECK_STR(evm_guard_steps(&p), "recipient is not the wallet");
    buf_free(&approval);
    buf_free(&trade);
}

static const char *check_burn(const struct plan *p, const char *recipient, uint64_t fee)
{
    struct hyperliquid_burn b = { .token = address(AT_USDC),
                                  .amount = u256_from_u64(AMOUNT),
                                  .max_fee = u256_from_u64(fee),
                                  .recipient = address(recipient) };
    struct buf data = BUF_INIT(1024);
    const char *why;

    hyperliquid_burn_write(&data, &b);
    why = check_call(p, 1, "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d", 0, &data);
    buf_free(&data);
    return why;
}

static void deposits_at_a_venue_keep_their_plan(void)
{
    struct plan p = plan_of(AT_USDC, AT_USDC);

    CHECK_STR(check_burn(&p, AT_WALLET, AMOUNT - MINIMUM), "neither an allowance nor a trade");
    p.recipient = AT_WALLET;
    CHECK_STR(check_burn(&p, AT_WALLET, AMOUNT - MINIMUM), "");
    CHECK_STR(check_burn(&p, AT_WALLET, AMOUNT - MINIMUM + 1), "a lower minimum");
    CHECK_STR(check_burn(&p, AT_OTHER, AMOUNT - MINIMUM), "another recipient");
    p.leaves.amount = u256_from_u64(AMOUNT + 1);
    CHECK_STR(check_burn(&p, AT_WALLET, AMOUNT - MINIMUM), "another input");
}

/* Collateral goes to whom the plan names, and nowhere else; outcome tokens only where nothing leaves. */
static void deposits_and_redemptions_keep_their_plan(void)
{
    struct plan p = { .chain = chain_by_id(137),
                      .wallet = AT_WALLET,
                      .recipient = AT_OTHER,
                      .deadline = DEADLINE,
                      .leaves = { .token.address = POLYMARKET_DOLLAR, .amount = u256_from_u64(AMOUNT) },
                      .arrives = { .token.address = POLYMARKET_COLLATERAL } };
    struct buf data = BUF_INIT(512);

    p.count = 1;
    p.steps[0].to = POLYMARKET_ONRAMP;
    polymarket_wrap(&data, address(AT_OTHER), p.leaves.amount);
    p.steps[0].data = (uint8_t *)data.data;
    p.steps[0].data_len = data.len;
    CHECK(evm_guard_steps(&p) == NULL);
    p.recipient = AT_WALLET;
    CHECK_STR(evm_guard_steps(&p), "another recipient");
    p.recipient = AT_OTHER;
    buf_reset(&data);
    erc20_transfer(&data, address(AT_OTHER), p.leaves.amount);
    p.steps[0].to = POLYMARKET_DOLLAR;
    p.steps[0].data_len = data.len;
    CHECK(evm_guard_steps(&p) == NULL);
    p.leaves.amount = u256_from_u64(AMOUNT + 1);
    CHECK_STR(evm_guard_steps(&p), "another input");
    p.recipient = NULL;
    CHECK_STR(evm_guard_steps(&p), "neither an allowance nor a trade");
    buf_reset(&data);
    polymarket_trust(&data, address(POLYMARKET_ADAPTER));
    p.steps[0].to = POLYMARKET_TOKENS;
    p.steps[0].data_len = data.len;
    CHECK_STR(evm_guard_steps(&p), "neither an allowance nor a trade");
    p.leaves.amount = U256_ZERO;
    CHECK(evm_guard_steps(&p) == NULL);
    buf_reset(&data);
    polymarket_trust(&data, address(AT_OTHER));
    p.steps[0].data_len = data.len;
    CHECK_STR(evm_guard_steps(&p), "spender not on the list");
    buf_free(&data);
}

/* Steps that only allow, before a request to the exchange. */
static void access_goes_to_whom_the_request_does(void)
{
    struct plan p = { .chain = chain_by_id(137),
                      .wallet = AT_WALLET,
                      .deadline = DEADLINE,
                      .leaves = { .token.address = POLYMARKET_COLLATERAL, .amount = u256_from_u64(AMOUNT) },
                      .request_count = 2 };
    struct evm_addr exchange = polymarket_exchange_addr(POLYMARKET_V2),
                    neg_risk = polymarket_exchange_addr(POLYMARKET_NEG_RISK);
    char at_exchange[EVM_ADDR_TEXT_LEN + 1], at_neg_risk[EVM_ADDR_TEXT_LEN + 1];
    struct buf data = BUF_INIT(512);

    evm_addr_text(at_exchange, exchange);
    evm_addr_text(at_neg_risk, neg_risk);
    p.requests[1].to = at_exchange;
    p.count = 1;
    p.steps[0] = (struct step){ .kind = TX_APPROVAL, .to = POLYMARKET_COLLATERAL };
    erc20_approve(&data, exchange, u256_from_u64(2 * AMOUNT));
    p.steps[0].data = (uint8_t *)data.data;
    p.steps[0].data_len = data.len;
    CHECK(evm_guard_steps(&p) == NULL);
    p.steps[0].to = POLYMARKET_DOLLAR;
    CHECK_STR(evm_guard_steps(&p), "allowance of another token");
    p.steps[0].to = POLYMARKET_COLLATERAL;
    p.steps[0].kind = TX_SPEND;
    CHECK_STR(evm_guard_steps(&p), "allowance of another amount");
    p.steps[0].kind = TX_APPROVAL;
    p.requests[1].to = at_neg_risk;
    CHECK_STR(evm_guard_steps(&p), "a spender that no request goes to");
    buf_reset(&data);
    erc20_approve(&data, address(AT_OTHER), u256_from_u64(AMOUNT));
    CHECK_STR(evm_guard_steps(&p), "spender not on the list");
    buf_reset(&data);
    polymarket_trust(&data, neg_risk);
    p.steps[0].to = POLYMARKET_TOKENS;
    p.steps[0].data_len = data.len;
    CHECK(evm_guard_steps(&p) == NULL);
    p.request_count = 0;
    CHECK_STR(evm_guard_steps(&p), "a spender that no request goes to");
    buf_free(&data);
}

TEST_MAIN(TEST(a_swap_keeps_its_plan), TEST(coins_are_paid_and_received_as_such),
          TEST(wrapping_keeps_its_plan), TEST(allowances_are_exact), TEST(nothing_else_is_a_step),
          TEST(all_steps_keep_the_plan), TEST(deposits_at_a_venue_keep_their_plan),
          TEST(deposits_and_redemptions_keep_their_plan), TEST(access_goes_to_whom_the_request_does))
