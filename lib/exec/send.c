#include "exec/send.h"

#include "base/incident.h"
#include "chain/rpc/node.h"

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
    case RPC_INCIDENT:
    case RPC_BATCH:
    case RPC_LACKS:
    case RPC_RANGE:
        break;
    }
    return BROADCAST_UNKNOWN;
}

static enum broadcast_result send_read(const struct transaction *t, const struct rpc_answer *r)
{
    enum broadcast_result said = said_of(r);
    char about[INCIDENT_ABOUT_MAX + 1];

    if (said == BROADCAST_ACCEPTED)
        return said;
    (void)snprintf(about, sizeof about, "chain=%s", chain_by_id(t->chain_id)->key);
    log_repeated("transaction_rejected", about,
                 "msg=\"transaction not taken\" execution=%llu nonce=%llu class=%d node_says=\"%.120s\"",
                 (unsigned long long)t->effect.execution_id, (unsigned long long)t->nonce, (int)r->class,
                 r->error_text);
    return said;
}

/* A node that took it, and passed it on to none, would take it for ever: every other time the next node is
 * the first. Where there is none, or that is no better, those come first after a minute that may be sent to
 * when all others have failed. */
static enum node_order order_of(const struct transaction *t)
{
    enum { MINUTE = 12 }; /* times */

    if (t->effect.broadcasts % 2 == 0)
        return NODE_BEST_FIRST;
    return t->effect.broadcasts >= MINUTE && t->effect.broadcasts % 4 == 3 ? NODE_FALLBACK_FIRST
                                                                           : NODE_SECOND_OPINION;
}

bool send_to_nodes(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
                   unsigned deadline_ms, send_question *question, enum broadcast_result *out)
{
    struct buf body = BUF_INIT(MAX_TX * 8);
    struct rpc_batch batch = rpc_begin(&body);
    struct node_query q = {
        .chain = chain_by_id(txs[0].chain_id), .batch = &batch, .role = NODE_SEND, .order = order_of(&txs[0])
    };

    for (unsigned i = 0; i < n; i++)
        question(&batch, a, &txs[i]);
    rpc_end(&batch);
    node_ask_all(ctx, &q, 1, deadline_ms, a);
    for (unsigned i = 0; q.answered && i < n; i++)
        out[i] = send_read(&txs[i], &q.answers.items[i]);
    if (q.answered)
        rpc_answers_free(&q.answers);
    buf_free(&body);
    return q.answered;
}
