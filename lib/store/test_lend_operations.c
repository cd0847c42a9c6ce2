#include "store/lend_operations.h"

#include "store/executions.h"
#include "store/test_store.h"
#include "store/transactions.h"

enum { AGENT = 93, HOARDER = 94, WALLET = 6101, OTHER_WALLET = 6102 };

static uint64_t operation_of(uint64_t agent_id, enum exec_kind_id kind, uint64_t wallet_id)
{
    struct execution x = swap_terms(agent_id, wallet_id);
    struct lend_operation o = { .agent_id = agent_id,
                                .kind = kind,
                                .market = "aave-v3:1:WETH",
                                .everything = kind == KIND_LEND_REPAY,
                                .collateral = kind == KIND_LEND_COLLATERAL,
                                .has_health = kind == KIND_LEND_BORROW,
                                .health = u256_from_u64(2062500000000000000) };

    have_agent(agent_id);
    x.kind = kind;
    x.once = uuid_random();
    add_swap(&x, 0);
    o.execution_id = x.id;
    CHECK(lend_operations_put(db, &o));
    return x.id;
}

static uint64_t operation_new(enum exec_kind_id kind, uint64_t wallet_id)
{
    return operation_of(AGENT, kind, wallet_id);
}

static void operations_are_read_as_stored(void)
{
    uint64_t id = operation_new(KIND_LEND_BORROW, OTHER_WALLET);
    struct lend_operation o;

    CHECK(lend_operations_get(db, id, &o) == LOOKUP_FOUND && o.agent_id == AGENT &&
          o.kind == KIND_LEND_BORROW);
    CHECK_STR(o.market, "aave-v3:1:WETH");
    CHECK(o.has_health && o.health.limb[0] == 2062500000000000000 && !o.everything && !o.collateral);
    o.has_health = false; /* once it is tried anew */
    CHECK(lend_operations_put(db, &o));
    CHECK(lend_operations_get(db, id, &o) == LOOKUP_FOUND && !o.has_health);
    id = operation_new(KIND_LEND_REPAY, OTHER_WALLET);
    CHECK(lend_operations_get(db, id, &o) == LOOKUP_FOUND && o.everything && !o.collateral);
    id = operation_new(KIND_LEND_COLLATERAL, OTHER_WALLET);
    CHECK(lend_operations_get(db, id, &o) == LOOKUP_FOUND && !o.everything && o.collateral);
    CHECK(lend_operations_get(db, 4711, &o) == LOOKUP_NONE);
}

/* After the three of the test before. */
static void lists_are_by_type_and_status(void)
{
    uint64_t id = operation_new(KIND_LEND_BORROW, OTHER_WALLET), total;
    struct page page = { .limit = 10 };
    const struct {
        struct own_filter filter;
        int n;
    } rows[] = {
        { { .kind = (enum exec_kind_id)0 }, 4 },
        { { .kind = KIND_LEND_BORROW }, 2 },
        { { .kind = KIND_LEND_SUPPLY }, 0 },
        { { .listed = EXEC_PENDING }, 4 },
        { { .kind = KIND_LEND_REPAY, .listed = EXEC_PENDING }, 1 },
        { { .kind = KIND_LEND_REPAY, .listed = EXEC_FAILED }, 0 },
    };
    struct own_listed list[10];
    const struct lend_operation *own;
    struct agent agent;

    CHECK(agents_by_id(db, a, AGENT, &agent) == LOOKUP_FOUND && agent.lend_operations == 4);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(lend_operations_page(db, a, &agent, &rows[i].filter, &page, list, &total) == rows[i].n);
        CHECK(total == (uint64_t)rows[i].n);
    }
    page.limit = 1;
    CHECK(lend_operations_page(db, a, &agent, &rows[1].filter, &page, list, &total) == 1 && total == 2);
    own = list[0].own;
    CHECK(own->execution_id == id && own->kind == KIND_LEND_BORROW);
    CHECK(list[0].execution.id == id && list[0].execution.kind == KIND_LEND_BORROW);
    page.offset = 10;
    CHECK(lend_operations_page(db, a, &agent, &rows[1].filter, &page, list, &total) == 0 && total == 2);
}

static void status_move(uint64_t agent_id, uint64_t id, enum exec_kind_id kind, enum exec_status from,
                        enum exec_status to)
{
    CHECK(move_counted(&(struct execution_move){
              .id = id, .kind = kind, .agent_id = agent_id, .from = from, .to = to, .why = "test" }) ==
          UPDATED);
}

/* Rows and index entries that the connection under test has read so far. */
static int64_t rows_read(void)
{
    return session_status_sum("SHOW SESSION STATUS LIKE 'Handler_read_%'");
}

static int64_t rows_of_page(struct own_filter filter, int n)
{
    const struct agent hoarder = { .id = HOARDER };
    struct page page = { .limit = 10 };
    struct own_listed list[10];
    int64_t none = rows_read(), before = rows_read();
    uint64_t total;

    none = before - none; /* of asking */
    CHECK(lend_operations_page(db, a, &hoarder, &filter, &page, list, &total) == n);
    return rows_read() - before - none;
}

/* With many completed operations, and two that are not, a page reads one row and its execution for each that
 * it shows. */
static void a_page_reads_what_it_shows(void)
{
    enum { MANY = 120, OF_A_PAGE = 2 * 10 + 10, OF_TWO = 2 * 2 + 10 };

    operation_of(HOARDER, KIND_LEND_SUPPLY, OTHER_WALLET);
    for (unsigned i = 0; i < MANY; i++)
        status_move(HOARDER, operation_of(HOARDER, KIND_LEND_BORROW, OTHER_WALLET), KIND_LEND_BORROW,
                    EXEC_PENDING, EXEC_COMPLETED);
    operation_of(HOARDER, KIND_LEND_BORROW, OTHER_WALLET);
    CHECK(NUMBER("SELECT lend_operations FROM agents WHERE id = %d", HOARDER) == MANY + 2);
    CHECK(rows_of_page((struct own_filter){ 0 }, 10) <= OF_A_PAGE);
    CHECK(rows_of_page((struct own_filter){ .kind = KIND_LEND_BORROW }, 10) <= OF_A_PAGE);
    CHECK(rows_of_page((struct own_filter){ .listed = EXEC_COMPLETED }, 10) <= OF_A_PAGE);
    CHECK(rows_of_page((struct own_filter){ .listed = EXEC_PENDING }, 2) <= OF_TWO);
    CHECK(rows_of_page((struct own_filter){ .kind = KIND_LEND_SUPPLY, .listed = EXEC_PENDING }, 1) <= OF_TWO);
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

static enum lookup under_way(uint64_t seen)
{
    uint64_t id;

    return lend_operations_under_way(db, WALLET, 1, seen, &id);
}

/* One that waits for an approval has signed nothing; a swap is none; and what a simulation saw is no
 * obstacle. */
static void operations_in_progress_are_found(void)
{
    struct execution swap = new_swap(AGENT, WALLET);
    struct transaction t;
    uint64_t id;

    transaction_new(swap.id, 1);
    id = operation_new(KIND_LEND_SUPPLY, WALLET);
    CHECK(under_way(100) == LOOKUP_NONE);
    t = transaction_new(id, 2);
    CHECK(under_way(100) == LOOKUP_FOUND);
    CHECK(lend_operations_under_way(db, WALLET, 8453, 100, &id) == LOOKUP_NONE);
    CHECK(lend_operations_under_way(db, OTHER_WALLET, 1, 100, &id) == LOOKUP_NONE);
    CHECK(transactions_in_block(db, t.effect.id, 101, true));
    status_move(AGENT, id, KIND_LEND_SUPPLY, EXEC_PENDING, EXEC_PROCESSING);
    CHECK(under_way(101) == LOOKUP_FOUND);
    status_move(AGENT, id, KIND_LEND_SUPPLY, EXEC_PROCESSING, EXEC_COMPLETED);
    CHECK(under_way(100) == LOOKUP_FOUND && under_way(101) == LOOKUP_NONE);
}

STORE_TEST_MAIN(TEST(operations_are_read_as_stored), TEST(lists_are_by_type_and_status),
                TEST(a_page_reads_what_it_shows), TEST(operations_in_progress_are_found))
