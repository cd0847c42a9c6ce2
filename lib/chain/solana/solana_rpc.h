/* Questions to Solana's nodes, and readers of their answers: items of a batch (chain/rpc/rpc.h). */
#ifndef CHAIN_SOLANA_SOLANA_RPC_H
#define CHAIN_SOLANA_SOLANA_RPC_H

#include "base/arena.h"
#include "chain/rpc/rpc.h"
#include "chain/solana/lookup_table.h"
#include "chain/solana/solana_message.h"

enum {
    SOLANA_ACCOUNTS_ASKED_MAX = 100, /* in one item */
    SOLANA_STATUSES_MAX = 256,       /* in one item */
};

/* An account as a node shows it. */
struct solana_state {
    bool exists;
    uint64_t lamports;
    struct solana_addr program; /* that it belongs to */
    const uint8_t *data;        /* in the arena, as much of it as was asked for */
    size_t len;
};

/* The state of a transaction, as one node sees it. */
struct solana_status {
    bool known;
    uint64_t slot;
    bool succeeded;
    bool confirmed, finalized;
    bool too_little; /* it failed since less than its minimum would have arrived */
};

/* The part of the cluster that has to agree with a read. */
#define SOLANA_NEWEST    "processed" /* the node has seen it */
#define SOLANA_CONFIRMED "confirmed" /* two thirds have voted for it */
#define SOLANA_FINALIZED "finalized" /* no fork can take it away */

/* The accounts in this order, of each at most so many bytes of its data; 0: all of them. */
void solana_ask_accounts(struct rpc_batch *b, const struct solana_addr *list, size_t n,
                         const char *commitment, size_t bytes);
/* False unless all `n` are told of. *slot: when; may be NULL. */
bool solana_read_accounts(struct solana_state *out, size_t n, uint64_t *slot, struct arena *a,
                          const struct rpc_answer *r);
/* One of them, as it appears in an answer: null where there is none. */
bool solana_read_account(struct solana_state *out, struct arena *a, const json_t *value);

/* All accounts of `owner`, in Base58, that the token program keeps, as they are once confirmed. */
void solana_ask_tokens_of(struct rpc_batch *b, const char *owner, const struct solana_addr *program);

/* The newest one, which transactions of our own making name. */
void solana_ask_blockhash(struct rpc_batch *b);
bool solana_read_blockhash(uint8_t out[static SOLANA_BLOCKHASH_LEN], const struct rpc_answer *r);

/* Asks for the statuses of `n` transactions, by their first signatures in Base58. */
void solana_ask_statuses(struct rpc_batch *b, const char *const *signatures, size_t n);
bool solana_read_statuses(struct solana_status *out, size_t n, uint64_t *slot, const struct rpc_answer *r);

/* The newest transactions that name the address, which is in Base58. */
void solana_ask_signatures_of(struct rpc_batch *b, const char *address);

/* The value of an answer with a slot; NULL: it is none. */
const json_t *solana_rpc_value(const struct rpc_answer *r, uint64_t *slot);
/* Whether an error of a transaction says that less than its minimum would have arrived. */
bool solana_is_too_little(const json_t *error);
/* A number of JSON; false for a fraction, and below zero. */
bool solana_rpc_number(uint64_t *out, const json_t *value);

#endif
