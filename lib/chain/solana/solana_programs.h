/* The programs and mints that transactions of ours name. */
#ifndef CHAIN_SOLANA_SOLANA_PROGRAMS_H
#define CHAIN_SOLANA_SOLANA_PROGRAMS_H

#include "chain/solana/solana_addr.h"

extern const struct solana_addr SOLANA_SYSTEM;           /* It owns wallets, and moves their coin */
extern const struct solana_addr SOLANA_TOKEN;            /* It keeps the accounts of most tokens */
extern const struct solana_addr SOLANA_TOKEN_2022;       /* It keeps the accounts of tokens with extensions */
extern const struct solana_addr SOLANA_ASSOCIATED_TOKEN; /* It opens a wallet's account for a token */
extern const struct solana_addr SOLANA_COMPUTE_BUDGET;
extern const struct solana_addr SOLANA_MEMO;
extern const struct solana_addr SOLANA_LOOKUP_TABLES;
extern const struct solana_addr SOLANA_JUPITER; /* Jupiter's aggregator, version 6 */
extern const struct solana_addr SOLANA_RELAY_DEPOSITORY;
extern const struct solana_addr SOLANA_WRAPPED_COIN; /* The mint of the coin as a token */

#endif
