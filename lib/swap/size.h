/* The amount of the source token to trade if the agent gave another measure: dollars, a share of the balance,
 * or the amount to receive. The answers are plain decimal texts in the arena; nothing is stored. */
#ifndef SWAP_SIZE_H
#define SWAP_SIZE_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/tokens.h"
#include "service/ctx.h"
#include "swap/swap_quote.h"

/* `in` as for a quote, with `amount` in dollars at the current price of the source token. */
const struct err *size_of_dollars(const struct ctx *ctx, struct arena *a, const struct quote_in *in,
                                  const char **out);

/* `amount` in per cent of the wallet's balances: wallet_address, or the agent's oldest of the chain's kind.
 * Of a native coin, twice what the swap's gas may cost stays behind. */
const struct err *size_of_share(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                const struct quote_in *in, const char **out);

/* `per_cent` per cent of `all`, an amount with up to `decimals` decimals, as the result has. */
const struct err *size_of_part(struct arena *a, uint8_t decimals, const char *all, const char *per_cent,
                               const char **out);

/* `amount` in units of to_token: the input that a quote brings them for, or nearly, where that is not found
 * within a few quotes. */
const struct err *size_for_output(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                  const struct quote_in *in, const char **out);

#endif
