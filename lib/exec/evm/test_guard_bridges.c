/* Deposits with Relay, which say nothing themselves: the order that the plan has to show decides. */
#include "exec/evm/evm_guard.c"

#include "base/test.h"
#include "chain/evm/abi.h"
#include "venue/relay_calls.h"

#define DEPOSITORY "0x4cD00E387622C35bDDB9b4c962C136462338BC31"
#define ME         "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1"
#define OTHER      "0x2222222222222222222222222222222222222222"
#define USDC       "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define FAR_USDC   "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"

enum { AMOUNT = 1000, MINIMUM = 400, DEADLINE = 1800000000, RETURNED_AFTER = 1799999000 };

static struct arena *a;

static struct relay_bytes bytes_of(const char *address)
{
    struct evm_addr at = evm_addr_or_zero(address);

    return (struct relay_bytes){ arena_memdup(a, at.bytes, sizeof at.bytes), sizeof at.bytes };
}

/* An order that sells Ethereum's coin for dollars on Base, as the plan wants it. */
static struct relay_order relay_order_for(const char *bought, const char *recipient, uint64_t minimum)
{
    struct relay_order o = { .version = "v1",
                             .solver_chain = "base",
                             .solver = bytes_of(OTHER),
                             .input = { .chain = "ethereum",
                                        .currency = bytes_of(TRADE_COIN),
                                        .amount = u256_from_u64(AMOUNT),
                                        .weight = u256_from_u64(1),
                                        .refund_count = 1 },
                             .output = { .chain = "base",
                                         .recipient = bytes_of(recipient),
                                         .currency = bytes_of(bought),
                                         .minimum = u256_from_u64(minimum),
                                         .expected = u256_from_u64(minimum),
                                         .deadline = RETURNED_AFTER } };

    o.input.refunds[0] = (struct relay_refund){ .chain = "ethereum",
                                                .recipient = bytes_of(ME),
                                                .currency = bytes_of(TRADE_COIN),
                                                .deadline = RETURNED_AFTER };
    return o;
}

static const uint8_t *deposit_of(const struct relay_order *o, size_t *len)
{
    struct buf data = BUF_INIT(256);
    uint8_t id[HASH_LEN];
    const uint8_t *copy;

    relay_order_id(id, o);
    abi_selector(&data, 0x49290c1c); /* depositNative(address,bytes32) */
    abi_addr(&data, evm_addr_or_zero(ME));
    buf_add(&data, id, sizeof id);
    *len = data.len;
    copy = arena_memdup(a, data.data, data.len);
    buf_free(&data);
    return copy;
}

/* The step deposits for the first order; the second is shown. */
static const char *guard_said(struct plan *p, struct plan_bridge *b, const struct relay_order *deposited,
                              const struct relay_order *shown)
{
    struct buf proof = BUF_INIT(RELAY_ORDER_MAX);
    struct step *s = &p->steps[0];
    const char *why;

    relay_order_write(&proof, shown);
    p->bridge = b;
    p->count = 1;
    *s = (struct step){ .kind = TX_SPEND, .to = DEPOSITORY, .value = u256_from_u64(AMOUNT) };
    s->data = deposit_of(deposited, &s->data_len);
    s->proof = arena_memdup(a, proof.data, proof.len);
    s->proof_len = proof.len;
    why = evm_guard_steps(p);
    buf_free(&proof);
    return why == NULL ? "" : why;
}

static struct plan plan_to(const char *bought)
{
    struct plan p = { .chain = chain_by_id(1),
                      .wallet = ME,
                      .deadline = DEADLINE,
                      .leaves = { .native = true, .amount = u256_from_u64(AMOUNT) },
                      .arrives = { .token.chain_id = 8453, .amount = u256_from_u64(MINIMUM) } };

    (void)snprintf(p.arrives.token.address, sizeof p.arrives.token.address, "%s", bought);
    return p;
}

static void orders_have_to_match_the_plan(void)
{
    static const struct {
        const char *bought, *recipient;
        uint64_t minimum;
        const char *want;
    } rows[] = {
        { FAR_USDC, ME, MINIMUM, "" },
        { FAR_USDC, ME, MINIMUM + 1, "" },
        { FAR_USDC, ME, MINIMUM - 1, "a lower minimum" },
        { FAR_USDC, OTHER, MINIMUM, "recipient is not the wallet" },
        { USDC, ME, MINIMUM, "another output" },
        { TRADE_COIN, ME, MINIMUM, "another output" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct relay_order o = relay_order_for(rows[i].bought, rows[i].recipient, rows[i].minimum);
        struct plan_bridge b = { .bridge_provider = "relay", .deadline = RETURNED_AFTER };
        struct plan p = plan_to(FAR_USDC);

        CHECK_STR(guard_said(&p, &b, &o, &o), rows[i].want);
    }
}

static void another_family_is_paid_at_its_own_address(void)
{
    static const uint8_t far[32] = { 0xb2 }, stranger[32] = { 0xb3 }, coin[32] = { 0 };
    struct relay_order o = relay_order_for(FAR_USDC, ME, MINIMUM);
    struct plan_bridge b = { .bridge_provider = "relay", .deadline = RETURNED_AFTER };
    struct plan p = plan_to("So11111111111111111111111111111111111111112");

    p.arrives.token.chain_id = chain_find("solana")->id;
    p.arrives.native = true;
    p.recipient = "Cyqa5AA25q85i8QRYpQUMwfh4jaCg78NwPu4biE9JCgP";
    o.output.chain = "solana";
    o.output.recipient = (struct relay_bytes){ far, sizeof far };
    o.output.currency = (struct relay_bytes){ coin, sizeof coin };
    o.output.extra.n = 0;
    CHECK_STR(guard_said(&p, &b, &o, &o), "");
    o.output.recipient.p = stranger;
    CHECK_STR(guard_said(&p, &b, &o, &o), "another recipient");
    o.output.recipient.p = far;
    o.output.currency.p = far;
    CHECK_STR(guard_said(&p, &b, &o, &o), "another output");
    o.output.currency.p = coin;
    p.recipient = NULL;
    CHECK_STR(guard_said(&p, &b, &o, &o), "recipient is not the wallet");
}

static void coin_is_no_token(void)
{
    struct relay_order coin = relay_order_for(TRADE_COIN, ME, MINIMUM),
                       wrapped = relay_order_for("0x4200000000000000000000000000000000000006", ME, MINIMUM);
    struct plan_bridge b = { .bridge_provider = "relay", .deadline = RETURNED_AFTER };
    struct plan p = plan_to(TRADE_COIN);

    p.arrives.native = true;
    CHECK_STR(guard_said(&p, &b, &coin, &coin), "");
    CHECK_STR(guard_said(&p, &b, &wrapped, &wrapped), "another output");
}

static void orders_that_are_not_the_deposits(void)
{
    struct relay_order o = relay_order_for(FAR_USDC, ME, MINIMUM),
                       better = relay_order_for(FAR_USDC, ME, MINIMUM + 1);
    struct plan_bridge b = { .bridge_provider = "relay", .deadline = RETURNED_AFTER };
    struct plan p = plan_to(FAR_USDC);

    CHECK_STR(guard_said(&p, &b, &o, &better), "target or call not on the list");
    b.deadline++;
    CHECK_STR(guard_said(&p, &b, &o, &o), "another deadline on the other chain");
    b.deadline--;
    p.arrives.token.chain_id = 10;
    CHECK_STR(guard_said(&p, &b, &o, &o), "another output");
    p.arrives.token.chain_id = 8453;
    p.leaves.amount = u256_from_u64(AMOUNT - 1);
    CHECK_STR(guard_said(&p, &b, &o, &o), "another input");
    p = plan_to(FAR_USDC);
    p.bridge = &b;
    CHECK_STR(guard_said(&p, &b, &o, &o), "");
    p.bridge = NULL; /* and nothing is shown */
    p.steps[0].proof_len = 0;
    CHECK_STR(evm_guard_steps(&p), "target or call not on the list");
}

static void bridges_test_start(void)
{
    a = arena_new();
}

static void bridges_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(bridges_test_start), TEST(orders_have_to_match_the_plan),
          TEST(another_family_is_paid_at_its_own_address), TEST(coin_is_no_token),
          TEST(orders_that_are_not_the_deposits), TEST(bridges_test_end))
