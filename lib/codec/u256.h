/* Unsigned 256-bit integers, the word of the EVM. Overflow is reported, never wrapped. */
#ifndef CODEC_U256_H
#define CODEC_U256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUST_CHECK __attribute__((warn_unused_result))

struct u256 {
    uint64_t limb[4]; /* least significant first */
};

enum { U256_BYTES = 32, U256_DECIMAL_LEN = 78, U256_HEX_LEN = 66 };

static const struct u256 U256_ZERO = { { 0, 0, 0, 0 } };

struct u256 u256_from_u64(uint64_t v);
bool u256_is_zero(struct u256 a);
int u256_cmp(struct u256 a, struct u256 b); /* <0, 0, >0 */
MUST_CHECK bool u256_to_u64(uint64_t *out, struct u256 a);

MUST_CHECK bool u256_add(struct u256 *out, struct u256 a, struct u256 b);
struct u256 u256_difference(struct u256 a, struct u256 b);                /* a - b, modulo 2^256 */
MUST_CHECK bool u256_sub(struct u256 *out, struct u256 a, struct u256 b); /* false when a < b */
struct u256 u256_sub_or_zero(struct u256 a, struct u256 b);               /* zero when a < b */
MUST_CHECK bool u256_mul(struct u256 *out, struct u256 a, struct u256 b);
/* Quotient rounded down and remainder (may be NULL); b must not be zero (false). */
MUST_CHECK bool u256_div(struct u256 *quot, struct u256 *rem, struct u256 a, struct u256 b);
/* floor(a * b / d) with a 512-bit product between; false when d is zero or the result does not fit. */
MUST_CHECK bool u256_muldiv(struct u256 *out, struct u256 a, struct u256 b, struct u256 d);

void u256_to_be(uint8_t out[static U256_BYTES], struct u256 a);
struct u256 u256_from_be(const uint8_t in[static U256_BYTES]);
/* Up to 32 big-endian bytes. */
MUST_CHECK bool u256_from_be_n(struct u256 *out, const uint8_t *in, size_t n);

/* Plain decimal digits; out gets no leading zeros. Parsing refuses an empty text, signs and overflow. */
void u256_decimal(char out[static U256_DECIMAL_LEN + 1], struct u256 a);
MUST_CHECK bool u256_parse(struct u256 *out, const char *text);
/* a * base + digit; false on overflow. */
MUST_CHECK bool u256_push_digit(struct u256 *a, uint64_t base, uint64_t digit);
/* "0x…" without leading zeros, "0x0" for zero: the form of JSON-RPC quantities. Parsing takes leading zeros.
 */
void u256_hex(char out[static U256_HEX_LEN + 1], struct u256 a);
MUST_CHECK bool u256_parse_hex(struct u256 *out, const char *text);

#endif
