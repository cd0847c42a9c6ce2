#include "exec/broadcast.h"

#include "base/fault.h"
#include "exec/chain_ops.h"
#include "exec/notify.h"
#include "exec/submit_via.h"
#include "store/executions.h"
#include "store/transactions.h"

enum { BROADCAST_MAX = 16, DOOR_MS = 1000 };

struct broadcast_job {
    struct arena *arena;
    const struct execution *execution;
    struct broadcast sent[BROADCAST_MAX];
    unsigned count;
    const struct tx_hash *hash; /* of the execution's own transaction when it was taken */
};

static enum tx_verdict broadcast_record_tx(struct db *db, void *arg)
{
    const struct broadcast_job *job = arg;
    const struct execution_move move = {
        .id = job->execution->id,
        .kind = job->execution->kind,
        .agent_id = job->execution->agent_id,
        .from = EXEC_PENDING,
        .to = EXEC_SUBMITTED,
        .why = "a node took it",
        .tx_hash = job->hash,
        .untasked = job->execution->untasked,
    };

    /* The execution before its transactions: every writer locks in this order. */
    enum db_update moved = job->hash != NULL ? executions_move(db, &move, 1) : UNCHANGED;

    if (moved == DB_ERROR)
        return TX_FAILED;
    for (unsigned i = 0; i < job->count; i++)
        if (!transactions_broadcast(db, &job->sent[i]))
            return TX_FAILED;
    if (moved == UNCHANGED)
        return TX_COMMIT;
    return executions_count(db, &move, 1) != DB_ERROR && executions_notify(db, job->arena, &move, 1)
               ? TX_COMMIT
               : TX_FAILED;
}

static bool broadcast_record(const struct ctx *ctx, struct arena *a, const struct execution *x,
                             const struct transaction *txs, const enum broadcast_result *said, unsigned n,
                             bool *accepted)
{
    struct broadcast_job job = { .arena = a, .execution = x, .count = n };

    for (unsigned i = 0; i < n; i++) {
        job.sent[i] = (struct broadcast){ .id = txs[i].effect.id, .said = said[i] };
        if (txs[i].kind == TX_SPEND && said[i] == BROADCAST_ACCEPTED)
            job.hash = &txs[i].hash;
    }
    *accepted = job.hash != NULL;
    return STEP("offer.record", db_transact(ctx->db, broadcast_record_tx, &job), TX_UNKNOWN) == TX_DONE;
}

/* The provider that built the transaction gets the same bytes if no node accepted them, and once more if a
 * node did but no block has them yet. The call waits only until they are sent; the answer is not read. */
static bool broadcast_via(const struct ctx *ctx, struct arena *a, const struct transaction *t,
                          enum broadcast_result said)
{
    struct call call;

    if (t->submit_via == NULL || (said == BROADCAST_ACCEPTED && t->effect.broadcasts != 1) ||
        FAULT("door.before") || !submit_via_ask(&call, ctx, a, t))
        return false;
    (void)calls_run(ctx->net, &call, 1, DOOR_MS);
    call_free(&call);
    return !FAULT("door.after");
}

/* False: neither a node nor a provider was asked. */
static bool broadcast_everywhere(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                 const struct transaction *txs, unsigned n, unsigned deadline_ms,
                                 enum broadcast_result *said)
{
    bool asked = chain_ops_of(c)->send(ctx, a, txs, n, deadline_ms, said);

    for (unsigned i = 0; !asked && i < n; i++)
        said[i] = BROADCAST_UNKNOWN;
    for (unsigned i = 0; i < n; i++)
        asked = broadcast_via(ctx, a, &txs[i], said[i]) || asked;
    return asked;
}

bool broadcast_txs(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct execution *x,
                   const struct transaction *txs, unsigned n, unsigned deadline_ms, bool *accepted)
{
    enum broadcast_result said[BROADCAST_MAX];

    *accepted = false;
    n = n > BROADCAST_MAX ? BROADCAST_MAX : n;
    if (FAULT("offer.post.before") || !broadcast_everywhere(ctx, a, c, txs, n, deadline_ms, said))
        return false;
    return !FAULT("offer.post.after") && broadcast_record(ctx, a, x, txs, said, n, accepted);
}
