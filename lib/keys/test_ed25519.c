#include "keys/ed25519.c"

#define TEST_VECTORS "tests/vectors/solana.json"
#include "base/test.h"
#include "codec/base58.h"
#include "codec/test_vectors.h"

static void sodium_starts(void)
{
    CHECK(secrets_init());
}

static struct secret *seed_of(const json_t *row, const char *name)
{
    uint8_t seed[SECRET_LEN];
    size_t n;
    const uint8_t *bytes = test_plain_bytes(row, name, &n);

    CHECK(n == sizeof seed);
    memcpy(seed, bytes, sizeof seed);
    return secret_take(seed);
}

static void is_hex(const uint8_t *got, size_t n, const json_t *row, const char *name)
{
    size_t want_n;
    const uint8_t *want = test_plain_bytes(row, name, &want_n);

    CHECK(n == want_n && memcmp(got, want, n) == 0);
}

static void is_base58(const uint8_t *got, size_t n, const json_t *row, const char *name)
{
    char text[BASE58_LEN(ED25519_SIG_LEN) + 1];

    base58_encode(text, got, n);
    CHECK_STR(text, test_text(row, name));
}

static void keypairs(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("keypairs"), i, row)
    {
        struct secret *seed = seed_of(row, "seed_hex");
        uint8_t pubkey[ED25519_PUBKEY_LEN], same[ED25519_PUBKEY_LEN], *pair;

        CHECK(ed25519_pubkey(pubkey, seed));
        is_hex(pubkey, sizeof pubkey, row, "public_key_hex");
        is_base58(pubkey, sizeof pubkey, row, "address");
        pair = make_pair(same, seed);
        CHECK(pair != NULL && memcmp(same, pubkey, sizeof same) == 0);
        is_hex(pair, crypto_sign_ed25519_SECRETKEYBYTES, row, "secret64_hex");
        is_base58(pair, crypto_sign_ed25519_SECRETKEYBYTES, row, "secret64_base58");
        sodium_free(pair);
        secret_free(seed);
    }
}

static void signs(const uint8_t *message, size_t n, const json_t *row, const char *seed_name)
{
    struct secret *seed = seed_of(row, seed_name);
    uint8_t sig[ED25519_SIG_LEN], pubkey[ED25519_PUBKEY_LEN];

    CHECK(ed25519_sign(sig, message, n, seed) && ed25519_pubkey(pubkey, seed));
    is_hex(sig, sizeof sig, row, "signature_hex");
    is_base58(sig, sizeof sig, row, "signature_base58");
    CHECK(crypto_sign_ed25519_verify_detached(sig, message, n, pubkey) == 0);
    sig[0] ^= 1;
    CHECK(crypto_sign_ed25519_verify_detached(sig, message, n, pubkey) != 0);
    secret_free(seed);
}

static void a_message(void)
{
    const json_t *row = test_member("detached_signature");
    const char *text = test_text(row, "message_utf8");

    signs((const uint8_t *)text, strlen(text), row, "seed_hex");
}

/* A transaction's signature covers its message. */
static void messages_of_transactions(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("transactions"), i, row)
    {
        size_t n;
        const uint8_t *message = test_plain_bytes(row, "message_hex", &n);

        signs(message, n, row, "signer_seed_hex");
    }
}

TEST_MAIN(TEST(sodium_starts), TEST(keypairs), TEST(a_message), TEST(messages_of_transactions))
