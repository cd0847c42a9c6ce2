/* Splits a sentence into words: reads numbers, joins units to them, and tells names of tokens and chains from
 * the words of the rules. */
#ifndef COMMAND_WORDS_H
#define COMMAND_WORDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "chain/chains.h"
#include "command/grammar.h"

enum { WORDS_MAX = 128 };

struct word {
    const char *text; /* as typed, in the sentence */
    size_t len;
    const char *number;        /* plain digits, in the arena; NULL: it is no number */
    const struct chain *chain; /* whose name it is, or NULL */
    const char *symbol;        /* of a token that is said in other words, or NULL */
    const char *coin;          /* symbol of the coin that is called so, or NULL */
    const char *asset;         /* name of the perpetual's asset that is called so, or NULL */
    const char *provider;      /* its key, or NULL */
    const char *lender;        /* its key, or NULL */
    const char *quote_id;      /* in lower case, or NULL */
    const char *approval_id;   /* in lower case, or NULL */
    const char *hash;          /* of an order, in lower case, or NULL */
    const char *cloid;         /* of an order for perpetuals, in lower case, or NULL */
    const char *address;       /* as its chains write it, or NULL */
};

struct sentence {
    struct word words[WORDS_MAX];
    const struct kinds *kinds[WORDS_MAX]; /* of each, in the arena */
    unsigned count;
    bool asks; /* has a question mark */
};

/* NULL, or why there is nothing to parse. */
const char *words_split(struct sentence *out, struct arena *a, const char *text);

#endif
