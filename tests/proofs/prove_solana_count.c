/* take_compact_u16, take_counted of solana_message.c
 * @bounds all inputs up to 8 bytes
 * @shows no access outside of them; a count has one to three bytes, and its bytes lie behind it
 * @unwind 5
 */
#include "chain/solana/solana_message.c"
#include "proof.h"

enum { INPUT_MAX = 8 };

void harness(void)
{
    ANY_BYTES(bytes, len, INPUT_MAX);
    ANY(bool, counted);
    struct reader r = { bytes, len };
    const uint8_t *p = bytes;
    size_t n = 0;
    unsigned count = 0;

    if (counted ? !take_counted(&r, &p, &n) : !take_compact_u16(&r, &count))
        return;
    MUST(r.p > bytes && r.left < len && r.p + r.left == bytes + len);
    MUST(counted || (count <= UINT16_MAX && len - r.left <= 3));
    MUST(!counted || (p > bytes && p + n == r.p));
}
