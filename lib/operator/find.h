/* Finds objects by an id or name: an agent's id or name, a wallet, a transaction, a swap, an event, a
 * request. */
#ifndef OPERATOR_FIND_H
#define OPERATOR_FIND_H

#include "operator/operator.h"

struct thing_found {
    const char *kind; /* "agent", "swap", "event", "log" */
    const char *id;   /* of "log": the file */
    const char *what; /* why it was found, or the line */
};
/* All that the text may be the name of; in the arena. That there is nothing is a problem, too. */
const char *operator_find(const struct ctx *ctx, struct arena *a, const char *text, struct thing_found **out,
                          size_t *count);

#endif
