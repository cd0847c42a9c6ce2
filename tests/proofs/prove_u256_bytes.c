/* u256_to_be, u256_from_be, u256_from_be_n
 * @bounds all numbers; up to 40 bytes
 * @shows each number has its 32 bytes and comes back from them; of fewer bytes it is what they say, of more
 * it is refused
 * @unwind 42
 */
#include "codec/u256.c"
#include "proof.h"
#include "wide.h"

enum { BYTES_MAX = 40 };

static wide value_of(const uint8_t *p, size_t n)
{
    wide v = 0;

    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

void harness(void)
{
    ANY(struct u256, a);
    ANY_BYTES(p, n, BYTES_MAX);
    uint8_t bytes[U256_BYTES];
    struct u256 out;

    u256_to_be(bytes, a);
    MUST(value_of(bytes, U256_BYTES) == wide_of(a));
    MUST(wide_of(u256_from_be(bytes)) == wide_of(a));
    MUST(u256_from_be_n(&out, p, n) == (n <= U256_BYTES));
    if (n <= U256_BYTES)
        MUST(wide_of(out) == value_of(p, n));
}
