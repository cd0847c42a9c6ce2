/* A simulation of POST /swap/execute: everything that it would look at before signing, as a list of checks.
 */
#ifndef SWAP_SWAP_SIMULATE_H
#define SWAP_SWAP_SIMULATE_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/simulation.h"
#include "model/quote.h"
#include "service/ctx.h"

enum { CHECKS = 8 };

struct swap_simulation {
    const struct quote *quote;
    const char *wallet;
    struct check checks[CHECKS];
    bool would_execute; /* no check failed or was unavailable */
    bool has_usd;
    struct amount usd; /* of the expected output, RATE_PLACES */
    struct ppm impact; /* how much worse it is than a small trade; PPM_NONE: not known */
    bool has_fees;
    struct amount fees; /* native coin: at most this much for all transactions */
};

/* The agent's quote that may still be executed; E_QUOTE_NOT_FOUND, for one that was consumed with *swap_id;
 * E_QUOTE_EXPIRED_EXECUTE. */
const struct err *simulate_quote(const struct ctx *ctx, uint64_t agent_id, const char *quote_id,
                                 struct quote *out, uint64_t *swap_id);
/* The wallet of the swap: `address`, else the agent's oldest wallet. E_WALLET_NOT_FOUND when it has none. */
const struct err *simulate_wallet(const struct ctx *ctx, struct arena *a, const struct quote *q,
                                  const char *address, const char **out);
/* A silent node is no error: the checks that need it are unavailable. */
const struct err *simulate_swap(const struct ctx *ctx, struct arena *a, struct quote *q, const char *wallet,
                                struct swap_simulation *out);

#endif
