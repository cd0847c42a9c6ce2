/* Words that name a token or a chain, and near misses of them. */
#ifndef COMMAND_NAMES_H
#define COMMAND_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "chain/chains.h"

enum { SPOKEN_NAME_MAX = 32 };

/* Keys of lenders. */
#define LENDER_AAVE   "aave-v3"
#define LENDER_MORPHO "morpho"

/* `word` is in lower case. Returns whether it is a token's symbol on any chain; *chain is the chain that it
 * names, or NULL. */
bool names_find(const char *word, size_t len, const struct chain **chain);

/* The symbol of a coin that people call by this name, in lower case; NULL: none. A price may be asked for so;
 * what is moved is said by a token's own symbol. */
const char *names_coin(const char *word, size_t len);

/* The asset of a perpetual that people call by this name: what is traded there is no token, so that a name
 * will do. NULL: none. */
const char *names_asset(const char *word, size_t len);

/* The key of the provider of routes that people call by this name, in lower case; NULL: none. */
const char *names_provider(const char *word, size_t len);

/* The key of the lender that people call by this name, in lower case; NULL: none. */
const char *names_lender(const char *word, size_t len);

/* The word that was probably meant by a typo: a verb, "please", "slippage", or a long chain key with two
 * letters swapped, one missing or one doubled, never the first. NULL: none of them. */
const char *names_slip(const char *word, size_t len);

#endif
