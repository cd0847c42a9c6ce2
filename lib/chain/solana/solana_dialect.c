#include "chain/solana/solana_dialect.h"

#include <string.h>

#include "codec/base64.h"

/* The codes are Agave's. */
static const struct rpc_class_row rows[] = {
    /* who asks, not what: bills, keys and quotas */
    { 0, NULL, 401, RPC_INCIDENT },
    { 0, NULL, 402, RPC_INCIDENT },
    { 0, NULL, 403, RPC_INCIDENT },
    { 0, NULL, 429, RPC_INCIDENT },
    { 0, "too many requests", 0, RPC_INCIDENT },
    { 0, "rate limit", 0, RPC_INCIDENT },

    /* requests that are too much at once */
    { 0, "batch", 0, RPC_BATCH },
    { 0, "request entity too large", 0, RPC_BATCH },
    { 0, "response too large", 0, RPC_BATCH },
    { -32600, NULL, 0, RPC_BATCH }, /* makes that take no arrays */

    /* transactions */
    { 0, "already been processed", 0, RPC_KNOWN },
    { 0, "AlreadyProcessed", 0, RPC_KNOWN },
    { 0, "blockhash not found", 0, RPC_INCIDENT },
    { 0, "BlockhashNotFound", 0, RPC_INCIDENT },
    { -32002, NULL, 0, RPC_INCIDENT },
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

/* The account in which the chain keeps its clock: slot, start of the epoch, epoch, the one that leaders are
 * known for, and the Unix time, each in eight bytes from the lowest on. */
#define CLOCK "SysvarC1ock11111111111111111111111111111111"
enum { CLOCK_TIME = 32, CLOCK_LEN = 40 };

static bool clock_read(uint64_t *time, const char *data)
{
    uint8_t clock[CLOCK_LEN];
    size_t n;

    if (data == NULL || !base64_decode(clock, sizeof clock, &n, data, strlen(data)) || n != CLOCK_LEN)
        return false;
    *time = 0;
    for (size_t i = CLOCK_LEN; i-- > CLOCK_TIME;)
        *time = *time << 8 | clock[i];
    return true;
}

/* The slot that the node has looked at says how far it is. */
static bool read_clock(uint64_t *height, uint64_t *time, const struct rpc_answer *r)
{
    const json_t *slot = json_object_get(json_object_get(r->result, "context"), "slot"),
                 *data = json_object_get(json_object_get(r->result, "value"), "data");

    *height = (uint64_t)json_integer_value(slot);
    return json_is_integer(slot) && json_integer_value(slot) > 0 &&
           clock_read(time, json_string_value(json_array_get(data, 0)));
}

const struct dialect solana_dialect = { .which = "getGenesisHash",
                                        .read_which = read_genesis,
                                        .classify = classify,
                                        .newest = "getAccountInfo",
                                        .newest_params =
                                            "[\"" CLOCK
                                            "\",{\"encoding\":\"base64\",\"commitment\":\"confirmed\"}]",
                                        .read_newest = read_clock };
