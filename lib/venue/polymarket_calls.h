/* Calls around Polymarket's trades: collateral in and out, the exchanges' access to outcome tokens, and what
 * a decided market pays. All contracts are on Polygon. */
#ifndef VENUE_POLYMARKET_CALLS_H
#define VENUE_POLYMARKET_CALLS_H

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/hash.h"
#include "codec/u256.h"
#include "venue/contracts.h"
#include "venue/polymarket_order.h"

#define POLYMARKET_COLLATERAL       "0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB" /* pUSD */
#define POLYMARKET_DOLLAR           "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174" /* USDC.e, which it is made of */

#define POLYMARKET_ONRAMP           "0x93070a847efEf7F70739046A929D47a521F5B8ee"
#define POLYMARKET_OFFRAMP          "0x2957922Eb93258b93368531d39fAcCA3B4dC5854"
#define POLYMARKET_TOKENS           "0x4D97DCd97eC945f40cF65F87097ACe5EA0476045" /* outcomes of V2, neg-risk */
#define POLYMARKET_POSITIONS        "0x006F54F7f9A22e0000CC2AB60031000000ae9fEF" /* outcomes of V3 */
#define POLYMARKET_ADAPTER          "0xAdA100Db00Ca00073811820692005400218FcE1f" /* redeems those of V2 ... */
#define POLYMARKET_NEG_RISK_ADAPTER "0xadA2005600Dec949baf300f4C6120000bDB6eAab" /* ... of neg-risk ... */
#define POLYMARKET_ROUTER           "0x12121212006e4CD160D18e3f00711DA5c3372600" /* ... of V3 */

/* USDC.e becomes collateral of `to`, and the reverse. */
void polymarket_wrap(struct buf *out, struct evm_addr to, struct u256 amount);
void polymarket_unwrap(struct buf *out, struct evm_addr to, struct u256 amount);
/* Lets an exchange, or an adapter, move the caller's outcome tokens: all of them, until it is taken back. */
void polymarket_trust(struct buf *out, struct evm_addr whom);
/* Pays the caller for the tokens of a decided market of two outcomes. */
void polymarket_redeem(struct buf *out, const uint8_t condition[static HASH_LEN]);
/* The same at the router, for a market of the exchange's version 3: so many of one outcome, 0 or 1. */
void polymarket_redeem_v3(struct buf *out, const uint8_t condition[static HASH_LEN], unsigned outcome,
                          struct u256 amount);

/* Exchanges get allowances and are never called. */
extern const struct contract_kind polymarket_exchange[3]; /* by enum polymarket_exchange */
extern const struct contract_kind polymarket_onramp, polymarket_offramp, polymarket_tokens,
    polymarket_positions, polymarket_adapter, polymarket_neg_risk_adapter, polymarket_router;

#endif
