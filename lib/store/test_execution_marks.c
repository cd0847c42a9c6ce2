#include "store/execution_marks.h"
#include "store/test_store.h"

enum { SWAPS = 400, ROUNDS = 12, SWAPS_MAX = SWAPS + 4 * ROUNDS, LIMIT = 7 };

static struct agent agent, other;
static struct execution swaps[SWAPS_MAX];
static unsigned count;

static void swap_add(void)
{
    swaps[count++] = new_swap(agent.id, 1);
    if (count % 3 == 0)
        (void)new_swap(other.id, 1);
}

static void swap_move(unsigned i, enum exec_status to)
{
    CHECK(move(&swaps[i], swaps[i].status, to) == 1);
    swaps[i].status = to;
}

/* Minutes pass: what is pending is old enough to be marked. */
static void all_grow_old(void)
{
    CHECK(raw("UPDATE executions SET created_at = created_at - INTERVAL 11 MINUTE"));
}

static void marks_are_made(void)
{
    int64_t n;

    do
        n = execution_marks_make(db, 100);
    while (n == 100);
    CHECK(n >= 0);
}

/* The ids of the agent's list, in its order. How many. */
static uint64_t marks_read(enum exec_status listed, uint64_t ids[static SWAPS_MAX])
{
    static const char LIST[] = "SELECT id FROM executions WHERE agent_id = ? AND in_swaps = 1 AND"
                               " (? = 0 OR listed = ?) ORDER BY id DESC";
    struct stmt *st = db_prepare(admin, LIST);
    uint64_t n = 0;

    bind_u64(st, agent.id);
    bind_u64(st, listed);
    bind_u64(st, listed);
    CHECK(db_query(st));
    while (db_next(st) && n < SWAPS_MAX)
        ids[n++] = col_u64(st, 0);
    return n;
}

static void page_is_right(enum exec_status listed, uint64_t offset, const uint64_t *ids, uint64_t total)
{
    struct page p = { LIMIT, offset };
    struct execution out[PAGE_MAX];
    uint64_t want = offset >= total ? 0 : total - offset < LIMIT ? total - offset : LIMIT;

    CHECK(executions_page(db, a, agent.id, listed, &p, out) == (int)want);
    for (uint64_t i = 0; i < want; i++)
        CHECK(out[i].id == ids[offset + i]);
}

static void pages_are_right(void)
{
    static const enum exec_status listed[] = { 0, EXEC_PENDING, EXEC_SUBMITTED, EXEC_COMPLETED, EXEC_FAILED };
    uint64_t ids[SWAPS_MAX];

    for (unsigned s = 0; s < sizeof listed / sizeof listed[0]; s++) {
        uint64_t total = marks_read(listed[s], ids);

        for (uint64_t offset = 99; offset < total + 40; offset += 23)
            page_is_right(listed[s], offset, ids, total);
    }
}

static void history_begin(void)
{
    static const enum exec_status to[] = { EXEC_COMPLETED, EXEC_FAILED };

    agent = new_agent(NULL);
    other = new_agent(NULL);
    count = 0;
    while (count < SWAPS) {
        swap_add();
        if (count % 3 != 0)
            swap_move(count - 1, to[count % 3 - 1]);
    }
    all_grow_old();
    marks_are_made();
}

/* Rows that this connection has read so far. */
static int64_t rows_read(void)
{
    static const char READ[] =
        "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_prev',"
        " 'Handler_read_first', 'Handler_read_last', 'Handler_read_rnd', 'Handler_read_rnd_next')";

    return session_status_sum(READ);
}

static int64_t rows_of_page(enum exec_status listed, uint64_t offset)
{
    struct page p = { LIMIT, offset };
    struct execution out[PAGE_MAX];
    int64_t none = rows_read(), before = rows_read();

    none = before - none; /* of asking */
    CHECK(executions_page(db, a, agent.id, listed, &p, out) == LIMIT);
    return rows_read() - before - none;
}

static void a_far_page_reads_little(void)
{
    history_begin();
    CHECK(NUMBER("SELECT COUNT(*) FROM execution_marks WHERE agent_id = %d", (int)agent.id) == SWAPS / 16);
    for (uint64_t offset = 101; offset + LIMIT < SWAPS; offset += 7)
        CHECK(rows_of_page((enum exec_status)0, offset) <= 16 + LIMIT + 1);
    pages_are_right();
}

/* While a history is paged through, swaps come, move on, are corrected, and are committed late. */
static void pages_stay_right(void)
{
    history_begin();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct execution late = new_swap(other.id, 1);
        const int one[EXEC_FAILED + 1] = { [EXEC_PENDING] = 1 };

        swap_add();
        swap_move(count - 1, EXEC_SUBMITTED);
        for (unsigned i = 0; i < count; i++)
            if (swaps[i].status == EXEC_FAILED && i % ROUNDS == round) {
                swap_move(i, EXEC_COMPLETED);
                break;
            }
        swap_add();
        if (round % 2 == 0)
            all_grow_old();
        if (round % 3 == 0)
            marks_are_made();
        /* one with a lower id than others that were there before */
        CHECK(RAW("UPDATE executions SET agent_id = %d WHERE id = %llu", (int)agent.id,
                  (unsigned long long)late.id));
        CHECK(agents_count_swap(db, agent.id, one, late.id - 1) == UPDATED);
        pages_are_right();
        marks_are_made();
        pages_are_right();
    }
}

/* Swaps that may still change often are left alone until they are some minutes old. */
static void the_young_are_not_marked(void)
{
    history_begin();
    for (unsigned i = 0; i < 4 * ROUNDS; i++)
        swap_add();
    marks_are_made();
    CHECK(NUMBER("SELECT MAX(n) FROM execution_marks WHERE agent_id = %d", (int)agent.id) <= SWAPS);
    pages_are_right();
    all_grow_old();
    marks_are_made();
    CHECK(NUMBER("SELECT MAX(n) FROM execution_marks WHERE agent_id = %d", (int)agent.id) > SWAPS);
    pages_are_right();
}

STORE_TEST_MAIN(TEST(a_far_page_reads_little), TEST(pages_stay_right), TEST(the_young_are_not_marked))
