/* The contracts that managed wallets may call or grant allowances to, and those that prices are read from:
 * one table for all venues. A contract that is not in it gets no allowance, and no call but those that every
 * token has. */
#ifndef VENUE_CONTRACTS_H
#define VENUE_CONTRACTS_H

#include "chain/chains.h"
#include "chain/evm/evm_addr.h"

struct call_row; /* venue/calls.h */
struct loan_row; /* venue/loan_calls.h */

/* The common part of all contracts of one kind. It is in the file of their family. */
struct contract_kind {
    const struct call_row *calls;   /* that wallets may make; NULL: none */
    const struct call_row *bridges; /* that wallets may make, to pay on another chain; NULL: none */
    const struct loan_row *loans;   /* that wallets may make at a lender; NULL: none */
    bool spender;                   /* wallets may grant it allowances ... */
    bool trusted;                   /* ... and the use of all their outcome tokens */
    bool by_order;                  /* of an allowance it takes only what signed orders offer */
};

struct contract {
    const char *chain; /* key */
    const char *venue;
    const struct contract_kind *kind;
    const char *address; /* EIP-55 */
};

/* NULL when the address, as the chain writes it, is not listed there. */
const struct contract *contract_at(const struct chain *c, const char *address);
/* The chain's contract of a kind; NULL where there is none. */
const struct contract *contract_of(const struct chain *c, const struct contract_kind *kind);
struct evm_addr contract_addr(const struct contract *k);

#endif
