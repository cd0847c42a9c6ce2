/* Plans of operations at lenders, which the guard of what is signed has to let pass, and what is concluded
 * from a simulation; the chain says what the test wants. */
#include "base/test.h"

#define lend_stand_poll poll_of_tests
#include "lend/operation_plan.c"

#include "chain/evm/abi.h"
#include "chain/rpc/node.h"

#define ME "0x1111111111111111111111111111111111111111"

static struct arena *a;
static struct conf conf = { .lend_min_health_factor = 1050000 };
static struct ctx ctx = { .conf = &conf };
static struct lend_stand now; /* as a look finds it */
static unsigned polls;

const struct err *lend_stand_poll(const struct ctx *c, struct arena *arena, const struct lend_place *p,
                                  const struct token_ref *token, struct evm_addr wallet,
                                  struct lend_stand *out)
{
    (void)c;
    (void)arena;
    (void)p;
    (void)token;
    (void)wallet;
    polls++;
    *out = now;
    return NULL;
}

static struct token_ref token_of(const char *chain, const char *symbol)
{
    return token_ref_of(token_find(chain_find(chain), symbol));
}

static struct lend_place aave_place(const char *chain, const char *symbol)
{
    return (struct lend_place){ .chain = chain_find(chain),
                                .id = "aave-v3",
                                .protocol = "aave-v3",
                                .lender = contract_of(chain_find(chain), &aave_pool),
                                .loan = token_of(chain, symbol),
                                .can_be_collateral = true };
}

static struct lend_place morpho_place(void)
{
    struct lend_place p = { .chain = chain_find("base"),
                            .id = "0x",
                            .protocol = "morpho",
                            .lender = contract_of(chain_find("base"), &morpho_blue),
                            .loan = token_of("base", "USDC"),
                            .collateral = token_of("base", "WETH"),
                            .terms = { .lltv = { { 860000000000000000 } } } };

    p.terms.loan = evm_addr_or_zero(p.loan.address);
    p.terms.collateral = evm_addr_or_zero(p.collateral.address);
    morpho_market_id(p.market, &p.terms);
    return p;
}

struct op_asked {
    enum exec_kind_id kind;
    struct lend_named named;
    const char *amount;
    bool collateral, enabled;
};

/* The result of lend_op_begin, without its questions. */
static struct lend_op asked_of(struct lend_place place, const struct op_asked *asked)
{
    const struct lend_asked in = { .collateral = asked->collateral, .enabled = asked->enabled };
    struct lend_op l = { .op = { .ctx = &ctx, .arena = a, .kind = asked->kind }, .place = place };

    l.op.wallet.ref.kind = WALLET_EVM;
    (void)snprintf(l.op.wallet.ref.address, sizeof l.op.wallet.ref.address, ME);
    l.enabled = asked->enabled;
    l.act = act_of(asked->kind, &in);
    CHECK(choose_token(&l) == NULL && choose_coin(&l, asked->named.asset) == NULL &&
          read_amount(&l, asked->amount) == NULL);
    return l;
}

/* A letter for each step: W wraps, A allows, R takes an allowance back, L is the loan. */
static const char *steps_of(const struct plan *p)
{
    char *out = arena_strdup(a, "......");

    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        out[i] = s->kind == TX_APPROVAL   ? (u256_is_zero(s->token_amount) ? 'R' : 'A')
                 : u256_is_zero(s->value) ? 'L'
                                          : 'W';
    }
    out[p->count] = '\0';
    return out;
}

static void plans_are_what_the_guard_lets_pass(void)
{
    const struct lend_place weth = aave_place("base", "WETH"), tether = aave_place("ethereum", "USDT"),
                            morpho = morpho_place();
    const struct {
        const struct lend_place *place;
        struct op_asked asked;
        const char *steps;
        unsigned polls;
    } rows[] = {
        { &weth, { .kind = KIND_LEND_SUPPLY, .amount = "1" }, "AL", 0 },
        { &weth, { .kind = KIND_LEND_SUPPLY, .named.asset = "ETH", .amount = "1" }, "WAL", 0 },
        { &weth, { .kind = KIND_LEND_WITHDRAW, .amount = "1" }, "L", 0 },
        { &weth, { .kind = KIND_LEND_WITHDRAW, .named.asset = "ETH", .amount = "max" }, "L", 1 },
        { &weth, { .kind = KIND_LEND_BORROW, .amount = "1" }, "L", 0 },
        { &weth, { .kind = KIND_LEND_REPAY, .amount = "1" }, "AL", 1 },
        { &weth, { .kind = KIND_LEND_REPAY, .amount = "max" }, "ALR", 1 },
        { &weth, { .kind = KIND_LEND_REPAY, .named.asset = "ETH", .amount = "max" }, "WALR", 1 },
        { &weth, { .kind = KIND_LEND_REPAY, .amount = "3" }, "ALR", 1 },
        { &weth, { .kind = KIND_LEND_COLLATERAL, .enabled = true }, "L", 0 },
        { &weth, { .kind = KIND_LEND_COLLATERAL }, "L", 0 },
        { &tether, { .kind = KIND_LEND_SUPPLY, .amount = "1" }, "RAL", 0 },
        { &tether, { .kind = KIND_LEND_REPAY, .amount = "max" }, "RALR", 1 },
        { &morpho, { .kind = KIND_LEND_SUPPLY, .amount = "1" }, "AL", 0 },
        { &morpho, { .kind = KIND_LEND_SUPPLY, .amount = "1", .collateral = true }, "AL", 1 },
        { &morpho,
          { .kind = KIND_LEND_SUPPLY, .named.asset = "ETH", .amount = "1", .collateral = true },
          "WAL",
          1 },
        { &morpho, { .kind = KIND_LEND_WITHDRAW, .amount = "max" }, "L", 1 },
        { &morpho, { .kind = KIND_LEND_WITHDRAW, .amount = "1", .collateral = true }, "L", 0 },
        { &morpho, { .kind = KIND_LEND_WITHDRAW, .amount = "max", .collateral = true }, "L", 1 },
        { &morpho, { .kind = KIND_LEND_BORROW, .amount = "1" }, "L", 0 },
        { &morpho, { .kind = KIND_LEND_REPAY, .amount = "max" }, "ALR", 1 },
    };

    now = (struct lend_stand){ .supplied = { { 5000000 } },
                               .borrowed = { { 2000000000000000000 } },
                               .supply_shares = { { 5000000000000 } },
                               .borrow_shares = { { 2000000000000 } },
                               .collateral = { { 3000 } } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct lend_op l = asked_of(*rows[i].place, &rows[i].asked);

        polls = 0;
        CHECK(lend_op_plan(&l) == NULL && polls == rows[i].polls);
        CHECK_STR(steps_of(&l.op.plan), rows[i].steps);
        CHECK(l.op.plan.steps[l.op.plan.spend].drifts && l.op.plan.after != NULL);
        CHECK(chain_ops_of(l.op.plan.chain)->guard(&l.op.plan) == NULL);
    }
}

/* The lender is told to move all, or the shares that are all. */
static void all_of_it_is_no_amount(void)
{
    const struct op_asked out = { .kind = KIND_LEND_WITHDRAW, .amount = "max" },
                          back = { .kind = KIND_LEND_REPAY, .amount = "max" },
                          freed = { .kind = KIND_LEND_WITHDRAW, .amount = "max", .collateral = true };
    struct lend_op l = asked_of(aave_place("base", "USDC"), &out);

    CHECK(lend_op_plan(&l) == NULL && u256_cmp(l.loan.amount, LOAN_ALL) == 0);
    CHECK(u256_cmp(l.amount, now.supplied) == 0 && u256_is_zero(l.op.plan.leaves.amount));
    l = asked_of(morpho_place(), &out);
    CHECK(lend_op_plan(&l) == NULL && u256_is_zero(l.loan.amount));
    CHECK(u256_cmp(l.loan.shares, now.supply_shares) == 0);
    l = asked_of(morpho_place(), &freed);
    CHECK(lend_op_plan(&l) == NULL && u256_cmp(l.loan.amount, now.collateral) == 0);
    l = asked_of(morpho_place(), &back);
    CHECK(lend_op_plan(&l) == NULL && u256_cmp(l.loan.shares, now.borrow_shares) == 0);
    now = (struct lend_stand){ .has_health = false };
    l = asked_of(morpho_place(), &out);
    CHECK(lend_op_plan(&l) == &E_LEND_SUPPLIED);
    l = asked_of(morpho_place(), &back);
    CHECK(lend_op_plan(&l) == &E_LEND_NO_DEBT);
}

/* A thousandth more than is owed may be taken, as far as the wallet has it. */
static void repayments_are_bounded_by_debt_and_balance(void)
{
    static const struct {
        const char *amount;
        uint64_t owed, at_hand, gives, repaid;
    } rows[] = {
        { "max", 1000000, 9000000, 1001001, 1000000 },    { "max", 1000000, 1000500, 1000500, 1000000 },
        { "max", 1000000, 1000000, 1000000, 1000000 },    { "max", 1000000, 999999, 1001001, 1000000 },
        { "0.999999", 1000000, 9000000, 999999, 999999 }, { "1", 1000000, 9000000, 1000000, 1000000 },
        { "1.0005", 1000000, 9000000, 1000500, 1000000 }, { "7", 1000000, 9000000, 1001001, 1000000 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct op_asked asked = { .kind = KIND_LEND_REPAY, .amount = rows[i].amount };
        struct lend_op l = asked_of(aave_place("base", "USDC"), &asked);

        now = (struct lend_stand){ .borrowed = u256_from_u64(rows[i].owed),
                                   .at_hand = u256_from_u64(rows[i].at_hand) };
        CHECK(lend_op_plan(&l) == NULL);
        CHECK(u256_cmp(l.op.plan.leaves.amount, u256_from_u64(rows[i].gives)) == 0);
        CHECK(u256_cmp(l.amount, u256_from_u64(rows[i].repaid)) == 0);
        CHECK(l.closes == (rows[i].repaid == rows[i].owed));
    }
}

static void operations_that_a_market_lacks_are_refused(void)
{
    struct lend_op l = { .op = { .ctx = &ctx, .arena = a, .kind = KIND_LEND_SUPPLY },
                         .place = aave_place("base", "WETH") };

    l.act = LOAN_PLEDGE;
    CHECK(err_is(choose_token(&l), &E_LEND_NO_COLLATERAL));
    l.act = LOAN_COLLATERAL;
    l.enabled = true;
    CHECK(choose_token(&l) == NULL);
    l.place.can_be_collateral = false;
    CHECK(choose_token(&l) == &E_LEND_NO_COLLATERAL);
    l.place = morpho_place();
    CHECK(err_is(choose_token(&l), &E_LEND_NO_COLLATERAL));
    l.act = LOAN_RELEASE;
    CHECK(choose_token(&l) == NULL);
    l.place.collateral.chain_id = 0;
    CHECK(choose_token(&l) == &E_LEND_NO_COLLATERAL);
    l.act = LOAN_SUPPLY;
    CHECK(choose_token(&l) == NULL && err_is(choose_coin(&l, "WETH"), &E_VALIDATION));
    CHECK(choose_coin(&l, "usdc") == NULL && !l.wraps);
}

/* ---- results of a simulation ---- */

/* Multicall3's result of five calls: one word each, and Aave's six of an account. */
static void stand_write(struct buf *out, const uint64_t *words, struct u256 debt, struct u256 health)
{
    enum { CALLS = 5, SINGLE = 4, ACCOUNT = 9 }; /* words of an answer */
    unsigned at = CALLS * ABI_WORD;

    abi_u64(out, ABI_WORD);
    abi_u64(out, CALLS);
    for (unsigned i = 0; i < CALLS; i++, at += SINGLE * ABI_WORD)
        abi_u64(out, at);
    for (unsigned i = 0; i < CALLS - 1; i++) {
        abi_u64(out, 1);
        abi_u64(out, (uint64_t)(2 * ABI_WORD));
        abi_u64(out, ABI_WORD);
        abi_u64(out, words[i]);
    }
    abi_u64(out, 1);
    abi_u64(out, (uint64_t)(2 * ABI_WORD));
    abi_u64(out, (uint64_t)((ACCOUNT - 3) * ABI_WORD));
    abi_u64(out, 0);
    abi_u256(out, debt);
    for (unsigned i = 0; i < 3; i++)
        abi_u64(out, 0);
    abi_u256(out, health);
}

enum { AT_HAND, ALLOWED, SUPPLIED, BORROWED, WORDS };

static const struct err *verdict_on(struct lend_op *l, const uint64_t words[static WORDS], uint64_t health)
{
    struct buf data = BUF_INIT(4096);
    struct chain_state st = { .tried = true };
    const struct err *e;

    stand_write(&data, words, u256_from_u64(words[BORROWED]), u256_from_u64(health));
    st.after = (const uint8_t *)data.data;
    st.after_len = data.len;
    e = lend_op_verdict(l, &st);
    buf_free(&data);
    return e;
}

static void plans_check_the_state_afterwards(void)
{
    const uint64_t fine = 1050000000000000000, low = 1049999999999999999;
    const struct op_asked borrows = { .kind = KIND_LEND_BORROW, .amount = "1" },
                          repays = { .kind = KIND_LEND_REPAY, .amount = "max" },
                          takes = { .kind = KIND_LEND_WITHDRAW, .amount = "max" },
                          supplies = { .kind = KIND_LEND_SUPPLY, .amount = "1" };
    struct lend_op l = asked_of(aave_place("base", "USDC"), &borrows);
    struct chain_state untold = { .tried = true };
    const struct err *e;

    now = (struct lend_stand){ .supplied = { { 5 } }, .borrowed = { { 5 } } };
    CHECK(lend_op_plan(&l) == NULL);
    CHECK(verdict_on(&l, (uint64_t[]){ 0, 0, 0, 7 }, fine) == NULL);
    e = verdict_on(&l, (uint64_t[]){ 0, 0, 0, 7 }, low);
    CHECK(err_is(e, &E_LEND_HEALTH));
    CHECK_STR(e->text, "Health factor would fall below 1.05");
    CHECK(verdict_on(&l, (uint64_t[]){ 0, 0, 0, 0 }, low) == NULL); /* without debt there is none */
    l.least_health = u256_from_u64(2060000000000000000);
    e = verdict_on(&l, (uint64_t[]){ 0, 0, 0, 7 }, 2050000000000000000);
    CHECK_STR(e->text, "Health factor would fall below 2.06");
    CHECK(verdict_on(&l, (uint64_t[]){ 0, 0, 0, 7 }, 2060000000000000000) == NULL);
    CHECK(lend_op_verdict(&l, &untold) == &E_LEND_FAILED);

    l = asked_of(aave_place("base", "USDC"), &supplies);
    CHECK(lend_op_plan(&l) == NULL && verdict_on(&l, (uint64_t[]){ 0, 0, 9, 7 }, low) == NULL);
    CHECK(verdict_on(&l, (uint64_t[]){ 0, 1, 9, 7 }, fine) == &E_WOULD_REVERT);
    l = asked_of(aave_place("base", "USDC"), &repays);
    CHECK(lend_op_plan(&l) == NULL && verdict_on(&l, (uint64_t[]){ 0, 0, 9, 0 }, 0) == NULL);
    CHECK(verdict_on(&l, (uint64_t[]){ 0, 0, 9, 1 }, fine) == &E_WOULD_REVERT);
    CHECK(verdict_on(&l, (uint64_t[]){ 0, 1, 9, 0 }, fine) == &E_WOULD_REVERT);
    l = asked_of(aave_place("base", "USDC"), &takes);
    CHECK(lend_op_plan(&l) == NULL && verdict_on(&l, (uint64_t[]){ 0, 0, 0, 7 }, fine) == NULL);
    CHECK(verdict_on(&l, (uint64_t[]){ 0, 0, 1, 7 }, fine) == &E_WOULD_REVERT);
}

/* One that borrows, with the debt and health that each of two nodes' simulations shows behind it. */
static const struct err *verdict_of_two(const uint64_t debts[static NODE_OPINIONS],
                                        const uint64_t healths[static NODE_OPINIONS])
{
    const struct op_asked borrows = { .kind = KIND_LEND_BORROW, .amount = "1" };
    struct lend_op l = asked_of(aave_place("base", "USDC"), &borrows);
    struct buf shown[NODE_OPINIONS] = { BUF_INIT(4096), BUF_INIT(4096) };
    struct chain_state st = { .tried = true };
    struct spend_facts facts = { .has_health = false };
    const struct err *e;

    CHECK(lend_op_plan(&l) == NULL);
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        stand_write(&shown[i], (uint64_t[]){ 0, 0, 0, debts[i] }, u256_from_u64(debts[i]),
                    u256_from_u64(healths[i]));
    st.after = (const uint8_t *)shown[0].data;
    st.after_len = shown[0].len;
    st.after_apart = (const uint8_t *)shown[1].data;
    st.after_apart_len = shown[1].len;
    e = lend_op_verdict(&l, &st);
    lend_op_spend_facts(&facts, &l, &st);
    CHECK(e == NULL ||
          (facts.has_health && u256_cmp(facts.health_after, u256_from_u64(1050000000000000000)) < 0));
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        buf_free(&shown[i]);
    return e;
}

static void one_node_makes_no_loan_healthier(void)
{
    enum { LEAST = 0, GOOD = 1, NO_DEBT = 2 };
    static const uint64_t healths[] = { 1049999999999999999, 2000000000000000000, 0 }, debts[] = { 7, 7, 0 };

    for (size_t i = LEAST; i <= NO_DEBT; i++)
        for (size_t k = LEAST; k <= NO_DEBT; k++) {
            const struct err *e =
                verdict_of_two((uint64_t[]){ debts[i], debts[k] }, (uint64_t[]){ healths[i], healths[k] });

            CHECK((i == LEAST || k == LEAST) ? err_is(e, &E_LEND_HEALTH) : e == NULL);
        }
}

static void refusals_are_translated(void)
{
    static const uint8_t frozen[] = { 0x6d, 0x30, 0x58, 0x15 };
    const struct op_asked supplies = { .kind = KIND_LEND_SUPPLY, .amount = "1" };
    struct lend_op l = asked_of(aave_place("base", "USDC"), &supplies);
    struct chain_state st = { .revert_data = frozen, .revert_len = sizeof frozen };

    CHECK(lend_op_refusal(&l, &st, &E_WOULD_REVERT) == &E_LEND_FROZEN);
    CHECK(lend_op_refusal(&l, &st, &E_BALANCE) == &E_BALANCE);
    CHECK(lend_op_refusal(&l, &st, &E_UPSTREAM) == &E_LEND_FAILED);
    CHECK(err_is(lend_op_refusal(&l, &st, err_hint(a, &E_UPSTREAM, "later")), &E_LEND_FAILED));
    CHECK_STR(lend_op_refusal(&l, &st, err_hint(a, &E_UPSTREAM, "later"))->hint, "later");
    st = (struct chain_state){ .revert = "no node of the chain can run it beforehand" };
    CHECK_STR(lend_op_refusal(&l, &st, &E_WOULD_REVERT)->hint, st.revert);
}

static void lend_test_start(void)
{
    a = arena_new();
}

static void lend_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(lend_test_start), TEST(plans_are_what_the_guard_lets_pass), TEST(all_of_it_is_no_amount),
          TEST(repayments_are_bounded_by_debt_and_balance), TEST(operations_that_a_market_lacks_are_refused),
          TEST(plans_check_the_state_afterwards), TEST(one_node_makes_no_loan_healthier),
          TEST(refusals_are_translated), TEST(lend_test_end))
