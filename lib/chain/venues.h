/* The contracts that wallets trade through, per chain, and the calls that are made there: what routes build
 * and what the signer signs. Nothing else is called with a wallet's key but tokens' approve and the wrapped
 * coin. */
#ifndef CHAIN_VENUES_H
#define CHAIN_VENUES_H

#include "chain/chains.h"

/* Where Uniswap's own contracts stand. */
struct venue {
    const char *chain;
    const char *v2_router;
    const char *v3_factory;
    const char *v3_quoter; /* QuoterV2 */
    const char *v3_router; /* SwapRouter02 */
};

enum {
    SEL_DEPOSIT = 0xd0e30db0, /* the wrapped coin's */
    SEL_WITHDRAW = 0x2e1a7d4d,
    SEL_ETH_FOR_TOKENS = 0x7ff36ab5, /* V2 */
    SEL_TOKENS_FOR_ETH = 0x18cbafe5,
    SEL_TOKENS_FOR_TOKENS = 0x38ed1739,
    SEL_INPUT_SINGLE = 0x04e45aaf, /* V3, inside of a multicall */
    SEL_INPUT_PATH = 0xb858183f,
    SEL_UNWRAP_WETH9 = 0x49404b7c,
    SEL_MULTICALL_DEADLINE = 0x5ae401dc,
};

/* NULL where there is none. */
const struct venue *venue_of(const struct chain *c);

#endif
