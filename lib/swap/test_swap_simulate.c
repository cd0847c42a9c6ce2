/* Simulations with what a node would have said put in its place. */
#include "base/test.h"

#define chain_ops_of         pick_family
#define swap_plan_impact     set_impact
#define price_of_token       price_named
#define prices_ask           set_prices
#define wallet_of            set_wallet
#define wallet_need          need_wallet
#define wallet_reserved_now  set_reserved
#define quote_of             set_quote
#define executions_by_once   set_swap
#define spend_facts_estimate set_verdict
#define elsewhere_text       say_nothing
#include "exec/simulation.c"
#include "swap/quote_use.c"
#include "swap/swap_simulate.c"

#include "service/conf.h"

#include <string.h>

#define ME        "0x1111111111111111111111111111111111111111"
#define COIN      "0x0000000000000000000000000000000000000000"
#define WETH_AT   "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
#define USDC_AT   "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define ETHER     1000000000000000000u
#define GAS_LIMIT 100000
#define GWEI      1000000000u

static struct arena *a;
static struct conf conf;
static struct ctx ctx = { .conf = &conf };

/* The world of a test's case. */
static struct {
    const struct err *node; /* E_UPSTREAM: silent */
    struct chain_state state;
    unsigned reverting;        /* so many simulations */
    struct u256 reference_out; /* what the price of a small part would give */
    struct reservation reserved;
    enum lookup own; /* whether the wallet is the agent's */
    enum lookup found;
    bool consumed, expired;
    enum policy_verdict verdict;
} world;

static const struct err *set_state(const struct ctx *c, struct arena *arena, struct plan *p,
                                   struct chain_state *st)
{
    (void)c;
    (void)arena;
    *st = world.state;
    if (world.reverting > 0) {
        world.reverting--;
        st->tried = false;
        st->revert = "no";
    }
    for (unsigned i = 0; i < p->count; i++)
        p->steps[i].gas_limit = GAS_LIMIT;
    return world.node;
}

/* One gas limit after the other, at the highest fee. */
static bool add_costs(const struct plan *p, const struct chain_state *st, struct u256 *value,
                      struct u256 *fees)
{
    *value = p->steps[p->spend].value;
    return u256_mul(fees, u256_from_u64((uint64_t)GAS_LIMIT * p->count), st->fees.max_fee);
}

const struct chain_ops *chain_ops_of(const struct chain *c)
{
    static const struct chain_ops family = { .try_plan = set_state, .cost = add_costs };

    CHECK(c->id == 1);
    return &family;
}

const char *elsewhere_text(const struct ctx *c, struct arena *arena, const char *address,
                           const struct chain *here, const char *symbol)
{
    (void)c;
    (void)arena;
    (void)address;
    (void)here;
    (void)symbol;
    return "";
}

struct ppm swap_plan_impact(const struct ctx *c, struct arena *arena, const struct quote *q,
                            const struct plan *of, const struct chain_state *st)
{
    (void)of;
    (void)arena;
    return impact_of(c, q, st->tried ? st->arrives : q->amount_out, world.reference_out);
}

struct price price_of_token(const struct ctx *c, struct arena *arena, const struct chain *chain,
                            const struct token *t)
{
    (void)c;
    (void)arena;
    (void)chain;
    return (struct price){ .symbol = t->symbol };
}

void prices_ask(const struct ctx *c, struct arena *arena, struct price *list, size_t n)
{
    (void)c;
    (void)arena;
    CHECK(n == 1 || n == 2); /* the bought token, and the coin */
    for (size_t i = 0; i < n; i++) {
        list[i].state = PRICE_KNOWN;
        list[i].usd = (struct amount){ u256_from_u64(999900000000000000), RATE_PLACES };
    }
}

enum lookup wallet_of(const struct ctx *c, uint64_t agent_id, enum wallet_kind kind, const char *address,
                      struct wallet *out)
{
    (void)c;
    CHECK(agent_id == 5 && kind == WALLET_EVM && (address == NULL || strcmp(address, ME) == 0));
    *out = (struct wallet){ .id = 9 };
    if (world.own == 1)
        snprintf(out->ref.address, sizeof out->ref.address, "%s", ME);
    return world.own;
}

const struct err *wallet_need(const struct ctx *c, uint64_t agent_id, enum wallet_kind kind,
                              const char *address, struct wallet *out)
{
    enum lookup found = wallet_of(c, agent_id, kind, address, out);

    return found == LOOKUP_FOUND ? NULL : found == LOOKUP_NONE ? &E_WALLET_NOT_FOUND : &E_INTERNAL;
}

bool wallet_reserved_now(const struct ctx *c, struct arena *arena, const struct wallet *w,
                         const struct plan *p, const struct chain_state *st, struct reservation *out)
{
    (void)c;
    (void)arena;
    CHECK(w->id == 9 && p->chain->id == 1 && st->block == 77);
    *out = world.reserved;
    return true;
}

enum policy_verdict spend_facts_estimate(const struct ctx *c, struct arena *arena, struct spend_facts *o,
                                         const struct plan *p, const struct chain_state *st,
                                         const struct err **why)
{
    (void)c;
    (void)arena;
    CHECK(o->wallet_id == 9 && !o->approved && p->count > 0 && st->block == 77);
    *why = &E_POLICY;
    return world.verdict;
}

enum lookup quote_of(const struct ctx *c, uint64_t agent_id, const char *quote_id, struct quote *out)
{
    struct uuid id;

    (void)c;
    CHECK(agent_id == 5);
    if (!quote_id_parse(&id, quote_id))
        return LOOKUP_NONE;
    *out = (struct quote){ .consumed = world.consumed, .expired = world.expired };
    return world.found;
}

enum lookup executions_by_once(struct db *db, uint64_t agent_id, const struct uuid *once, uint64_t *id)
{
    (void)db;
    (void)once;
    CHECK(agent_id == 5);
    *id = 42;
    return LOOKUP_FOUND;
}

/* One of the sold token for 2990 dollars, three per cent allowed. */
static struct quote ether_quote(const char *from)
{
    struct evm_addr path[2];
    struct quote q = {
        .agent_id = 5,
        .provider = "uniswap",
        .from = { .chain_id = 1, .symbol = "ETH", .decimals = 18 },
        .to = { .chain_id = 1, .symbol = "USDC", .address = USDC_AT, .decimals = 6 },
        .amount_in = u256_from_u64(ETHER),
        .amount_out = u256_from_u64(2990000000),
        .min_out = u256_from_u64(2900300000),
        .slippage = { 30000 },
        .max_impact = { PPM_NONE },
        .gas_units = 115000,
        .route = { 3, 1 },
        .route_len = 2 + sizeof path,
    };

    CHECK(evm_addr_parse(&path[0], WETH_AT) && evm_addr_parse(&path[1], USDC_AT));
    memcpy(q.route + 2, path, sizeof path);
    snprintf(q.from.address, sizeof q.from.address, "%s", from);
    return q;
}

static struct quote_offer runner_up;
static unsigned runners_up; /* 0 or 1 */

static void begin_case(void)
{
    memset(&world, 0, sizeof world);
    runners_up = 0;
    world.own = world.found = 1;
    world.verdict = POLICY_FREE;
    world.state = (struct chain_state){
        .block = 77,
        .fees = { .max_fee = u256_from_u64(GWEI) },
        .native_balance = u256_from_u64(2 * ETHER),
        .token_balance = u256_from_u64(ETHER),
        .allowance = u256_from_u64(ETHER),
        .tried = true,
        .arrives = u256_from_u64(2990000000),
    };
    world.reference_out = u256_from_u64(3000000000);
}

static struct quote quote;
static struct swap_simulation s;

static const struct err *rehearse(const char *from)
{
    quote = ether_quote(from);
    runner_up = (struct quote_offer){ .provider = "uniswap",
                                      .amount_out = quote.amount_out,
                                      .payload = quote.route,
                                      .payload_len = quote.route_len };
    quote.offers = &runner_up;
    quote.offer_count = runners_up;
    return simulate_swap(&ctx, a, &quote, ME, &s);
}

static char letters[CHECKS + 1];

/* The states of all checks, a letter each. */
static const char *states(void)
{
    for (unsigned i = 0; i < CHECKS; i++)
        letters[i] = "PWFU"[s.checks[i].status];
    return letters;
}

static void all_is_well(void)
{
    begin_case();
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPPPPPP");
    CHECK(s.would_execute && s.has_usd && s.has_fees);
    CHECK_STR(amount_text(a, s.usd), "2989.701");
    CHECK_STR(amount_text(a, s.fees), "0.0001");
    CHECK(s.impact.value == 3334); /* 2990 instead of 3000 */
    CHECK_STR(s.checks[AT_BALANCE].detail, "2 ETH at hand, 1 ETH needed");
    CHECK_STR(s.checks[AT_GAS].detail, "2 ETH at hand, at most 1.0001 ETH needed");
    CHECK_STR(s.checks[AT_SLIPPAGE].detail, "Slippage of 3 % allowed. Price impact of 0.3334 %");
    for (unsigned i = 0; i < CHECKS; i++)
        CHECK(!s.checks[i].unverified);
}

static void the_next_best_offer(void)
{
    begin_case();
    world.reverting = 1;
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPPFPPP");
    begin_case();
    runners_up = 1;
    world.reverting = 1;
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPPPPPP");
    begin_case();
    runners_up = 1;
    world.reverting = 2;
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPPFPPP");
}

/* Without the input no runner-up is asked. */
static void runners_up_are_not_asked_without_the_input(void)
{
    begin_case();
    runners_up = 1;
    world.reverting = 1;
    world.state.native_balance = U256_ZERO;
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PFPFFPPP");
}

static void a_silent_node(void)
{
    begin_case();
    world.node = &E_UPSTREAM;
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PUUUUUUU");
    CHECK(!s.would_execute && !s.has_usd && !s.has_fees && s.impact.value == PPM_NONE);
    world.node = &E_INTERNAL;
    CHECK(rehearse(COIN) == &E_INTERNAL);
}

static void coins_for_the_swap_and_for_gas(void)
{
    begin_case();
    world.state.native_balance = u256_from_u64(ETHER - 1);
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PFPFPPPP");
    world.state.native_balance = u256_from_u64(ETHER + (uint64_t)GAS_LIMIT * GWEI - 1);
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPFPPPP");
    world.state.native_balance = u256_from_u64(ETHER + (uint64_t)GAS_LIMIT * GWEI);
    CHECK(rehearse(COIN) == NULL && s.would_execute);
    CHECK_STR(states(), "PPPWPPPP"); /* nothing is left for another one */
    world.state.native_balance = u256_from_u64(ETHER + 2 * (uint64_t)GAS_LIMIT * GWEI);
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPPPPPP");
}

static void tokens_and_their_allowance(void)
{
    begin_case();
    CHECK(rehearse(WETH_AT) == NULL);
    CHECK_STR(states(), "PPPPPPPP");
    CHECK_STR(amount_text(a, s.fees), "0.0002"); /* of the approval too */
    world.state.allowance = u256_from_u64(ETHER - 1);
    CHECK(rehearse(WETH_AT) == NULL && s.would_execute);
    CHECK_STR(states(), "PPWPPPPP");
    world.state.token_balance = u256_from_u64(ETHER - 1);
    CHECK(rehearse(WETH_AT) == NULL && !s.would_execute);
    CHECK_STR(states(), "PFWPPPPP");
}

static void reserved_funds_are_not_available(void)
{
    begin_case();
    world.reserved.native = u256_from_u64(ETHER);
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPFPPPP");
    world.reserved.native = u256_from_u64(3 * ETHER);
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PFPFPPPP");
    CHECK_STR(s.checks[AT_BALANCE].detail, "0 ETH at hand, 1 ETH needed");
    world.own = 0; /* of others nothing is known */
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPPPPPP");
    world.own = -1;
    CHECK(rehearse(COIN) == &E_INTERNAL);
}

static void tx_simulations_that_fail(void)
{
    begin_case();
    world.state.arrives = u256_from_u64(2900299999);
    CHECK(rehearse(COIN) == NULL);
    CHECK_STR(states(), "PPPPFPWP");
    CHECK_STR(
        s.checks[AT_TX_SIMULATION].detail,
        "Price moved beyond slippage: Less arrives than the trade pays out, as if the token kept a part "
        "of each transfer: allow more slippage, or trade another token");
    world.state.tried = false;
    world.state.revert = "TransferHelper: no";
    CHECK(rehearse(COIN) == NULL && !s.would_execute);
    CHECK_STR(s.checks[AT_TX_SIMULATION].detail, "Transaction would revert: TransferHelper: no");
    CHECK(s.checks[AT_GAS].unverified && s.checks[AT_GAS].status == CHECK_PASS);
}

static const char *states_with_reference(uint64_t reference_out)
{
    begin_case();
    world.reference_out = u256_from_u64(reference_out);
    CHECK(rehearse(COIN) == NULL);
    CHECK(s.would_execute == (s.checks[AT_IMPACT].status != CHECK_FAIL));
    return states();
}

static void prices_that_are_far_off(void)
{
    CHECK_STR(states_with_reference(3051020000), "PPPPPPPP"); /* 2 % */
    CHECK_STR(states_with_reference(3052000000), "PPPPPPWP");
    CHECK_STR(states_with_reference(3140000000), "PPPPPPWP"); /* 4.78 % */
    CHECK_STR(states_with_reference(3148000000), "PPPPPWFP"); /* 5.02 % */
    CHECK_STR(s.checks[AT_IMPACT].detail, "Price impact of 5.0191 %, 5 % allowed");
    CHECK_STR(states_with_reference(2980000000), "PPPPPPPP"); /* better than a small one */
    CHECK(s.impact.value == 0);
    CHECK_STR(states_with_reference(0), "PPPPPPFP");
    CHECK(s.impact.value == PPM_NONE && s.checks[AT_SLIPPAGE].unverified);
}

/* The arrival counts; without a simulation the quote. */
static void the_impact_is_that_of_now(void)
{
    begin_case();
    world.state.arrives = u256_from_u64(2900400000);
    CHECK(rehearse(COIN) == NULL && s.impact.value == 33200);
    world.state.tried = false;
    CHECK(rehearse(COIN) == NULL && s.impact.value == 3334);
}

static void larger_impacts_have_to_be_allowed(void)
{
    begin_case();
    world.reference_out = u256_from_u64(4000000000);
    quote = ether_quote(COIN);
    quote.max_impact.value = 252500;
    CHECK(simulate_swap(&ctx, a, &quote, ME, &s) == NULL && s.would_execute);
    quote.max_impact.value = 252499;
    CHECK(simulate_swap(&ctx, a, &quote, ME, &s) == NULL && !s.would_execute);
    world.reference_out = U256_ZERO;
    quote.max_impact.value = PPM_ONE;
    CHECK(simulate_swap(&ctx, a, &quote, ME, &s) == NULL && s.would_execute);
    quote.max_impact.value = 0; /* which is less than the operator allows */
    world.reference_out = u256_from_u64(2990000001);
    CHECK(simulate_swap(&ctx, a, &quote, ME, &s) == NULL && !s.would_execute);
}

static void quotes_and_wallets_are_the_agents_own(void)
{
    static const char id[] = "q_00112233445566778899aabbccddeeff";
    const char *wallet;
    uint64_t swap_id;

    begin_case();
    CHECK(simulate_quote(&ctx, 5, id, &quote, &swap_id) == NULL);
    CHECK(simulate_quote(&ctx, 5, "q_", &quote, &swap_id) == &E_QUOTE_NOT_FOUND);
    world.expired = true;
    CHECK(simulate_quote(&ctx, 5, id, &quote, &swap_id) == &E_QUOTE_EXPIRED_EXECUTE);
    world.consumed = true; /* consumed comes before expired */
    CHECK(simulate_quote(&ctx, 5, id, &quote, &swap_id) == &E_QUOTE_NOT_FOUND);
    CHECK(swap_id == 42);
    world.found = 0;
    CHECK(simulate_quote(&ctx, 5, id, &quote, &swap_id) == &E_QUOTE_NOT_FOUND);
    world.found = -1;
    CHECK(simulate_quote(&ctx, 5, id, &quote, &swap_id) == &E_INTERNAL);

    quote.agent_id = 5;
    quote.from.chain_id = 1;
    CHECK(simulate_wallet(&ctx, a, &quote, NULL, &wallet) == NULL);
    CHECK_STR(wallet, ME);
    CHECK(simulate_wallet(&ctx, a, &quote, COIN, &wallet) == NULL);
    CHECK_STR(wallet, COIN);
    world.own = 0;
    CHECK(simulate_wallet(&ctx, a, &quote, NULL, &wallet) == &E_WALLET_NOT_FOUND);
    world.own = -1;
    CHECK(simulate_wallet(&ctx, a, &quote, NULL, &wallet) == &E_INTERNAL);
}

/* Policies hold for the agent's own wallets alone. */
static void policies_are_checked(void)
{
    static const struct {
        enum policy_verdict verdict;
        const char *states;
        bool goes;
    } rows[] = {
        { POLICY_FREE, "PPPPPPPP", true },
        { POLICY_ALLOWS, "PPPPPPPP", true },
        { POLICY_ASKS, "PPPPPPPW", true },
        { POLICY_REFUSES, "PPPPPPPF", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin_case();
        world.verdict = rows[i].verdict;
        CHECK(rehearse(COIN) == NULL);
        CHECK_STR(states(), rows[i].states);
        CHECK(s.would_execute == rows[i].goes);
    }
    begin_case();
    world.verdict = POLICY_BROKEN;
    CHECK(rehearse(COIN) == &E_INTERNAL);
    begin_case();
    world.own = 0;
    world.verdict = POLICY_REFUSES;
    CHECK(rehearse(COIN) == NULL && s.checks[AT_POLICY].status == CHECK_PASS);
}

static void simulate_test_start(void)
{
    a = arena_new();
    conf.price_impact_max = 50000;
}

static void simulate_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(simulate_test_start), TEST(all_is_well), TEST(the_next_best_offer),
          TEST(runners_up_are_not_asked_without_the_input), TEST(a_silent_node),
          TEST(coins_for_the_swap_and_for_gas), TEST(tokens_and_their_allowance),
          TEST(reserved_funds_are_not_available), TEST(tx_simulations_that_fail),
          TEST(prices_that_are_far_off), TEST(the_impact_is_that_of_now),
          TEST(larger_impacts_have_to_be_allowed), TEST(quotes_and_wallets_are_the_agents_own),
          TEST(policies_are_checked), TEST(simulate_test_end))
