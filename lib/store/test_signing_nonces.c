#include "store/signing_nonces.h"

#include "store/test_store.h"

static uint64_t next_of(const char *key)
{
    uint64_t nonce = 0;

    CHECK(signing_nonces_next(db, (const uint8_t *)key, strlen(key), &nonce));
    return nonce;
}

static void nonces_are_times_and_only_grow(void)
{
    uint64_t last = next_of("a key");
    int64_t now;

    CHECK(db_clock_ms(db, &now) && last <= (uint64_t)now && last + 60000 > (uint64_t)now);
    for (int i = 0; i < 100; i++) {
        uint64_t next = next_of("a key");

        CHECK(next > last);
        last = next;
    }
}

/* Nonces of a clock that is ahead still count, and keys share none. */
static void a_clock_that_is_set_back_gives_none_twice(void)
{
    const uint64_t ahead = 4000000000000;

    CHECK(next_of("late") < ahead);
    CHECK(RAW("UPDATE signing_nonces SET last = %llu WHERE signing_key = 'late'", (unsigned long long)ahead));
    CHECK(next_of("late") == ahead + 1 && next_of("late") == ahead + 2);
    CHECK(next_of("another key") < ahead);
}

static enum tx_verdict next_and_back(struct db *d, void *arg)
{
    (void)d;
    *(uint64_t *)arg = next_of("rolled back");
    return TX_ROLLBACK;
}

static void rolled_back_nonces_are_given_out_again(void)
{
    uint64_t lost = 0;

    next_of("rolled back");
    CHECK(RAW("UPDATE signing_nonces SET last = 4000000000000 WHERE signing_key = 'rolled back'"));
    CHECK(db_transact(db, next_and_back, &lost) == TX_REFUSED);
    CHECK(next_of("rolled back") == lost);
}

STORE_TEST_MAIN(TEST(nonces_are_times_and_only_grow), TEST(a_clock_that_is_set_back_gives_none_twice),
                TEST(rolled_back_nonces_are_given_out_again))
