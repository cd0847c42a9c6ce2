#include "codec/u256.h"

#include <endian.h>

__extension__ typedef unsigned __int128 u128;

enum { LIMBS = 4, CHUNK_DIGITS = 19 };

static const uint64_t CHUNK = 10000000000000000000U; /* the largest power of ten in a limb */

struct u256 u256_from_u64(uint64_t v)
{
    return (struct u256){ { v, 0, 0, 0 } };
}

bool u256_is_zero(struct u256 a)
{
    return (a.limb[0] | a.limb[1] | a.limb[2] | a.limb[3]) == 0;
}

int u256_cmp(struct u256 a, struct u256 b)
{
    for (size_t i = LIMBS; i-- > 0;) {
        if (a.limb[i] != b.limb[i])
            return a.limb[i] < b.limb[i] ? -1 : 1;
    }
    return 0;
}

bool u256_to_u64(uint64_t *out, struct u256 a)
{
    *out = a.limb[0];
    return (a.limb[1] | a.limb[2] | a.limb[3]) == 0;
}

bool u256_add(struct u256 *out, struct u256 a, struct u256 b)
{
    u128 sum = 0;

    for (size_t i = 0; i < LIMBS; i++) {
        sum += (u128)a.limb[i] + b.limb[i];
        out->limb[i] = (uint64_t)sum;
        sum >>= 64;
    }
    return sum == 0;
}

/* Returns what is borrowed. */
static uint64_t sub_limbs(struct u256 *out, struct u256 a, struct u256 b)
{
    uint64_t borrow = 0;

    for (size_t i = 0; i < LIMBS; i++) {
        u128 diff = (u128)a.limb[i] - b.limb[i] - borrow;

        out->limb[i] = (uint64_t)diff;
        borrow = (uint64_t)(diff >> 64) & 1;
    }
    return borrow;
}

bool u256_sub(struct u256 *out, struct u256 a, struct u256 b)
{
    return sub_limbs(out, a, b) == 0;
}

struct u256 u256_sub_or_zero(struct u256 a, struct u256 b)
{
    struct u256 out;

    return u256_sub(&out, a, b) ? out : U256_ZERO;
}

struct u256 u256_difference(struct u256 a, struct u256 b)
{
    struct u256 out;

    (void)sub_limbs(&out, a, b);
    return out;
}

static void mul_full(uint64_t out[static 2 * LIMBS], struct u256 a, struct u256 b)
{
    memset(out, 0, 2 * LIMBS * sizeof out[0]);
    for (size_t i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;

        for (size_t j = 0; j < LIMBS; j++) {
            u128 t = (u128)a.limb[i] * b.limb[j] + out[i + j] + carry;

            out[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        out[i + LIMBS] = carry;
    }
}

/* The low half goes to out; true when the high half is zero. */
static bool low_half(struct u256 *out, const uint64_t wide[static 2 * LIMBS])
{
    memcpy(out->limb, wide, sizeof out->limb);
    return (wide[4] | wide[5] | wide[6] | wide[7]) == 0;
}

bool u256_mul(struct u256 *out, struct u256 a, struct u256 b)
{
    uint64_t wide[2 * LIMBS];

    mul_full(wide, a, b);
    return low_half(out, wide);
}

/* Divides in place by one limb and yields the remainder. */
static uint64_t div_limb(uint64_t *u, size_t n, uint64_t d)
{
    u128 rest = 0;

    while (n-- > 0) {
        rest = rest << 64 | u[n];
        u[n] = (uint64_t)(rest / d);
        rest %= d;
    }
    return (uint64_t)rest;
}

/* v times 2^bits; out has one limb more than v. bits < 64. */
static void shift_left(uint64_t *out, const uint64_t *v, size_t n, unsigned bits)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < n; i++) {
        u128 t = (u128)v[i] << bits;

        out[i] = (uint64_t)t | carry;
        carry = (uint64_t)(t >> 64);
    }
    out[n] = carry;
}

/* One quotient digit of Knuth's algorithm D: u has n + 1 limbs and becomes the rest, v has n >= 2 limbs and
 * its top bit set. */
static uint64_t div_digit(uint64_t *u, const uint64_t *v, size_t n)
{
    u128 top = (u128)u[n] << 64 | u[n - 1];
    u128 q = top / v[n - 1], r = top % v[n - 1];
    uint64_t borrow = 0, carry = 0;

    while (q >> 64 != 0 || q * v[n - 2] > (r << 64 | u[n - 2])) { /* the estimate is at most 2 too large */
        q--;
        r += v[n - 1];
        if (r >> 64 != 0)
            break;
    }
    for (size_t i = 0; i <= n; i++) {
        u128 p = (i < n ? q * v[i] : 0) + carry;
        u128 diff = (u128)u[i] - (uint64_t)p - borrow;

        carry = (uint64_t)(p >> 64);
        u[i] = (uint64_t)diff;
        borrow = (uint64_t)(diff >> 64) & 1;
    }
    if (borrow == 0)
        return (uint64_t)q;
    carry = 0;
    for (size_t i = 0; i <= n; i++) { /* rare: one too large after all, add the divisor back */
        u128 sum = (u128)u[i] + (i < n ? v[i] : 0) + carry;

        u[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    return (uint64_t)q - 1;
}

/* Divides the 2 * LIMBS limbs of `wide` in place; the remainder goes to *rem. d is not zero. */
static void div_wide(uint64_t wide[static 2 * LIMBS], struct u256 *rem, struct u256 d)
{
    uint64_t u[2 * LIMBS + 1], v[LIMBS + 1], low;
    size_t n = LIMBS;
    unsigned bits;

    while (d.limb[n - 1] == 0)
        n--;
    if (n == 1) {
        *rem = u256_from_u64(div_limb(wide, 2 * LIMBS, d.limb[0]));
        return;
    }
    bits = (unsigned)__builtin_clzll(d.limb[n - 1]);
    shift_left(v, d.limb, n, bits);
    shift_left(u, wide, 2 * LIMBS, bits);
    memset(wide, 0, 2 * LIMBS * sizeof wide[0]);
    for (size_t j = 2 * LIMBS - n + 1; j-- > 0;)
        wide[j] = div_digit(u + j, v, n);
    *rem = U256_ZERO;
    for (size_t i = 0; i < n; i++) {
        low = u[i] >> bits;
        rem->limb[i] = bits == 0 ? low : low | u[i + 1] << (64 - bits);
    }
}

bool u256_div(struct u256 *quot, struct u256 *rem, struct u256 a, struct u256 b)
{
    uint64_t wide[2 * LIMBS] = { a.limb[0], a.limb[1], a.limb[2], a.limb[3] };
    struct u256 rest;

    if (u256_is_zero(b))
        return false;
    div_wide(wide, &rest, b);
    if (rem != NULL)
        *rem = rest;
    return low_half(quot, wide);
}

bool u256_muldiv(struct u256 *out, struct u256 a, struct u256 b, struct u256 d)
{
    uint64_t wide[2 * LIMBS];
    struct u256 rest;

    if (u256_is_zero(d))
        return false;
    mul_full(wide, a, b);
    div_wide(wide, &rest, d);
    return low_half(out, wide);
}

void u256_to_be(uint8_t out[static U256_BYTES], struct u256 a)
{
    for (size_t i = 0; i < LIMBS; i++) {
        uint64_t limb = htobe64(a.limb[LIMBS - 1 - i]);

        memcpy(out + i * sizeof limb, &limb, sizeof limb);
    }
}

struct u256 u256_from_be(const uint8_t in[static U256_BYTES])
{
    struct u256 a;
    uint64_t limb;

    for (size_t i = 0; i < LIMBS; i++) {
        memcpy(&limb, in + U256_BYTES - (i + 1) * sizeof limb, sizeof limb);
        a.limb[i] = be64toh(limb);
    }
    return a;
}

bool u256_from_be_n(struct u256 *out, const uint8_t *in, size_t n)
{
    uint8_t bytes[U256_BYTES] = { 0 };

    if (n > U256_BYTES)
        return false;
    if (n > 0)
        memcpy(bytes + U256_BYTES - n, in, n);
    *out = u256_from_be(bytes);
    return true;
}

static size_t limbs_used(struct u256 a)
{
    size_t n = LIMBS;

    while (n > 0 && a.limb[n - 1] == 0)
        n--;
    return n;
}

void u256_decimal(char out[static U256_DECIMAL_LEN + 1], struct u256 a)
{
    char digits[5 * CHUNK_DIGITS];
    size_t n = sizeof digits, limbs;

    while ((limbs = limbs_used(a)) > 0) {
        uint64_t rest = div_limb(a.limb, limbs, CHUNK);

        for (size_t i = 0; i < CHUNK_DIGITS; i++, rest /= 10)
            digits[--n] = (char)('0' + rest % 10);
    }
    while (n < sizeof digits && digits[n] == '0')
        n++;
    if (n == sizeof digits)
        digits[--n] = '0';
    memcpy(out, digits + n, sizeof digits - n);
    out[sizeof digits - n] = '\0';
}

bool u256_push_digit(struct u256 *a, uint64_t base, uint64_t digit)
{
    u128 carry = digit;

    for (size_t i = 0; i < LIMBS; i++) {
        carry += (u128)a->limb[i] * base;
        a->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return carry == 0;
}

bool u256_parse(struct u256 *out, const char *text)
{
    *out = U256_ZERO;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || !u256_push_digit(out, 10, (uint64_t)(*text - '0')))
            return false;
    }
    return true;
}

void u256_hex(char out[static U256_HEX_LEN + 1], struct u256 a)
{
    static const char digit[] = "0123456789abcdef";
    unsigned shift = 256;

    while (shift > 4 && (a.limb[(shift - 4) / 64] >> (shift - 4) % 64 & 15) == 0)
        shift -= 4;
    *out++ = '0';
    *out++ = 'x';
    for (; shift > 0; shift -= 4)
        *out++ = digit[a.limb[(shift - 4) / 64] >> (shift - 4) % 64 & 15];
    *out = '\0';
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool u256_parse_hex(struct u256 *out, const char *text)
{
    *out = U256_ZERO;
    if (text[0] != '0' || text[1] != 'x' || text[2] == '\0')
        return false;
    for (text += 2; *text != '\0'; text++) {
        int v = hex_value(*text);

        if (v < 0 || !u256_push_digit(out, 16, (uint64_t)v))
            return false;
    }
    return true;
}
