/* add_id, add_address of words.c
 * @bounds all texts up to 7 bytes, behind any byte, as if names had 2 letters, ids of quotes 4, of
 * approvals 5 and addresses 5, and there were room for 2 words
 * @shows no access outside of the text or of what it is copied to; each takes a byte at least or tells of a
 * fault, and what it takes lies within the text
 * @unwind 10
 * @options --object-bits 10
 * @replace quote_id_parse:is_id_any approval_id_parse:is_approval_any address_canonical:is_address_any
 */
#include "one_word.h"

enum { TEXT_MAX = 8 };

bool is_id_any(struct uuid *out, const char *text)
{
    ANY(bool, is_id);

    (void)out;
    MUST(__CPROVER_r_ok(text, QUOTE_ID_TEXT_LEN + 1) && strlen(text) <= QUOTE_ID_TEXT_LEN);
    return is_id;
}

bool is_approval_any(struct uuid *out, const char *text)
{
    ANY(bool, is_id);

    (void)out;
    MUST(__CPROVER_r_ok(text, APPROVAL_ID_TEXT_LEN + 1) && strlen(text) <= APPROVAL_ID_TEXT_LEN);
    return is_id;
}

bool is_address_any(char out[static WALLET_ADDR_MAX], enum chain_type type, const char *text)
{
    ANY(bool, is_address);

    (void)type;
    MUST(strlen(text) > SPOKEN_NAME_MAX && strlen(text) < WALLET_ADDR_MAX);
    out[0] = '\0';
    return is_address;
}

static void add(struct scan *sc)
{
    bool is_one = true;

    if (id_starts(sc->s, "q_"))
        add_id(sc, false);
    else if (id_starts(sc->s, "ap_"))
        add_id(sc, true);
    else
        is_one = add_address(sc);
    SUPPOSE(is_one);
}

static void check(const char *text, size_t n)
{
    if (n > 1)
        check_word(add, text, n);
}

EACH_TEXT(check, TEXT_MAX)
