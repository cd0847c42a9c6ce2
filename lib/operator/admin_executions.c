#include "operator/admin_executions.h"

#include "base/params.h"
#include "chain/chains.h"
#include "exec/kind.h"
#include "exec/reopen.h"
#include "operator/admin_agents.h"
#include "store/executions.h"
#include "store/transactions.h"

static const char *amount_of(struct arena *a, const struct token_ref *t, struct u256 amount)
{
    const struct chain *c = chain_by_id(t->chain_id);

    return arena_printf(a, "%s %s on %s", amount_text(a, (struct amount){ amount, t->decimals }), t->symbol,
                        c != NULL ? c->key : "a chain that this program does not know");
}

enum lookup operator_report_execution(const struct ctx *ctx, struct arena *a, uint64_t id,
                                      struct execution_report *out)
{
    struct execution *x = &out->execution;
    const struct exec_kind *kind;
    enum lookup found = executions_get(ctx->db, a, 0, id, x);

    if (found != LOOKUP_FOUND)
        return found;
    found = lookup_agent_uuid(ctx->db, x->agent_id, &out->agent);
    if (found != LOOKUP_FOUND) /* its agent was deleted meanwhile */
        return found;
    kind = exec_kind_of(x->kind);
    out->name = kind != NULL ? kind->name : "unknown";
    out->in = amount_of(a, &x->from, x->amount_in);
    out->out = x->to.symbol[0] == '\0'
                   ? NULL
                   : amount_of(a, &x->to, x->has_amount_out ? x->amount_out : x->expected_out);
    out->status = exec_status_text(x->status);
    return LOOKUP_FOUND;
}

/* ---- the next step ---- */

static bool has_ended(const struct execution *x)
{
    return x->status == EXEC_COMPLETED || x->status == EXEC_FAILED || x->status == EXEC_EXPIRED;
}

/* The next action on an execution that transactions have to carry out. */
static const char *sending_next(const struct transaction *txs, unsigned n)
{
    const struct effect *open = NULL;

    for (unsigned i = 0; i < n && open == NULL; i++)
        if (txs[i].effect.state == EFFECT_OPEN)
            open = &txs[i].effect;
    if (open == NULL)
        return "its transactions are in blocks and wait for confirmations";
    switch (open->said) {
    case BROADCAST_UNDERPRICED:
        return "its transaction bids too little for the nodes and is signed again for a higher fee";
    case BROADCAST_NO_FUNDS:
        return "its wallet cannot pay the fee: its transaction is sent again";
    case BROADCAST_REFUSED:
        return "nodes refuse its transaction: it is sent again until it has lapsed";
    case BROADCAST_ACCEPTED:
        return "nodes have its transaction: it is looked for in blocks, sent again or given a higher fee";
    case BROADCAST_UNKNOWN:
        break;
    }
    return "no node has said anything to its transaction: it is sent again";
}

const char *execution_next(const struct execution *x, const struct transaction *txs, unsigned n,
                           const struct execution_due *due, int64_t *at_ms)
{
    bool waits = x->status == EXEC_PENDING && x->has_approval && n == 0;

    *at_ms = waits ? x->approval_expires_ms : x->follow == FOLLOW_BRIDGE ? due->bridge_ms : due->due_ms;
    if (waits)
        return "waits for the operator's approval, and lapses without it";
    if (x->follow == FOLLOW_NOT) {
        *at_ms = 0;
        return "nothing: it has ended";
    }
    if (due->leased) {
        *at_ms = 0;
        return "a job is at work on it";
    }
    if (x->follow == FOLLOW_ONCE_MORE)
        return "its failure is held against the chain once more";
    if (x->follow == FOLLOW_BRIDGE)
        return "its bridge is asked again whether it has paid";
    if (has_ended(x))
        return "its transaction is watched until it is final";
    return n > 0 ? sending_next(txs, n) : "its venue is asked what became of its request";
}

/* ---- lists ---- */

const char *operator_list_executions(const struct ctx *ctx, struct arena *a, const char *agent,
                                     enum execution_pick pick, unsigned max, struct execution_report **out,
                                     size_t *count)
{
    struct agent found = { .id = 0 };
    const char *problem = agent == NULL ? NULL : operator_find_agent(ctx, a, agent, &found);
    uint64_t *ids;
    int n;

    *count = 0;
    if (problem != NULL)
        return problem;
    n = lookup_executions(ctx->db, a, found.id, pick, max, &ids);
    if (n < 0)
        return OPERATOR_DATABASE_FAILED;
    *out = ARENA_ARRAY(a, struct execution_report, (size_t)n);
    for (int i = 0; i < n; i++) {
        enum lookup one = operator_report_execution(ctx, a, ids[i], &(*out)[*count]);

        if (one == LOOKUP_ERROR)
            return OPERATOR_DATABASE_FAILED;
        *count += one == LOOKUP_FOUND;
    }
    return NULL;
}

/* ---- one ---- */

const char *broadcast_said_text(enum broadcast_result said)
{
    static const char *const texts[] = {
        [BROADCAST_UNKNOWN] = "nothing",         [BROADCAST_ACCEPTED] = "taken",
        [BROADCAST_UNDERPRICED] = "underpriced", [BROADCAST_NO_FUNDS] = "no funds",
        [BROADCAST_REFUSED] = "refused",
    };

    return texts[said];
}

const char *effect_state_text(enum effect_state state)
{
    static const char *const texts[] = {
        [EFFECT_OPEN] = "open", [EFFECT_INCLUDED] = "included", [EFFECT_SETTLED] = "settled",
        [EFFECT_LOST] = "lost", [EFFECT_RENEWED] = "renewed",
    };

    return texts[state];
}

const char *operator_reopen(const struct ctx *ctx, struct arena *a, const char *id)
{
    struct execution x;
    uint64_t number;
    enum lookup found = params_whole(&number, id) ? executions_get(ctx->db, a, 0, number, &x) : LOOKUP_NONE;

    if (found == LOOKUP_ERROR)
        return OPERATOR_DATABASE_FAILED;
    if (found == LOOKUP_NONE)
        return arena_printf(a, OPERATOR_NO_SUCH "swap: %s", id);
    switch (execution_reopen(ctx->db, number)) {
    case UPDATED:
        return NULL;
    case UNCHANGED:
        return "it is followed already, or has no transaction";
    default:
        return OPERATOR_DATABASE_FAILED;
    }
}

const char *operator_execution_details(const struct ctx *ctx, struct arena *a, const char *id,
                                       struct execution_details *out)
{
    uint64_t number;
    enum lookup found =
        params_whole(&number, id) ? operator_report_execution(ctx, a, number, &out->report) : LOOKUP_NONE;
    struct execution_due due;
    int transactions, steps;

    if (found == LOOKUP_NONE)
        return arena_printf(a, OPERATOR_NO_SUCH "swap: %s", id);
    transactions = found == LOOKUP_FOUND ? transactions_of(ctx->db, a, number, &out->transactions) : -1;
    steps = transactions < 0 ? -1 : lookup_history(ctx->db, a, number, &out->steps);
    if (steps < 0 || lookup_due(ctx->db, number, &due) != LOOKUP_FOUND ||
        lookup_request(ctx->db, a, number, &out->request_id) != LOOKUP_FOUND)
        return OPERATOR_DATABASE_FAILED;
    out->transaction_count = (size_t)transactions;
    out->step_count = (size_t)steps;
    out->next = execution_next(&out->report.execution, out->transactions, (unsigned)transactions, &due,
                               &out->next_ms);
    return NULL;
}
