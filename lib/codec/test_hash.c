#include "base/test.h"
#include "codec/hash.c"
#include "codec/test_vectors.h"

static void keccak_vectors(void)
{
    const json_t *row;
    size_t i, n;

    json_array_foreach(test_section("keccak256"), i, row)
    {
        const uint8_t *in = test_bytes(row, "input", &n);
        uint8_t out[HASH_LEN];

        CHECK((json_int_t)n == json_integer_value(json_object_get(row, "length")));
        keccak256(out, in, n);
        CHECK_STR(test_hex(out, sizeof out), test_text(row, "digest"));
    }
}

static void keccak_of_long_inputs(void)
{
    const json_t *row;
    size_t i, n;

    json_array_foreach(test_section("keccak256_repeat"), i, row)
    {
        size_t len = (size_t)json_integer_value(json_object_get(row, "length"));
        uint8_t *in = arena_alloc(test_arena, len), out[HASH_LEN];

        memset(in, *test_bytes(row, "repeat_byte", &n), len);
        keccak256(out, in, len);
        CHECK_STR(test_hex(out, sizeof out), test_text(row, "digest"));
    }
}

/* EIP-191: what a wallet signs for a message. */
static void personal_sign_digests(void)
{
    const json_t *row;
    size_t i, n;

    json_array_foreach(test_section("personal_sign"), i, row)
    {
        const uint8_t *message = test_bytes(row, "message_hex", &n);
        char *text = arena_printf(test_arena,
                                  "\x19"
                                  "Ethereum Signed Message:\n%zu",
                                  n);
        uint8_t *all = arena_alloc(test_arena, strlen(text) + n), out[HASH_LEN];

        memcpy(all, text, strlen(text));
        memcpy(all + strlen(text), message, n);
        keccak256(out, all, strlen(text) + n);
        CHECK_STR(test_hex(out, sizeof out), test_text(row, "digest"));
    }
}

/* FIPS 180-4's examples. */
static void sha256_vectors(void)
{
    static const char *const rows[][2] = {
        { "", "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "0x248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    };
    uint8_t out[HASH_LEN];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sha256(out, rows[i][0], strlen(rows[i][0]));
        CHECK_STR(test_hex(out, sizeof out), rows[i][1]);
    }
}

static void check_hmac(const void *key, size_t key_len, const void *data, size_t n, const char *want)
{
    uint8_t out[HASH_LEN];

    hmac_sha256(out, key, key_len, data, n);
    CHECK_STR(test_hex(out, sizeof out), want);
}

/* RFC 4231, cases 1 to 4, 6 and 7; case 5 is about truncation. */
static void hmac_vectors(void)
{
    static const char large_key[] = "Test Using Larger Than Block-Size Key - Hash Key First";
    static const char large_data[] =
        "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.";
    uint8_t key[131], data[50];

    memset(key, 0x0b, 20);
    check_hmac(key, 20, "Hi There", 8, "0xb0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    check_hmac("Jefe", 4, "what do ya want for nothing?", 28,
               "0x5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key);
    memset(data, 0xdd, sizeof data);
    check_hmac(key, 20, data, 50, "0x773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    check_hmac(key, 131, large_key, strlen(large_key),
               "0x60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    check_hmac(key, 131, large_data, strlen(large_data),
               "0x9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
    for (uint8_t i = 0; i < 25; i++)
        key[i] = (uint8_t)(i + 1);
    memset(data, 0xcd, sizeof data);
    check_hmac(key, 25, data, 50, "0x82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
}

static void hashes_are_compared_whole(void)
{
    uint8_t x[HASH_LEN], y[HASH_LEN];

    sha256(x, "x", 1);
    memcpy(y, x, sizeof y);
    CHECK(hash_equal(x, y));
    for (size_t i = 0; i < HASH_LEN; i++) {
        y[i] ^= 1;
        CHECK(!hash_equal(x, y));
        y[i] ^= 1;
    }
}

TEST_MAIN(TEST(hashes_are_compared_whole), TEST(keccak_vectors), TEST(keccak_of_long_inputs),
          TEST(personal_sign_digests), TEST(sha256_vectors), TEST(hmac_vectors))
