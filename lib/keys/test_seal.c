#include "keys/seal.c"

#include "keys/keyring.h"
#include "keys/test_util.h"

static struct test_dir dir;
static struct keyring *ring;
static struct secret *key;
static struct wallet_ref wallet;
static uint8_t sealed[SEALED_LEN];

static void seal_test_begin(void)
{
    char why[512];

    CHECK(secrets_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    ring = keyring_load(dir.keys, why, sizeof why);
    key = secret_random();
    wallet = test_wallet("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
    CHECK(ring != NULL && seal_key(sealed, ring, &wallet, key));
}

static void seal_test_end(void)
{
    secret_free(key);
    keyring_free(ring);
    test_dir_remove(&dir);
}

static bool opens(const uint8_t *bytes, const struct keyring *k, const struct wallet_ref *w)
{
    struct secret *s = seal_open(bytes, k, w);
    bool same = s != NULL && memcmp(s, key, sizeof *s) == 0;

    CHECK(s == NULL || same);
    secret_free(s);
    return same;
}

static void opens_what_was_sealed(void)
{
    uint8_t again[SEALED_LEN];

    seal_test_begin();
    CHECK(sealed[0] == 1 && get_be32(sealed + 1) == 1);
    CHECK(opens(sealed, ring, &wallet));
    CHECK(seal_key(again, ring, &wallet, key) && memcmp(again, sealed, sizeof sealed) != 0);
    CHECK(opens(again, ring, &wallet));
    seal_test_end();
}

static void any_changed_byte_is_refused(void)
{
    seal_test_begin();
    for (size_t i = 0; i < sizeof sealed; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            sealed[i] ^= (uint8_t)(1u << bit);
            CHECK(!opens(sealed, ring, &wallet));
            sealed[i] ^= (uint8_t)(1u << bit);
        }
    }
    CHECK(opens(sealed, ring, &wallet));
    seal_test_end();
}

static void other_wallets_are_refused(void)
{
    struct wallet_ref w;

    seal_test_begin();
    w = wallet;
    w.wallet.bytes[15] ^= 1;
    CHECK(!opens(sealed, ring, &w));
    w = wallet;
    w.agent.bytes[0] ^= 1;
    CHECK(!opens(sealed, ring, &w));
    w = wallet;
    w.kind = WALLET_SOLANA;
    CHECK(!opens(sealed, ring, &w));
    w.kind = WALLET_TRADING;
    CHECK(!opens(sealed, ring, &w));
    w = wallet;
    w.address[41] = 'e';
    CHECK(!opens(sealed, ring, &w));
    w = wallet;
    w.address[41] = '\0';
    CHECK(!opens(sealed, ring, &w));
    w = wallet;
    memcpy(w.address + 42, "0", 2);
    CHECK(!opens(sealed, ring, &w));
    CHECK(opens(sealed, ring, &wallet));
    seal_test_end();
}

static void unsound_references_are_refused(void)
{
    struct wallet_ref w;
    uint8_t out[SEALED_LEN];

    seal_test_begin();
    w = wallet;
    w.address[0] = '\0';
    CHECK(!seal_key(out, ring, &w, key));
    memset(w.address, 'a', sizeof w.address);
    CHECK(!seal_key(out, ring, &w, key) && !opens(sealed, ring, &w));
    w = wallet;
    w.kind = (enum wallet_kind)(WALLET_TRADING + 1);
    CHECK(!seal_key(out, ring, &w, key));
    seal_test_end();
}

static void other_keyring_is_refused(void)
{
    struct test_dir second;
    struct keyring *other;
    char why[512];

    seal_test_begin();
    test_dir_make(&second);
    CHECK(keyring_create(second.keys, why, sizeof why));
    other = keyring_load(second.keys, why, sizeof why);
    CHECK(other != NULL && !opens(sealed, other, &wallet));
    keyring_free(other);
    test_dir_remove(&second);
    seal_test_end();
}

TEST_MAIN(TEST(opens_what_was_sealed), TEST(any_changed_byte_is_refused), TEST(other_wallets_are_refused),
          TEST(unsound_references_are_refused), TEST(other_keyring_is_refused))
