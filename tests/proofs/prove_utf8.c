/* utf8_len of abi.c
 * @bounds all texts up to 6 bytes
 * @shows no access outside of them; a character lies within the text, is whole, and is no control character
 * @unwind 10
 */
#include "chain/evm/abi.c"
#include "proof.h"

enum { INPUT_MAX = 6 };

static void check(const uint8_t *p, size_t n)
{
    size_t len;

    SUPPOSE(n > 0);
    len = utf8_len(p, n);
    MUST(len <= n && len <= 4);
    if (len == 0)
        return;
    MUST(p[0] >= 0x20 && p[0] != 0x7f);
    MUST((len == 1) == (p[0] < 0x80));
    for (size_t i = 1; i < len; i++)
        MUST((p[i] & 0xc0) == 0x80);
    MUST(p[0] != 0xc2 || p[1] >= 0xa0); /* C1 */
    MUST(p[0] != 0xed || p[1] < 0xa0);  /* surrogates */
    MUST(p[0] != 0xe0 || p[1] >= 0xa0); /* what is shorter */
}

EACH_BYTES(check, INPUT_MAX)
