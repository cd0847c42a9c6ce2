/* mark_at of written_number.c
 * @bounds all texts up to 4 bytes
 * @shows no access outside of the text; a mark lies within it
 * @unwind 6
 */
#include "command/written_number.c"
#include "proof.h"

enum { TEXT_MAX = 4 };

void harness(void)
{
    ANY_TEXT(text, n, TEXT_MAX);
    char kind;

    MUST(mark_at(text, &kind) <= n);
}
