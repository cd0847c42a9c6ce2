#include "predict/balance_venue.c"

#include "base/test.h"

static void balances_show_incoming_deposits(void)
{
    static const struct {
        uint64_t before, amount, shown;
        bool polled, want;
    } rows[] = {
        { 0, 100, 100, false, true },   { 0, 100, 99, true, false },    { 50, 100, 150, false, true },
        { 50, 100, 149, false, false }, { 50, 100, 149, true, true },   /* orders have spent of it */
        { 50, 100, 99, true, false },   { 150, 100, 150, true, false }, /* as before */
        { 0, 0, 0, false, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct balance_order o = { .before = u256_from_u64(rows[i].before),
                                         .amount = u256_from_u64(rows[i].amount) };

        CHECK(balance_shows(&o, u256_from_u64(rows[i].shown), rows[i].polled) == rows[i].want);
    }
}

static void balances_show_outgoing_payments(void)
{
    const struct balance_order o = { .before = u256_from_u64(50),
                                     .amount = u256_from_u64(20),
                                     .leaves = true };

    CHECK(balance_shows(&o, u256_from_u64(30), true) && balance_shows(&o, u256_from_u64(35), true));
    CHECK(!balance_shows(&o, u256_from_u64(30), false) && !balance_shows(&o, u256_from_u64(50), true));
}

static struct request_observation balance_observation(bool accepted, enum call_result result, int status,
                                                      const char *text)
{
    static const char body[] = "{\"before\":\"5\",\"amount\":\"10\"}";
    struct balance_poll poll = { .ctx = NULL };
    struct venue_request r = { .effect.accepted = accepted,
                               .body = (const uint8_t *)body,
                               .body_len = sizeof body - 1 };
    struct call call = { .result = result, .status = status, .owner = &poll };
    struct request_observation s = { .says = VENUE_UNAVAILABLE };
    struct arena *a = arena_new();

    call.answer = (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
    balance_read_status(&call, &r, a, &s);
    arena_free(a);
    return s;
}

/* A balance that the venue does not show is reported again; silence proves nothing. */
static void answers_of_the_exchange_become_observations(void)
{
    static const char COME[] = "{\"balance\":\"15\",\"allowances\":{}}",
                      BEFORE[] = "{\"balance\":\"5\",\"allowances\":{}}";

    CHECK(balance_observation(true, CALL_ANSWERED, 200, COME).says == VENUE_FILLED);
    CHECK(balance_observation(true, CALL_ANSWERED, 200, BEFORE).says == VENUE_DROPPED);
    CHECK(balance_observation(false, CALL_ANSWERED, 200, BEFORE).says == VENUE_UNKNOWN);
    CHECK(balance_observation(true, CALL_ANSWERED, 200, "oops").says == VENUE_UNAVAILABLE);
    CHECK(balance_observation(true, CALL_ANSWERED, 500, COME).says == VENUE_UNAVAILABLE);
    CHECK(balance_observation(true, CALL_TIMEOUT, 0, "").says == VENUE_UNAVAILABLE);
}

TEST_MAIN(TEST(balances_show_incoming_deposits), TEST(balances_show_outgoing_payments),
          TEST(answers_of_the_exchange_become_observations))
