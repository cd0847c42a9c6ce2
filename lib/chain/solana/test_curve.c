#include "chain/solana/curve.c"

#include <sodium/crypto_core_ed25519.h>
#include <string.h>

#include "base/test.h"
#include "codec/hash.h"

/* Whether libsodium's addition accepts a point, in the prime-order group or not. */
static bool is_taken_by_addition(const uint8_t bytes[static SOLANA_ADDR_LEN])
{
    static const uint8_t neutral[crypto_core_ed25519_BYTES] = { 1 };
    uint8_t sum[crypto_core_ed25519_BYTES];

    return crypto_core_ed25519_add(sum, bytes, neutral) == 0;
}

static void check(const uint8_t bytes[static SOLANA_ADDR_LEN])
{
    CHECK(solana_is_on_curve(bytes) == is_taken_by_addition(bytes));
}

/* Each about as likely a point as not. */
static void hashes(void)
{
    enum { MANY = 4000 };
    uint8_t bytes[HASH_LEN] = { 0 };
    unsigned points = 0;

    for (unsigned i = 0; i < MANY; i++) {
        sha256(bytes, bytes, sizeof bytes);
        check(bytes);
        points += solana_is_on_curve(bytes);
    }
    CHECK(points > MANY / 3 && points < 2 * MANY / 3);
}

/* Around zero, p and 2^255, with either sign; y of 0 and of 1 or -1, where x is 0, among them. */
static void edges(void)
{
    for (unsigned sign = 0; sign < 2; sign++) {
        for (unsigned low = 0; low < 256; low++) {
            uint8_t near_zero[SOLANA_ADDR_LEN] = { (uint8_t)low }, near_p[SOLANA_ADDR_LEN];

            memset(near_p, 0xff, sizeof near_p);
            near_p[0] = (uint8_t)low;
            near_zero[31] = (uint8_t)(sign << 7);
            near_p[31] = (uint8_t)(0x7f | sign << 7);
            check(near_zero);
            check(near_p);
        }
    }
}

/* Each bit alone, and each bit missing. */
static void bits(void)
{
    for (unsigned bit = 0; bit < 8 * SOLANA_ADDR_LEN; bit++) {
        uint8_t one[SOLANA_ADDR_LEN] = { 0 }, others[SOLANA_ADDR_LEN];

        memset(others, 0xff, sizeof others);
        one[bit / 8] = (uint8_t)(1U << bit % 8);
        others[bit / 8] ^= one[bit / 8];
        check(one);
        check(others);
    }
}

/* 2 is no square, so its odd powers are none. */
static void powers_of_two(void)
{
    struct field x = ONE;

    for (unsigned i = 0; i < 510; i++) {
        CHECK(field_is_square(x) == (i % 2 == 0));
        x = field_add(x, x);
    }
    CHECK(field_is_square((struct field){ { 0 } }) && field_is_square(P));
}

TEST_MAIN(TEST(hashes), TEST(edges), TEST(bits), TEST(powers_of_two))
