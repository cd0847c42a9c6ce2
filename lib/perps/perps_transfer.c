#include "perps/perps_transfer.h"

#include <string.h>

#include "chain/chains.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/elsewhere.h"
#include "exec/verdict.h"
#include "exec/wallet.h"
#include "perps/perps_transfer_plan.h"
#include "perps/usdc_routes.h"
#include "service/conf.h"
#include "store/agent_versions.h"
#include "store/executions.h"
#include "store/perps_transfers.h"
#include "venue/hyperliquid_deposit.h"

static const char CHAIN[] = "arbitrum", VENUE[] = "hyperliquid";

const char *const perps_transfer_types[] = { "deposit", "withdrawal", NULL };

/* ---- the request ---- */

const struct err *perps_transfer_least(struct u256 amount)
{
    return u256_cmp(amount, u256_from_u64(HYPERLIQUID_BRIDGE_MIN)) < 0 ? &E_PERPS_LEAST : NULL;
}

static const struct err *chain_choose(struct perps_margin_op *m, const char *asked)
{
    const char *name = asked != NULL ? asked : CHAIN;
    const struct token *dollar;
    uint32_t domain;

    m->chain = chain_find(name);
    if (m->chain == NULL)
        return err_on(m->op.arena, err_fmt(m->op.arena, &E_CHAIN_UNKNOWN, name, NULL), "chain");
    dollar = token_find(m->chain, "USDC");
    if (dollar == NULL || !hyperliquid_domain(&domain, m->chain))
        return err_fmt(m->op.arena, &E_PERPS_CHAIN, m->chain->key, NULL);
    m->dollar = token_ref_of(dollar);
    return NULL;
}

static const struct err *amount_read(struct perps_margin_op *m, const char *text)
{
    const struct err *e;

    if (text == NULL)
        return err_on(m->op.arena, err_fmt(m->op.arena, &E_REQUIRED, "amount", NULL), "amount");
    m->everything = m->op.kind == KIND_PERPS_WITHDRAWAL && strcmp(text, PERPS_MAX) == 0;
    if (m->everything)
        return NULL;
    e = token_ref_amount(m->op.arena, &m->dollar, text, &m->transfer.amount);
    return e != NULL ? e : perps_transfer_least(m->transfer.amount);
}

static const struct err *terms_read(struct perps_margin_op *m, const char *chain, const char *amount)
{
    const struct err *e;

    if (!m->op.ctx->conf->perps_trading)
        return &E_PERPS_NOT_CONFIGURED;
    if ((e = chain_choose(m, chain)) != NULL)
        return e;
    return amount_read(m, amount);
}

static const struct err *margin_op_begin(void *op, const void *what)
{
    struct perps_margin_op *m = op;
    const struct perps_transfer_asked *asked = what;
    const struct err *e = terms_read(m, asked->chain, asked->amount);

    if (e != NULL)
        return e;
    return wallet_need(m->op.ctx, m->op.agent->id, WALLET_EVM, asked->wallet_address, &m->op.wallet);
}

/* The terms as they are stored. */
static const struct err *margin_op_resume(void *op, const struct execution *x)
{
    struct perps_margin_op *m = op;
    const struct chain *chain = chain_by_id(x->from.chain_id);

    return terms_read(m, chain != NULL ? chain->key : NULL,
                      amount_text(m->op.arena, (struct amount){ x->amount_in, x->from.decimals }));
}

/* ---- committing ---- */

/* Two that each leave enough may together take too much. */
static const struct err *transfer_locked(struct commit *c)
{
    const struct perps_margin_op *m = c->market;
    struct u256 left;

    if (m->op.kind != KIND_PERPS_WITHDRAWAL)
        return NULL;
    if (!perps_withdrawal_left(m, &left))
        return c->failure;
    return perps_withdrawal_check(m, left);
}

static bool transfer_store(struct commit *c, struct db *db)
{
    const struct perps_margin_op *m = c->market;
    struct perps_transfer row = m->transfer;

    row.execution_id = c->out->execution.id;
    row.agent_id = m->op.wallet.agent_id;
    row.wallet_id = m->op.wallet.id;
    row.kind = m->op.kind;
    row.chain_id = m->chain->id;
    return perps_transfers_put(db, &row);
}

static const struct commit_hooks hooks = { .locked = transfer_locked, .store = transfer_store };

/* The rest of it at the venue; less for the first credit. */
static const struct err *terms_set(struct perps_margin_op *m, struct execution *terms)
{
    const struct evm_addr user = evm_addr_or_zero(m->op.wallet.ref.address);
    struct u256 activation = U256_ZERO;
    const struct err *e = NULL;

    if (m->op.kind == KIND_PERPS_DEPOSIT)
        e = usdc_activation_cost(m->op.ctx, m->op.arena, &user, &activation);
    *terms = (struct execution){ .from = m->dollar,
                                 .to = m->dollar,
                                 .amount_in = m->transfer.amount,
                                 .expected_out = u256_sub_or_zero(m->transfer.expected, activation),
                                 .min_out = u256_sub_or_zero(m->transfer.least, activation) };
    (void)snprintf(terms->venue, sizeof terms->venue, "%s", VENUE);
    return e;
}

static const struct err *margin_op_plan(void *op, struct commit *c)
{
    struct perps_margin_op *m = op;
    const struct err *e = m->op.kind == KIND_PERPS_DEPOSIT ? perps_deposit_plan(m) : perps_withdrawal_plan(m);

    return e != NULL ? e : terms_set(m, &c->terms);
}

static const struct err *margin_op_explain(void *op, const struct commit *c, const struct err *e)
{
    const struct perps_margin_op *m = op;

    (void)c;
    if (m->op.kind != KIND_PERPS_WITHDRAWAL || (!err_is(e, &E_PERPS_NOT_FUNDED) && !err_is(e, &E_BALANCE)))
        return e;
    return elsewhere_deposit(m->op.ctx, m->op.arena, m->op.agent->id, KIND_PERPS_DEPOSIT, "/perps/transfer/",
                             e);
}

/* ---- as the engine and agents see it ---- */

/* Whether the transaction that the wallet has sent, or that pays it, is in a block. */
static bool is_in_block(const struct tracked *w)
{
    int spent = w->count > 0 ? place_winner(w, w->spend) : -1;

    if (w->count > 0)
        return spent >= 0 && w->observations[spent].succeeded;
    return w->request_count > 0 &&
           (w->request_observations[0].tx_hash.len != 0 || w->requests[0].tx_hash.len != 0);
}

static struct verdict perps_transfer_verdict(const struct tracked *w)
{
    struct verdict v = verdict_by_all(w);

    if ((v.to == EXEC_PENDING || v.to == EXEC_SUBMITTED) && is_in_block(w)) {
        v.to = EXEC_PROCESSING;
        v.why = "in a block";
    }
    return v;
}

static bool perps_transfer_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    bool recorded = true;

    for (size_t i = 0; i < n && recorded; i++)
        recorded = agent_versions_renew(db, moves[i].agent_id) &&
                   (moves[i].to != EXEC_COMPLETED || perps_transfers_prove(db, moves[i].id));
    return recorded;
}

/* The part that does not arrive, once that is known, or the expected part. */
static struct u256 fee_of(const struct execution *x)
{
    return u256_sub_or_zero(x->amount_in, x->has_amount_out ? x->amount_out : x->expected_out);
}

static const char *type_of(const struct execution *x)
{
    return perps_transfer_types[x->kind == KIND_PERPS_WITHDRAWAL];
}

static const char *chain_key(const struct execution *x)
{
    const struct chain *c = chain_by_id(x->from.chain_id);

    return c != NULL ? c->key : "unknown";
}

static const char *tx_hash_shown(struct arena *a, const struct execution *x)
{
    const struct chain_ops *f = chain_ops_of(chain_by_id(x->from.chain_id));

    return x->tx_hash.len == 0 || f == NULL ? NULL : f->hash_text(a, &x->tx_hash);
}

static void perps_transfer_view(struct json_writer *w, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    uint8_t places = x->from.decimals;

    jw_integer(w, "id", (int64_t)x->id);
    jw_string(w, "type", type_of(x));
    amount_write(w, "amount", (struct amount){ x->amount_in, places });
    amount_write(w, "fee", (struct amount){ fee_of(x), places });
    jw_string(w, "chain", chain_key(x));
    jw_string(w, "status", exec_status_text(x->status));
    jw_string_or_null(w, "tx_hash", tx_hash_shown(w->arena, x));
    jw_time(w, "created_at", x->created_ms);
    jw_time(w, "completed_at", x->completed_ms);
    jw_string_or_null(w, "error", x->error_message);
}

static const char *perps_transfer_sentence(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;

    return arena_printf(a, "%s %llu of %s USDC %s perpetuals: %s%s%s", type_of(x), (unsigned long long)x->id,
                        amount_text(a, (struct amount){ x->amount_in, x->from.decimals }),
                        x->kind == KIND_PERPS_DEPOSIT ? "to" : "from", exec_status_text(x->status),
                        x->error_message != NULL ? ". " : "",
                        x->error_message != NULL ? x->error_message : "");
}

static const char *perps_transfer_terms(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;

    return arena_printf(a, "%s of %s USDC on %s at %s", type_of(x),
                        amount_text(a, (struct amount){ x->amount_in, x->from.decimals }), chain_key(x),
                        x->venue);
}

/* ---- the kinds ---- */

static const struct action margin_action = { .op_size = sizeof(struct perps_margin_op),
                                             .failure = &E_PERPS_TRANSFER_FAILED,
                                             .hooks = &hooks,
                                             .begin = margin_op_begin,
                                             .resume = margin_op_resume,
                                             .plan = margin_op_plan,
                                             .explain = margin_op_explain,
                                             .member = "transfer",
                                             .members = "transfers",
                                             .not_found = &E_TRANSFER_NOT_FOUND,
                                             .not_found_hint = "GET /perps/transfers lists them",
                                             .page = perps_transfers_page };

#define MARGIN_KIND                                                                                          \
    .action = &margin_action, .event_completed = "perps.transfer.completed",                                 \
    .event_failed = "perps.transfer.failed", .verdict = perps_transfer_verdict,                              \
    .moved = perps_transfer_moved, .view = perps_transfer_view, .sentence = perps_transfer_sentence

/* Margin leaves the wallet, and comes home to it. */
const struct exec_kind perps_deposit_kind = {
    .name = "deposit", .venue_class = "perps", .replaceable = true, .terms = perps_transfer_terms, MARGIN_KIND
};
const struct exec_kind perps_withdrawal_kind = {
    .name = "withdrawal", .halts = HALTED_BY_ALL, .policies = POLICIES_NONE, MARGIN_KIND
};
