#include "exec/solana/solana_send.h"

#include "codec/base64.h"
#include "exec/send.h"

/* It has been tried, so no node needs to try it again. The first time a node goes on by itself for as long as
 * the transaction lives; after that we do. */
static void send_ask(struct rpc_batch *b, struct arena *a, const struct transaction *t)
{
    char *text = arena_alloc(a, BASE64_LEN(t->raw_len) + 1);

    base64_encode(text, t->raw, t->raw_len);
    rpc_add(b, "sendTransaction", "[\"%s\",{\"encoding\":\"base64\",\"skipPreflight\":true%s}]", text,
            t->effect.broadcasts > 0 ? ",\"maxRetries\":0" : "");
}

bool solana_send(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
                 unsigned deadline_ms, enum broadcast_result *out)
{
    return send_to_nodes(ctx, a, txs, n, deadline_ms, send_ask, out);
}
