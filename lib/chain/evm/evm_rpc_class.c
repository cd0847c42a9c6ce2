#include "chain/evm/evm_rpc_class.h"

/* Nodes use the same codes for different things, so messages come before codes and codes before statuses.
 * What contains another row's text stands before it. Reverts come before all other texts, as the contract's
 * author chose their reasons. */
static const struct rpc_class_row rows[] = {
    /* who asks, not what: bills, keys and quotas */
    { 0, NULL, 401, RPC_INCIDENT },
    { 0, NULL, 402, RPC_INCIDENT },
    { 0, NULL, 403, RPC_INCIDENT },
    { 0, NULL, 429, RPC_INCIDENT },

    { 0, "execution reverted", 0, RPC_REVERT },
    { 0, "vm exception", 0, RPC_REVERT },
    { 0, "vm execution error", 0, RPC_REVERT },
    { 0, "transaction reverted", 0, RPC_REVERT },

    /* questions for logs of more blocks than a node takes at once, or of blocks that it does not have */
    { 0, "invalid block range", 0, RPC_INCIDENT },
    { 0, "block range extends beyond", 0, RPC_INCIDENT },
    { 0, "block range", 0, RPC_RANGE },
    { 0, "blocks range", 0, RPC_RANGE },
    { 0, "range too large", 0, RPC_RANGE },
    { 0, "range is too large", 0, RPC_RANGE },
    { 0, "range exceeds", 0, RPC_RANGE },
    { 0, "ranges over", 0, RPC_RANGE },
    { 0, "eth_getlogs is limited to", 0, RPC_RANGE },
    { 0, "requested too many blocks", 0, RPC_RANGE },
    { 0, "number of requested blocks", 0, RPC_RANGE },
    { 0, "query returned more than", 0, RPC_RANGE },

    /* requests that are too much at once */
    { 0, "batch", 0, RPC_BATCH },
    { 0, "too many rpc calls", 0, RPC_BATCH },
    { 0, "request entity too large", 0, RPC_BATCH },
    { 0, "content length too large", 0, RPC_BATCH },
    { 0, "request too large", 0, RPC_BATCH },
    { 0, "request is too big", 0, RPC_BATCH },
    { 0, "response too large", 0, RPC_BATCH },
    { 0, "response is too big", 0, RPC_BATCH },
    { 0, "response size exceeded", 0, RPC_BATCH },
    { -32600, "invalid request", 0, RPC_BATCH }, /* makes that take no arrays */

    /* transactions, as nodes answer eth_sendRawTransaction */
    { 0, "unknown transaction", 0, RPC_REFUSED }, /* a type the node does not have */
    { 0, "already known", 0, RPC_KNOWN },
    { 0, "alreadyknown", 0, RPC_KNOWN },
    { 0, "known transaction", 0, RPC_KNOWN },
    { 0, "already imported", 0, RPC_KNOWN },
    { 0, "already in mempool", 0, RPC_KNOWN },
    { 0, "existing tx with same hash", 0, RPC_KNOWN },
    { 0, "ownnoncealreadyused", 0, RPC_KNOWN },
    { 0, "nonce too low", 0, RPC_NONCE_LOW },
    { 0, "nonce is too low", 0, RPC_NONCE_LOW },
    { 0, "nonce_too_low", 0, RPC_NONCE_LOW },
    { 0, "oldnonce", 0, RPC_NONCE_LOW },
    { 0, "invalid transaction nonce", 0, RPC_NONCE_LOW },
    { 0, "nonce too high", 0, RPC_INCIDENT }, /* an earlier one of ours has not reached this node yet */
    { 0, "noncegap", 0, RPC_INCIDENT },
    { 0, "noncetoofarinfuture", 0, RPC_INCIDENT },
    { 0, "gapped-nonce", 0, RPC_INCIDENT },
    { 0, "higher than max fee per gas", 0, RPC_REFUSED }, /* the tip is over the cap */
    { 0, "greater than max fee per gas", 0, RPC_REFUSED },
    { 0, "greater than `max_fee_per_gas`", 0, RPC_REFUSED },
    { 0, "replacement transaction underpriced", 0, RPC_UNDERPRICED },
    { 0, "could not replace existing tx", 0, RPC_UNDERPRICED },
    { 0, "replacement not allowed", 0, RPC_UNDERPRICED },
    { 0, "replacementnotallowed", 0, RPC_UNDERPRICED },
    { 0, "gas price too low to replace", 0, RPC_UNDERPRICED },
    { 0, "underpriced", 0, RPC_FEE_LOW },
    { 0, "feetoolow", 0, RPC_FEE_LOW },
    { 0, "fee too low", 0, RPC_FEE_LOW },
    { 0, "gas price below", 0, RPC_FEE_LOW },
    { 0, "gas price too low", 0, RPC_FEE_LOW },
    { 0, "gas price is too low", 0, RPC_FEE_LOW },
    { 0, "gas price is less than basefee", 0, RPC_FEE_LOW },
    { 0, "less than block base fee", 0, RPC_FEE_LOW },
    { 0, "insufficient funds", 0, RPC_NO_FUNDS },
    { 0, "insufficientfunds", 0, RPC_NO_FUNDS },
    { 0, "insufficient_funds", 0, RPC_NO_FUNDS },
    { 0, "insufficient balance", 0, RPC_NO_FUNDS },
    { 0, "not enough funds", 0, RPC_NO_FUNDS },
    { 0, "lack of funds", 0, RPC_NO_FUNDS },
    { 0, "upfront cost exceeds", 0, RPC_NO_FUNDS },
    { 0, "exceeds the configured cap", 0, RPC_INCIDENT }, /* that node's own ceiling */
    { 0, "fee cap exceeded", 0, RPC_INCIDENT },
    { 0, "fee over cap", 0, RPC_INCIDENT },
    { 0, "exceeds block gas limit", 0, RPC_REFUSED },
    { 0, "exceeds the block gas limit", 0, RPC_REFUSED },
    { 0, "gaslimitexceeded", 0, RPC_REFUSED },
    { 0, "intrinsic gas", 0, RPC_REFUSED },
    { 0, "intrinsicgas", 0, RPC_REFUSED },
    { 0, "floor data gas", 0, RPC_REFUSED },
    { 0, "exceeds the gas limit", 0, RPC_REFUSED },
    { 0, "gas limit too high", 0, RPC_REFUSED },
    { 0, "gas limit is too high", 0, RPC_REFUSED },
    { 0, "greater than the cap", 0, RPC_REFUSED },
    { 0, "gas uint64 overflow", 0, RPC_REFUSED },
    { 0, "invalid chain id", 0, RPC_REFUSED },
    { 0, "incorrect chain id", 0, RPC_REFUSED },
    { 0, "wrong chain id", 0, RPC_REFUSED },
    { 0, "invalid sender", 0, RPC_REFUSED },
    { 0, "failedtoresolvesender", 0, RPC_REFUSED },
    { 0, "invalid transaction signature", 0, RPC_REFUSED },
    { 0, "invalid signature", 0, RPC_REFUSED },
    { 0, "transaction type not supported", 0, RPC_REFUSED },
    { 0, "unsupported transaction type", 0, RPC_REFUSED },
    { 0, "notsupportedtxtype", 0, RPC_REFUSED },
    { 0, "not supported by the current hardfork", 0, RPC_REFUSED },
    { 0, "only replay-protected", 0, RPC_REFUSED },
    { 0, "oversized data", 0, RPC_REFUSED },
    { 0, "maxtxsizeexceeded", 0, RPC_REFUSED },
    { 0, "initcode", 0, RPC_REFUSED },
    { 0, "rlp: ", 0, RPC_REFUSED },
    { 0, "invalid rlp", 0, RPC_REFUSED },
    { 0, "typed transaction too short", 0, RPC_REFUSED },
    { 0, "failed to decode transaction", 0, RPC_REFUSED },
    { 0, "failed to decode signed transaction", 0, RPC_REFUSED },

    /* calls that failed in the machine */
    { 0, "out of gas", 0, RPC_REVERT },
    { 0, "gas required exceeds", 0, RPC_REVERT },
    { 0, "evm error", 0, RPC_REVERT },
    { 0, "invalid opcode", 0, RPC_REVERT },
    { 0, "badinstruction", 0, RPC_REVERT },
    { 0, "invalid jump", 0, RPC_REVERT },
    { 0, "stack underflow", 0, RPC_REVERT },
    { 0, "stack limit reached", 0, RPC_REVERT },
    { 0, "write protection", 0, RPC_REVERT },

    /* methods and parameters that a node does not have */
    { 0, "override", 0, RPC_LACKS },
    { 0, "too many arguments", 0, RPC_LACKS },
    { 0, "unsupported method", 0, RPC_LACKS },
    { 0, "method not found", 0, RPC_LACKS },
    { 0, "method not supported", 0, RPC_LACKS },
    { 0, "method is not supported", 0, RPC_LACKS },
    { 0, "method is not available", 0, RPC_LACKS },
    { 0, "method is not whitelisted", 0, RPC_LACKS },
    { 0, "not allowed to access method", 0, RPC_LACKS },
    { 0, "method handler crashed", 0, RPC_LACKS }, /* geth's word for one that it cannot run */

    /* a node that is behind, has thrown the state away, or is busy */
    { 0, "header not found", 0, RPC_INCIDENT },
    { 0, "block not found", 0, RPC_INCIDENT },
    { 0, "unknown block", 0, RPC_INCIDENT },
    { 0, "missing trie node", 0, RPC_INCIDENT },
    { 0, "state is not available", 0, RPC_INCIDENT },
    { 0, "state unavailable", 0, RPC_INCIDENT },
    { 0, "no state available", 0, RPC_INCIDENT },
    { 0, "pruned", 0, RPC_INCIDENT },
    { 0, "timeout", 0, RPC_INCIDENT },
    { 0, "timed out", 0, RPC_INCIDENT },
    { 0, "pool is full", 0, RPC_INCIDENT },
    { 0, "queue full", 0, RPC_INCIDENT },
    { 0, "rate limit", 0, RPC_INCIDENT },
    { 0, "request limit", 0, RPC_INCIDENT },
    { 0, "limit exceeded", 0, RPC_INCIDENT },
    { 0, "too many requests", 0, RPC_INCIDENT },
    { 0, "capacity", 0, RPC_INCIDENT },

    { 3, NULL, 0, RPC_REVERT },
    { -32015, NULL, 0, RPC_REVERT }, /* parity's and its heirs' "execution error" */
    { -32601, NULL, 0, RPC_LACKS },  /* "method not found" */
    { -32604, NULL, 0, RPC_LACKS },  /* "method not supported" */
    { -32602, NULL, 0, RPC_LACKS },  /* "invalid params" */
    { 0, NULL, 413, RPC_BATCH },
    { 0, NULL, 400, RPC_BATCH }, /* what stands before a node, and takes no arrays */
};

enum rpc_class evm_classify(int64_t code, const char *text, int status)
{
    return rpc_class_of(rows, sizeof rows / sizeof rows[0], code, text, status);
}
