#include "signer/history_mark.c"

#include "base/test.h"

static const struct history_mark known = { 6, { { 1, 2 } }, 100, 1700000000, 300, true };

static bool same(const struct history_mark *a, const struct history_mark *b)
{
    return a->number == b->number && memcmp(&a->boot, &b->boot, sizeof a->boot) == 0 &&
           a->boot_s == b->boot_s && a->time_s == b->time_s && a->wallets_len == b->wallets_len &&
           a->complete == b->complete;
}

static void file_of(uint8_t file[static MARK_FILE_LEN], const struct history_mark *m)
{
    memset(file, 0, MARK_FILE_LEN);
    history_mark_write(file + history_mark_place(m), m);
}

static void the_latest_one_comes_back(void)
{
    struct history_mark later = known, got;
    uint8_t file[MARK_FILE_LEN];

    file_of(file, &known);
    CHECK(history_mark_read(&got, file, 0) == LOOKUP_NONE);
    CHECK(history_mark_read(&got, file, sizeof file) == LOOKUP_FOUND && same(&got, &known));
    CHECK(history_mark_read(&got, file, MARK_PLACE_LEN) == LOOKUP_FOUND && same(&got, &known));
    later.number++;
    later.time_s++;
    CHECK(history_mark_place(&later) != history_mark_place(&known));
    history_mark_write(file + history_mark_place(&later), &later);
    CHECK(history_mark_read(&got, file, sizeof file) == LOOKUP_FOUND && same(&got, &later));
}

/* A process that dies while it writes leaves the one before. */
static void a_torn_place_does_not_count(void)
{
    struct history_mark later = known, got;
    uint8_t file[MARK_FILE_LEN], place[MARK_PLACE_LEN];

    later.number++;
    later.time_s += 1000;
    history_mark_write(place, &later);
    for (size_t n = 0; n < MEMBERS_LEN + PROOF_LEN; n++) {
        file_of(file, &known);
        memcpy(file + history_mark_place(&later), place, n);
        CHECK(history_mark_read(&got, file, sizeof file) == LOOKUP_FOUND && same(&got, &known));
    }
}

static void nothing_of_it_can_be_changed(void)
{
    uint8_t file[MARK_FILE_LEN];
    struct history_mark got;

    file_of(file, &known);
    for (size_t i = 0; i < 8 * (size_t)(MEMBERS_LEN + PROOF_LEN); i++) {
        file[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(history_mark_read(&got, file, sizeof file) == LOOKUP_ERROR);
        file[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    CHECK(history_mark_read(&got, file, MARK_PLACE_LEN - 1) == LOOKUP_ERROR);
}

TEST_MAIN(TEST(the_latest_one_comes_back), TEST(a_torn_place_does_not_count),
          TEST(nothing_of_it_can_be_changed))
