#include "store/order_leases.h"

#include "store/perps_accounts.h"
#include "store/predict_accounts.h"
#include "store/queues.h"
#include "store/test_store.h"

/* Each test is run for each venue. */
static enum order_venue venue;

static const char *const tables[] = {
    [ORDERS_OF_PREDICTION] = "predict_accounts", [ORDERS_OF_PERPS] = "perps_accounts"
};
static const char *const columns[] = {
    [ORDERS_OF_PREDICTION] = "orders_due_at", [ORDERS_OF_PERPS] = "due_at"
};

static uint64_t new_account(const char *address)
{
    struct agent agent = new_agent(NULL);
    const char *own = arena_printf(a, "%s%d", address, (int)venue);
    struct predict_account p = { .wallet = new_wallet(&agent, own, WALLET_EVM), .kind = PREDICT_EOA };

    if (venue == ORDERS_OF_PERPS)
        CHECK(perps_accounts_add(db, p.wallet.id) == UPDATED);
    else
        CHECK(predict_accounts_add(db, &p) == UPDATED);
    return p.wallet.id;
}

static bool due(uint64_t wallet_id, unsigned ms)
{
    return order_leases_due(db, venue, wallet_id, ms);
}

static int64_t claim(const struct uuid *owner)
{
    return order_leases_claim(db, venue, owner, 30, 10);
}

static bool release(const struct uuid *owner, uint64_t wallet_id, unsigned ms)
{
    return order_leases_release(db, venue, owner, wallet_id, ms);
}

static int64_t claimed(const struct uuid *owner)
{
    char text[UUID_TEXT_LEN + 1];

    uuid_text(text, *owner);
    return NUMBER("SELECT COUNT(*) FROM %s WHERE lease_owner = UNHEX(REPLACE('%s', '-', ''))", tables[venue],
                  text);
}

/* Later, by so many seconds. */
static bool later(int seconds)
{
    return RAW("UPDATE %s SET %s = %s - INTERVAL %d SECOND, lease_until = lease_until - INTERVAL %d SECOND",
               tables[venue], columns[venue], columns[venue], seconds, seconds);
}

static void due_accounts_are_leased(void)
{
    uint64_t p = new_account("0xFf01"), q = new_account("0xFf02");
    struct uuid one = uuid_random(), two = uuid_random();

    CHECK(claim(&one) == 0 && order_leases_overdue(db) == 0 && order_leases_waiting(db) == 0);
    CHECK(due(p, 0) && due(q, 60000) && later(9));
    CHECK(order_leases_overdue(db) == 9 && order_leases_waiting(db) == 1);
    CHECK(claim(&one) == 1 && claim(&two) == 0 && order_leases_overdue(db) == 0);
    CHECK(claimed(&one) == 1 && claimed(&two) == 0);
    CHECK(release(&two, p, 0) && claimed(&one) == 1); /* it is not theirs */
    CHECK(release(&one, p, 20000) && claim(&one) == 0);
    CHECK(later(20) && claim(&one) == 1 && release(&one, p, 0));
    CHECK(NUMBER("SELECT COUNT(*) FROM %s WHERE %s IS NOT NULL", tables[venue], columns[venue]) == 1);
}

/* A job that was killed leaves its lease, which ends. */
static void a_lease_ends(void)
{
    uint64_t p = new_account("0xAb01");
    struct uuid one = uuid_random(), two = uuid_random();

    CHECK(due(p, 0) && claim(&one) == 1 && later(30));
    CHECK(claim(&two) == 1 && claimed(&one) == 0);
    CHECK(release(&one, p, 0) && claimed(&two) == 1);
    CHECK(release(&two, p, 0) && claim(&two) == 0);
}

/* An order that is placed while its wallet is looked at was not seen by that poll. */
static void a_time_that_is_set_meanwhile_stays(void)
{
    uint64_t p = new_account("0xBc01");
    struct uuid one = uuid_random(), two = uuid_random();

    for (unsigned ms = 0; ms <= 20000; ms += 20000) {
        CHECK(due(p, 0) && claim(&one) == 1);
        CHECK(due(p, 0) && claim(&two) == 0);
        CHECK(release(&one, p, ms) && claim(&two) == 1);
        CHECK(release(&two, p, 0));
    }
}

/* An account that is due sooner stays so, and does not wait in the other venue's queue. */
static void it_is_never_put_off(void)
{
    uint64_t p = new_account("0xCd01");
    struct uuid one = uuid_random();

    CHECK(due(p, 0) && due(p, 60000) && order_leases_waiting(db) == 1);
    CHECK(order_leases_claim(db, !venue, &one, 30, 10) == 0);
    CHECK(claim(&one) == 1 && release(&one, p, 0));
}

static void they_wait_in_one_queue(void)
{
    struct uuid one = uuid_random();
    struct queue q;
    uint64_t p;

    p = new_account("0xDe01");
    CHECK(due(p, 0) && later(7));
    CHECK(queue_read(db, a, QUEUE_ORDERS, &q) && q.waiting == 1 && q.oldest_s == 7 && q.overdue_s == 7);
    CHECK(claim(&one) == 1 && release(&one, p, 0));
}

static void at_each_venue(void (*test)(void))
{
    for (venue = 0; venue < ORDER_VENUES; venue++) {
        test();
        CHECK(RAW("DELETE FROM %s", tables[venue]));
    }
}

#define AT_EACH(name)                                                                                        \
    static void name##_at_each_venue(void)                                                                   \
    {                                                                                                        \
        at_each_venue(name);                                                                                 \
    }

AT_EACH(due_accounts_are_leased)
AT_EACH(a_lease_ends)
AT_EACH(a_time_that_is_set_meanwhile_stays)
AT_EACH(it_is_never_put_off)
AT_EACH(they_wait_in_one_queue)

STORE_TEST_MAIN(TEST(due_accounts_are_leased_at_each_venue), TEST(a_lease_ends_at_each_venue),
                TEST(a_time_that_is_set_meanwhile_stays_at_each_venue),
                TEST(it_is_never_put_off_at_each_venue), TEST(they_wait_in_one_queue_at_each_venue))
