#include "base/test.h"
#include "exec/evm/evm_plan.c"

#include "chain/evm/evm_rpc_class.h"
#include "codec/test_liar.h"

#define ME        "0x1111111111111111111111111111111111111111"
#define COIN      "0x0000000000000000000000000000000000000000"
#define USDC      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define V2_ROUTER "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"

static struct arena *a;
static struct conf conf;
static struct ctx ctx = { .conf = &conf };

static bool u256_is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

static const uint8_t call[] = { 1, 2, 3, 4 };

/* 1000 units of a coin or a token for at least 900 of the other, with a probe. */
static struct plan plan_of(uint64_t chain_id, const char *from, const char *to)
{
    struct plan p = {
        .chain = chain_by_id(chain_id),
        .wallet = ME,
        .leaves = { .native = strcmp(from, COIN) == 0, .amount = u256_from_u64(1000) },
        .arrives = { .native = strcmp(to, COIN) == 0, .amount = u256_from_u64(900) },
        .probe = call,
        .probe_len = sizeof call,
    };
    struct step *s;

    snprintf(p.leaves.token.address, sizeof p.leaves.token.address, "%s", from);
    snprintf(p.arrives.token.address, sizeof p.arrives.token.address, "%s", to);
    if (!p.leaves.native)
        evm_plan_allow(&p, a, from, V2_ROUTER, p.leaves.amount);
    p.spend = p.count;
    s = &p.steps[p.count++];
    *s = (struct step){ .kind = TX_SPEND, .to = V2_ROUTER, .quoted_gas = 115000 };
    if (p.leaves.native) {
        s->value = p.leaves.amount;
    } else {
        s->token = from;
        s->spender = V2_ROUTER;
        s->token_amount = p.leaves.amount;
    }
    return p;
}

static void costs_add_up(void)
{
    static const struct u256 all_ones = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    struct chain_state st = { .fees = { .max_fee = u256_from_u64(50) }, .l1_fee = u256_from_u64(7) };
    struct plan p = { .count = 3 };
    struct u256 value, fees;

    p.steps[0].gas_limit = 100;
    p.steps[1].gas_limit = 200;
    p.steps[2].gas_limit = 1000;
    p.steps[2].value = u256_from_u64(5000);
    CHECK(evm_plan_cost(&p, &st, &value, &fees) && u256_is(value, 5000) && u256_is(fees, 1300 * 50 + 7));

    /* and never wrap around */
    p.steps[0].value = all_ones;
    CHECK(!evm_plan_cost(&p, &st, &value, &fees));
    p.steps[0].value = U256_ZERO;
    st.fees.max_fee = all_ones;
    CHECK(!evm_plan_cost(&p, &st, &value, &fees));
    st.fees.max_fee = u256_from_u64(1);
    st.l1_fee = all_ones;
    CHECK(!evm_plan_cost(&p, &st, &value, &fees));
}

/* ---- a node's answers ---- */

#define WORD(last) "00000000000000000000000000000000000000000000000000000000" last
#define HISTORY    "{\"baseFeePerGas\":[\"0x3b9aca00\"],\"reward\":[[\"0x3b9aca00\"]]}"

/* Reads answers (of the items that the plan asks for, in order) as plan_try does. */
static bool read_state(struct plan *p, struct chain_state *st, const char *const *items, unsigned n)
{
    struct buf body = BUF_INIT(64 * 1024);
    struct rpc_answers answers;
    bool ok;

    buf_addc(&body, '[');
    for (unsigned i = 0; i < n; i++)
        buf_addf(&body, "%s{\"jsonrpc\":\"2.0\",\"id\":%u,%s}", i > 0 ? "," : "", i, items[i]);
    buf_addc(&body, ']');
    CHECK(rpc_read(&answers, a, &body, n, evm_classify));
    ok = state_read(&ctx, a, p, &answers, st);
    rpc_answers_free(&answers);
    buf_free(&body);
    return ok;
}

/* The result of one call: block 100, a coin, and given amounts of a token and its allowance. */
#define RESULTS(count) "\"result\":\"0x" WORD("00000020") WORD(count)
#define RETURNED(last) WORD("00000001") WORD("00000040") WORD("00000020") last
#define ONE_COIN       "0000000000000000000000000000000000000000000000000de0b6b3a7640000"
#define HELD_COIN                                                                                            \
    RESULTS("00000002")                                                                                      \
    WORD("00000040") WORD("000000c0") RETURNED(WORD("00000064")) RETURNED(ONE_COIN) "\""
#define HELD(token, allowance)                                                                               \
    RESULTS("00000004")                                                                                      \
    WORD("00000080")                                                                                         \
    WORD("00000100")                                                                                         \
    WORD("00000180")                                                                                         \
    WORD("00000200")                                                                                         \
    RETURNED(WORD("00000064")) RETURNED(ONE_COIN) RETURNED(WORD(token)) RETURNED(WORD(allowance)) "\""
#define MINED    "\"result\":\"0x8\""
#define COUNT    "\"result\":\"0x9\""
#define FEES     "\"result\":" HISTORY
#define NO_POOLS "\"result\":\"0x\""
#define REFUSED  "\"error\":{\"code\":-32000,\"message\":\"no\"}"
/* A token is sold: coin, token, allowance, before and after; by steps that used 50,000 and so much. */
#define READ_SALE(coin, sold)                                                                                \
    WORD("00000020")                                                                                         \
    WORD("00000003")                                                                                         \
    WORD("00000060")                                                                                         \
    WORD("000000e0") WORD("00000160") RETURNED(WORD(coin)) RETURNED(WORD(sold)) RETURNED(WORD("00000000"))
#define UNUSED WORD("00000000") WORD("00000000") WORD("00000000") WORD("00000000")
#define SALE(gas)                                                                                            \
    "\"result\":\"0x" WORD("0000c350") gas UNUSED WORD("00000220") WORD("00000220")                          \
        READ_SALE("00000001", "00000bb8") READ_SALE("00000401", "000007d0") "\""
#define TX_SIMULATION SALE(WORD("000186a0"))
/* The coin is sold by one step that used 100,000. */
#define READ_PURCHASE(coin, bought)                                                                          \
    WORD("00000020")                                                                                         \
    WORD("00000002") WORD("00000040") WORD("000000c0") RETURNED(WORD(coin)) RETURNED(WORD(bought))
#define PURCHASE                                                                                             \
    "\"result\":\"0x" WORD("000186a0") WORD("00000000") UNUSED WORD("00000180") WORD("00000180")             \
        READ_PURCHASE("00000bb8", "00000001") READ_PURCHASE("000007d0", "00000401") "\""

static void a_tx_simulation_that_ran(void)
{
    static const char *const items[] = {
        HELD("00000bb8", "00000001"), MINED, COUNT, FEES, TX_SIMULATION, NO_POOLS
    };
    struct plan p = plan_of(1, USDC, COIN);
    struct chain_state st;

    CHECK(read_state(&p, &st, items, 6));
    CHECK(st.block == 100 && st.nonce == 9 && u256_is(st.native_balance, 1000000000000000000));
    CHECK(u256_is(st.token_balance, 3000) && u256_is(st.allowance, 1) && u256_is(st.l1_fee, 0));
    CHECK(u256_is(st.fees.max_fee, 3000000000) && u256_is(st.fees.priority_fee, 1000000000));
    CHECK(st.tried && u256_is(st.arrives, 1024));
    /* its own gas, a transaction's base and data, and a fifth more */
    CHECK(p.steps[0].gas_limit > (50000 + 21000) * 6 / 5 && p.steps[0].gas_limit < 120000);
    CHECK(p.steps[1].gas_limit > (100000 + 21000) * 6 / 5 && p.steps[1].gas_limit < 240000);
}

/* The registry's answer is where a token's balance and allowance would be. */
static bool settler_is_genuine(const struct plan *p, const char *held)
{
    struct buf body = BUF_INIT(64 * 1024);
    struct rpc_answers answers;
    bool genuine;

    buf_addf(&body, "[{\"jsonrpc\":\"2.0\",\"id\":0,%s}]", held);
    CHECK(rpc_read(&answers, a, &body, 1, evm_classify));
    genuine = executor_is_genuine(a, p, &answers.items[0]);
    rpc_answers_free(&answers);
    buf_free(&body);
    return genuine;
}

static void only_settlers_that_the_registry_names(void)
{
    struct plan p = plan_of(1, COIN, USDC);
    struct buf data = BUF_INIT(1024);

    CHECK(settler_is_genuine(&p, HELD_COIN)); /* none is called */
    abi_selector(&data, 0x1fff991f);          /* execute((address,address,uint256),bytes[],bytes32) */
    abi_addr(&data, evm_addr_or_zero(ME));
    abi_addr(&data, evm_addr_or_zero(USDC));
    abi_u64(&data, 900);
    abi_u64(&data, 5 * ABI_WORD);
    abi_u64(&data, 0);
    abi_u64(&data, 0);
    p.steps[0].to = "0x0000000000000000000000000000000055555555";
    p.steps[0].data = (const uint8_t *)data.data;
    p.steps[0].data_len = data.len;
    CHECK(settler_is_genuine(&p, HELD("55555555", "66666666")));
    CHECK(settler_is_genuine(&p, HELD("66666666", "55555555"))); /* the one before */
    CHECK(!settler_is_genuine(&p, HELD("66666666", "77777777")));
    CHECK(!settler_is_genuine(&p, HELD("00000000", "55555555"))); /* all are stopped */
    CHECK(!settler_is_genuine(&p, HELD_COIN));
    CHECK(!settler_is_genuine(&p, REFUSED));
    buf_free(&data);
}

static void a_tx_simulation_that_did_not(void)
{
    static const char *const trials[] = {
        /* Error("Too little received") */
        "\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x08c379a0" WORD("00000020")
            WORD("00000013") "546f6f206c6974746c6520726563656976656400000000000000000000000000\"}",
        "\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x\"}",
        "\"result\":\"0x\"",
        "\"result\":\"0x" WORD("00000400") "\"", /* too few words */
        SALE("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        "\"result\":null",
    };
    struct plan p = plan_of(1, USDC, COIN);
    struct chain_state st;

    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        const char *const items[] = { HELD("00000bb8", "00000000"), MINED, COUNT, FEES, trials[i], NO_POOLS };

        CHECK(read_state(&p, &st, items, 6));
        CHECK(!st.tried && p.steps[1].gas_limit == (115000 + 21000) * 6 / 5 && p.steps[0].gas_limit == 60000);
        if (i == 0)
            CHECK_STR(st.revert, "Too little received");
        CHECK(plan_verdict(a, &p, &st) == (i == 0 ? &E_PRICE_MOVED : &E_WOULD_REVERT));
    }
}

/* Without any of these nothing may be decided. */
static void answers_that_must_be_there(void)
{
    static const char *const whole[] = {
        HELD("00000bb8", "00000000"), MINED, COUNT, FEES, TX_SIMULATION, NO_POOLS
    };
    struct plan p = plan_of(1, USDC, COIN);
    struct chain_state st;

    CHECK(read_state(&p, &st, whole, 6));
    for (size_t i = 0; i < 6; i++) {
        const char *items[6];

        memcpy(items, whole, sizeof items);
        items[i] = REFUSED;
        CHECK(read_state(&p, &st, items, 6) == (i == AT_PROBE));
        items[i] = "\"result\":\"0x\"";
        CHECK(read_state(&p, &st, items, 6) == (i == AT_TX_SIMULATION || i == AT_PROBE));
    }
}

/* A token may revert, or return what is no number. */
static void plans_need_the_balances(void)
{
    static const char *const held[] = {
        HELD_COIN, /* two words are missing */
        RESULTS("00000004") WORD("00000080") WORD("00000100") WORD("00000180") WORD("000001e0")
            RETURNED(WORD("00000064")) RETURNED(ONE_COIN) WORD("00000000") WORD("00000040") WORD("00000000")
                RETURNED(WORD("00000001")) "\"",
        RESULTS("00000004") WORD("00000080") WORD("00000100") WORD("00000180") WORD("000001e0")
            RETURNED(WORD("00000064")) RETURNED(ONE_COIN) WORD("00000001") WORD("00000040") WORD("00000000")
                RETURNED(WORD("00000001")) "\"",
        RESULTS("00000004") WORD("00000080") WORD("00000100") WORD("00000180") WORD("00000200")
            RETURNED("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff") RETURNED(ONE_COIN)
                RETURNED(WORD("00000001")) RETURNED(WORD("00000001")) "\"",
    };
    struct plan p = plan_of(1, USDC, COIN);
    struct chain_state st;

    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
        const char *const items[] = { held[i], MINED, COUNT, FEES, TX_SIMULATION, NO_POOLS };

        CHECK(!read_state(&p, &st, items, 6));
    }
}

/* To contracts on arbitrum, block.number is that of another chain. */
static void block_numbers_come_from_the_chains_own_contract(void)
{
    static const char arb_sys[] = "0000000000000000000000000000000000000000000000000000000000000064";

    for (size_t i = 0; i < chains_count; i++) {
        struct buf body = BUF_INIT(64 * 1024);
        struct rpc_batch b = rpc_begin(&body);
        struct plan p = { .chain = &chains[i], .wallet = ME, .count = 1 };
        bool arbitrum = chains[i].id == 42161;

        ask_balances(&b, &p);
        rpc_end(&b);
        CHECK((strstr(body.data, arb_sys) != NULL && strstr(body.data, "a3b1b31d") != NULL) == arbitrum);
        CHECK((strstr(body.data, "42cbb15c") != NULL) == !arbitrum);
        buf_free(&body);
    }
}

#define UNTOLD WORD("00000000") WORD("00000040") WORD("00000000")
/* The fee for posting, and the operator's fee without gas and with a million of it. */
#define ORACLE(posting, operating, with_gas)                                                                 \
    "0x" WORD("00000020") WORD("00000003") WORD("00000060") WORD("000000e0") WORD("00000160")                \
        RETURNED(WORD(posting)) RETURNED(WORD(operating)) RETURNED(WORD(with_gas))

/* The fee of a rollup for data comes at the end: on the OP stack coins in addition to the gas; a missing
 * oracle charges nothing. */
static void fees_of_a_rollup(void)
{
    static const struct {
        const char *oracle;
        uint64_t fee;
    } rows[] = {
        { "\"result\":\"" ORACLE("000003e8", "00000000", "00000000") "\"", 1500 },
        /* 10 of each transaction, and of each million of its gas as many again, which this has a fifth of */
        { "\"result\":\"" ORACLE("000003e8", "0000000a", "00000096") "\"", (1000 + 10 + 20) * 3 / 2 },
        { "\"result\":\"" ORACLE("000003e8", "0000000a", "00000001") "\"", (1000 + 10) * 3 / 2 },
        /* an older oracle knows no operator */
        { "\"result\":\"0x" WORD("00000020") WORD("00000003") WORD("00000060") WORD("000000e0")
              WORD("00000140") RETURNED(WORD("000003e8")) UNTOLD UNTOLD "\"",
          1500 },
        { REFUSED, 0 },
        { "\"result\":\"0x\"", 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const items[] = { HELD_COIN, MINED,    COUNT,   FEES,
                                      PURCHASE,  NO_POOLS, REFUSED, rows[i].oracle };
        struct plan p = plan_of(8453, COIN, USDC);
        struct chain_state st;

        CHECK(read_state(&p, &st, items, 8) && u256_is(st.l1_fee, rows[i].fee));
        CHECK(p.steps[0].gas_limit / 10000 == 14);
    }
}

/* Mantle's oracle counts in ether what is taken in its coin. */
static void fees_that_an_oracle_tells_in_ether(void)
{
#define MANTLES(ratio)                                                                                       \
    "0x" WORD("00000020") WORD("00000004") WORD("00000080") WORD("00000100") WORD("00000180")                \
        WORD("00000200") RETURNED(WORD("000003e8")) RETURNED(WORD("0000000a")) RETURNED(WORD("00000096"))    \
            ratio
    static const struct {
        const char *oracle;
        uint64_t fee; /* 0: beyond every bound */
    } rows[] = {
        { "\"result\":\"" MANTLES(RETURNED(WORD("00000fa0"))) "\"", (1000 * 4000 + 10 + 20) * 3 / 2 },
        { "\"result\":\"" MANTLES(RETURNED(WORD("00000000"))) "\"", (1000 + 10 + 20) * 3 / 2 },
        { "\"result\":\"" MANTLES(
              RETURNED("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff")) "\"",
          0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const items[] = { HELD_COIN, MINED,    COUNT,   FEES,
                                      PURCHASE,  NO_POOLS, REFUSED, rows[i].oracle };
        struct plan p = plan_of(5000, COIN, USDC);
        struct chain_state st;

        CHECK(read_state(&p, &st, items, 8));
        CHECK(rows[i].fee != 0 ? u256_is(st.l1_fee, rows[i].fee)
                               : u256_cmp(st.l1_fee, u256_from_u64(UINT64_MAX)) > 0);
    }
}

/* Scroll's is shown the bytes of each transaction, that of the OP stack is told how many there are. */
static void fee_oracles_get_their_arguments(void)
{
    static const struct {
        uint64_t chain;
        const char *asked, *not ;
    } rows[] = { { 8453, "f1c7a58b", "49948e0e" },
                 { 534352, "49948e0e", "f1c7a58b" },
                 { 5000, "06f837d3", "49948e0e" },
                 { 8453, "f1c7a58b", "06f837d3" } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct plan p = plan_of(rows[i].chain, USDC, COIN);
        struct buf body = BUF_INIT(64 * 1024);
        struct rpc_batch b = rpc_begin(&body);

        data_fee_ask(&b, &p);
        rpc_end(&b);
        CHECK(strstr(buf_text(&body), rows[i].asked) != NULL &&
              strstr(buf_text(&body), rows[i].not ) == NULL);
        buf_free(&body);
    }
}

/* ---- two nodes, one of which lies ---- */

enum { LIE_MINED, LIE_COUNT, LIE_TRIAL, LIE_ESTIMATE, LIE_ORACLE, LIES };

struct liar_charges {
    uint64_t chain;
    int about;
    uint64_t limits[2]; /* truly */
    struct u256 fee;
    const char *newest; /* NULL: block 100 */
};

#define GAS_OF_BYTES 0x66A80
#define DEAR_DATA    "00038d7ea4c68000" /* 0.001 of a coin */

static json_t *charge_truth(int about)
{
    static const char trial[] = TX_SIMULATION;
    const char *text = trial + strlen("\"result\":\"");

    if (about <= LIE_COUNT)
        return json_string("0x9");
    if (about == LIE_TRIAL)
        return json_stringn(text, strlen(text) - 1);
    if (about == LIE_ESTIMATE)
        return json_string("0x66a80");
    return json_string("0x" WORD("00000020") WORD("00000003") WORD("00000060") WORD("000000e0")
                           WORD("00000160")
                               RETURNED("000000000000000000000000000000000000000000000000" DEAR_DATA)
                                   RETURNED(WORD("000000ff")) RETURNED(WORD("00ffffff")));
}

static struct rpc_answers charge_answers(const struct liar_charges *l, const json_t *said, unsigned steps)
{
    json_t *all = json_array(), *each[LIES];
    struct buf body = BUF_INIT(64 * 1024);
    struct rpc_answers as;
    unsigned n = 0;
    char *text;

    for (int i = 0; i < LIES; i++)
        each[i] = i == l->about ? json_incref((json_t *)(uintptr_t)said) : charge_truth(i);
    for (int i = LIE_MINED; i <= LIE_TRIAL; i++)
        json_array_append_new(all, json_pack("{s:i,s:o*}", "id", n++, "result", each[i]));
    json_array_append_new(
        all, json_pack("{s:i,s:s}", "id", n++, "result", l->newest != NULL ? l->newest : "0x64"));
    for (unsigned i = 0; i < steps; i++)
        json_array_append_new(all, json_pack("{s:i,s:O*}", "id", n++, "result", each[LIE_ESTIMATE]));
    if (l->chain == 8453)
        json_array_append_new(all, json_pack("{s:i,s:O*}", "id", n++, "result", each[LIE_ORACLE]));
    text = json_dumps(all, 0);
    buf_adds(&body, text);
    CHECK(rpc_read(&as, a, &body, n, evm_classify));
    free(text);
    json_decref(all);
    json_decref(each[LIE_ESTIMATE]);
    json_decref(each[LIE_ORACLE]);
    buf_free(&body);
    return as;
}

/* Limits and fees that are a little more than they have to be only bind the wallet's coin for a moment. */
static const char *charged_by(const json_t *first, const json_t *second, void *arg)
{
    struct liar_charges *l = arg;
    struct plan p = plan_of(l->chain, USDC, COIN);
    struct rpc_answers mine = charge_answers(l, json_array_get(first, 0), p.count),
                       other = charge_answers(l, json_array_get(second, 0), p.count);
    struct chain_state st = { .block = 1 };
    const char *verdict = "enough";

    if (!read_count(&st.nonce, &mine.items[AT_SECOND_MINED], &mine.items[AT_SECOND_COUNT]) ||
        !read_charges(&p, &st, a, &mine, AT_SECOND_TX_SIMULATION) || !st.tried ||
        twin_hold(&ctx, a, &p, &st, &other) != NULL)
        verdict = NULL;
    rpc_answers_free(&mine);
    rpc_answers_free(&other);
    if (verdict == NULL)
        return NULL;
    if (l->limits[0] == 0) {
        l->fee = st.l1_fee;
        for (unsigned i = 0; i < 2; i++)
            l->limits[i] = p.steps[i].gas_limit;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (p.steps[i].gas_limit < l->limits[i])
            verdict = "runs out of gas";
        if (p.steps[i].gas_limit > DATA_APART * l->limits[i])
            verdict = "gas without end";
    }
    if (st.nonce > 9)
        verdict = "a gap";
    else if (u256_cmp(st.l1_fee, l->fee) < 0)
        verdict = "less than is charged";
    else if (u256_cmp(st.l1_fee, u256_from_u64((uint64_t)DATA_APART * 1500000000000400)) > 0)
        verdict = "more than is charged";
    return verdict;
}

static void one_liar_burns_no_gas(void)
{
    static const struct {
        uint64_t chain;
        int about;
        const char *what;
    } rows[] = {
        { 1, LIE_MINED, "latest count" },
        { 1, LIE_COUNT, "pending count" },
        { 1, LIE_TRIAL, "trial" },
        { 42161, LIE_TRIAL, "trial" },
        { 42161, LIE_ESTIMATE, "eth_estimateGas" },
        { 8453, LIE_ORACLE, "oracle" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct liar_charges l = { .chain = rows[i].chain, .about = rows[i].about };
        json_t *truth = charge_truth(rows[i].about);

        liar_alone_changes_nothing(rows[i].what, truth, charged_by, &l);
        json_decref(truth);
    }
}

/* Two simulations, of which the second one is of a node that has come so far. */
static const char *tx_simulations_held(const char *mine, const char *other, const char *newest)
{
    struct liar_charges l = { .chain = 1, .about = LIE_TRIAL, .newest = newest };
    struct plan p = plan_of(1, USDC, COIN);
    json_t *x = json_loads(mine, JSON_DECODE_ANY, NULL), *y = json_loads(other, JSON_DECODE_ANY, NULL);
    struct rpc_answers as = charge_answers(&l, x, p.count), bs = charge_answers(&l, y, p.count);
    struct chain_state st = { .block = 100 };
    const struct err *e;

    CHECK(read_charges(&p, &st, a, &as, AT_SECOND_TX_SIMULATION));
    e = twin_hold(&ctx, a, &p, &st, &bs);
    CHECK((e != NULL) == st.disputed);
    rpc_answers_free(&as);
    rpc_answers_free(&bs);
    json_decref(x);
    json_decref(y);
    return e != NULL ? "disputed" : plan_verdict(a, &p, &st) == NULL ? "passes" : "fails";
}

/* One call of a simulation after the reading: an allowance, and the spending that reverts. */
#define FAILS                                                                                                \
    "[{\"calls\":[{\"status\":\"0x1\",\"returnData\":\"0x\",\"gasUsed\":\"0xc350\"},"                        \
    "{\"status\":\"0x1\",\"returnData\":\"0x\",\"gasUsed\":\"0xc350\"},"                                     \
    "{\"status\":\"0x0\",\"returnData\":\"0x\",\"gasUsed\":\"0xc350\"}]}]"

static void whether_it_goes_through_is_not_one_nodes_word(void)
{
    json_t *truth = charge_truth(LIE_TRIAL);
    char *passes = json_dumps(truth, JSON_ENCODE_ANY);

    CHECK_STR(tx_simulations_held(passes, passes, NULL), "passes");
    CHECK_STR(tx_simulations_held(FAILS, FAILS, NULL), "fails");
    CHECK_STR(tx_simulations_held(passes, FAILS, NULL), "disputed");
    CHECK_STR(tx_simulations_held(FAILS, passes, NULL), "disputed");
    /* one that lags, or says nothing of it, decides nothing */
    CHECK_STR(tx_simulations_held(passes, FAILS, "0x63"), "passes");
    CHECK_STR(tx_simulations_held(FAILS, passes, "0x63"), "fails");
    CHECK_STR(tx_simulations_held(passes, "\"0x\"", NULL), "passes");
    CHECK_STR(tx_simulations_held(passes, FAILS, "seven"), "passes");
    free(passes);
    json_decref(truth);
}

static const char *charges_held(uint64_t chain, const char *mine, const char *other, bool silent)
{
    struct liar_charges l = { .chain = chain, .about = LIE_ORACLE };
    struct plan p = plan_of(chain, USDC, COIN);
    json_t *x = json_string(mine), *y = json_string(other);
    struct rpc_answers as = charge_answers(&l, x, p.count), bs = charge_answers(&l, y, p.count);
    struct chain_state st = { .block = 1 };
    char text[U256_DECIMAL_LEN + 1];
    const struct err *e;

    CHECK(read_charges(&p, &st, a, &as, AT_SECOND_TX_SIMULATION));
    e = twin_hold(&ctx, a, &p, &st, silent ? NULL : &bs);
    rpc_answers_free(&as);
    rpc_answers_free(&bs);
    json_decref(x);
    json_decref(y);
    u256_decimal(text, st.l1_fee);
    return e == NULL ? arena_strdup(a, text) : strstr(e->hint, "disputed") != NULL ? "disputed" : "above";
}

#define POSTING(word)                                                                                        \
    "0x" WORD("00000020") WORD("00000003") WORD("00000060") WORD("000000e0") WORD("00000160")                \
        RETURNED("00000000000000000000000000000000" word) RETURNED(WORD("00000000"))                         \
            RETURNED(WORD("00000000"))
#define ONE_MILLI POSTING("000000000000000000038d7ea4c68000")
#define TEN_MILLI POSTING("0000000000000000002386f26fc10000")
#define TWENTY                                                                                               \
    POSTING("00000000000000000047"                                                                           \
            "0de4df820000")
#define ALL_THERE_IS POSTING("ffffffffffffffffffffffffffffffff")

static void data_fees_are_compared_between_two_nodes(void)
{
    CHECK_STR(charges_held(8453, ONE_MILLI, ONE_MILLI, false), "1500000000000000");
    /* little is worth no dispute, and the greater one counts */
    CHECK_STR(charges_held(8453, ORACLE("000003e8", "00000000", "00000000"),
                           ORACLE("00010000", "00000000", "00000000"), false),
              "98304");
    CHECK_STR(charges_held(8453, ONE_MILLI, TEN_MILLI, false), "disputed");
    CHECK_STR(charges_held(8453, TEN_MILLI, ONE_MILLI, false), "disputed");
    CHECK_STR(charges_held(8453, ONE_MILLI, "7", false), "1500000000000000");
    /* a node that says what no chain takes says nothing, unless it is the one that is asked */
    CHECK_STR(charges_held(8453, ONE_MILLI, ALL_THERE_IS, false), "1500000000000000");
    CHECK_STR(charges_held(8453, ALL_THERE_IS, ONE_MILLI, false), "disputed");
    /* one node alone, and both */
    CHECK_STR(charges_held(8453, TEN_MILLI, "", true), "15000000000000000");
    CHECK_STR(charges_held(8453, TWENTY, "", true), "above");
    CHECK_STR(charges_held(8453, ALL_THERE_IS, "", true), "above");
    CHECK_STR(charges_held(8453, TWENTY, TWENTY, false), "above");
}

/* More than any of its kind takes: an allowance, a call. */
static void gas_beyond_its_kind(void)
{
    static const char *const trials[] = {
        SALE(WORD("000186a0")), /* as it is */
        SALE(WORD("00989680")), /* the call */
        "\"result\":\"0x" WORD("00300000") WORD("000186a0") UNUSED WORD("00000220")
            WORD("00000220") /* both */
        READ_SALE("00000001", "00000bb8") READ_SALE("00000401", "000007d0") "\"",
    };

    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        const char *const items[] = { HELD("00000bb8", "00000001"), MINED, COUNT, FEES, trials[i], NO_POOLS };
        struct plan p = plan_of(1, USDC, COIN);
        struct chain_state st;

        CHECK(read_state(&p, &st, items, 6) && st.gas_absurd == (i > 0) && st.tried == (i == 0));
    }
}

/* In gas: each step's bytes are estimated apart, and what exceeds the usual belongs to its limit. */
static void gas_of_a_rollup(void)
{
    enum { MORE = 400000 };
    static const char *const estimates[] = { "\"result\":\"0x66A80\"", "\"result\":\"0x5208\"", REFUSED,
                                             "\"result\":\"0xffffffffffff\"" };
    uint64_t plain = 0;

    for (size_t i = 0; i < sizeof estimates / sizeof estimates[0]; i++) {
        const char *const items[] = { HELD_COIN, MINED, COUNT, FEES, PURCHASE, NO_POOLS, estimates[i] };
        static const struct chain arbitrum = { .gas_max = 30000000, .data_fee = DATA_FEE_IN_GAS };
        struct plan p = plan_of(1, COIN, USDC);
        struct chain_state st;

        if (i == 0) {
            CHECK(read_state(&p, &st, items, 6));
            plain = p.steps[0].gas_limit;
        }
        p.chain = &arbitrum;
        CHECK(read_state(&p, &st, items, 7) && u256_is(st.l1_fee, 0));
        if (i == 0) /* 420480 for bytes that take 21000 and their calldata */
            CHECK(p.steps[0].gas_limit > plain + (MORE - 10000) &&
                  p.steps[0].gas_limit < plain + MORE * 6 / 5);
        else
            CHECK(p.steps[0].gas_limit == plain);
    }
}

/* No chain lets one transaction take so much, mantle included since its gas is that of the others. */
static void gas_of_data_is_bounded(void)
{
    const struct rpc_answer answer = { .class = RPC_RESULT, .result = json_string("0x5f5e100") }; /* 100 M */

    for (size_t i = 0; i < chains_count; i++) {
        struct plan p = plan_of(chains[i].id, COIN, USDC);

        gas_read(&p, &answer);
        CHECK(p.steps[0].data_gas == 0 && chains[i].gas_max <= 30000000);
    }
    json_decref(answer.result);
}

/* Chains where it is in gas, and those where it is taken apart. */
static void chains_with_data_fees_have_an_oracle_and_a_bound(void)
{
    CHECK(chain_by_id(42161)->data_fee == DATA_FEE_IN_GAS && chain_by_id(1)->data_fee == DATA_FEE_NONE);
    for (size_t i = 0; i < chains_count; i++)
        CHECK((chains[i].data_fee == DATA_FEE_APART) == (chains[i].fee_oracle != NULL));
    for (size_t i = 0; i < chains_count; i++)
        CHECK((chains[i].data_fee == DATA_FEE_APART) == (chains[i].data_fee_max > 0));
    CHECK(chain_by_id(534352)->fee_by_bytes && chain_by_id(10)->data_fee == DATA_FEE_APART &&
          chain_by_id(8453)->data_fee == DATA_FEE_APART);
}

/* Pools keep some dozens of an account's transactions: a count far beyond that is the node's mistake. */
static void counts_of_pending_transactions(void)
{
    static const struct {
        const char *mined, *pending;
        uint64_t want;
    } rows[] = {
        { "\"result\":\"0x8\"", "\"result\":\"0x8\"", 8 },
        { "\"result\":\"0x8\"", "\"result\":\"0x3a\"", 58 }, /* 50 more: the gap is filled */
        { "\"result\":\"0x8\"", "\"result\":\"0x48\"", 72 },
        { "\"result\":\"0x8\"", "\"result\":\"0x49\"", 8 },
        { "\"result\":\"0x8\"", "\"result\":\"0xffffffffffffffff\"", 8 },
        { "\"result\":\"0x8\"", "\"result\":\"0x7\"", 7 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf body = BUF_INIT(1024);
        struct rpc_answers answers;
        uint64_t count;

        buf_addf(&body, "[{\"id\":%d,%s},{\"id\":%d,%s}]", AT_MINED, rows[i].mined, AT_COUNT,
                 rows[i].pending);
        CHECK(rpc_read(&answers, a, &body, AT_COUNT + 1, evm_classify));
        CHECK(read_count(&count, &answers.items[AT_MINED], &answers.items[AT_COUNT]) &&
              count == rows[i].want);
        rpc_answers_free(&answers);
        buf_free(&body);
    }
}

/* A step that uses more the later it comes gets three tenths more, the others a fifth. */
static void gas_that_drifts(void)
{
    struct plan p = { .chain = chain_by_id(1), .count = 1, .steps = { { .kind = TX_SPEND } } };
    const uint64_t used[] = { 79000 };

    gas_by_tx_simulation(&p, used);
    CHECK(p.steps[0].gas_limit == 120000);
    p.steps[0].drifts = true;
    gas_by_tx_simulation(&p, used);
    CHECK(p.steps[0].gas_limit == 130000);
}

/* Tether refuses to change an allowance, but not to take it back. */
static void allowances_that_are_reset(void)
{
    static const char USDT[] = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    struct plan p = { .chain = chain_by_id(1) };

    evm_plan_allow(&p, a, USDC, V2_ROUTER, u256_from_u64(5));
    CHECK(p.count == 1 && u256_is(p.steps[0].token_amount, 5));
    evm_plan_allow(&p, a, USDT, V2_ROUTER, u256_from_u64(5));
    CHECK(p.count == 3 && u256_is(p.steps[1].token_amount, 0) && u256_is(p.steps[2].token_amount, 5));
    evm_plan_allow(&p, a, USDT, V2_ROUTER, U256_ZERO);
    CHECK(p.count == 4 && u256_is(p.steps[3].token_amount, 0));
}

static void plan_test_start(void)
{
    a = arena_new();
}

static void plan_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(plan_test_start), TEST(gas_that_drifts), TEST(allowances_that_are_reset), TEST(costs_add_up),
          TEST(a_tx_simulation_that_ran), TEST(only_settlers_that_the_registry_names),
          TEST(a_tx_simulation_that_did_not), TEST(answers_that_must_be_there), TEST(plans_need_the_balances),
          TEST(block_numbers_come_from_the_chains_own_contract), TEST(fees_of_a_rollup),
          TEST(fees_that_an_oracle_tells_in_ether), TEST(fee_oracles_get_their_arguments),
          TEST(data_fees_are_compared_between_two_nodes), TEST(one_liar_burns_no_gas),
          TEST(whether_it_goes_through_is_not_one_nodes_word), TEST(gas_beyond_its_kind),
          TEST(gas_of_a_rollup), TEST(gas_of_data_is_bounded),
          TEST(chains_with_data_fees_have_an_oracle_and_a_bound), TEST(counts_of_pending_transactions),
          TEST(plan_test_end))
