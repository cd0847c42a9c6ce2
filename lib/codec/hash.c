#include "codec/hash.h"

#include <sodium/crypto_auth_hmacsha256.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_verify_32.h>

/* Keccak-f[1600] with a rate of 136 bytes, as in the Keccak team's submission. The state's 25 lanes live in
 * variables named after their place, a(x + 5y), so that the compiler keeps them in registers; one round works
 * from a to e, the next back from e to a. */

enum { RATE = 136, LANES = 25, ROUNDS = 24 };

static const uint64_t round_constant[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

#define ROTL(v, n) ((v) << (n) | (v) >> (64 - (n)))

/* Column parities and what theta adds to each column. */
#define THETA(a)                                                                                             \
    uint64_t c0 = a##0 ^ a##5 ^ a##10 ^ a##15 ^ a##20;                                                       \
    uint64_t c1 = a##1 ^ a##6 ^ a##11 ^ a##16 ^ a##21;                                                       \
    uint64_t c2 = a##2 ^ a##7 ^ a##12 ^ a##17 ^ a##22;                                                       \
    uint64_t c3 = a##3 ^ a##8 ^ a##13 ^ a##18 ^ a##23;                                                       \
    uint64_t c4 = a##4 ^ a##9 ^ a##14 ^ a##19 ^ a##24;                                                       \
    uint64_t d0 = c4 ^ ROTL(c1, 1), d1 = c0 ^ ROTL(c2, 1), d2 = c1 ^ ROTL(c3, 1);                            \
    uint64_t d3 = c2 ^ ROTL(c4, 1), d4 = c3 ^ ROTL(c0, 1)

/* chi on one plane: b holds the rotated lanes. */
#define CHI(e0, e1, e2, e3, e4)                                                                              \
    e0 = b0 ^ (~b1 & b2);                                                                                    \
    e1 = b1 ^ (~b2 & b3);                                                                                    \
    e2 = b2 ^ (~b3 & b4);                                                                                    \
    e3 = b3 ^ (~b4 & b0);                                                                                    \
    e4 = b4 ^ (~b0 & b1)

#define LANE(a, column, turn) ROTL(a ^ d##column, turn)
#define PLANE(p0, p1, p2, p3, p4)                                                                            \
    b0 = p0;                                                                                                 \
    b1 = p1;                                                                                                 \
    b2 = p2;                                                                                                 \
    b3 = p3;                                                                                                 \
    b4 = p4

#define ROUND(a, e, constant)                                                                                \
    do {                                                                                                     \
        uint64_t b0, b1, b2, b3, b4;                                                                         \
        THETA(a);                                                                                            \
        PLANE(a##0 ^ d0, LANE(a##6, 1, 44), LANE(a##12, 2, 43), LANE(a##18, 3, 21), LANE(a##24, 4, 14));     \
        CHI(e##0, e##1, e##2, e##3, e##4);                                                                   \
        e##0 ^= (constant);                                                                                  \
        PLANE(LANE(a##3, 3, 28), LANE(a##9, 4, 20), LANE(a##10, 0, 3), LANE(a##16, 1, 45),                   \
              LANE(a##22, 2, 61));                                                                           \
        CHI(e##5, e##6, e##7, e##8, e##9);                                                                   \
        PLANE(LANE(a##1, 1, 1), LANE(a##7, 2, 6), LANE(a##13, 3, 25), LANE(a##19, 4, 8),                     \
              LANE(a##20, 0, 18));                                                                           \
        CHI(e##10, e##11, e##12, e##13, e##14);                                                              \
        PLANE(LANE(a##4, 4, 27), LANE(a##5, 0, 36), LANE(a##11, 1, 10), LANE(a##17, 2, 15),                  \
              LANE(a##23, 3, 56));                                                                           \
        CHI(e##15, e##16, e##17, e##18, e##19);                                                              \
        PLANE(LANE(a##2, 2, 62), LANE(a##8, 3, 55), LANE(a##14, 4, 39), LANE(a##15, 0, 41),                  \
              LANE(a##21, 1, 2));                                                                            \
        CHI(e##20, e##21, e##22, e##23, e##24);                                                              \
    } while (0)

/* clang-format off */
#define EACH_LANE(X) \
    X(0)  X(1)  X(2)  X(3)  X(4)  X(5)  X(6)  X(7)  X(8)  X(9)  X(10) X(11) X(12) \
    X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)
/* clang-format on */

static void permute(uint64_t state[static LANES])
{
#define LOAD(i)  uint64_t a##i = state[i], e##i;
#define STORE(i) state[i] = a##i;
    EACH_LANE(LOAD)
    for (size_t r = 0; r < ROUNDS; r += 2) {
        ROUND(a, e, round_constant[r]);
        ROUND(e, a, round_constant[r + 1]);
    }
    EACH_LANE(STORE)
#undef LOAD
#undef STORE
}

/* Lanes are little-endian; where the machine is too, compilers make plain loads and stores of these loops. */
static uint64_t load_lane(const uint8_t *p)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static void store_lane(uint8_t *p, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static void absorb(uint64_t state[static LANES], const uint8_t *block)
{
    for (size_t i = 0; i < RATE / 8; i++)
        state[i] ^= load_lane(block + 8 * i);
    permute(state);
}

void keccak256(uint8_t out[static HASH_LEN], const void *data, size_t n)
{
    uint64_t state[LANES] = { 0 };
    uint8_t last[RATE] = { 0 };
    const uint8_t *p = data;

    for (; n >= RATE; n -= RATE, p += RATE)
        absorb(state, p);
    if (n > 0)
        memcpy(last, p, n);
    last[n] = 0x01; /* SHA-3 has 0x06 here */
    last[RATE - 1] |= 0x80;
    absorb(state, last);
    for (size_t i = 0; i < HASH_LEN / 8; i++)
        store_lane(out + 8 * i, state[i]);
}

void sha256(uint8_t out[static HASH_LEN], const void *data, size_t n)
{
    crypto_hash_sha256(out, data, n);
}

void hmac_sha256(uint8_t out[static HASH_LEN], const void *key, size_t key_len, const void *data, size_t n)
{
    crypto_auth_hmacsha256_state state;

    crypto_auth_hmacsha256_init(&state, key, key_len);
    crypto_auth_hmacsha256_update(&state, data, n);
    crypto_auth_hmacsha256_final(&state, out);
    explicit_bzero(&state, sizeof state);
}

bool hash_equal(const uint8_t x[static HASH_LEN], const uint8_t y[static HASH_LEN])
{
    return crypto_verify_32(x, y) == 0;
}
