/* add_hash of words.c
 * @bounds all texts up to 69 characters, behind a word of one
 * @shows no access outside of the text; what it takes, 66 or 34 characters, lies within the text
 * @unwind 72
 */
#include "one_word.h"

enum { TEXT_MAX = 70 };

static void add(struct scan *sc)
{
    unsigned count = sc->count;

    add_hash(sc);
    MUST(sc->count == count || sc->raw[count].hash == (sc->raw[count].len == HASH_TEXT_LEN));
    MUST(sc->count == count || sc->raw[count].cloid == (sc->raw[count].len == CLOID_TEXT_LEN));
    MUST(sc->count == count || sc->raw[count].hash || sc->raw[count].cloid);
}

void harness(void)
{
    ANY_TEXT(text, n, TEXT_MAX);

    sentence = text;
    sentence_end = text + n;
    if (n > 1 && hash_starts(text + 1) > 0)
        check_taking(add, 1);
}
