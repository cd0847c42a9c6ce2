#include "store/lend_watches.h"

#include "store/test_store.h"

enum { CHAIN = 8453 };

static struct wallet borrower(void)
{
    struct agent agent = new_agent(NULL);
    char address[WALLET_ADDR_MAX];

    snprintf(address, sizeof address, "0x%040llx", (unsigned long long)agent.id);
    return new_wallet(&agent, address, WALLET_EVM);
}

static bool put(const struct wallet *w, const char *market)
{
    struct lend_watch_key key = { w->agent_id, w->id, CHAIN, market[0] == '\0' ? "aave-v3" : "morpho",
                                  market };

    return lend_watches_put(db, &key);
}

/* The wallet's only one. */
static struct lend_watch watch_of(const struct wallet *w)
{
    struct lend_watch list[16], found = { .id = 0 };
    int n = lend_watches_page(db, a, CHAIN, 0, 16, list);

    for (int i = 0; i < n; i++)
        if (list[i].wallet_id == w->id)
            found = list[i];
    return found;
}

static void a_borrow_is_watched_once(void)
{
    struct wallet w = borrower();
    struct lend_watch got;

    CHECK(put(&w, "") && put(&w, "") && put(&w, "0xab"));
    CHECK(NUMBER("SELECT COUNT(*) FROM lend_monitors WHERE wallet_id = %llu", (unsigned long long)w.id) == 2);
    got = watch_of(&w);
    CHECK(got.agent_id == w.agent_id && got.chain_id == CHAIN);
    CHECK_STR(got.protocol, "morpho");
    CHECK_STR(got.market, "0xab");
    CHECK_STR(got.address, w.ref.address);
    CHECK(got.turn == 0 && got.block == 0 && !got.stale && !got.low && got.held == NULL);
}

static void pages_are_in_the_order_of_ids(void)
{
    struct lend_watch one[1], next[1];

    CHECK(lend_watches_page(db, a, CHAIN, 0, 1, one) == 1);
    CHECK(lend_watches_page(db, a, CHAIN, one[0].id, 1, next) == 1 && next[0].id > one[0].id);
    CHECK(lend_watches_page(db, a, CHAIN + 1, 0, 1, one) == 0);
}

static void a_poll_is_recorded_once(void)
{
    struct wallet w = borrower();
    struct lend_watch got;

    CHECK(put(&w, ""));
    got = watch_of(&w);
    got.block = 7;
    got.low = true;
    got.debtless = 2;
    got.missing = 1;
    got.held_block = 6;
    got.held = (const uint8_t *)"he\0ld";
    got.held_len = 5;
    got.told_block = 5;
    CHECK(lend_watches_record(db, &got) == UPDATED && lend_watches_record(db, &got) == UNCHANGED);
    got = watch_of(&w);
    CHECK(got.turn == 1 && got.block == 7 && got.low && got.debtless == 2 && got.missing == 1);
    CHECK(got.held_block == 6 && got.held_len == 5 && memcmp(got.held, "he\0ld", 5) == 0);
    CHECK(got.told_block == 5 && !got.stale);
    CHECK(RAW("UPDATE lend_monitors SET polled_at = polled_at - INTERVAL 11 MINUTE WHERE id = %llu",
              (unsigned long long)got.id));
    CHECK(watch_of(&w).stale);
    got.held = NULL;
    CHECK(lend_watches_record(db, &got) == UPDATED && watch_of(&w).held == NULL);
}

/* A wallet that borrows again just when nothing was owed stays watched. */
static void a_new_borrow_keeps_it(void)
{
    struct wallet w = borrower();
    struct lend_watch got;

    CHECK(put(&w, ""));
    got = watch_of(&w);
    got.debtless = 14;
    CHECK(lend_watches_record(db, &got) == UPDATED);
    got = watch_of(&w);
    CHECK(put(&w, "") && lend_watches_remove(db, &got) == UNCHANGED);
    got = watch_of(&w);
    CHECK(got.debtless == 0);
    CHECK(lend_watches_remove(db, &got) == UPDATED && watch_of(&w).id == 0);
}

static void a_liquidation_is_told_once(void)
{
    struct wallet w = borrower(), other = borrower();
    struct tx_hash tx = { { 7 }, 32 };
    struct lend_watch of, others;

    CHECK(put(&w, "") && put(&other, ""));
    of = watch_of(&w);
    others = watch_of(&other);
    CHECK(lend_liquidations_add(db, &of, &tx, 0) == UPDATED);
    CHECK(lend_liquidations_add(db, &of, &tx, 0) == UNCHANGED);
    CHECK(lend_liquidations_add(db, &of, &tx, 1) == UPDATED);
    CHECK(lend_liquidations_add(db, &others, &tx, 0) == UPDATED);
}

static void scanned_blocks_are_stored(void)
{
    uint64_t block;

    CHECK(lend_scans_get(db, CHAIN, &block) == LOOKUP_NONE && block == 0);
    CHECK(lend_scans_put(db, CHAIN, 5) && lend_scans_put(db, CHAIN, 9));
    CHECK(lend_scans_get(db, CHAIN, &block) == LOOKUP_FOUND && block == 9);
    CHECK(lend_scans_remove(db, CHAIN) && lend_scans_get(db, CHAIN, &block) == LOOKUP_NONE);
}

/* Finds a lending operation of the wallet that has not ended, or has ended after that block. */
static void own_operations(void)
{
    struct wallet w = borrower();
    struct execution x = new_swap(w.agent_id, w.id);
    struct lend_watch got;

    add_tx(new_tx(&x, 1, TX_SPEND, 1, 0));
    CHECK(put(&w, ""));
    got = watch_of(&w);
    CHECK(lend_watches_operating(db, &got) == LOOKUP_NONE && lend_watches_operated(db, &got) == LOOKUP_NONE);
    CHECK(RAW("UPDATE executions SET kind = %d, status = 2 WHERE id = %llu", KIND_LEND_BORROW,
              (unsigned long long)x.id));
    CHECK(RAW("UPDATE transactions SET chain_id = %d, wallet_id = %llu WHERE execution_id = %llu", CHAIN,
              (unsigned long long)w.id, (unsigned long long)x.id));
    CHECK(lend_watches_operating(db, &got) == LOOKUP_FOUND &&
          lend_watches_operated(db, &got) == LOOKUP_FOUND);
    CHECK(RAW("UPDATE executions SET status = 4 WHERE id = %llu", (unsigned long long)x.id));
    CHECK(
        RAW("UPDATE transactions SET block_number = 50 WHERE execution_id = %llu", (unsigned long long)x.id));
    CHECK(lend_watches_operating(db, &got) == LOOKUP_NONE);
    got.held_block = 49;
    CHECK(lend_watches_operated(db, &got) == LOOKUP_FOUND);
    got.held_block = 50;
    CHECK(lend_watches_operated(db, &got) == LOOKUP_NONE);
    CHECK(RAW("UPDATE executions SET kind = %d WHERE id = %llu", KIND_SWAP, (unsigned long long)x.id));
    got.held_block = 0;
    CHECK(lend_watches_operated(db, &got) == LOOKUP_NONE);
}

STORE_TEST_MAIN(TEST(a_borrow_is_watched_once), TEST(pages_are_in_the_order_of_ids),
                TEST(a_poll_is_recorded_once), TEST(a_new_borrow_keeps_it), TEST(a_liquidation_is_told_once),
                TEST(scanned_blocks_are_stored), TEST(own_operations))
