/* The lifetime of a transaction: 150 blocks after the one whose hash it names. Where there are two nodes,
 * neither decides its end alone: a living transaction that is taken for dead is carried out twice. */
#ifndef EXEC_SOLANA_LIFETIME_H
#define EXEC_SOLANA_LIFETIME_H

#include "base/buf.h"
#include "chain/rpc/node.h"
#include "chain/solana/solana_message.h"

/* Questions of how high the chain is, to the first node and to another one, to be asked together with the one
 * that knows the hash. `out` owns them until lifetime_free. */
struct lifetime {
    struct buf body;
    struct rpc_batch batch;
};
void lifetime_ask(struct lifetime *out, struct node_query *queries, const struct chain *c);
/* *last: the last block, as the node that knows the hash has it; raised to the latest of what any node's
 * words come to. False: they are too far apart for all to be true. Frees the answers. */
bool lifetime_read(uint64_t *last, struct node_query *queries);
void lifetime_free(struct lifetime *l);

/* Two items: whether the hash is one that blocks take, as of what is final and as of the newest. A node that
 * has not come to the hash's block yet, or only to what is final before it, denies the first: both have to be
 * denied. */
void lifetime_ask_hash(struct rpc_batch *b, const uint8_t hash[static SOLANA_BLOCKHASH_LEN]);
bool lifetime_is_over(const struct rpc_answer r[static 2]);

#endif
