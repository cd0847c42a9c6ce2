/* words_scan of words.c
 * @bounds all sentences up to 4 bytes, of any words, as if there were room for 2
 * @shows it comes to the end of the sentence or to a fault, and there are no more words than room for them
 * @unwind 7
 * @replace add_hash:one_any add_word:one_any add_id:id_any add_other:one_any add_number:number_any
 * add_address:address_any skip_blanks:blanks_any hash_starts:length_any digit_name_starts:is_any
 * id_starts:prefix_any
 */
#include "command/words.h"
#include "proof.h"

#define WORDS_MAX 2

#include "command/words.c"

enum { TEXT_MAX = 4 };

static const char *end; /* of the text */

/* What each word takes is shown by itself: a byte at least, or there is a fault. */
void one_any(struct scan *sc)
{
    ANY(size_t, n);
    ANY(bool, added);

    MUST(sc->s < end && sc->fault == NULL);
    SUPPOSE(n <= (size_t)(end - sc->s));
    sc->s += n;
    if (n == 0 || (added && sc->count == WORDS_MAX))
        sc->fault = "A fault";
    else if (added)
        sc->raw[sc->count++] = (struct raw){ .len = n };
}

void number_any(struct scan *sc, enum unit unit)
{
    (void)unit;
    one_any(sc);
}

void id_any(struct scan *sc, bool approval)
{
    (void)approval;
    one_any(sc);
}

bool address_any(struct scan *sc)
{
    ANY(bool, is_address);

    if (is_address)
        one_any(sc);
    return is_address;
}

void blanks_any(struct scan *sc)
{
    ANY(size_t, n);

    SUPPOSE(n <= (size_t)(end - sc->s));
    sc->s += n;
}

size_t length_any(const char *s)
{
    ANY(size_t, n);

    (void)s;
    return n;
}

bool prefix_any(const char *s, const char *prefix)
{
    (void)prefix;
    return length_any(s) > 0;
}

bool is_any(const char *s)
{
    return length_any(s) > 0;
}

void harness(void)
{
    ANY_TEXT(text, n, TEXT_MAX);
    struct scan sc = { .s = text };

    end = text + n;
    words_scan(&sc);
    MUST(sc.s <= end && (sc.s == end || sc.fault != NULL));
    MUST(sc.count <= WORDS_MAX);
}
