/* What the proofs of single words of a sentence share: words.c as if names had 2 letters, ids of quotes 4,
 * of approvals 5, addresses 5, and as if there were room for 2 words. */
#ifndef TESTS_PROOFS_ONE_WORD_H
#define TESTS_PROOFS_ONE_WORD_H

#include "bytewise.h"

#include "chain/address.h"
#include "command/names.h"
#include "command/words.h"
#include "command/written_number.h"
#include "model/approval.h"
#include "model/quote.h"
#include "proof.h"

#define SPOKEN_NAME_MAX      2
#define WORDS_MAX            2
#define QUOTE_ID_TEXT_LEN    4
#define APPROVAL_ID_TEXT_LEN 5
#define WALLET_ADDR_MAX      6

#include "command/words.c"

static const char *sentence, *sentence_end;

/* Whether `n` bytes from `s` on are the sentence's. */
static inline bool is_of_sentence(const char *s, size_t n)
{
    return s >= sentence && s <= sentence_end && n <= (size_t)(sentence_end - s);
}

/* Behind one byte of the sentence and so many words, one is taken: it is not empty and lies within the
 * sentence, and there is room for it; or there is a fault. */
static inline void check_taking(void (*take)(struct scan *sc), unsigned count)
{
    struct scan sc = { .s = sentence + 1, .count = count };

    for (unsigned i = 0; i < count; i++)
        sc.raw[i] = (struct raw){ .text = sentence, .len = 1 };
    take(&sc);
    MUST(is_of_sentence(sc.s, 0) && (sc.s > sentence + 1 || sc.fault != NULL));
    MUST(sc.count <= WORDS_MAX && sc.count + 1 >= count);
    if (sc.count > count)
        MUST(is_of_sentence(sc.raw[count].text, sc.raw[count].len) && sc.raw[count].len > 0);
}

/* Checks the same from each count of words on: one that is known makes the solver's work short. */
static inline void check_word(void (*take)(struct scan *sc), const char *text, size_t n)
{
    ANY(unsigned, words);

    sentence = text;
    sentence_end = text + n;
    for (unsigned count = 0; count <= WORDS_MAX; count++)
        if (count == words)
            check_taking(take, count);
}

#endif
