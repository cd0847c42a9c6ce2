/* accepts of http/accept.c
 * @bounds all headers up to 5 characters, for two ranges of 3
 * @shows no access outside of the header; one that is empty says nothing
 * @unwind 7
 */
#include "spans.h"

#include "http/accept.c"

enum { HEADER_MAX = 5 };

void harness(void)
{
    static const char *const ranges[] = { "*/*", "a/b" };
    ANY_TEXT(header, n, HEADER_MAX);
    ANY(bool, otherwise);
    bool accepted;

    text_end = header + n;
    accepted = accepts(header, ranges, 2, otherwise);
    MUST(n > 0 || accepted == otherwise);
}
