/* Renews what is known of tokens that are not compiled in, from the lists that providers publish. A list is
 * not believed further than it can be checked: compiled-in tokens win over it, what could be mistaken for
 * one of them or, where the list is in order of standing, for a token further up is left out, and so is what
 * its chain says otherwise about. */
#ifndef SWAP_TOKEN_LISTS_H
#define SWAP_TOKEN_LISTS_H

#include "base/arena.h"
#include "chain/chains.h"
#include "service/ctx.h"

/* From the first provider that has a list of the chain; without one, and with one that is less than half of
 * what was known, everything stays as it was. False when the database failed. */
bool token_refresh(const struct ctx *ctx, struct arena *a, const struct chain *c);

#endif
