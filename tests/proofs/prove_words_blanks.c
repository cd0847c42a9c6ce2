/* skip_blanks of words.c
 * @bounds all texts up to 5 bytes
 * @shows no access outside of the text; what is skipped lies within it, and no blank of ASCII is left
 * @unwind 7
 * @options --unwindset starts_with_one_of.0:15
 */
#include "one_word.h"

enum { TEXT_MAX = 5 };

static void check(const char *text, size_t n)
{
    struct scan sc = { .s = text };

    skip_blanks(&sc);
    MUST(sc.s >= text && sc.s <= text + n);
    MUST(*sc.s == '\0' || strchr(" \t\r\n", *sc.s) == NULL);
}

EACH_TEXT(check, TEXT_MAX)
