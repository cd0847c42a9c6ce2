#include "store/fills.h"

#include "store/test_store.h"

static struct fill fill_of(uint64_t execution_id, const char *trade, int64_t at_ms)
{
    return (struct fill){ .execution_id = execution_id,
                          .trade = trade,
                          .price = 4000,
                          .size = 10000000,
                          .paid = 4000000,
                          .fee = 96000,
                          .maker = true,
                          .state = FILL_MATCHED,
                          .at_ms = at_ms };
}

static void a_fill_is_kept_whole(void)
{
    struct fill f = fill_of(7, "t-1", 1767225600123), *got;
    const uint64_t id = 7;

    CHECK(fills_put(db, &f) && fills_of(db, a, &id, 1, &got) == 1);
    CHECK(got->execution_id == 7 && got->price == 4000 && got->size == 10000000 && got->paid == 4000000);
    CHECK_STR(got->trade, "t-1");
    CHECK(got->fee == 96000 && got->maker && got->state == FILL_MATCHED && !got->has_tx);
    CHECK(got->at_ms == 1767225600123);
}

/* The same trade is one fill, however often it is said; its transaction stays. */
static void a_fill_changes_its_state(void)
{
    struct fill f = fill_of(8, "t-1", 1767225600000), *got;
    const uint64_t id = 8;

    CHECK(fills_put(db, &f));
    f.state = FILL_MINED;
    f.has_tx = true;
    memset(f.tx_hash, 0xab, sizeof f.tx_hash);
    CHECK(fills_put(db, &f));
    f.state = FILL_CONFIRMED;
    f.has_tx = false;
    f.size = 1;
    CHECK(fills_put(db, &f) && fills_of(db, a, &id, 1, &got) == 1);
    CHECK(got->state == FILL_CONFIRMED && got->has_tx && got->tx_hash[31] == 0xab && got->size == 10000000);
}

static void fills_of_many_orders(void)
{
    const uint64_t ids[] = { 20, 22, 23 };
    const struct fill list[] = { fill_of(22, "b", 1767225602000), fill_of(20, "z", 1767225600000),
                                 fill_of(21, "c", 1767225601000), fill_of(20, "a", 1767225601000) };
    struct fill *got;

    for (size_t i = 0; i < 4; i++)
        CHECK(fills_put(db, &list[i]));
    CHECK(fills_of(db, a, ids, 3, &got) == 3);
    CHECK_STR(got[0].trade, "z");
    CHECK_STR(got[1].trade, "a");
    CHECK_STR(got[2].trade, "b");
    CHECK(fills_of(db, a, ids, 0, &got) == 0);
}

/* By orders whose trades are told, and by one that has matched more than they tell. */
static void recent_fills_are_read(void)
{
    const struct u256 token = u256_from_u64(77);
    struct fill_lately *got;
    int64_t sum;

    CHECK(fills_lately(db, a, 5, 6, &got) == 0 && fills_sum(db, 6, &token, &sum) && sum == 0);
    for (unsigned i = 0; i < 2; i++)
        CHECK(RAW(
            "INSERT INTO predict_orders (execution_id, agent_id, wallet_id, market, condition_id, token,"
            " outcome,"
            " question, exchange, side, type, post_only, price, size, fee_most, status, matched, final,"
            " created_at, updated_at) VALUES (%u, 5, 6, '1', REPEAT('c', 32), UNHEX(LPAD('4D', 64, '0')),"
            " 'Yes', 'Will it?', 0, %u, 1, 0, 4000, 2000, 0, 3, %u, %u, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))",
            40 + i, i, i == 0 ? 20000000U : 5000000U, i));
    CHECK(
        RAW("INSERT INTO predict_fills (execution_id, trade, price, size, paid, fee, maker, state, at) VALUES"
            " (40, 'a', 3900, 15000000, 1, 0, 0, 1, UTC_TIMESTAMP(3) - INTERVAL 2 SECOND),"
            " (40, 'b', 3900, 9000000, 1, 0, 0, 4, UTC_TIMESTAMP(3) - INTERVAL 3 SECOND),"
            " (41, 'c', 4100, 5000000, 1, 0, 0, 1, UTC_TIMESTAMP(3) - INTERVAL 1 SECOND)"));
    CHECK(fills_sum(db, 6, &token, &sum) && sum == 15000000);
    CHECK(fills_lately(db, a, 5, 6, &got) == 3 && !got[0].sells && got[0].size == 5000000 &&
          got[0].price == 4000);
    CHECK(got[1].sells && got[1].size == 5000000 && got[1].price == 4100 &&
          u256_cmp(got[1].token, token) == 0);
    CHECK(!got[2].sells && got[2].size == 15000000 && got[2].condition[31] == 'c');
    CHECK_STR(got[2].outcome, "Yes");
    CHECK_STR(got[2].question, "Will it?");
}

STORE_TEST_MAIN(TEST(recent_fills_are_read), TEST(a_fill_is_kept_whole), TEST(a_fill_changes_its_state),
                TEST(fills_of_many_orders))
