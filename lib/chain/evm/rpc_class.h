/* What a node's answer means, whatever the node's make: one table over the error's code and message and the
 * HTTP status that it came with. */
#ifndef CHAIN_EVM_RPC_CLASS_H
#define CHAIN_EVM_RPC_CLASS_H

#include <stdbool.h>
#include <stdint.h>

enum rpc_class {
    /* final: the chain's own answer, which another node would give too */
    RPC_RESULT,
    RPC_REVERT,      /* the call ran and failed on the chain */
    RPC_KNOWN,       /* the transaction is in the pool already: as good as taken */
    RPC_NONCE_LOW,   /* some transaction with that nonce is in a block: look for ours */
    RPC_UNDERPRICED, /* a replacement that bids too little more than what it would replace */
    RPC_FEE_LOW,     /* the fee is below the base fee or the least that the node takes */
    RPC_NO_FUNDS,    /* the account cannot pay value and fees */
    RPC_REFUSED,     /* for good: these bytes will never be taken */
    /* not final: this node's own, and nothing may be concluded from it */
    RPC_TROUBLE, /* limits, missing state, a full pool, anything not understood: try another node */
    RPC_BATCH,   /* the batch has too many items, or asks or answers too much */
    RPC_LACKS,   /* the node does not know the method or a parameter of it */
};

static inline bool rpc_is_final(enum rpc_class class)
{
    return class <= RPC_REFUSED;
}

/* The class of an error object (`code` and `text`; 0 and "" when the answer has none) under an HTTP status.
 */
enum rpc_class rpc_classify(int64_t code, const char *text, int status);

#endif
