/* The contracts that managed wallets may call or grant allowances to, and those that prices are read from:
 * one table, whatever the venue. Whoever is not in it is neither called nor trusted with tokens. */
#ifndef VENUE_CONTRACTS_H
#define VENUE_CONTRACTS_H

#include "chain/chains.h"
#include "chain/evm/addr.h"

/* What a contract understands: the calls are in the file of its family. */
enum contract_kind {
    CONTRACT_ERC20, /* any token: these are not listed */
    CONTRACT_WRAPPED_NATIVE,
    CONTRACT_UNISWAP_V2_ROUTER, /* Router02 */
    CONTRACT_UNISWAP_V3_ROUTER, /* SwapRouter02 */
    CONTRACT_UNISWAP_V3_QUOTER, /* QuoterV2; prices only */
    CONTRACT_UNISWAP_V3_FACTORY,
};

struct contract {
    const char *chain; /* key */
    const char *venue;
    enum contract_kind kind;
    const char *address; /* EIP-55 */
};

/* NULL when the address, as the chain writes it, is not listed there. */
const struct contract *contract_at(const struct chain *c, const char *address);
/* The chain's contract of a kind; NULL where there is none. */
const struct contract *contract_of(const struct chain *c, enum contract_kind kind);
struct evm_addr contract_addr(const struct contract *k);
/* Whether wallets may grant it allowances. */
bool contract_is_spender(const struct contract *k);
/* Whether any contract of the chain is listed. */
bool contracts_on(const struct chain *c);

#endif
