#include "lend/watch.c"

#include "base/test.h"

static struct arena *a;
static const struct evm_addr WETH = { { 1 } }, USDC = { { 2 } };

enum { ALERT = 1150000 };

static struct lend_account account_of(uint64_t debt, uint64_t millionths)
{
    struct lend_account k = { .debt = { u256_from_u64(debt), 8 }, .health = { u256_from_u64(0), 18 } };

    CHECK(u256_mul(&k.health.raw, u256_from_u64(millionths), u256_from_u64(1000000000000)));
    return k;
}

/* As if a look in that block had seen collateral of one token and debt of the other. */
static struct lend_watch watch_of(uint64_t block, uint64_t collateral, uint64_t debt)
{
    const struct lend_holding held[] = { { WETH, u256_from_u64(collateral), U256_ZERO },
                                         { USDC, U256_ZERO, u256_from_u64(debt) } };
    struct lend_watch w = { .block = block, .held_block = block };

    w.held = lend_holdings_pack(a, held, 2, &w.held_len);
    return w;
}

static struct lend_observation observation_of(uint64_t block, const struct lend_account *k,
                                              uint64_t collateral, uint64_t debt)
{
    struct lend_holding *held = ARENA_ARRAY(a, struct lend_holding, 2);

    held[0] = (struct lend_holding){ WETH, u256_from_u64(collateral), U256_ZERO };
    held[1] = (struct lend_holding){ USDC, U256_ZERO, u256_from_u64(debt) };
    return (struct lend_observation){ .block = block, .account = k, .held = held, .held_count = 2 };
}

static void low_health_is_told_once_for_each_fall(void)
{
    static const struct {
        uint64_t health;
        bool tells;
    } rows[] = { { 2060000, false }, { 1150000, false }, { 1149999, true }, { 1100000, false },
                 { 990000, false },  { 1200000, false }, { 1100000, true } };
    struct lend_watch w = watch_of(1, 100, 50);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct lend_account k = account_of(50, rows[i].health);
        struct lend_observation s = observation_of(2 + i, &k, 100, 50);
        struct lend_watch_verdict v = lend_watch_judge(a, &w, &s, ALERT);

        CHECK(v.counts && v.tells_low == rows[i].tells && v.loss_count == 0);
        w = v.next;
    }
}

/* The health of who owes nothing means nothing. */
static void without_debt_nothing_is_low(void)
{
    struct lend_account k = account_of(0, 0);
    struct lend_watch w = watch_of(1, 100, 0);
    struct lend_observation s = observation_of(2, &k, 100, 0);

    w.low = true;
    CHECK(!lend_watch_judge(a, &w, &s, ALERT).tells_low && !lend_watch_judge(a, &w, &s, ALERT).next.low);
    s.account = NULL;
    CHECK(!lend_watch_judge(a, &w, &s, ALERT).tells_low);
}

static void an_older_block_counts_for_nothing(void)
{
    struct lend_account k = account_of(50, 900000);
    struct lend_watch w = watch_of(10, 100, 50);
    struct lend_observation s = observation_of(9, &k, 0, 0);

    CHECK(!lend_watch_judge(a, &w, &s, ALERT).counts && !lend_watch_judge(a, &w, &s, ALERT).tells_low);
    w.stale = true; /* a node made up the higher one, or the chain began anew */
    CHECK(lend_watch_judge(a, &w, &s, ALERT).tells_low);
    w.stale = false;
    s.block = 10;
    CHECK(lend_watch_judge(a, &w, &s, ALERT).tells_low);
}

static void debtless_wallets_are_watched_no_more(void)
{
    struct lend_watch w = watch_of(1, 100, 0);
    struct lend_observation s = observation_of(1, NULL, 100, 0);
    struct lend_account k = account_of(1, 5000000);
    unsigned polls = 0;

    for (bool ends = false; !ends && polls < 100; polls++) {
        struct lend_watch_verdict v = lend_watch_judge(a, &w, &s, ALERT);

        ends = v.ends;
        w = v.next;
    }
    CHECK(polls == LEND_DEBTLESS_POLLS);
    w.debtless = LEND_DEBTLESS_POLLS - 1;
    s.operating = true; /* a borrow is on its way */
    CHECK(!lend_watch_judge(a, &w, &s, ALERT).ends && lend_watch_judge(a, &w, &s, ALERT).next.debtless == 0);
    s.operating = false;
    s.account = &k;
    CHECK(lend_watch_judge(a, &w, &s, ALERT).next.debtless == 0);
}

/* The same observation so many times over; the last verdict. */
static struct lend_watch_verdict judge_times(struct lend_watch w, struct lend_observation s, unsigned times)
{
    struct lend_watch_verdict v = { .next = w };

    for (unsigned i = 0; i < times; i++) {
        s.block++;
        v = lend_watch_judge(a, &w, &s, ALERT);
        w = v.next;
    }
    return v;
}

static void balances_tell_what_no_log_does(void)
{
    struct lend_account k = account_of(20, 2000000);
    struct lend_watch w = watch_of(1, 100, 50);
    struct lend_observation s = observation_of(1, &k, 60, 20);
    struct lend_watch_verdict v = judge_times(w, s, LEND_MISSING_POLLS);

    CHECK(v.loss_count == 0 && v.next.missing == LEND_MISSING_POLLS && v.next.held_block == 1);
    v = judge_times(w, s, LEND_MISSING_POLLS + 1);
    CHECK(v.loss_count == 1);
    CHECK(evm_addr_eq(v.losses[0].had_collateral->asset, WETH) &&
          evm_addr_eq(v.losses[0].had_debt->asset, USDC));
    CHECK(v.losses[0].taken.limb[0] == 40 && v.losses[0].repaid.limb[0] == 30);
    CHECK(v.next.missing == 0 && v.next.told_block == s.block + LEND_MISSING_POLLS + 1);
    CHECK(!lend_watch_tells(&v.next, &(struct lend_liquidation){ .block = v.next.told_block }));
    CHECK(lend_watch_tells(&v.next, &(struct lend_liquidation){ .block = v.next.told_block + 1 }));
    CHECK(judge_times(w, s, LEND_MISSING_POLLS + 2).loss_count == 0); /* not again */
}

/* It is watched on until that is told, even if nothing is owed any more. */
static void all_of_it_may_have_gone(void)
{
    struct lend_watch w = watch_of(1, 100, 50);
    struct lend_observation s = { .block = 1 };
    struct lend_watch_verdict v;

    w.debtless = LEND_DEBTLESS_POLLS;
    CHECK(!judge_times(w, s, LEND_MISSING_POLLS).ends);
    v = judge_times(w, s, LEND_MISSING_POLLS + 1);
    CHECK(v.loss_count == 1 && v.ends && v.losses[0].taken.limb[0] == 100);
}

static void repayments_and_own_operations_are_no_loss(void)
{
    struct lend_account k = account_of(20, 2000000);
    struct lend_watch w = watch_of(1, 100, 50);
    struct lend_observation repaid = observation_of(1, &k, 100, 20), rounded = observation_of(1, &k, 98, 48);
    struct lend_observation own = observation_of(1, &k, 60, 20);

    CHECK(judge_times(w, repaid, LEND_MISSING_POLLS + 1).loss_count == 0); /* by others, for it */
    CHECK(judge_times(w, repaid, 1).next.held_block == 2);
    CHECK(judge_times(w, rounded, 1).next.held_block == 2);
    own.operated = true;
    CHECK(judge_times(w, own, LEND_MISSING_POLLS + 1).loss_count == 0);
    CHECK(judge_times(w, own, 1).next.held == NULL && judge_times(w, own, 1).next.held_block == 2);
    w.held = NULL;
    w.held_len = 0;
    own.operated = false;
    CHECK(judge_times(w, own, LEND_MISSING_POLLS + 1).loss_count == 0);
    CHECK(judge_times(w, own, 1).next.held_len == 2 * PACKED);
}

static void logs_say_why_there_is_less(void)
{
    struct lend_account k = account_of(20, 2000000);
    struct lend_watch w = watch_of(5, 100, 50);
    struct lend_liquidation log = { .block = 6 };
    struct lend_observation less = observation_of(6, &k, 60, 20), behind = observation_of(5, &k, 100, 50);
    struct lend_watch_verdict v;

    less.logs = behind.logs = &log;
    less.log_count = behind.log_count = 1;
    v = lend_watch_judge(a, &w, &less, ALERT);
    CHECK(v.next.missing == 0 && v.next.held_block == 6);
    v = lend_watch_judge(a, &w, &behind, ALERT); /* it does not know yet what was logged */
    CHECK(v.next.missing == 0 && v.next.held_block == 5);
    v = lend_watch_judge(a, &v.next, &less, ALERT);
    CHECK(v.next.missing == 0 && v.next.held_block == 6);
    log.block = 4; /* told long ago: that is in what it had */
    CHECK(lend_watch_judge(a, &w, &less, ALERT).next.missing == 1);
}

static void several_things_went(void)
{
    const struct evm_addr dai = { { 3 } };
    const struct lend_holding had[] = { { WETH, u256_from_u64(100), U256_ZERO },
                                        { dai, u256_from_u64(80), U256_ZERO },
                                        { USDC, U256_ZERO, u256_from_u64(50) } };
    struct lend_watch w = { .block = 1, .held_block = 1 };
    struct lend_observation s = { .block = 1 };
    struct lend_watch_verdict v;

    w.held = lend_holdings_pack(a, had, 3, &w.held_len);
    v = judge_times(w, s, LEND_MISSING_POLLS + 1);
    CHECK(v.loss_count == 2);
    CHECK(evm_addr_eq(v.losses[1].had_collateral->asset, dai) && v.losses[1].had_debt == NULL);
}

static void bytes_that_are_none(void)
{
    size_t count = 7;

    CHECK(lend_holdings_unpack(a, (const uint8_t *)"short", 5, &count) == NULL && count == 0);
    CHECK(lend_holdings_unpack(a, NULL, 0, &count) == NULL && count == 0);
}

static void watch_test_start(void)
{
    a = arena_new();
}

static void watch_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(watch_test_start), TEST(low_health_is_told_once_for_each_fall),
          TEST(without_debt_nothing_is_low), TEST(an_older_block_counts_for_nothing),
          TEST(debtless_wallets_are_watched_no_more), TEST(balances_tell_what_no_log_does),
          TEST(all_of_it_may_have_gone), TEST(repayments_and_own_operations_are_no_loss),
          TEST(logs_say_why_there_is_less), TEST(several_things_went), TEST(bytes_that_are_none),
          TEST(watch_test_end))
