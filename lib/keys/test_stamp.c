#include "keys/stamp.c"

#include "keys/test_util.h"

static const uint8_t bytes[] = { 1, 2, 3 };

static void a_stamp_is_for_its_bytes_and_purpose(void)
{
    struct test_dir dir, other_dir;
    struct keyring *k, *other;
    uint8_t stamp[STAMP_LEN];
    char why[512];

    CHECK(secrets_init());
    test_dir_make(&dir);
    test_dir_make(&other_dir);
    CHECK(keyring_create(dir.keys, why, sizeof why) && keyring_create(other_dir.keys, why, sizeof why));
    k = keyring_load(dir.keys, why, sizeof why);
    other = keyring_load(other_dir.keys, why, sizeof why);
    stamp_make(stamp, k, "one", bytes, sizeof bytes);
    CHECK(stamp_verify(stamp, k, "one", bytes, sizeof bytes));
    CHECK(!stamp_verify(stamp, k, "two", bytes, sizeof bytes));
    CHECK(!stamp_verify(stamp, k, "one", bytes, sizeof bytes - 1));
    CHECK(!stamp_verify(stamp, other, "one", bytes, sizeof bytes));
    for (size_t i = 0; i < STAMP_LEN; i++) {
        stamp[i] ^= 1;
        CHECK(!stamp_verify(stamp, k, "one", bytes, sizeof bytes));
        stamp[i] ^= 1;
    }
    keyring_free(k);
    CHECK(keyring_rotate(dir.keys, why, sizeof why));
    k = keyring_load(dir.keys, why, sizeof why);
    CHECK(stamp_verify(stamp, k, "one", bytes, sizeof bytes));
    keyring_free(k);
    keyring_free(other);
    test_dir_remove(&dir);
    test_dir_remove(&other_dir);
}

TEST_MAIN(TEST(a_stamp_is_for_its_bytes_and_purpose))
