/* decoded_name of mcp.c
 * @bounds all headers up to 17 characters
 * @shows no access outside of the header; a name that is not encoded is the header itself, one that is
 * malformed is none
 * @unwind 19
 * @with codec/base64.c
 */
#include "bytewise.h"

#include "agentproto/mcp.c"
#include "proof.h"

enum { HEADER_TEXT_MAX = 17 };

static void check(const char *header, size_t n)
{
    const char *name = decoded_name(NULL, header);

    MUST(n >= 11 || name == header);
    MUST(name == NULL || name == header || strlen(name) <= (n - 11) / 4 * 3);
}

EACH_TEXT(check, HEADER_TEXT_MAX)
