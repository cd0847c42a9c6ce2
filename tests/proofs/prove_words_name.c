/* add_word, digit_name_starts of words.c
 * @bounds all texts up to 4 bytes, behind any byte, as if names had 2 letters, and there were room for 2
 * words
 * @shows no access outside of the text or of what it is copied to; it takes a byte at least, and what it
 * takes lies within the text
 * @unwind 7
 * @replace names_provider:provider_any
 */
#include "one_word.h"

enum { TEXT_MAX = 5 };

const char *provider_any(const char *name, size_t n)
{
    ANY(bool, known);

    MUST(n <= SPOKEN_NAME_MAX && __CPROVER_r_ok(name, n));
    return known ? "one" : NULL;
}

static void check(const char *text, size_t n)
{
    if (n > 1 && (char_is_letter(text[1]) || digit_name_starts(text + 1)))
        check_word(add_word, text, n);
}

EACH_TEXT(check, TEXT_MAX)
