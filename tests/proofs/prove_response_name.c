/* header_value of call.c
 * @bounds all lines up to 12 bytes, and names up to 4
 * @shows no access outside of the line; the value lies behind the name, within the line
 * @unwind 14
 */
#include "net/call.c"
#include "proof.h"

enum { LINE_MAX_LEN = 12, HEADER_NAME_MAX = 4 };

void harness(void)
{
    ANY_BYTES(line, n, LINE_MAX_LEN);
    ANY_TEXT(name, name_len, HEADER_NAME_MAX);
    const struct wanted_header wanted = { .name = name };
    size_t len = n;
    const char *value;

    SUPPOSE(name_len > 0);
    value = header_value(&wanted, (const char *)line, &len);
    MUST(value == NULL ||
         (value >= (const char *)line + name_len && len <= n && value + len <= (const char *)line + n));
}
