/* What one way of applying the rules to a sentence means, if it can be meant at all. */
#ifndef COMMAND_MEANING_H
#define COMMAND_MEANING_H

#include "command/grammar.h"
#include "command/parse.h"
#include "command/words.h"

/* NULL, or why not. */
const struct err *meaning_of(struct arena *a, const struct sentence *s, const struct noted *list, unsigned n,
                             struct command *out);

#endif
