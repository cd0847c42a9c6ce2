/* What one way of applying the rules to a sentence means, if it can be meant at all. */
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

/* NULL, or why not. The first phrase is a sentence, the others are pieces that it lacked. */
const struct err *meaning_of(struct arena *a, const struct phrase *const *phrases, unsigned n,
                             struct command *out);

#endif
