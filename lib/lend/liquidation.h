/* Liquidations, as the lenders' logs tell them. Pure: what a node is asked, and how a log is read. */
#ifndef LEND_LIQUIDATION_H
#define LEND_LIQUIDATION_H

#include <jansson.h>

#include "chain/chains.h"
#include "chain/evm/evm_addr.h"
#include "chain/rpc/rpc.h"
#include "codec/hash.h"
#include "model/execution.h"

struct lend_liquidation {
    const char *protocol;
    struct evm_addr wallet;
    struct evm_addr collateral, debt; /* Aave: the tokens */
    uint8_t market[HASH_LEN];         /* Morpho: the id */
    struct u256 taken, repaid;        /* smallest units of collateral and debt */
    uint64_t block;
    struct tx_hash tx;
    uint64_t log_index;
    unsigned place; /* among those of the wallet in the transaction */
};

/* Adds the question for those of the wallets in the blocks from `from` to `to`. */
void liquidations_ask(struct rpc_batch *b, const struct chain *c, uint64_t from, uint64_t to,
                      const struct evm_addr *wallets, size_t count);
/* False for what is no log of a liquidation by one of the chain's lenders. */
bool liquidation_read(struct lend_liquidation *out, const struct chain *c, const json_t *log);
/* Appends one to a list in the order of blocks, as nodes tell them, unless it is there already; the list has
 * room. Sets its place. Returns how long the list is now. */
size_t liquidations_append(struct lend_liquidation *list, size_t count, struct lend_liquidation next);

#endif
