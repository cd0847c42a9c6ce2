#include "signer/address_seal.c"

#include "keys/test_util.h"

static const struct sealed_address known = { { { { 7 } }, CHAIN_EVM, "0xabc" }, 1000, 2000 };
static struct test_dir dir;
static struct keyring *ring;

static void test_begin(void)
{
    char why[512];

    CHECK(secrets_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    ring = keyring_load(dir.keys, why, sizeof why);
}

static void test_end(void)
{
    keyring_free(ring);
    test_dir_remove(&dir);
}

/* In memory of just that length, so that a sanitizer sees a read past its end. */
static bool opens(const uint8_t *record, size_t len)
{
    uint8_t *exact = malloc(len + 1);
    struct sealed_address a;
    bool ok;

    memcpy(exact, record, len);
    ok = address_open(&a, ring, exact, len);
    free(exact);
    return ok;
}

static bool comes_back(const struct sealed_address *a)
{
    struct address_record r;
    struct sealed_address got;

    address_seal(&r, ring, a);
    return address_open(&got, ring, r.bytes, r.len) &&
           memcmp(&got.payee.agent, &a->payee.agent, UUID_LEN) == 0 && got.payee.type == a->payee.type &&
           strcmp(got.payee.address, a->payee.address) == 0 && got.made == a->made &&
           got.not_before == a->not_before;
}

static void a_record_comes_back(void)
{
    struct sealed_address longest = known;

    test_begin();
    CHECK(comes_back(&known));
    memset(longest.payee.address, '1', WALLET_ADDR_MAX - 1);
    longest.payee.type = CHAIN_SOLANA;
    CHECK(comes_back(&longest));
    test_end();
}

static void nothing_of_it_can_be_changed(void)
{
    struct address_record r;
    size_t tried = 0;

    test_begin();
    address_seal(&r, ring, &known);
    CHECK(opens(r.bytes, r.len));
    for (size_t i = 0; i < 8 * r.len; i++, tried++) {
        r.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(!opens(r.bytes, r.len));
        r.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (size_t n = 0; n < r.len; n++, tried++)
        CHECK(!opens(r.bytes, n));
    CHECK(!opens(r.bytes, r.len + 1) && tried > 500);
    test_end();
}

/* Stamped for something else. */
static void stamps_for_another_purpose_do_not_open(void)
{
    struct address_record r;

    test_begin();
    address_seal(&r, ring, &known);
    stamp_make(r.bytes + r.len - STAMP_LEN, ring, "another", r.bytes, r.len - STAMP_LEN);
    CHECK(!opens(r.bytes, r.len));
    test_end();
}

TEST_MAIN(TEST(a_record_comes_back), TEST(nothing_of_it_can_be_changed),
          TEST(stamps_for_another_purpose_do_not_open))
