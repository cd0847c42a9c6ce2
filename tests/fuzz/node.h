/* For targets that read what nodes answer: a node that says the input. */
#ifndef FUZZ_NODE_H
#define FUZZ_NODE_H

#include "chain/evm/evm_rpc_class.h"
#include "chain/rpc/node.h"
#include "codec/hex.h"
#include "fuzz.h"

static const uint8_t *node_input;
static size_t node_input_len;
/* A good answer up to the digits of its last result, which the input is then; NULL: the input is all of it.
 */
static const char *node_prefix;

static inline void node_says(struct buf *body)
{
    char *hex;

    if (node_prefix == NULL) {
        buf_add(body, node_input, node_input_len);
        return;
    }
    hex = malloc(2 * node_input_len + 1);
    MUST(hex != NULL);
    hex_encode(hex, node_input, node_input_len);
    buf_adds(body, node_prefix);
    buf_adds(body, hex);
    buf_adds(body, "\"}]");
    free(hex);
}

static inline bool node_answers(const struct rpc_batch *batch, struct arena *a, struct rpc_answers *out)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    bool ok;

    node_says(&body);
    ok = rpc_read(out, a, &body, batch->count, evm_classify);
    buf_free(&body);
    return ok;
}

#endif
