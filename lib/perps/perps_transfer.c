#include "perps/perps_transfer.h"

#include <string.h>

#include "chain/chains.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/commit_approval.h"
#include "exec/elsewhere.h"
#include "exec/wallet.h"
#include "perps/perps_transfer_plan.h"
#include "perps/usdc_routes.h"
#include "service/conf.h"
#include "store/agent_versions.h"
#include "store/executions.h"
#include "store/perps_transfers.h"
#include "store/wallets.h"
#include "venue/hyperliquid_deposit.h"

static const char CHAIN[] = "arbitrum", VENUE[] = "hyperliquid";

const char *const perps_transfer_types[] = { "deposit", "withdrawal", NULL };

/* ---- the request ---- */

const struct err *perps_transfer_least(struct u256 amount)
{
    return u256_cmp(amount, u256_from_u64(HYPERLIQUID_BRIDGE_MIN)) < 0 ? &E_PERPS_LEAST : NULL;
}

static const struct err *chain_choose(struct perps_margin_op *m)
{
    const char *name = m->asked->chain != NULL ? m->asked->chain : CHAIN;
    const struct token *dollar;
    uint32_t domain;

    m->chain = chain_find(name);
    if (m->chain == NULL)
        return err_on(m->arena, err_fmt(m->arena, &E_CHAIN_UNKNOWN, name, NULL), "chain");
    dollar = token_find(m->chain, "USDC");
    if (dollar == NULL || !hyperliquid_domain(&domain, m->chain))
        return err_fmt(m->arena, &E_PERPS_CHAIN, m->chain->key, NULL);
    m->dollar = token_ref_of(dollar);
    return NULL;
}

static const struct err *amount_read(struct perps_margin_op *m)
{
    const char *text = m->asked->amount;
    const struct err *e;

    if (text == NULL)
        return err_on(m->arena, err_fmt(m->arena, &E_REQUIRED, "amount", NULL), "amount");
    m->everything = m->asked->kind == KIND_PERPS_WITHDRAWAL && strcmp(text, PERPS_MAX) == 0;
    if (m->everything)
        return NULL;
    e = token_ref_amount(m->arena, &m->dollar, text, &m->transfer.amount);
    return e != NULL ? e : perps_transfer_least(m->transfer.amount);
}

static const struct err *margin_op_begin(struct perps_margin_op *m)
{
    const struct err *e;

    if (!m->ctx->conf->perps_trading)
        return &E_PERPS_NOT_CONFIGURED;
    if ((e = chain_choose(m)) != NULL)
        return e;
    return amount_read(m);
}

/* ---- committing ---- */

/* Two that each leave enough may together take too much. */
static const struct err *transfer_locked(struct commit *c)
{
    const struct perps_margin_op *m = c->market;
    struct u256 left;

    if (m->asked->kind != KIND_PERPS_WITHDRAWAL)
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
    row.agent_id = m->wallet.agent_id;
    row.wallet_id = m->wallet.id;
    row.kind = m->asked->kind;
    row.chain_id = m->chain->id;
    return perps_transfers_put(db, &row);
}

static const struct commit_hooks hooks = { .locked = transfer_locked, .store = transfer_store };

/* The rest of it at the venue; less for the first credit. */
static const struct err *terms_set(struct perps_margin_op *m, struct execution *terms)
{
    const struct evm_addr user = evm_addr_or_zero(m->wallet.ref.address);
    struct u256 activation = U256_ZERO;
    const struct err *e = NULL;

    if (m->asked->kind == KIND_PERPS_DEPOSIT)
        e = usdc_activation_cost(m->ctx, m->arena, &user, &activation);
    *terms = (struct execution){ .kind = m->asked->kind,
                                 .once = m->once,
                                 .from = m->dollar,
                                 .to = m->dollar,
                                 .amount_in = m->transfer.amount,
                                 .expected_out = u256_sub_or_zero(m->transfer.expected, activation),
                                 .min_out = u256_sub_or_zero(m->transfer.least, activation) };
    (void)snprintf(terms->venue, sizeof terms->venue, "%s", VENUE);
    return e;
}

static const struct err *margin_op_commit(struct perps_margin_op *m, struct commit *c)
{
    const struct err *e;

    if ((e = m->asked->kind == KIND_PERPS_DEPOSIT ? perps_deposit_plan(m) : perps_withdrawal_plan(m)) !=
            NULL ||
        (e = terms_set(m, &c->terms)) != NULL)
        return commit_explain(c, e);
    c->wallet = &m->wallet;
    c->plan = &m->plan;
    if ((e = commit_run(c)) != NULL)
        return e;
    commit_send(c);
    return NULL;
}

static struct commit commit_of(const struct perps_margin_op *m, const struct commit_note *note,
                               struct commit_result *out)
{
    return (struct commit){ .ctx = m->ctx,
                            .arena = m->arena,
                            .hooks = &hooks,
                            .market = m,
                            .failure = &E_PERPS_TRANSFER_FAILED,
                            .note = note,
                            .out = out };
}

static struct perps_margin_op *margin_op_of(const struct ctx *ctx, struct arena *a,
                                            const struct perps_transfer_asked *asked)
{
    struct perps_margin_op *m = ARENA_NEW(a, struct perps_margin_op);

    *m = (struct perps_margin_op){ .ctx = ctx, .arena = a, .asked = asked, .once = uuid_random() };
    return m;
}

const struct err *perps_transfer_make(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                      const struct perps_transfer_asked *asked,
                                      const struct commit_note *note, struct commit_result *out)
{
    struct perps_margin_op *m = margin_op_of(ctx, a, asked);
    struct commit c = commit_of(m, note, out);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if ((e = margin_op_begin(m)) != NULL ||
        (e = wallet_need(ctx, agent->id, WALLET_EVM, asked->wallet_address, &m->wallet)) != NULL)
        return e;
    e = margin_op_commit(m, &c);
    if (asked->kind != KIND_PERPS_WITHDRAWAL || (!err_is(e, &E_PERPS_NOT_FUNDED) && !err_is(e, &E_BALANCE)))
        return e;
    return elsewhere_deposit(ctx, a, agent->id, KIND_PERPS_DEPOSIT, "/perps/transfer/", e);
}

/* ---- with an approval ---- */

/* The terms as they are stored. */
static const struct err *approved_commit(struct perps_margin_op *m, struct commit *c,
                                         const struct approval *ap, struct perps_transfer_asked *asked)
{
    const struct execution *x = &c->out->execution;
    const struct chain *chain = chain_by_id(x->from.chain_id);
    const struct err *e;

    asked->amount = amount_text(m->arena, (struct amount){ x->amount_in, x->from.decimals });
    asked->chain = chain != NULL ? chain->key : NULL;
    m->once = x->once;
    c->approved = ap;
    c->slippage = ap->slippage;
    if ((e = margin_op_begin(m)) != NULL)
        return commit_explain(c, e);
    if (wallets_get(m->ctx->db, x->wallet_id, &m->wallet) != LOOKUP_FOUND)
        return c->failure;
    return margin_op_commit(m, c);
}

const struct err *perps_transfer_make_approved(const struct ctx *ctx, struct arena *a,
                                               const struct agent *agent, const char *approval_id,
                                               const struct commit_note *note, struct commit_result *out)
{
    struct perps_transfer_asked asked = { .kind = KIND_PERPS_DEPOSIT };
    struct perps_margin_op *m = margin_op_of(ctx, a, &asked);
    struct commit c = commit_of(m, note, out);
    struct approval ap;
    enum lookup found = commit_approval_find(ctx, a, agent->id, approval_id, &ap);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (found != LOOKUP_FOUND || ap.kind != asked.kind)
        return found == LOOKUP_ERROR ? c.failure : &E_APPROVAL_NOT_FOUND;
    if (executions_get(ctx->db, a, agent->id, ap.execution_id, &out->execution) != LOOKUP_FOUND)
        return c.failure;
    if ((e = commit_approval_usable(&ap, out)) != NULL || out->awaits)
        return e;
    return approved_commit(m, &c, &ap, &asked);
}

enum lookup perps_transfer_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                               struct execution *out)
{
    enum lookup found = executions_get(ctx->db, a, agent_id, id, out);
    bool is_one =
        found == LOOKUP_FOUND && (out->kind == KIND_PERPS_DEPOSIT || out->kind == KIND_PERPS_WITHDRAWAL);

    return found == LOOKUP_FOUND && !is_one ? LOOKUP_NONE : found;
}

/* ---- of the kinds' rows ---- */

/* Whether the transaction that the wallet has sent, or that pays it, is in a block. */
static bool is_in_block(const struct tracked *w)
{
    int spent = w->count > 0 ? place_winner(w, w->spend) : -1;

    if (w->count > 0)
        return spent >= 0 && w->observations[spent].succeeded;
    return w->request_count > 0 &&
           (w->request_observations[0].tx_hash.len != 0 || w->requests[0].tx_hash.len != 0);
}

struct verdict perps_transfer_verdict(const struct tracked *w)
{
    struct verdict v = verdict_by_all(w);

    if ((v.to == EXEC_PENDING || v.to == EXEC_SUBMITTED) && is_in_block(w)) {
        v.to = EXEC_PROCESSING;
        v.why = "in a block";
    }
    return v;
}

bool perps_transfer_moved(struct db *db, const struct execution_move *moves, size_t n)
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

void perps_transfer_view(struct json_writer *w, const struct execution_shown *shown)
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

const char *perps_transfer_sentence(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;

    return arena_printf(a, "%s %llu of %s USDC %s perpetuals: %s%s%s", type_of(x), (unsigned long long)x->id,
                        amount_text(a, (struct amount){ x->amount_in, x->from.decimals }),
                        x->kind == KIND_PERPS_DEPOSIT ? "to" : "from", exec_status_text(x->status),
                        x->error_message != NULL ? ". " : "",
                        x->error_message != NULL ? x->error_message : "");
}

const char *perps_transfer_terms(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;

    return arena_printf(a, "%s of %s USDC on %s at %s", type_of(x),
                        amount_text(a, (struct amount){ x->amount_in, x->from.decimals }), chain_key(x),
                        x->venue);
}
