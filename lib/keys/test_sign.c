#include "keys/sign.c"

#include "codec/hash.h"
#include "keys/test_util.h"

static json_t *vectors;

static void context_starts(void)
{
    CHECK(secrets_init() && sign_init() && sign_init());
    vectors = test_vectors();
}

/* "0x04…" as hex, without an address module in between. */
static void pubkeys(void)
{
    size_t i, tried = 0;
    json_t *row;

    json_array_foreach(json_object_get(vectors, "keys"), i, row)
    {
        struct secret *key = test_key(row);
        uint8_t got[65], want[65] = { 0 };

        CHECK(test_fixed(want, sizeof want, row, "public_key_uncompressed"));
        CHECK(sign_secp256k1_pubkey(got, key) && memcmp(got, want, sizeof got) == 0);
        secret_free(key);
        tried++;
    }
    CHECK(tried > 0);
}

static void invalid_keys(void)
{
    static const uint8_t digest[32] = { 1 };
    size_t i, tried = 0;
    json_t *row;

    json_array_foreach(json_object_get(vectors, "invalid_keys"), i, row)
    {
        struct secret *key = test_key(row);
        uint8_t out[65];

        CHECK(!sign_secp256k1_pubkey(out, key));
        CHECK(!sign_secp256k1(out, digest, key));
        secret_free(key);
        tried++;
    }
    CHECK(tried > 0);
}

/* r and s stand apart in every list; the parity is y_parity, or v with 27 added. */
static bool signature_of(uint8_t out[static 65], const json_t *row)
{
    const json_t *parity = json_object_get(row, "y_parity");
    json_int_t p =
        parity != NULL ? json_integer_value(parity) : json_integer_value(json_object_get(row, "v")) - 27;

    out[64] = (uint8_t)p;
    return test_fixed(out, 32, row, "r") && test_fixed(out + 32, 32, row, "s");
}

static void signs_and_recovers(const json_t *row, const char *digest_name)
{
    struct secret *key = test_key(row);
    uint8_t digest[32], want[65], got[65], pub[65], back[65];

    CHECK(test_fixed(digest, sizeof digest, row, digest_name) && signature_of(want, row));
    CHECK(sign_secp256k1(got, digest, key) && memcmp(got, want, sizeof got) == 0);
    CHECK(sign_secp256k1_pubkey(pub, key));
    CHECK(sign_secp256k1_recover(back, digest, got) && memcmp(pub, back, sizeof pub) == 0);
    secret_free(key);
}

static void signatures(void)
{
    static const struct {
        const char *list, *digest;
    } lists[] = { { "ecdsa", "digest" },
                  { "personal_sign", "digest" },
                  { "eip712", "digest" },
                  { "transactions", "signing_hash" } };

    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        size_t i, tried = 0;
        json_t *row;

        json_array_foreach(json_object_get(vectors, lists[l].list), i, row)
        {
            signs_and_recovers(row, lists[l].digest);
            tried++;
        }
        CHECK(tried >= 10);
    }
}

static void high_s_is_refused(void)
{
    size_t i, tried = 0;
    json_t *row;

    json_array_foreach(json_object_get(vectors, "ecdsa"), i, row)
    {
        const json_t *high = json_object_get(row, "high_s_variant");
        uint8_t digest[32], sig[65], pub[65];

        if (high == NULL)
            continue;
        CHECK(test_fixed(digest, sizeof digest, row, "digest") && test_fixed(sig, 32, row, "r") &&
              test_fixed(sig + 32, 32, high, "s"));
        sig[64] = (uint8_t)json_integer_value(json_object_get(high, "y_parity"));
        CHECK(!sign_secp256k1_recover(pub, digest, sig));
        tried++;
    }
    CHECK(tried > 0);
}

/* The signer of a signature as a lower-case address; false when it is refused. */
static bool signer_of(char out[static 43], const json_t *row)
{
    uint8_t digest[32], sig[65], pub[65], hash[HASH_LEN];

    if (!test_fixed(digest, sizeof digest, row, "digest") || !test_fixed(sig, sizeof sig, row, "signature"))
        return false;
    sig[64] = (uint8_t)(sig[64] - 27);
    if (!sign_secp256k1_recover(pub, digest, sig))
        return false;
    keccak256(hash, pub + 1, 64);
    memcpy(out, "0x", 2);
    hex_encode(out + 2, hash + 12, 20);
    return true;
}

static void invalid_signatures(void)
{
    size_t i, refused = 0, others = 0;
    json_t *row;

    json_array_foreach(json_object_get(vectors, "ecdsa_invalid"), i, row)
    {
        const json_t *expect = json_object_get(row, "expect");
        char got[43];

        if (json_is_string(expect)) {
            CHECK(!signer_of(got, row));
            refused++;
        } else {
            CHECK(signer_of(got, row) && strcasecmp(got, test_text(expect, "recovered")) == 0);
            CHECK(strcasecmp(got, test_text(row, "expected_signer")) != 0);
            others++;
        }
    }
    CHECK(refused > 0 && others > 0);
}

static void ends(void)
{
    json_decref(vectors);
    secp256k1_context_destroy(context);
}

TEST_MAIN(TEST(context_starts), TEST(pubkeys), TEST(invalid_keys), TEST(signatures), TEST(high_s_is_refused),
          TEST(invalid_signatures), TEST(ends))
