#include "lend/operation.h"

#include "chain/unavailable.h"
#include "exec/chain_ops.h"
#include "exec/commit_approval.h"
#include "lend/operation_plan.h"
#include "route/price.h"
#include "store/executions.h"
#include "store/lend_operations.h"
#include "store/lend_watches.h"
#include "store/wallets.h"

/* ---- hooks of the commit ---- */

static const struct err *lend_check(const struct commit *c)
{
    return lend_op_verdict(c->market, &c->state);
}

static void lend_spend_facts(const struct commit *c, struct spend_facts *o)
{
    lend_op_spend_facts(o, c->market, &c->state);
}

/* Two that each leave enough may together leave too little: so may one that has ended, where the simulation
 * is of a block before it. */
static const struct err *lend_locked(struct commit *c)
{
    const struct lend_op *l = c->market;
    uint64_t id;

    if (!lend_op_risks(l))
        return NULL;
    if (c->state.behind)
        return chain_behind(c->arena, l->place.chain);
    switch (lend_operations_under_way(c->ctx->db, l->wallet.id, l->place.chain->id, c->state.tried_at, &id)) {
    case LOOKUP_NONE:
        return NULL;
    case LOOKUP_FOUND:
        return lend_op_in_progress(l, id);
    case LOOKUP_ERROR:
        break;
    }
    return c->failure;
}

/* Monitoring of a wallet starts at its first loan; a loan that waits for an approval owes nothing yet. */
static bool debt_watch(const struct commit *c, struct db *db)
{
    const struct lend_op *l = c->market;
    const struct lend_watch_key key = { .agent_id = l->wallet.agent_id,
                                        .wallet_id = l->wallet.id,
                                        .chain_id = l->place.chain->id,
                                        .protocol = l->place.protocol,
                                        .market = lend_place_is_morpho(&l->place) ? l->place.id : "" };

    return l->act != LOAN_BORROW || c->out->awaits || lend_watches_put(db, &key);
}

static bool lend_store(struct commit *c, struct db *db)
{
    const struct lend_op *l = c->market;
    struct lend_operation *row = ARENA_NEW(c->arena, struct lend_operation);
    struct lend_stand after;

    if (!lend_op_after(&after, l, &c->state))
        return false;
    *row =
        (struct lend_operation){ .execution_id = c->out->execution.id,
                                 .agent_id = l->wallet.agent_id,
                                 .kind = l->kind,
                                 .everything = l->everything,
                                 .collateral = l->act == LOAN_PLEDGE || l->act == LOAN_RELEASE || l->enabled,
                                 .has_health = after.has_health,
                                 .health = after.health };
    (void)snprintf(row->market, sizeof row->market, "%s", l->place.id);
    c->out->own = row;
    return lend_operations_put(db, row) && debt_watch(c, db);
}

static const struct commit_hooks hooks = {
    .check = lend_check, .spend_facts = lend_spend_facts, .locked = lend_locked, .store = lend_store
};

/* ---- carrying it out ---- */

static const struct err *lend_op_commit(struct lend_op *l, struct commit *c)
{
    const struct err *e = lend_op_plan(l);

    if (e != NULL)
        return e;
    c->wallet = &l->wallet;
    c->plan = &l->plan;
    c->hooks = &hooks;
    c->terms = (struct execution){ .kind = l->kind,
                                   .once = l->once,
                                   .from = l->wraps ? l->plan.leaves.token : l->token,
                                   .to = l->token,
                                   .amount_in = l->amount,
                                   .expected_out = l->amount,
                                   .min_out = l->amount };
    (void)snprintf(c->terms.venue, sizeof c->terms.venue, "%s", l->place.protocol);
    if ((e = commit_run(c)) != NULL)
        return e;
    commit_send(c);
    return NULL;
}

static struct commit commit_of(const struct lend_op *l, const struct commit_note *note,
                               struct commit_result *out)
{
    return (struct commit){
        .ctx = l->ctx, .arena = l->arena, .market = l, .failure = &E_LEND_FAILED, .note = note, .out = out
    };
}

static struct lend_op *lend_op_of(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                  enum exec_kind_id kind)
{
    struct lend_op *l = ARENA_NEW(a, struct lend_op);

    *l = (struct lend_op){ .ctx = ctx, .arena = a, .agent = agent, .kind = kind, .once = uuid_random() };
    return l;
}

const struct err *lend_make(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                            const struct lend_asked *asked, const struct commit_note *note,
                            struct commit_result *out)
{
    struct lend_op *l = lend_op_of(ctx, a, agent, asked->kind);
    struct commit c = commit_of(l, note, out);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if ((e = lend_op_begin(l, asked)) == NULL)
        e = lend_op_commit(l, &c);
    return e != NULL ? lend_op_explain(l, &c.state, e) : NULL;
}

/* ---- with an approval ---- */

/* The health factor as it was shown: with two places. */
static struct u256 health_shown(const struct lend_operation *o)
{
    struct u256 cent = u256_from_u64(10000000000000000), rest, least;

    if (!o->has_health || !u256_div(&least, &rest, o->health, cent) || !u256_mul(&least, least, cent))
        return U256_ZERO;
    return least;
}

/* The terms as they are stored, in the market as it is by now. */
static const struct err *approved_begin(struct lend_op *l, const struct execution *x)
{
    struct lend_operation row;
    struct lend_asked asked = { .kind = l->kind };
    const struct err *e;

    if (lend_operations_get(l->ctx->db, x->id, &row) != LOOKUP_FOUND)
        return &E_LEND_FAILED;
    asked.named = (struct lend_named){ .market = row.market,
                                       .chain_id = x->from.chain_id,
                                       .asset = l->kind == KIND_LEND_COLLATERAL ? NULL : x->from.address };
    asked.amount =
        row.everything ? LEND_MAX : amount_text(l->arena, (struct amount){ x->amount_in, x->to.decimals });
    asked.collateral = l->kind != KIND_LEND_COLLATERAL && row.collateral;
    asked.enabled = l->kind == KIND_LEND_COLLATERAL && row.collateral;
    if ((e = lend_op_begin(l, &asked)) != NULL)
        return e;
    l->once = x->once;
    l->least_health = health_shown(&row);
    return wallets_get(l->ctx->db, x->wallet_id, &l->wallet) == LOOKUP_FOUND ? NULL : &E_LEND_FAILED;
}

static const struct err *approved_commit(struct lend_op *l, struct commit *c, const struct approval *ap)
{
    const struct err *e;

    c->approved = ap;
    c->slippage = ap->slippage;
    e = approved_begin(l, &c->out->execution);
    return e != NULL ? commit_explain(c, e) : lend_op_commit(l, c);
}

const struct err *lend_make_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                     enum exec_kind_id kind, const char *approval_id,
                                     const struct commit_note *note, struct commit_result *out)
{
    struct lend_op *l = lend_op_of(ctx, a, agent, kind);
    struct commit c = commit_of(l, note, out);
    struct approval ap;
    enum lookup found = commit_approval_find(ctx, a, agent->id, approval_id, &ap);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (found != LOOKUP_FOUND || ap.kind != kind)
        return found == LOOKUP_ERROR ? &E_LEND_FAILED : &E_APPROVAL_NOT_FOUND;
    if (executions_get(ctx->db, a, agent->id, ap.execution_id, &out->execution) != LOOKUP_FOUND)
        return &E_LEND_FAILED;
    if ((e = commit_approval_usable(&ap, out)) != NULL || out->awaits)
        return e;
    e = approved_commit(l, &c, &ap);
    return e != NULL ? lend_op_explain(l, &c.state, e) : NULL;
}

enum lookup lend_operation_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                               struct execution *out)
{
    enum lookup found = executions_get(ctx->db, a, agent_id, id, out);
    bool lends = found == LOOKUP_FOUND && exec_lends(out->kind);

    return found == LOOKUP_FOUND && !lends ? LOOKUP_NONE : found;
}
