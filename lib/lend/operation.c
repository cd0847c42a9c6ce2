#include "lend/operation.h"

#include "chain/chains.h"
#include "chain/unavailable.h"
#include "exec/verdict.h"
#include "lend/market.h"
#include "lend/operation_plan.h"
#include "store/lend_operations.h"
#include "store/lend_watches.h"
#include "swap/swap_view.h"

enum { HEALTH_PLACES = 18, TERMS_PLACES = 2, USD_PLACES = 6 };

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
    switch (
        lend_operations_under_way(c->ctx->db, l->op.wallet.id, l->place.chain->id, c->state.tried_at, &id)) {
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
    const struct lend_watch_key key = { .agent_id = l->op.wallet.agent_id,
                                        .wallet_id = l->op.wallet.id,
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
                                 .agent_id = l->op.wallet.agent_id,
                                 .kind = l->op.kind,
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

static const struct err *lend_plan(void *op, struct commit *c)
{
    struct lend_op *l = op;
    const struct err *e = lend_op_plan(l);

    c->terms = (struct execution){ .from = l->wraps ? l->op.plan.leaves.token : l->token,
                                   .to = l->token,
                                   .amount_in = l->amount,
                                   .expected_out = l->amount,
                                   .min_out = l->amount };
    (void)snprintf(c->terms.venue, sizeof c->terms.venue, "%s", l->place.protocol);
    return e;
}

static const struct err *lend_explain(void *op, const struct commit *c, const struct err *e)
{
    return lend_op_explain(op, &c->state, e);
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
static const struct err *lend_resume(void *op, const struct execution *x)
{
    struct lend_op *l = op;
    struct lend_operation row;
    struct lend_asked asked = { .by = { NULL } };
    const struct err *e;

    if (lend_operations_get(l->op.ctx->db, x->id, &row) != LOOKUP_FOUND)
        return &E_LEND_FAILED;
    asked.named = (struct lend_named){ .market = row.market,
                                       .chain_id = x->from.chain_id,
                                       .asset = l->op.kind == KIND_LEND_COLLATERAL ? NULL : x->from.address };
    asked.amount =
        row.everything ? LEND_MAX : amount_text(l->op.arena, (struct amount){ x->amount_in, x->to.decimals });
    asked.collateral = l->op.kind != KIND_LEND_COLLATERAL && row.collateral;
    asked.enabled = l->op.kind == KIND_LEND_COLLATERAL && row.collateral;
    if ((e = lend_op_begin(l, &asked)) != NULL)
        return e;
    l->least_health = health_shown(&row);
    return NULL;
}

/* ---- as it is shown ---- */

static bool lend_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct lend_operation *o = ARENA_NEW(a, struct lend_operation);

    *own = o;
    return lend_operations_get(db, x->id, o) == LOOKUP_FOUND;
}

/* The final amount, once the chain has shown it. */
static struct amount amount_of(const struct execution *x)
{
    return (struct amount){ x->has_amount_out ? x->amount_out : x->amount_in, x->to.decimals };
}

static const char *chain_key(const struct execution *x)
{
    const struct chain *c = chain_by_id(x->to.chain_id);

    return c != NULL ? c->key : "unknown";
}

void lend_health_write(struct json_writer *w, const char *key, bool known, struct u256 health)
{
    if (known)
        lend_number_write(w, key, (struct amount){ health, HEALTH_PLACES }, LEND_HEALTH_PLACES);
    else
        jw_null(w, key);
}

void lend_usd_write(struct json_writer *w, const char *key, bool known, struct amount usd)
{
    if (known)
        lend_number_write(w, key, usd, USD_PLACES);
    else
        jw_null(w, key);
}

/* The kind of a transaction before or after the main step. */
static const char *transaction_kind(const struct execution_shown *x, unsigned i)
{
    const struct transaction *t = &x->txs[i];

    if (t->kind == TX_APPROVAL)
        return u256_is_zero(t->token_amount) ? "revocation" : "approval";
    if (t->kind != TX_SPEND)
        return transaction_text(t);
    return u256_is_zero(t->value) ? lend_type_of(x->execution->kind) : "wrap";
}

static void transactions_write(struct json_writer *w, const struct execution_shown *x)
{
    jw_array(w, "transactions");
    for (unsigned i = 0; i < x->tx_count; i++) {
        const struct transaction *t = &x->txs[i];

        jw_object(w, NULL);
        jw_string(w, "kind", transaction_kind(x, i));
        jw_string_or_null(w, "tx_hash", tx_hash_text(w->arena, t->chain_id, &t->hash));
        jw_string(w, "status", transaction_status_text(t));
        jw_end(w);
    }
    jw_end(w);
}

static void lend_view(struct json_writer *w, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct lend_operation *own = shown->own;

    jw_integer(w, "id", (int64_t)x->id);
    jw_string(w, "type", lend_type_of(x->kind));
    jw_string(w, "market", own->market);
    jw_string(w, "protocol", x->venue);
    jw_string(w, "chain", chain_key(x));
    jw_integer(w, "chainId", (int64_t)x->to.chain_id);
    jw_string(w, "asset", x->to.symbol);
    if (x->kind == KIND_LEND_COLLATERAL)
        jw_null(w, "amount");
    else
        amount_write(w, "amount", amount_of(x));
    jw_bool(w, "collateral", own->collateral);
    jw_string(w, "status", exec_status_text(x->status));
    jw_string_or_null(w, "tx_hash", tx_hash_text(w->arena, x->to.chain_id, &x->tx_hash));
    lend_health_write(w, "healthFactorAfter", own->has_health, own->health);
    jw_time(w, "created_at", x->created_ms);
    jw_time(w, "completed_at", x->completed_ms);
    jw_string_or_null(w, "error", x->error_message);
}

/* ---- as a sentence ---- */

static const char *act_text(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct lend_operation *own = shown->own;

    if (x->kind == KIND_LEND_COLLATERAL)
        return arena_printf(a, "%s as collateral %s", x->to.symbol, own->collateral ? "on" : "off");
    return arena_printf(a, "%s of %s %s%s", lend_type_of(x->kind), amount_text(a, amount_of(x)), x->to.symbol,
                        own->collateral ? " as collateral" : "");
}

static const char *lend_sentence(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;

    return arena_printf(a, "operation %llu, %s at %s on %s: %s%s%s", (unsigned long long)x->id,
                        act_text(a, shown), x->venue, chain_key(x), exec_status_text(x->status),
                        x->error_message != NULL ? ". " : "",
                        x->error_message != NULL ? x->error_message : "");
}

static const char *lend_terms(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct lend_operation *own = shown->own;
    const char *health =
        own->has_health
            ? arena_printf(a, ", health factor at least %s afterwards",
                           amount_places_down(a, (struct amount){ own->health, HEALTH_PLACES }, TERMS_PLACES))
            : "";

    return arena_printf(a, "%s at %s on %s, market %s%s", act_text(a, shown), x->venue, chain_key(x),
                        own->market, health);
}

/* ---- the kinds ---- */

static const struct action lend_action = { .op_size = sizeof(struct lend_op),
                                           .failure = &E_LEND_FAILED,
                                           .hooks = &hooks,
                                           .begin = lend_op_begin,
                                           .resume = lend_resume,
                                           .plan = lend_plan,
                                           .explain = lend_explain,
                                           .member = "operation",
                                           .members = "operations",
                                           .not_found = &E_LEND_OPERATION_NOT_FOUND,
                                           .page = lend_operations_page,
                                           .lists_fewer_statuses = true,
                                           .kind_of = lend_kind_of,
                                           .detail = transactions_write };

#define LEND_KIND                                                                                            \
    .action = &lend_action, .event_completed = "lend.completed", .event_failed = "lend.failed",              \
    .replaceable = true, .verdict = verdict_by_spend, .read = lend_read, .view = lend_view,                  \
    .sentence = lend_sentence, .terms = lend_terms

const struct exec_kind lend_supply_kind = {
    .name = "supply", .venue_class = "lend", .gives = true, LEND_KIND
};
const struct exec_kind lend_withdraw_kind = {
    .name = "withdrawal", .venue_class = "lend", .policies = POLICIES_WATCH, LEND_KIND
};
const struct exec_kind lend_borrow_kind = {
    .name = "borrowing", .venue_class = "lend", .policies = POLICIES_DEBT, LEND_KIND
};
/* No limit may keep a wallet from being saved. */
const struct exec_kind lend_repay_kind = {
    .name = "repayment", .halts = HALTED_BY_ALL, .policies = POLICIES_NONE, .gives = true, LEND_KIND
};
const struct exec_kind lend_collateral_kind = {
    .name = "collateral", .venue_class = "lend", .policies = POLICIES_WATCH, LEND_KIND
};
