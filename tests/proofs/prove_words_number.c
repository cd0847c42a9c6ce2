/* add_number of words.c
 * @bounds all texts up to 4 bytes, behind any byte, as if names had 2 letters, and there were room for 2
 * words, with any results of number_span and number_plain
 * @shows no access outside of the text; it takes a byte at least or tells of a fault, and what it takes lies
 * within the text
 * @unwind 7
 * @replace number_span:span_any number_plain:plain_any names_find:is_name_any blank:blank_any
 */
#include "one_word.h"

enum { TEXT_MAX = 5 };

/* Numbers are shown by themselves. */
size_t span_any(const char *s)
{
    ANY(size_t, n);

    SUPPOSE(n > 0 && n <= (size_t)(sentence_end - s));
    return n;
}

bool plain_any(char out[static NUMBER_MAX + 1], const char *s, size_t n, unsigned shift)
{
    ANY(bool, plain);

    MUST(is_of_sentence(s, n) && (shift == 0 || shift == 3 || shift == 6));
    out[0] = '\0';
    return plain;
}

bool is_name_any(const char *name, size_t n, const struct chain **chain)
{
    ANY(bool, known);

    MUST(n <= SPOKEN_NAME_MAX && __CPROVER_r_ok(name, n));
    *chain = NULL;
    return known;
}

/* A proof of its own shows this. */
size_t blank_any(const char *s)
{
    ANY(size_t, len);

    SUPPOSE(len <= (size_t)(sentence_end - s));
    return len;
}

static void add(struct scan *sc)
{
    ANY(enum unit, unit);

    SUPPOSE(unit == NO_UNIT || unit == DOLLAR_SIGN);
    add_number(sc, unit);
}

static void check(const char *text, size_t n)
{
    if (n > 1 && number_starts(text + 1))
        check_word(add, text, n);
}

EACH_TEXT(check, TEXT_MAX)
