/* Reads the markets of chains, all chains at once: two questions to each (lend/lender.h). */
#ifndef LEND_CHAIN_READ_H
#define LEND_CHAIN_READ_H

#include "base/lookup.h"
#include "lend/lender.h"
#include "service/ctx.h"

/* Two rounds of half of it. */
enum { LEND_DEADLINE_MS = 5000 };

struct lend_book {
    struct lend_market *markets; /* of all chains: those that are listed */
    size_t count;
    struct lend_position *positions; /* of the owner */
    size_t position_count;
    struct lend_account *accounts;
    size_t account_count;
    const struct chain **unread; /* those that did not answer, or sent a malformed answer */
    size_t unread_count;
    uint64_t block; /* of the one chain that was read for several owners */
};

/* Reads the markets into the arena; with an owner, that wallet's positions too (NULL: none). */
void lend_read_chains(const struct ctx *ctx, struct arena *a, const struct chain *const *list, size_t count,
                      const struct evm_addr *owner, struct lend_book *out);

/* Some owners on one chain, and where they have something. */
struct lend_scope {
    const struct evm_addr *owners;
    size_t owner_count;
    const struct evm_addr *reserves; /* Aave's, by their tokens; NULL: all of them */
    size_t reserve_count;
    const uint8_t (*markets)[HASH_LEN]; /* Morpho's, whether or not they are listed */
    size_t market_count;
};
enum { LEND_OWNERS_MAX = 16 };
/* The same of them: positions and accounts name the owner in `scope`. LOOKUP_NONE: what was read makes no
 * sense, which may be the fault of one market; LOOKUP_ERROR: no node answered. */
enum lookup lend_read_scope(const struct ctx *ctx, struct arena *a, const struct chain *c,
                            const struct lend_scope *scope, struct lend_book *out);

#endif
