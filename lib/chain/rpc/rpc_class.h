/* The meaning of a node's answer for the caller, in all families of chains. */
#ifndef CHAIN_RPC_RPC_CLASS_H
#define CHAIN_RPC_RPC_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rpc_class {
    /* final: the chain's own answer, which another node would give too */
    RPC_RESULT,
    RPC_REVERT,      /* the call ran and failed on the chain */
    RPC_KNOWN,       /* the transaction is in the pool already: as good as accepted */
    RPC_NONCE_LOW,   /* some transaction with that nonce is in a block: look for ours */
    RPC_UNDERPRICED, /* a replacement whose fee is not enough above the one it would replace */
    RPC_FEE_LOW,     /* the fee is below the base fee or the node's minimum */
    RPC_NO_FUNDS,    /* the account cannot pay value and fees */
    RPC_REFUSED,     /* for good: these bytes will never be accepted */
    /* not final: specific to this node, and no ground for any conclusion */
    RPC_INCIDENT, /* limits, missing state, a full pool, anything not understood: try another node */
    RPC_BATCH,    /* the batch has too many items, or is too large, or its answer would be */
    RPC_LACKS,    /* the node does not know the method or a parameter of it */
    RPC_RANGE,    /* the question for logs spans more blocks than the node takes */
};

static inline bool rpc_is_final(enum rpc_class class)
{
    return class <= RPC_REFUSED;
}

/* The class of an error object (`code` and `text`; 0 and "" when the answer has none) under an HTTP status;
 * each family of chains has one. */
typedef enum rpc_class rpc_classifier(int64_t code, const char *text, int status);

/* A family's table: 0 and NULL stand for anything, and the first row that fits decides. */
struct rpc_class_row {
    int code;
    const char *text; /* anywhere in the message, in any case */
    int status;
    enum rpc_class class;
};

/* RPC_INCIDENT where no row fits. */
enum rpc_class rpc_class_of(const struct rpc_class_row *rows, size_t n, int64_t code, const char *text,
                            int status);

#endif
