#include "chain/solana/dialect.h"

#include <string.h>

/* The codes are Agave's. */
static const struct rpc_class_row rows[] = {
    /* who asks, not what: bills, keys and quotas */
    { 0, NULL, 401, RPC_TROUBLE },
    { 0, NULL, 402, RPC_TROUBLE },
    { 0, NULL, 403, RPC_TROUBLE },
    { 0, NULL, 429, RPC_TROUBLE },
    { 0, "too many requests", 0, RPC_TROUBLE },
    { 0, "rate limit", 0, RPC_TROUBLE },

    /* requests that are too much at once */
    { 0, "batch", 0, RPC_BATCH },
    { 0, "request entity too large", 0, RPC_BATCH },
    { 0, "response too large", 0, RPC_BATCH },
    { -32600, NULL, 0, RPC_BATCH }, /* makes that take no arrays */

    /* transactions */
    { 0, "already been processed", 0, RPC_KNOWN },
    { 0, "AlreadyProcessed", 0, RPC_KNOWN },
    { 0, "blockhash not found", 0, RPC_TROUBLE },
    { 0, "BlockhashNotFound", 0, RPC_TROUBLE },
    { -32002, NULL, 0, RPC_TROUBLE },
    { -32003, NULL, 0, RPC_REFUSED },
    { -32006, NULL, 0, RPC_REFUSED },
    { -32013, NULL, 0, RPC_REFUSED },
    { -32602, "failed to deserialize", 0, RPC_REFUSED },
    { -32602, "too large", 0, RPC_REFUSED },
    { -32602, "invalid transaction", 0, RPC_REFUSED },

    /* what a node does not have */
    { -32601, NULL, 0, RPC_LACKS },
    { 0, "method not found", 0, RPC_LACKS },

    { 0, NULL, 413, RPC_BATCH },
    { 0, NULL, 400, RPC_BATCH }, /* what stands before a node, and takes no arrays */
};

static enum rpc_class classify(int64_t code, const char *text, int status)
{
    return rpc_class_of(rows, sizeof rows / sizeof rows[0], code, text, status);
}

/* The chain's nodes are told from those of its test networks by the hash of its first block. */
static bool read_genesis(bool *right, const struct chain *c, const struct rpc_answer *r)
{
    const char *hash = json_string_value(r->result);

    (void)c;
    if (hash == NULL)
        return false;
    *right = strcmp(hash, "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d") == 0;
    return true;
}

static bool read_slot(uint64_t *height, uint64_t *time, const struct rpc_answer *r)
{
    *time = 0;
    *height = (uint64_t)json_integer_value(r->result);
    return json_is_integer(r->result) && json_integer_value(r->result) > 0;
}

const struct dialect solana_dialect = { .which = "getGenesisHash",
                                        .read_which = read_genesis,
                                        .classify = classify,
                                        .newest = "getSlot",
                                        .newest_params = "[{\"commitment\":\"confirmed\"}]",
                                        .read_newest = read_slot };
