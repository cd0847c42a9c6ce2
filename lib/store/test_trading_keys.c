#include "store/trading_keys.h"

#include "store/test_store.h"

static uint64_t wallet_id = 7000;

/* With an approval in that state; 0: none is stored. */
static struct trading_key new_key(enum effect_state state, bool succeeded)
{
    static unsigned made;
    struct trading_key k = { .agent_id = 1, .wallet_id = wallet_id, .execution_id = 9000 + made };
    struct venue_request r = { .effect = { .execution_id = k.execution_id, .wallet_id = wallet_id },
                               .venue = TRADING_KEY_VENUE,
                               .signing_key = (const uint8_t *)"key",
                               .signing_key_len = 3,
                               .body = (const uint8_t *)"{}",
                               .body_len = 2 };
    int64_t now;

    CHECK(db_clock_ms(db, &now));
    (void)snprintf(k.name, sizeof k.name, "name-%u", made);
    (void)snprintf(k.address, sizeof k.address, "0xkey%u", made++);
    rand_bytes(k.sealed, sizeof k.sealed);
    rand_bytes(r.venue_key, sizeof r.venue_key);
    k.valid_until_ms = now + 3600 * 1000;
    CHECK(trading_keys_add(db, &k) && k.id != 0);
    if (state != 0)
        CHECK(requests_add(db, &r) && RAW("UPDATE requests SET state = %d, succeeded = %d WHERE id = %llu",
                                          (int)state, succeeded, (unsigned long long)r.effect.id));
    return k;
}

static struct trading_key approved(void)
{
    struct trading_key k = { .id = 0 };

    CHECK(trading_keys_approved(db, wallet_id, &k) != LOOKUP_ERROR);
    return k;
}

static struct trading_key current(void)
{
    struct trading_keys keys;

    CHECK(trading_keys_current(db, wallet_id, &keys) && keys.has_newest == (keys.newest.id != 0));
    CHECK(keys.has_approved == (keys.approved.id != 0) && keys.approved.id == approved().id);
    return keys.newest;
}

static void the_newest_one_counts(void)
{
    struct trading_key first, second, got;

    wallet_id++;
    CHECK(current().id == 0);
    first = new_key(EFFECT_OPEN, false);
    got = current();
    CHECK(got.id == first.id && !got.approved && got.execution_id == first.execution_id);
    CHECK(memcmp(got.sealed, first.sealed, sizeof got.sealed) == 0 &&
          got.valid_until_ms == first.valid_until_ms && strcmp(got.name, first.name) == 0);
    CHECK(approved().id == 0 && got.created_ms > 0 && got.created_ms < got.valid_until_ms);
    second = new_key(EFFECT_SETTLED, true);
    CHECK(current().id == second.id && current().approved && approved().id == second.id);
    CHECK(trading_keys_get(db, first.address, &got) == LOOKUP_FOUND && got.id == first.id);
    CHECK(trading_keys_get(db, "0xnobody", &got) == LOOKUP_NONE);
}

static void unapproved_keys_are_not_in_force(void)
{
    struct trading_key good, lost, got;

    wallet_id++;
    CHECK(trading_keys_newest(db, wallet_id, &got) == LOOKUP_NONE);
    good = new_key(EFFECT_SETTLED, true);
    (void)new_key(EFFECT_SETTLED, false);
    lost = new_key(EFFECT_LOST, false);
    CHECK(current().id == good.id && approved().id == good.id);
    CHECK(trading_keys_newest(db, wallet_id, &got) == LOOKUP_FOUND && got.id == lost.id);
}

/* Requests in the meantime are signed by the key in force. */
static void pending_keys_do_not_replace_the_one_in_force(void)
{
    struct trading_key good, next;

    wallet_id++;
    good = new_key(EFFECT_SETTLED, true);
    next = new_key(EFFECT_INCLUDED, false);
    CHECK(current().id == next.id && !current().approved && approved().id == good.id);
    good = new_key(EFFECT_SETTLED, true);
    CHECK(current().id == good.id && approved().id == good.id); /* of two in force the newer one */
}

static void an_end_is_an_end(void)
{
    struct trading_key k;

    wallet_id++;
    k = new_key(EFFECT_SETTLED, true);
    CHECK(trading_keys_end(db, k.address) && trading_keys_end(db, k.address) && current().id == 0);
    CHECK(approved().id == 0);
    k = new_key(EFFECT_SETTLED, true);
    CHECK(RAW("UPDATE trading_keys SET valid_until = UTC_TIMESTAMP(3) WHERE id = %llu",
              (unsigned long long)k.id));
    CHECK(current().id == 0 && approved().id == 0);
}

STORE_TEST_MAIN(TEST(the_newest_one_counts), TEST(unapproved_keys_are_not_in_force),
                TEST(pending_keys_do_not_replace_the_one_in_force), TEST(an_end_is_an_end))
