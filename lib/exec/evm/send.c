#include "exec/evm/send.h"

#include "base/log.h"
#include "chain/rpc/node.h"
#include "codec/hex.h"

static void send_ask(struct rpc_batch *b, const struct transaction *t)
{
    char *hex = calloc(2 * t->raw_len + 1, 1);

    if (hex == NULL)
        log_fatal("msg=\"out of memory\"");
    hex_encode(hex, t->raw, t->raw_len);
    rpc_add(b, "eth_sendRawTransaction", "[\"0x%s\"]", hex);
    free(hex);
}

static enum broadcast_result said_of(const struct rpc_answer *r)
{
    switch (r->class) {
    case RPC_RESULT:
        return json_is_string(r->result) ? BROADCAST_ACCEPTED : BROADCAST_UNKNOWN;
    case RPC_KNOWN:
        return BROADCAST_ACCEPTED;
    case RPC_UNDERPRICED:
    case RPC_FEE_LOW:
        return BROADCAST_UNDERPRICED;
    case RPC_NO_FUNDS:
        return BROADCAST_NO_FUNDS;
    case RPC_REFUSED:
        return BROADCAST_REFUSED;
    case RPC_REVERT:
    case RPC_NONCE_LOW:
    case RPC_TROUBLE:
    case RPC_BATCH:
    case RPC_LACKS:
        break;
    }
    return BROADCAST_UNKNOWN;
}

static enum broadcast_result send_read(const struct transaction *t, const struct rpc_answer *r)
{
    enum broadcast_result said = said_of(r);

    if (said != BROADCAST_ACCEPTED)
        log_warn("msg=\"transaction not taken\" execution=%llu nonce=%llu class=%d node_says=\"%.120s\"",
                 (unsigned long long)t->effect.execution_id, (unsigned long long)t->nonce, (int)r->class,
                 r->error_text);
    return said;
}

bool evm_send(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
              unsigned deadline_ms, enum broadcast_result *out)
{
    struct buf body = BUF_INIT(MAX_TX * 8);
    struct rpc_batch batch = rpc_begin(&body);
    struct node_query q = { .chain = chain_by_id(txs[0].chain_id), .batch = &batch, .role = NODE_SEND };

    for (unsigned i = 0; i < n; i++)
        send_ask(&batch, &txs[i]);
    rpc_end(&batch);
    node_ask_all(ctx, &q, 1, deadline_ms, a);
    for (unsigned i = 0; q.answered && i < n; i++)
        out[i] = send_read(&txs[i], &q.answers.items[i]);
    if (q.answered)
        rpc_answers_free(&q.answers);
    buf_free(&body);
    return q.answered;
}
