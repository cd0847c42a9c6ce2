/* The act of a call of a lender's contract, read from its own bytes: only for the wallet that sends it, on
 * variable rates, without a call of anything else. */
#ifndef VENUE_LOAN_CALLS_H
#define VENUE_LOAN_CALLS_H

#include "chain/chains.h"
#include "chain/evm/tx.h"
#include "model/loan.h"
#include "venue/contracts.h"
#include "venue/trade.h"

enum { LOAN_VARIABLE_RATE = 2 }; /* Aave's number of the one kind of rate that is left */

/* One of a lender's calls: its signature, and which of its members, as form.h counts them, are what. */
struct loan_row {
    uint32_t selector; /* 0 ends the rows */
    enum loan_act act;
    const char *signature;
    unsigned asset, amount;
    unsigned shares;      /* 0: none */
    uint32_t wallets;     /* bit sets: those that have to be the sender, ... */
    uint32_t zeros;       /* ... those that have to be zero, or empty, ... */
    uint32_t rates;       /* ... and those that have to be the variable rate */
    unsigned market_size; /* so many members at the start are a market, whose id is their hash; 0: none */
};

/* A transaction of `sender` (EIP-55) on chain `c`. */
enum trade_reading loan_read_evm(struct loan *out, const struct chain *c, const struct evm_tx *tx,
                                 const char *sender);

#endif
