/* Cancels of an order that is but a status, in a database that is none. */
#define order_states_cancel_request fake_request
#define order_leases_due            fake_due
#define db_transact                 fake_transact
#include "orders/cancel.c"

#include <string.h>

#include "base/test.h"

static enum order_status status, seen; /* now, and after a poll */
static enum db_update recorded;
static enum lookup finds;
static bool commits, answers;
static unsigned requests, polls, due;

enum db_update order_states_cancel_request(struct db *db, enum order_venue venue, uint64_t id)
{
    (void)db;
    CHECK(venue == ORDERS_OF_PERPS && id == 5);
    requests++;
    return recorded;
}

bool order_leases_due(struct db *db, enum order_venue venue, uint64_t wallet_id, unsigned ms)
{
    (void)db;
    CHECK(venue == ORDERS_OF_PERPS && wallet_id == 7 && ms == AGAIN_MS);
    due++;
    return true;
}

enum tx_result db_transact(struct db *db, enum tx_verdict (*fn)(struct db *, void *), void *arg)
{
    switch (fn(db, arg)) {
    case TX_COMMIT:
        return commits ? TX_DONE : TX_UNKNOWN;
    case TX_ROLLBACK:
        return TX_REFUSED;
    case TX_FAILED:
        break;
    }
    return TX_BROKEN;
}

static enum lookup find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id, void *out,
                        struct order_ref *ref)
{
    (void)ctx;
    (void)a;
    CHECK(agent_id == 3 && strcmp(id, "0x01") == 0);
    *(enum order_status *)out = status;
    *ref = (struct order_ref){ .id = 5, .execution_id = 6, .wallet_id = 7, .status = status };
    return finds;
}

static bool poll_one(const struct ctx *ctx, struct arena *a, const void *order, unsigned deadline_ms)
{
    (void)ctx;
    (void)a;
    CHECK(*(const enum order_status *)order == status && deadline_ms == WAIT_MS);
    polls++;
    status = seen;
    return answers;
}

static const struct order_follower venue = { .venue = ORDERS_OF_PERPS,
                                             .find = find,
                                             .not_found = &E_PERPS_ORDER_NOT_FOUND,
                                             .not_open = &E_PERPS_ORDER_NOT_OPEN,
                                             .poll_one = poll_one };

static const struct err *cancel(enum order_status now, enum order_status then)
{
    const struct ctx ctx = { .db = NULL };
    enum order_status out = 0;
    const struct err *e;

    requests = polls = due = 0;
    status = now;
    seen = then;
    e = orders_cancel(&venue, &ctx, NULL, 3, "0x01", &out);
    CHECK(e != NULL || out == then);
    return e;
}

static void begin(void)
{
    finds = LOOKUP_FOUND;
    recorded = UPDATED;
    commits = answers = true;
}

static void cancels_are_recorded_before_the_venue_is_asked(void)
{
    begin();
    CHECK(cancel(ORDER_OPEN, ORDER_CANCELLED) == NULL && requests == 1 && due == 1 && polls == 1);
    CHECK(cancel(ORDER_PENDING, ORDER_CANCELLED) == NULL);
    answers = false; /* the follower asks again */
    CHECK(cancel(ORDER_OPEN, ORDER_OPEN) == NULL && due == 1);
}

static void ended_orders_are_not_cancelled(void)
{
    begin();
    CHECK(cancel(ORDER_FILLED, ORDER_FILLED) == &E_PERPS_ORDER_NOT_OPEN && requests == 0 && polls == 0);
    CHECK(cancel(ORDER_OPEN, ORDER_FILLED) == &E_PERPS_ORDER_NOT_OPEN && polls == 1);
    CHECK(cancel(ORDER_OPEN, ORDER_REJECTED) == &E_PERPS_ORDER_NOT_OPEN);
    recorded = UNCHANGED; /* it has ended between being read and being written */
    CHECK(cancel(ORDER_OPEN, ORDER_FILLED) == &E_PERPS_ORDER_NOT_OPEN && polls == 0 && due == 0);
}

static void nothing_is_asked_that_is_not_recorded(void)
{
    begin();
    recorded = DB_ERROR;
    CHECK(cancel(ORDER_OPEN, ORDER_OPEN) == &E_INTERNAL && polls == 0);
    begin();
    commits = false;
    CHECK(cancel(ORDER_OPEN, ORDER_OPEN) == &E_INTERNAL && polls == 0);
}

static void unknown_orders_are_refused(void)
{
    const struct ctx ctx = { .db = NULL };
    enum order_status out;

    begin();
    finds = LOOKUP_NONE;
    CHECK(cancel(ORDER_OPEN, ORDER_OPEN) == &E_PERPS_ORDER_NOT_FOUND && requests == 0);
    CHECK(orders_find(&venue, &ctx, NULL, 3, "0x01", &out) == &E_PERPS_ORDER_NOT_FOUND);
    finds = LOOKUP_ERROR;
    CHECK(cancel(ORDER_OPEN, ORDER_OPEN) == &E_INTERNAL && requests == 0);
    finds = LOOKUP_FOUND;
    CHECK(orders_find(&venue, &ctx, NULL, 3, "0x01", &out) == NULL && out == status);
}

TEST_MAIN(TEST(cancels_are_recorded_before_the_venue_is_asked), TEST(ended_orders_are_not_cancelled),
          TEST(nothing_is_asked_that_is_not_recorded), TEST(unknown_orders_are_refused))
