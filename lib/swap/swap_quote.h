/* From what an agent asks for to a quote: names resolved, all providers asked, the best offer chosen. */
#ifndef SWAP_SWAP_QUOTE_H
#define SWAP_SWAP_QUOTE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/lookup.h"
#include "model/quote.h"
#include "route/route.h"
#include "service/ctx.h"

struct quote_in {
    const char *from_token, *to_token;
    const char *amount;                                      /* form already checked */
    const char *chain, *from_chain, *to_chain;               /* keys or aliases; NULL where not given */
    const char *wallet_address, *to_wallet_address;          /* NULL where not given */
    const char *const *providers, *const *exclude_providers; /* keys; NULL where not given */
    uint32_t slippage;                                       /* millionths */
    uint32_t max_impact;                                     /* millionths; PPM_NONE when not given */
};

/* The quote as a question to providers; false when its chains are not known any more. */
bool quote_route(struct route_in *out, const struct quote *q);
/* The quote as the question for the transaction that the wallet has to sign; false as above. */
bool quote_tx(struct tx_in *out, const struct quote *q, const char *wallet, int64_t deadline);

/* The offer as a quote, which is stored nowhere. */
void quote_of_offer(struct quote *q, uint64_t agent_id, const struct route_in *r, const struct offer *offer);

/* For calls that take a quote_id instead: NULL when both tokens and the amount are there, else E_SWAP_MODE on
 * each that is not, or on quote_id. */
const struct err *quote_in_whole(struct arena *a, const struct quote_in *in);

/* The agent's quote by the text of its id, even when it is consumed or has expired. */
enum lookup quote_of(const struct ctx *ctx, uint64_t agent_id, const char *quote_id, struct quote *out);

/* Fills everything of the quote but its id; nothing is stored. */
const struct err *quote_make(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                             const struct quote_in *in, struct quote *out, struct offers *offers);

#endif
