/* The tokens of a chain that a provider says it trades. Which provider's list is believed, and how far, is
 * decided elsewhere (swap/token_lists.h). */
#ifndef ROUTE_TOKEN_LIST_H
#define ROUTE_TOKEN_LIST_H

#include <jansson.h>

#include "base/arena.h"
#include "chain/chains.h"

enum { TOKEN_LIST_BYTES = 16 * 1024 * 1024, TOKEN_LIST_MAX = 20000 };

/* Texts are in the arena: the address as the chain writes it, a symbol of visible ASCII, a name for people.
 */
struct listed_token {
    const char *address, *symbol, *name;
    uint8_t decimals;
};

struct token_list {
    struct listed_token *tokens; /* in the arena, in the order of the answer */
    size_t count;
    bool ranked; /* of tokens that pass for each other, the one further up counts */
};

/* The form of a list. */
struct token_form {
    const char *address;  /* the member that has it */
    const char *chain;    /* the one for the chain's id; NULL: there is none */
    const char *verified; /* one that has to be true; NULL: none has to */
    bool ranked;          /* as above */
};

/* Reads an array of objects with `symbol`, `name`, `decimals` and the members of its form, with all numbers
 * as texts. Leaves out what is no token of the chain: the coin itself, what lacks such a member, and symbols
 * or names with anything hidden in them. False when it is no array, or of more than TOKEN_LIST_MAX rows. */
bool token_list_read(struct token_list *out, const json_t *rows, const struct token_form *form,
                     const struct chain *c, struct arena *a);

#endif
