#include "exec/evm/evm_send.h"

#include "codec/hex.h"
#include "exec/send.h"

static void send_ask(struct rpc_batch *b, struct arena *a, const struct transaction *t)
{
    char *hex = arena_alloc(a, 2 * t->raw_len + 1);

    hex_encode(hex, t->raw, t->raw_len);
    rpc_add(b, "eth_sendRawTransaction", "[\"0x%s\"]", hex);
}

bool evm_send(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
              unsigned deadline_ms, enum broadcast_result *out)
{
    return send_to_nodes(ctx, a, txs, n, deadline_ms, send_ask, out);
}
