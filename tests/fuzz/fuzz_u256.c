/* Products and quotients of 256-bit integers beside an arithmetic that has nothing in common with them: of
 * single bits. The input is a, b and d, 32 bytes each. */
#include <string.h>

#include "codec/u256.h"
#include "fuzz.h"

enum { BITS = 512 };

/* The lowest bit first. */
struct bits {
    bool at[BITS];
};

static struct bits bits_of(struct u256 v)
{
    struct bits b = { { false } };

    for (size_t i = 0; i < 256; i++)
        b.at[i] = (v.limb[i / 64] >> i % 64 & 1) != 0;
    return b;
}

/* False where they do not fit. */
static bool bits_number(struct u256 *out, const struct bits *b)
{
    bool fits = true;

    *out = U256_ZERO;
    for (size_t i = 0; i < BITS; i++) {
        if (b->at[i] && i < 256)
            out->limb[i / 64] |= (uint64_t)1 << i % 64;
        fits = fits && (i < 256 || !b->at[i]);
    }
    return fits;
}

/* Moves all up by one; what comes in is the lowest. */
static void bits_push(struct bits *b, bool low)
{
    memmove(b->at + 1, b->at, (BITS - 1) * sizeof b->at[0]);
    b->at[0] = low;
}

static void bits_add(struct bits *a, const struct bits *b)
{
    unsigned carry = 0;

    for (size_t i = 0; i < BITS; i++) {
        carry += (unsigned)a->at[i] + b->at[i];
        a->at[i] = (carry & 1) != 0;
        carry >>= 1;
    }
}

static bool bits_reach(const struct bits *a, const struct bits *b)
{
    for (size_t i = BITS; i-- > 0;)
        if (a->at[i] != b->at[i])
            return a->at[i];
    return true;
}

static void bits_take(struct bits *a, const struct bits *b)
{
    int borrow = 0;

    for (size_t i = 0; i < BITS; i++) {
        int v = a->at[i] - b->at[i] - borrow;

        a->at[i] = (v & 1) != 0;
        borrow = v < 0;
    }
}

static struct bits product(struct u256 a, struct u256 b)
{
    struct bits sum = { { false } }, step = bits_of(a), by = bits_of(b);

    for (size_t i = 0; i < 256; i++) {
        if (by.at[i])
            bits_add(&sum, &step);
        bits_push(&step, false);
    }
    return sum;
}

static void divide(struct bits *quotient, struct bits *rest, const struct bits *n, const struct bits *d)
{
    *rest = (struct bits){ { false } };
    for (size_t i = BITS; i-- > 0;) {
        bits_push(rest, n->at[i]);
        quotient->at[i] = bits_reach(rest, d);
        if (quotient->at[i])
            bits_take(rest, d);
    }
}

static void check_product(struct u256 a, struct u256 b)
{
    struct bits exact = product(a, b);
    struct u256 want, got;
    bool fits = bits_number(&want, &exact);

    MUST(u256_mul(&got, a, b) == fits);
    MUST(!fits || u256_cmp(got, want) == 0);
}

static void check_quotients(struct u256 a, struct u256 b, struct u256 d)
{
    struct bits n = product(a, b), by = bits_of(d), quotient, rest;
    struct u256 got, got_rest, want, want_rest;
    bool fits;

    divide(&quotient, &rest, &n, &by);
    fits = bits_number(&want, &quotient);
    MUST(u256_muldiv(&got, a, b, d) == fits);
    MUST(!fits || u256_cmp(got, want) == 0);
    n = bits_of(a);
    divide(&quotient, &rest, &n, &by);
    MUST(bits_number(&want, &quotient) && bits_number(&want_rest, &rest));
    MUST(u256_div(&got, &got_rest, a, d));
    MUST(u256_cmp(got, want) == 0 && u256_cmp(got_rest, want_rest) == 0);
}

static void check_text(struct u256 a)
{
    char text[U256_DECIMAL_LEN + 1], hex[U256_HEX_LEN + 1];
    struct u256 back;

    u256_decimal(text, a);
    MUST(text[0] != '0' || text[1] == '\0');
    MUST(u256_parse(&back, text) && u256_cmp(back, a) == 0);
    u256_hex(hex, a);
    MUST(u256_parse_hex(&back, hex) && u256_cmp(back, a) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bytes[3 * U256_BYTES] = { 0 };
    struct u256 a, b, d, unused;

    if (size > 0)
        memcpy(bytes, data, size < sizeof bytes ? size : sizeof bytes);
    a = u256_from_be(bytes);
    b = u256_from_be(bytes + U256_BYTES);
    d = u256_from_be(bytes + 2 * (size_t)U256_BYTES);
    check_text(a);
    check_product(a, b);
    if (u256_is_zero(d)) {
        MUST(!u256_div(&unused, NULL, a, d) && !u256_muldiv(&unused, a, b, d));
        return 0;
    }
    check_quotients(a, b, d);
    check_quotients(b, a, d);
    return 0;
}
