/* The meaning of a revert of a lender or a token. Aave has two forms: older versions revert with a number as
 * text, newer ones with an error of its own for each of them; Morpho has texts, and so do tokens, if they say
 * anything. */
#ifndef VENUE_LOAN_REVERT_H
#define VENUE_LOAN_REVERT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "venue/contracts.h"
#include "venue/loan_calls.h"

/* A call that reverted, or one of those that had to come before it. */
struct loan_revert {
    const struct contract_kind *lender;
    enum loan_act act;
    const uint8_t *data; /* that it reverted with */
    size_t len;
    const char *floor; /* that the caller keeps healths above, for the message; NULL: Aave's own, 1 */
};

/* The refusal, a constant or a copy in the arena; never NULL. E_LEND_REFUSED for a reason that has no message
 * of its own, which its hint names. */
const struct err *loan_revert_error(struct arena *a, const struct loan_revert *r);

#endif
