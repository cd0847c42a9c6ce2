/* query_unescape
 * @bounds all texts up to 5 bytes, of a form and of a path
 * @shows no access outside of the text; what comes out is terminated and no longer, and has no NUL that was
 * escaped
 * @unwind 8
 * @with codec/hex.c
 */
#include "codec/query_string.c"
#include "proof.h"

enum { TEXT_MAX = 5 };

static void check(const uint8_t *bytes, size_t n)
{
    ANY(bool, form);
    const char *out;

    for (size_t i = 0; i < n; i++)
        SUPPOSE(bytes[i] != '\0');
    out = query_unescape(NULL, (const char *)bytes, n, form);
    if (out == NULL)
        return;
    MUST(strlen(out) <= n && 3 * strlen(out) >= n);
}

EACH_BYTES(check, TEXT_MAX)
