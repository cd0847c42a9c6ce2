#include "predict/predict_transfer.h"

#include <string.h>

#include "base/clock.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/elsewhere.h"
#include "exec/verdict.h"
#include "exec/wallet.h"
#include "net/venues.h"
#include "predict/account.h"
#include "predict/balance_venue.h"
#include "predict/relayer_quota.h"
#include "predict/relayer_venue.h"
#include "predict/transfer_plan.h"
#include "store/agent_versions.h"
#include "store/executions.h"
#include "store/orders.h"
#include "store/requests.h"
#include "venue/polymarket_calls.h"

/* ---- pieces of plans ---- */

static struct token_ref token_at(const char *address)
{
    return token_ref_of(token_find(chain_by_id(POLYMARKET_CHAIN_ID), address));
}

struct token_ref transfer_collateral(void)
{
    return token_at(POLYMARKET_COLLATERAL);
}

struct token_ref transfer_dollar(void)
{
    return token_at(POLYMARKET_DOLLAR);
}

void transfer_step(struct transfer *t, const char *to, struct buf *data, const char *token,
                   const char *spender)
{
    struct plan *p = &t->op.plan;

    p->spend = p->count++;
    p->steps[p->spend] = (struct step){ .kind = TX_SPEND,
                                        .to = to,
                                        .data = arena_memdup(t->op.arena, data->data, data->len),
                                        .data_len = data->len,
                                        .token = token,
                                        .spender = spender,
                                        .token_amount = t->amount };
    buf_free(data);
}

void transfer_unwrap(struct transfer *t, struct u256 amount)
{
    struct buf data = BUF_INIT(256);

    polymarket_unwrap(&data, t->trading.owner, amount);
    if (t->trading.is_contract) {
        trading_batch_allow(&t->batch, t->op.arena, evm_addr_or_zero(POLYMARKET_OFFRAMP), amount);
        trading_batch_add(&t->batch, t->op.arena, evm_addr_or_zero(POLYMARKET_OFFRAMP), &data);
        return;
    }
    chain_ops_of(t->op.plan.chain)
        ->allow(&t->op.plan, t->op.arena, POLYMARKET_COLLATERAL, POLYMARKET_OFFRAMP, amount);
    transfer_step(t, POLYMARKET_OFFRAMP, &data, POLYMARKET_COLLATERAL, POLYMARKET_OFFRAMP);
}

void transfer_tell(struct transfer *t, bool leaves)
{
    struct balance_order *order = ARENA_NEW(t->op.arena, struct balance_order);

    *order = (struct balance_order){ .before = t->trading.collateral, .amount = t->amount, .leaves = leaves };
    t->op.plan.deadline += BALANCE_S;
    balance_request(&t->op.plan, t->op.arena, order);
}

bool transfer_reserved(struct db *db, uint64_t wallet_id, int64_t seen_ms, struct u256 *out)
{
    struct order_reservation r;

    if (!orders_reserved(db, wallet_id, &U256_ZERO, seen_ms, &r))
        return false;
    *out = u256_from_u64(r.collateral);
    return true;
}

/* ---- committing ---- */

/* Orders may hold what is to be withdrawn; a deposit wallet does one batch at a time. */
static const struct err *transfer_locked(struct commit *c)
{
    const struct transfer *t = c->market;
    struct u256 reserved, needed;

    if (t->op.kind == KIND_PREDICT_WITHDRAWAL) {
        if (!transfer_reserved(c->ctx->db, c->wallet->id, t->seen_ms, &reserved))
            return c->failure;
        if (!u256_add(&needed, reserved, t->amount) || u256_cmp(t->trading.collateral, needed) < 0)
            return &E_ALLOWANCE;
    }
    return t->trading.is_contract ? trading_batch_free(c, &t->trading) : NULL;
}

static const struct commit_hooks transfer_hooks = { .locked = transfer_locked };

static const struct err *transfer_poll(struct transfer *t)
{
    const struct err *e = account_open(t->op.ctx, t->op.arena, &t->op.wallet, &t->account);

    if (e != NULL)
        return e;
    if (!db_clock_ms(t->op.ctx->db, &t->seen_ms))
        return &E_TRANSFER_FAILED;
    return trading_wallet_poll(t->op.ctx, t->op.arena, &t->account, &t->trading);
}

static const struct err *transfer_op_plan(struct transfer *t)
{
    const struct err *e = transfer_poll(t);

    if (e != NULL)
        return e;
    trading_batch_begin(&t->batch, &t->trading);
    t->op.plan = (struct plan){ .chain = chain_by_id(POLYMARKET_CHAIN_ID),
                                .wallet = t->op.wallet.ref.address,
                                .deadline = clock_seconds() + TRADING_BATCH_VALID_S };
    switch (t->op.kind) {
    case KIND_PREDICT_DEPOSIT: /* what it brings could not trade */
        if ((e = venue_check(t->op.arena, VENUE_CLOB)) == NULL)
            e = deposit_plan(t);
        break;
    case KIND_PREDICT_WITHDRAWAL:
        e = withdrawal_plan(t);
        break;
    default:
        e = redemption_plan(t);
    }
    for (size_t i = 0; e == NULL && i < t->op.plan.request_count; i++)
        if (t->op.plan.requests[i].venue == &relayer_venue)
            e = relayer_quota_check(t->op.ctx, t->op.arena, t->op.plan.requests[i].expires_ms / 1000,
                                    &E_TRANSFER_FAILED);
    /* Requests need no chain of the engine's. */
    if (t->op.plan.count == 0)
        t->op.plan.chain = NULL;
    return e;
}

static const struct err *transfer_plan(void *op, struct commit *c)
{
    struct transfer *t = op;
    const struct err *e = transfer_op_plan(t);

    t->terms.amount_in = t->terms.expected_out = t->terms.min_out = t->amount;
    (void)snprintf(t->terms.venue, sizeof t->terms.venue, "polymarket");
    c->terms = t->terms;
    return e;
}

static const struct err *transfer_begin(void *op, const void *asked)
{
    struct transfer *t = op;
    const struct err *e;

    t->asked = asked;
    if (!predict_is_configured(t->op.ctx))
        return &E_PREDICT_NOT_CONFIGURED;
    e = wallet_need(t->op.ctx, t->op.agent->id, WALLET_EVM, t->asked->wallet_address, &t->op.wallet);
    return e == &E_INTERNAL ? &E_TRANSFER_FAILED : e;
}

static const struct err *transfer_explain(void *op, const struct commit *c, const struct err *e)
{
    const struct transfer *t = op;

    (void)c;
    if (t->op.kind == KIND_PREDICT_WITHDRAWAL && err_is(e, &E_BALANCE)) /* transactions may hold it, too */
        e = err_hint(t->op.arena, &E_ALLOWANCE, e->hint);
    if (t->op.kind != KIND_PREDICT_WITHDRAWAL || !err_is(e, &E_ALLOWANCE))
        return e;
    return elsewhere_deposit(t->op.ctx, t->op.arena, t->op.agent->id, KIND_PREDICT_DEPOSIT,
                             "/predict/transfer/", e);
}

/* ---- as the engine and agents see it ---- */

static bool transfer_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!agent_versions_renew(db, moves[i].agent_id))
            return false;
    return true;
}

/* A deposit has ended when the venue shows it. Anything else has when the money is there: that the venue is
 * told of it comes after that, and decides nothing. */
static unsigned requests_that_count(const struct tracked *w)
{
    unsigned n = w->request_count;

    if (w->execution->kind == KIND_PREDICT_DEPOSIT || n == 0)
        return n;
    return n - (strcmp(w->requests[n - 1].venue, balance_venue.name) == 0);
}

static struct verdict transfer_verdict(const struct tracked *w)
{
    struct tracked own = *w;

    own.request_count = requests_that_count(w);
    return verdict_by_all(&own);
}

static const char *tx_hash_shown(struct arena *a, const struct execution *x)
{
    const struct chain_ops *f = chain_ops_of(chain_by_id(POLYMARKET_CHAIN_ID));

    return x->tx_hash.len == 0 ? NULL : f->hash_text(a, &x->tx_hash);
}

/* For a transfer that the relayer has not taken yet: when it accepts requests again. */
struct transfer_wait {
    int64_t until_ms; /* 0: it does not wait for that */
};

static bool transfer_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct transfer_wait *wait = ARENA_NEW(a, struct transfer_wait);
    struct request_brief last;
    enum lookup found = LOOKUP_NONE;

    *wait = (struct transfer_wait){ .until_ms = 0 };
    *own = wait;
    if (x->status < EXEC_COMPLETED)
        found = requests_last_brief(db, x->wallet_id, relayer_venue.name, &last);
    if (found == LOOKUP_FOUND && last.state == EFFECT_OPEN)
        wait->until_ms = relayer_quota_until(db, a, NULL);
    return found != LOOKUP_ERROR;
}

static const char *type_name(enum exec_kind_id kind)
{
    return kind == KIND_PREDICT_DEPOSIT      ? "deposit"
           : kind == KIND_PREDICT_WITHDRAWAL ? "withdrawal"
                                             : "redemption";
}

/* The token that goes in, or comes out. */
static const struct token_ref *token_of(const struct execution *x)
{
    return x->kind == KIND_PREDICT_DEPOSIT ? &x->from : &x->to;
}

static void transfer_view(struct json_writer *w, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct token_ref *token = token_of(x);
    const struct transfer_wait *wait = shown->own;

    jw_integer(w, "id", (int64_t)x->id);
    jw_string(w, "type", type_name(x->kind));
    jw_string(w, "token", token->symbol);
    amount_write(w, "amount", (struct amount){ x->amount_in, token->decimals });
    jw_string(w, "status", exec_status_text(x->status));
    jw_string_or_null(w, "tx_hash", tx_hash_shown(w->arena, x));
    jw_time(w, "created_at", x->created_ms);
    jw_time(w, "completed_at", x->completed_ms);
    jw_string_or_null(w, "error", x->error_message);
    if (wait != NULL && wait->until_ms != 0)
        jw_time(w, "waiting_until", wait->until_ms);
}

static const char *transfer_sentence(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct token_ref *token = token_of(x);

    return arena_printf(a, "%s %llu of %s %s: %s%s%s", type_name(x->kind), (unsigned long long)x->id,
                        amount_text(a, (struct amount){ x->amount_in, token->decimals }), token->symbol,
                        exec_status_text(x->status), x->error_message != NULL ? ". " : "",
                        x->error_message != NULL ? x->error_message : "");
}

/* ---- the kinds ---- */

static const struct action transfer_action = { .op_size = sizeof(struct transfer),
                                               .failure = &E_TRANSFER_FAILED,
                                               .hooks = &transfer_hooks,
                                               .begin = transfer_begin,
                                               .plan = transfer_plan,
                                               .explain = transfer_explain,
                                               .member = "transfer",
                                               .members = "transfers",
                                               .not_found = &E_TRANSFER_NOT_FOUND,
                                               .page = executions_transfers };

#define TRANSFER_KIND                                                                                        \
    .action = &transfer_action, .event_completed = "predict.transfer.completed",                             \
    .event_failed = "predict.transfer.failed", .verdict = transfer_verdict, .read = transfer_own_read,       \
    .moved = transfer_moved, .view = transfer_view, .sentence = transfer_sentence, .waits = true

/* Collateral of bets stays with the wallet, in or out of its trading address. */
const struct exec_kind predict_deposit_kind = {
    .name = "deposit", .venue_class = "predict", .policies = POLICIES_WATCH, TRANSFER_KIND
};
const struct exec_kind predict_withdrawal_kind = {
    .name = "withdrawal", .halts = HALTED_BY_ALL, .policies = POLICIES_NONE, TRANSFER_KIND
};
const struct exec_kind predict_redemption_kind = {
    .name = "redemption", .halts = HALTED_BY_ALL, .policies = POLICIES_NONE, TRANSFER_KIND
};
