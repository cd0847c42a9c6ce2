/* Reads the markets of chains, all chains at once: two questions to each (lend/lender.h). */
#ifndef LEND_CHAIN_READ_H
#define LEND_CHAIN_READ_H

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
    const struct chain **unread; /* those that did not answer, or made no sense */
    size_t unread_count;
};

/* In the arena. With an owner, what that wallet has there too; NULL: of nobody. */
void lend_read_chains(const struct ctx *ctx, struct arena *a, const struct chain *const *list, size_t count,
                      const struct evm_addr *owner, struct lend_book *out);

#endif
