/* Writes of policies and events, by a database that only counts. */
#define spends_keep    fake_keep
#define events_add_all fake_add
#include "orders/order_record.c"

#include "base/test.h"

static uint64_t kept, kept_of;
static unsigned keeps, adds, added;
static bool fails;

bool spends_keep(struct db *db, uint64_t execution_id, uint64_t part, uint64_t whole)
{
    (void)db;
    CHECK(execution_id == 9);
    keeps++;
    kept = part;
    kept_of = whole;
    return !fails;
}

bool events_add_all(struct db *db, const struct event_draft *drafts, size_t n)
{
    (void)db;
    CHECK(n >= 1 && n <= EVENTS_AT_ONCE && drafts[0].agent_id == added);
    adds++;
    added += (unsigned)n;
    return !fails;
}

static bool record(enum order_status was, uint64_t filled, enum order_status now, uint64_t filled_now)
{
    keeps = 0;
    return order_spend_record(NULL, 9, (struct order_progress){ was, filled },
                              (struct order_progress){ now, filled_now }, 100);
}

static void filled_amounts_count_in_policies(void)
{
    CHECK(record(ORDER_OPEN, 0, ORDER_CANCELLED, 30) && keeps == 1 && kept == 30 && kept_of == 100);
    CHECK(record(ORDER_OPEN, 30, ORDER_FILLED, 100) && keeps == 1 && kept == 100);
    CHECK(record(ORDER_PENDING, 0, ORDER_REJECTED, 0) && keeps == 1 && kept == 0);
    CHECK(record(ORDER_CANCELLED, 30, ORDER_CANCELLED, 40) && keeps == 1 && kept == 40); /* known later */
}

static void all_counts_while_it_rests(void)
{
    CHECK(record(ORDER_PENDING, 0, ORDER_OPEN, 0) && keeps == 0);
    CHECK(record(ORDER_OPEN, 0, ORDER_OPEN, 30) && keeps == 0);
    CHECK(record(ORDER_CANCELLED, 30, ORDER_CANCELLED, 30) && keeps == 0);
    CHECK(record(ORDER_REJECTED, 0, ORDER_OPEN, 0) && keeps == 1 && kept == kept_of); /* it turned up */
}

static void all_events_are_recorded(void)
{
    struct event_draft drafts[2 * EVENTS_AT_ONCE + 1];

    for (size_t i = 0; i < sizeof drafts / sizeof drafts[0]; i++)
        drafts[i] = (struct event_draft){ .agent_id = i };
    CHECK(order_events_record(NULL, drafts, 2 * EVENTS_AT_ONCE + 1) && adds == 3);
    CHECK(added == 2 * EVENTS_AT_ONCE + 1);
    CHECK(order_events_record(NULL, drafts, 0) && adds == 3);
}

static void a_database_that_fails_is_told(void)
{
    struct event_draft draft = { .agent_id = 0 };

    fails = true;
    added = 0;
    CHECK(!record(ORDER_OPEN, 0, ORDER_FILLED, 100) && !record(ORDER_REJECTED, 0, ORDER_OPEN, 0));
    CHECK(!order_events_record(NULL, &draft, 1));
}

TEST_MAIN(TEST(filled_amounts_count_in_policies), TEST(all_counts_while_it_rests),
          TEST(all_events_are_recorded), TEST(a_database_that_fails_is_told))
