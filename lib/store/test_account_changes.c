#include "store/account_changes.h"
#include "store/test_store.h"

static struct account_change change(uint64_t execution, uint64_t transaction, uint64_t block, bool known)
{
    struct account_change c = { .execution_id = execution,
                                .transaction_id = transaction,
                                .chain_id = 1,
                                .address = "0xabc",
                                .block = block,
                                .known = known,
                                .count = 2 };

    snprintf(c.tokens[0].token, sizeof c.tokens[0].token, "0xdef");
    c.tokens[0].left = u256_from_u64(5);
    CHECK(u256_parse(&c.tokens[1].came,
                     "115792089237316195423570985008687907853269984665640564039457584007913129639935"));
    return c;
}

static unsigned above(uint64_t block, struct account_change **list)
{
    return (unsigned)account_changes_above(db, a, "0xabc", 1, block, list);
}

static void changes_are_read_by_block(void)
{
    const struct account_change first = change(1, 11, 50, true), second = change(1, 12, 52, false);
    struct account_change elsewhere = change(2, 13, 90, true), *list;
    struct account_block blocks[2];

    elsewhere.chain_id = 10;
    CHECK(account_changes_newest(db, "0xabc", blocks, 2) == 0 && above(0, &list) == 0);
    CHECK(account_changes_put(db, a, &second) && account_changes_put(db, a, &first) &&
          account_changes_put(db, a, &elsewhere));
    CHECK(account_changes_newest(db, "0xabc", blocks, 2) == 2 && blocks[0].chain_id == 1 &&
          blocks[0].block == 52 && blocks[1].block == 90);
    CHECK(account_changes_newest(db, "0xabc", blocks, 1) == 1 &&
          account_changes_newest(db, "0xABC", blocks, 2) == 0);
    CHECK(above(49, &list) == 2 && list[0].transaction_id == 11 && list[0].known && !list[1].known);
    CHECK(list[0].count == 2 && NUMBER("SELECT COUNT(*) FROM account_changes WHERE changes IS NULL") == 1);
    CHECK_STR(list[0].tokens[0].token, "0xdef");
    CHECK_STR(list[0].tokens[1].token, "");
    CHECK(u256_cmp(list[0].tokens[0].left, u256_from_u64(5)) == 0 && u256_is_zero(list[0].tokens[0].came));
    CHECK(list[0].tokens[1].came.limb[3] == UINT64_MAX);
    CHECK(above(50, &list) == 1 && above(52, &list) == 0);
}

/* A transaction may come into another block. */
static void moved_and_removed_changes_disappear(void)
{
    const struct account_change moved = change(1, 12, 53, true);
    struct account_change *list;

    CHECK(account_changes_put(db, a, &moved) && above(49, &list) == 2 && list[1].block == 53 &&
          list[1].known);
    CHECK(account_changes_remove(db, 1) && above(0, &list) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM account_changes") == 1);
}

static void old_changes_are_purged(void)
{
    CHECK(account_changes_purge(db, 10) == 0);
    CHECK(raw("UPDATE account_changes SET recorded_at = UTC_TIMESTAMP(3) - INTERVAL 61 MINUTE"));
    CHECK(account_changes_purge(db, 10) == 1 && NUMBER("SELECT COUNT(*) FROM account_changes") == 0);
}

STORE_TEST_MAIN(TEST(changes_are_read_by_block), TEST(moved_and_removed_changes_disappear),
                TEST(old_changes_are_purged))
