/* The words that name a token or a chain, and the ones that nearly do. */
#ifndef COMMAND_NAMES_H
#define COMMAND_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "chain/chains.h"

enum { NAME_MAX = 32 };

/* In lower case. *chain NULL: of none. True when it is a token's symbol, on whatever chain. */
bool names_find(const char *word, size_t len, const struct chain **chain);

/* The symbol of a coin that people call by this name, in lower case; NULL: none. A price may be asked for so;
 * what is moved is said by a token's own symbol. */
const char *names_coin(const char *word, size_t len);

/* What a slip of the pen was meant to be: a verb, "please", "slippage", or the long key of a chain. Two
 * letters swapped, one left out or one doubled, never the first. NULL: none of them. */
const char *names_slip(const char *word, size_t len);

#endif
