#include "store/lend_operations.h"

#include "store/executions.h"
#include "store/test_store.h"
#include "store/transactions.h"

enum { AGENT = 93, WALLET = 6101, OTHER_WALLET = 6102 };

static uint64_t operation_new(enum exec_kind_id kind, uint64_t wallet_id)
{
    struct execution x = swap_terms(AGENT, wallet_id);
    struct lend_operation o = { .agent_id = AGENT,
                                .kind = kind,
                                .market = "aave-v3:1:WETH",
                                .everything = kind == KIND_LEND_REPAY,
                                .collateral = kind == KIND_LEND_COLLATERAL,
                                .has_health = kind == KIND_LEND_BORROW,
                                .health = u256_from_u64(2062500000000000000) };

    have_agent(AGENT);
    x.kind = kind;
    x.once = uuid_random();
    add_swap(&x, 0);
    o.execution_id = x.id;
    CHECK(lend_operations_put(db, &o));
    return x.id;
}

static void what_is_kept_is_read(void)
{
    uint64_t id = operation_new(KIND_LEND_BORROW, OTHER_WALLET);
    struct lend_operation o;

    CHECK(lend_operations_get(db, id, &o) == FOUND_ONE && o.agent_id == AGENT && o.kind == KIND_LEND_BORROW);
    CHECK_STR(o.market, "aave-v3:1:WETH");
    CHECK(o.has_health && o.health.limb[0] == 2062500000000000000 && !o.everything && !o.collateral);
    o.has_health = false; /* once it is tried anew */
    CHECK(lend_operations_put(db, &o));
    CHECK(lend_operations_get(db, id, &o) == FOUND_ONE && !o.has_health);
    id = operation_new(KIND_LEND_REPAY, OTHER_WALLET);
    CHECK(lend_operations_get(db, id, &o) == FOUND_ONE && o.everything && !o.collateral);
    id = operation_new(KIND_LEND_COLLATERAL, OTHER_WALLET);
    CHECK(lend_operations_get(db, id, &o) == FOUND_ONE && !o.everything && o.collateral);
    CHECK(lend_operations_get(db, 4711, &o) == FOUND_NONE);
}

/* After the three of the test before. */
static void lists_are_by_type_and_status(void)
{
    uint64_t id = operation_new(KIND_LEND_BORROW, OTHER_WALLET), total;
    struct page page = { .limit = 10 };
    const struct {
        struct lend_operation_filter filter;
        int n;
    } rows[] = {
        { { .kind = (enum exec_kind_id)0 }, 4 },
        { { .kind = KIND_LEND_BORROW }, 2 },
        { { .kind = KIND_LEND_SUPPLY }, 0 },
        { { .listed = EXEC_PENDING }, 4 },
        { { .kind = KIND_LEND_REPAY, .listed = EXEC_PENDING }, 1 },
        { { .kind = KIND_LEND_REPAY, .listed = EXEC_FAILED }, 0 },
    };
    struct lend_listed list[10];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(lend_operations_page(db, a, AGENT, &rows[i].filter, &page, list, &total) == rows[i].n);
        CHECK(total == (uint64_t)rows[i].n);
    }
    page.limit = 1;
    CHECK(lend_operations_page(db, a, AGENT, &rows[1].filter, &page, list, &total) == 1 && total == 2);
    CHECK(list[0].own.execution_id == id && list[0].own.kind == KIND_LEND_BORROW);
    CHECK(list[0].execution.id == id && list[0].execution.kind == KIND_LEND_BORROW);
    page.offset = 10;
    CHECK(lend_operations_page(db, a, AGENT, &rows[1].filter, &page, list, &total) == 0 && total == 2);
}

static void status_move(uint64_t id, enum exec_kind_id kind, enum exec_status from, enum exec_status to)
{
    CHECK(move_counted(&(struct execution_move){
              .id = id, .kind = kind, .agent_id = AGENT, .from = from, .to = to, .why = "test" }) == DONE);
}

static struct transaction transaction_new(uint64_t execution_id, uint64_t nonce)
{
    struct transaction t = { .effect = { .execution_id = execution_id, .wallet_id = WALLET },
                             .leg = LEG_SOURCE,
                             .chain_id = 1,
                             .has_nonce = true,
                             .nonce = nonce,
                             .kind = TX_SPEND,
                             .hash = { .len = 32 },
                             .raw = (const uint8_t *)"raw",
                             .raw_len = 3 };

    rand_bytes(t.hash.bytes, t.hash.len);
    CHECK(transactions_add(db, &t));
    return t;
}

static enum found under_way(uint64_t seen)
{
    return lend_operations_under_way(db, WALLET, 1, seen);
}

/* One that waits for an approval has signed nothing; a swap is none; and what a trial saw is no obstacle. */
static void who_has_to_wait(void)
{
    struct execution swap = new_swap(AGENT, WALLET);
    struct transaction t;
    uint64_t id;

    transaction_new(swap.id, 1);
    id = operation_new(KIND_LEND_SUPPLY, WALLET);
    CHECK(under_way(100) == FOUND_NONE);
    t = transaction_new(id, 2);
    CHECK(under_way(100) == FOUND_ONE);
    CHECK(lend_operations_under_way(db, WALLET, 8453, 100) == FOUND_NONE);
    CHECK(lend_operations_under_way(db, OTHER_WALLET, 1, 100) == FOUND_NONE);
    CHECK(transactions_in_block(db, t.effect.id, 101, true));
    status_move(id, KIND_LEND_SUPPLY, EXEC_PENDING, EXEC_PROCESSING);
    CHECK(under_way(101) == FOUND_ONE);
    status_move(id, KIND_LEND_SUPPLY, EXEC_PROCESSING, EXEC_COMPLETED);
    CHECK(under_way(100) == FOUND_ONE && under_way(101) == FOUND_NONE);
}

STORE_TEST_MAIN(TEST(what_is_kept_is_read), TEST(lists_are_by_type_and_status), TEST(who_has_to_wait))
