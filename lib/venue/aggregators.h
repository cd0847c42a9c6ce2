/* Contracts of aggregators, which split a trade over many venues. Each enforces the minimum of its call
 * itself, so the steps in between need not be decoded. Calls without the bought token, the minimum or the
 * recipient in their bytes have no rows. */
#ifndef VENUE_AGGREGATORS_H
#define VENUE_AGGREGATORS_H

#include "base/buf.h"
#include "venue/contracts.h"

/* Stands for the chain's coin among the tokens of most of them. */
#define AGGREGATOR_COIN "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"

extern const struct contract_kind kyberswap_router, oneinch_router, velora_augustus, openocean_exchange,
    lifi_diamond;

/* Allowances go to the holder alone. The registry tells which contracts, the Settlers, are the genuine ones
 * that do the work: its rows are their calls. A holder's call names one too. */
extern const struct contract_kind zerox_allowance_holder, zerox_registry;

/* The questions to the registry, one after the other; it reverts while its makers have stopped all
 * Settlers. */
enum { ZEROX_SETTLERS = 2 };
void zerox_settler_ask(struct buf *out, unsigned i);
/* EIP-55; false when the answer names none. */
bool zerox_settler_read(char out[static EVM_ADDR_TEXT_LEN + 1], const uint8_t *data, size_t n);

#endif
