/* The meaning of one reading of a sentence, if it has one. */
#ifndef COMMAND_MEANING_H
#define COMMAND_MEANING_H

#include "command/grammar.h"
#include "command/parse.h"
#include "command/words.h"

/* A sentence, or a piece of one, and one way of applying the rules to it. */
struct phrase {
    struct sentence sentence;
    const struct noted *list;
    unsigned n;
};

/* NULL, or the refusal. The first phrase is a sentence, the others are pieces that it lacked. */
const struct err *meaning_of(struct arena *a, const struct phrase *const *phrases, unsigned n,
                             struct command *out);

#endif
