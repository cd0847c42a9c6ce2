/* The coin that a wallet's balance shows to have come in a block. Coin that a contract pays out leaves no log
 * of its own. */
#ifndef EXEC_EVM_COINS_H
#define EXEC_EVM_COINS_H

#include "chain/rpc/rpc.h"
#include "codec/u256.h"

enum { COINS_QUESTIONS = 4 }; /* about each */

struct coins {
    struct u256 before, after; /* the balance at the end of the block before, and of the block */
    uint64_t sent;             /* transactions of the wallet's own in the block */
};

void coins_ask(struct rpc_batch *b, const char *wallet, uint64_t block);
/* By the answers from r[0] on. False: the node does not tell, or has forgotten. */
bool coins_read(struct coins *out, const struct rpc_answer *r);

#endif
