/* add_other of words.c
 * @bounds all texts up to 4 bytes, behind any byte, as if there were room for 2 words
 * @shows no access outside of the text or of what it is copied to; a sign takes a byte at least or tells of a
 * fault, and what it takes lies within the text
 * @unwind 7
 * @options --unwindset starts_with_one_of.0:15
 * @replace add_number:number_any skip_blanks:blanks_any
 */
#include "one_word.h"

enum { TEXT_MAX = 5 };

/* What numbers and blanks take is shown by itself. */
void number_any(struct scan *sc, enum unit unit)
{
    ANY(size_t, len);
    ANY(bool, is_one);

    MUST(unit == DOLLAR_SIGN && is_of_sentence(sc->s, 1));
    SUPPOSE(len > 0 && len <= (size_t)(sentence_end - sc->s));
    if (!is_one)
        sc->fault = "A fault";
    else
        (void)raw_add(sc, len);
}

void blanks_any(struct scan *sc)
{
    ANY(size_t, blanks);

    SUPPOSE(blanks <= (size_t)(sentence_end - sc->s));
    sc->s += blanks;
}

static void check(const char *text, size_t n)
{
    if (n > 1)
        check_word(add_other, text, n);
}

EACH_TEXT(check, TEXT_MAX)
