/* uuid_parse, uuid_text
 * @bounds all texts up to 40 characters
 * @shows no access outside of the text; what is read, written again, is the text in lower case
 * @unwind 43
 * @with codec/hex.c
 */
#include "codec/uuid.c"
#include "proof.h"

enum { TEXT_MAX = 40 };

static void check(const char *text, size_t len)
{
    ANY(size_t, at);
    char again[UUID_TEXT_LEN + 1];
    struct uuid id;

    if (!uuid_parse(&id, text))
        return;
    MUST(len == UUID_TEXT_LEN);
    uuid_text(again, id);
    SUPPOSE(at <= len);
    MUST(again[at] == text[at] || again[at] == (text[at] | 0x20));
}

EACH_TEXT(check, TEXT_MAX)
