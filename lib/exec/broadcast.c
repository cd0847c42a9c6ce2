#include "exec/broadcast.h"

#include "base/fault.h"
#include "base/log.h"
#include "chain/evm/node.h"
#include "codec/hex.h"
#include "exec/notify.h"
#include "store/executions.h"
#include "store/transactions.h"

enum { OFFER_MAX = 16 };

static void ask(struct rpc_batch *b, const struct transaction *t)
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

static struct broadcast judge(const struct transaction *t, const struct rpc_answer *r)
{
    struct broadcast o = { .id = t->id, .said = said_of(r) };

    if (o.said != BROADCAST_ACCEPTED)
        log_warn("msg=\"transaction not taken\" swap=%llu nonce=%llu class=%d node_says=\"%.120s\"",
                 (unsigned long long)t->execution_id, (unsigned long long)t->nonce, (int)r->class,
                 r->error_text);
    return o;
}

struct record_job {
    struct arena *arena;
    const struct execution *swap;
    const struct broadcast *offers;
    unsigned n;
    const uint8_t *hash; /* of the swap's own transaction when it was taken */
};

static enum tx_verdict record_tx(struct db *db, void *arg)
{
    const struct record_job *job = arg;
    const struct execution_move move = {
        .id = job->swap->id,
        .kind = job->swap->kind,
        .agent_id = job->swap->agent_id,
        .from = EXEC_PENDING,
        .to = EXEC_SUBMITTED,
        .why = "a node took it",
        .tx_hash = job->hash,
    };

    /* The swap before its transactions: every writer locks in this order. */
    int moved = job->hash != NULL ? executions_move(db, &move) : 0;

    if (moved < 0)
        return TX_FAILED;
    for (unsigned i = 0; i < job->n; i++)
        if (!transactions_broadcast(db, &job->offers[i]))
            return TX_FAILED;
    return moved == 0 || execution_notify(db, job->arena, &move) ? TX_COMMIT : TX_FAILED;
}

static bool record(const struct ctx *ctx, struct arena *a, const struct execution *s,
                   const struct transaction *txs, const struct rpc_answers *answers, unsigned n,
                   bool *accepted)
{
    struct broadcast offers[OFFER_MAX];
    struct record_job job = { a, s, offers, n, NULL };

    for (unsigned i = 0; i < n; i++) {
        offers[i] = judge(&txs[i], &answers->items[i]);
        if (txs[i].kind == TX_SPEND && offers[i].said == BROADCAST_ACCEPTED)
            job.hash = txs[i].hash;
    }
    *accepted = job.hash != NULL;
    return STEP("offer.record", db_transact(ctx->db, record_tx, &job), TX_UNKNOWN) == TX_DONE;
}

bool broadcast_txs(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct execution *s,
                   const struct transaction *txs, unsigned n, unsigned deadline_ms, bool *accepted)
{
    struct buf body = BUF_INIT(MAX_TX * 8);
    struct rpc_batch batch = rpc_begin(&body);
    struct node_query q = { .chain = c, .batch = &batch, .role = NODE_SEND };
    bool ok = false;

    *accepted = false;
    n = n > OFFER_MAX ? OFFER_MAX : n;
    for (unsigned i = 0; i < n; i++)
        ask(&batch, &txs[i]);
    rpc_end(&batch);
    if (!FAULT("offer.post.before"))
        node_ask_all(ctx, &q, 1, deadline_ms, a);
    if (q.answered) {
        ok = !FAULT("offer.post.after") && record(ctx, a, s, txs, &q.answers, n, accepted);
        rpc_answers_free(&q.answers);
    }
    buf_free(&body);
    return ok;
}
