#include "chain/solana/curve.h"

/* Numbers modulo p = 2^255 - 19, as limbs of 51 bits that may be somewhat larger, the lowest first. */
enum { LIMBS = 5, LIMB_BITS = 51, WORD_BITS = 64, HALF_BITS = 128, BEYOND = 19 /* 2^255, modulo p */ };
#define LIMB_MASK ((UINT64_C(1) << LIMB_BITS) - 1)

__extension__ typedef unsigned __int128 u128;

struct field {
    uint64_t limb[LIMBS];
};

static const struct field ONE = { { 1 } };
static const struct field P = { { LIMB_MASK - 18, LIMB_MASK, LIMB_MASK, LIMB_MASK, LIMB_MASK } };
/* d of the curve's equation: -x^2 + y^2 = 1 + d x^2 y^2. */
static const struct field D = { { 0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb,
                                  0x52036cee2b6ff } };

/* Sums of a few products of limbs, the higher ones of which have come round. */
static inline struct field field_carried(u128 s0, u128 s1, u128 s2, u128 s3, u128 s4)
{
    uint64_t lowest;

    s1 += (uint64_t)(s0 >> LIMB_BITS);
    s2 += (uint64_t)(s1 >> LIMB_BITS);
    s3 += (uint64_t)(s2 >> LIMB_BITS);
    s4 += (uint64_t)(s3 >> LIMB_BITS);
    lowest = ((uint64_t)s0 & LIMB_MASK) + (uint64_t)(s4 >> LIMB_BITS) * BEYOND;
    return (struct field){ { lowest & LIMB_MASK, ((uint64_t)s1 & LIMB_MASK) + (lowest >> LIMB_BITS),
                             (uint64_t)s2 & LIMB_MASK, (uint64_t)s3 & LIMB_MASK, (uint64_t)s4 & LIMB_MASK } };
}

static struct field field_mul(struct field x, struct field y)
{
    u128 s[LIMBS] = { 0 };

    for (unsigned i = 0; i < LIMBS; i++)
        for (unsigned k = 0; k < LIMBS; k++)
            s[(i + k) % LIMBS] += (u128)x.limb[i] * (i + k < LIMBS ? y.limb[k] : y.limb[k] * BEYOND);
    return field_carried(s[0], s[1], s[2], s[3], s[4]);
}

static struct field field_add(struct field x, struct field y)
{
    return field_carried((u128)x.limb[0] + y.limb[0], (u128)x.limb[1] + y.limb[1],
                         (u128)x.limb[2] + y.limb[2], (u128)x.limb[3] + y.limb[3],
                         (u128)x.limb[4] + y.limb[4]);
}

/* x - 1, by adding p first. */
static struct field field_less_one(struct field x)
{
    static const struct field p_less_one = { { LIMB_MASK - 19, LIMB_MASK, LIMB_MASK, LIMB_MASK, LIMB_MASK } };

    return field_add(x, p_less_one);
}

/* Without the top bit, which is the sign of x. */
static struct field field_read(const uint8_t bytes[static SOLANA_ADDR_LEN])
{
    uint64_t words[SOLANA_ADDR_LEN / 8 + 1] = { 0 };
    struct field r;

    for (unsigned i = 0; i < SOLANA_ADDR_LEN; i++)
        words[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
    for (unsigned i = 0, at = 0; i < LIMBS; i++, at += LIMB_BITS) {
        const u128 two = words[at / WORD_BITS] | (u128)words[at / WORD_BITS + 1] << WORD_BITS;

        r.limb[i] = (uint64_t)(two >> at % WORD_BITS) & LIMB_MASK;
    }
    return r;
}

/* ---- squares ---- */

struct number {
    u128 low, high; /* halves of 256 bits */
};

/* The same, or p more. */
static struct number number_of(struct field x)
{
    const uint64_t *v = x.limb;
    struct number r = { .high = (u128)v[3] << 25 | (u128)v[4] << 76 };
    u128 middle = (u128)v[2] << 38, low = v[0] + ((u128)v[1] << LIMB_BITS);

    middle += low >> WORD_BITS;
    r.low = (uint64_t)low | middle << WORD_BITS;
    r.high += middle >> WORD_BITS;
    return r;
}

/* Takes factors of 2 off a number that is not zero, as many as a word can show. How many. */
static unsigned number_halve(struct number *x)
{
    uint64_t word = (uint64_t)x->low;
    unsigned n = word == 0 ? WORD_BITS - 1 : (unsigned)__builtin_ctzll(word);

    x->low = n == 0 ? x->low : x->low >> n | x->high << (HALF_BITS - n);
    x->high >>= n;
    return n;
}

/* Makes *x the difference, and *y the lesser one; whether that was *x. Without a branch, as the processor
 * could not predict it. */
static uint64_t number_reduce(struct number *x, struct number *y)
{
    const struct number d = { x->low - y->low, x->high - y->high - (x->low < y->low) };
    const uint64_t less = (x->high < y->high) | ((x->high == y->high) & (x->low < y->low));
    const u128 all = 0 - (u128)less;

    y->low ^= (x->low ^ y->low) & all;
    y->high ^= (x->high ^ y->high) & all;
    x->low = (d.low ^ all) + less;
    x->high = (d.high ^ all) + (x->low < less);
    return less;
}

/* By the Jacobi symbol of x and p, which is -1 exactly where x is no square: each factor of 2 turns it around
 * where the other number is 3 or 5 modulo 8, an exchange where both are 3 modulo 4. Zero is a square, too. */
static bool field_is_square(struct field x)
{
    struct number a = number_of(x), n = number_of(P);
    uint64_t turned = 0;

    while ((a.low | a.high) != 0) {
        uint64_t exchanged;

        turned ^= number_halve(&a) & ((uint64_t)n.low >> 1 ^ (uint64_t)n.low >> 2);
        if ((a.low & 1) == 0)
            continue;
        exchanged = (uint64_t)a.low >> 1 & (uint64_t)n.low >> 1;
        turned ^= number_reduce(&a, &n) & exchanged;
    }
    return (turned & 1) == 0;
}

/* x^2 = (y^2 - 1) / (d y^2 + 1) has to be a square, or, since the divisor is never zero, their product. */
bool solana_is_on_curve(const uint8_t bytes[static SOLANA_ADDR_LEN])
{
    struct field y = field_read(bytes), yy = field_mul(y, y);

    return field_is_square(field_mul(field_less_one(yy), field_add(field_mul(D, yy), ONE)));
}
