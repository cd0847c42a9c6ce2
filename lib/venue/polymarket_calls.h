/* Calls around Polymarket's trades: collateral in and out, the exchanges' access to outcome tokens, and what
 * a decided market pays. All contracts are on Polygon. */
#ifndef VENUE_POLYMARKET_CALLS_H
#define VENUE_POLYMARKET_CALLS_H

#include "base/buf.h"
#include "chain/evm/addr.h"
#include "codec/hash.h"
#include "codec/u256.h"
#include "venue/contracts.h"
#include "venue/polymarket_order.h"

#define POLYMARKET_COLLATERAL "0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB" /* pUSD */
#define POLYMARKET_DOLLAR     "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174" /* USDC.e, which it is made of */

/* USDC.e becomes collateral of `to`, and the reverse. */
void polymarket_wrap(struct buf *out, struct evm_addr to, struct u256 amount);
void polymarket_unwrap(struct buf *out, struct evm_addr to, struct u256 amount);
/* Lets an exchange, or an adapter, move the caller's outcome tokens: all of them, until it is taken back. */
void polymarket_trust(struct buf *out, struct evm_addr whom);
/* Pays the caller for the tokens of a decided market of two outcomes. */
void polymarket_redeem(struct buf *out, const uint8_t condition[static HASH_LEN]);
/* The same at the router, for a market of the exchange's version 3: so many of each outcome. */
void polymarket_redeem_v3(struct buf *out, const uint8_t condition[static HASH_LEN], struct u256 first,
                          struct u256 second);

/* Exchanges get allowances and are never called. */
extern const struct contract_kind polymarket_exchange[3]; /* by enum polymarket_exchange */
extern const struct contract_kind polymarket_onramp, polymarket_offramp, polymarket_tokens,
    polymarket_positions, polymarket_adapter, polymarket_neg_risk_adapter, polymarket_router;

#endif
