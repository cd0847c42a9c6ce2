#include "transfer/withdrawal.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "chain/address.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/elsewhere.h"
#include "exec/payable.h"
#include "exec/verdict.h"
#include "exec/wallet.h"
#include "signer/client.h"
#include "store/executions.h"
#include "store/withdrawal_addresses.h"
#include "store/withdrawals.h"
#include "swap/swap_view.h"
#include "swap/token.h"
#include "transfer/address.h"
#include "transfer/left.h"
#include "transfer/withdrawal_plan.h"

/* ---- recipient, token, source ---- */

static const struct err *address_waits(struct arena *a, const struct withdrawal_address *to)
{
    char when[ISO8601_LEN + 1];

    clock_iso8601(when, to->active_ms);
    return err_hint(a, &E_WITHDRAWAL_ADDRESS_WAITING, arena_printf(a, "It becomes active at %s", when));
}

static const struct err *read_address(struct withdrawal_op *w, enum lookup found)
{
    if (found == LOOKUP_ERROR)
        return &E_WITHDRAWAL_FAILED;
    if (found == LOOKUP_NONE || w->to.removed)
        return &E_WITHDRAWAL_ADDRESS_NOT_FOUND;
    return w->to.active || w->simulates ? NULL : address_waits(w->op.arena, &w->to);
}

static const struct err *find_address(struct withdrawal_op *w, const struct withdrawal_asked *asked)
{
    uint64_t agent_id = w->op.agent->id;
    const struct err *e;

    if (asked->to == NULL && asked->address_id == 0)
        return err_on(w->op.arena, &E_ADDRESS_ID_REQUIRED, "address_id");
    if (asked->to == NULL)
        return read_address(w, withdrawal_addresses_get(w->op.ctx->db, agent_id, asked->address_id, &w->to));
    e = read_address(w, address_named(w->op.ctx, agent_id, wallet_kind_on(w->chain), asked->to, &w->to));
    return e == NULL && asked->address_id != 0 && asked->address_id != w->to.id
               ? err_on(w->op.arena, &E_ADDRESS_ID_OTHER, "address_id")
               : e;
}

static const struct err *find_chain(struct withdrawal_op *w, const char *key)
{
    w->chain = chain_find(key);
    if (w->chain == NULL)
        return err_on(w->op.arena, err_fmt(w->op.arena, &E_CHAIN_UNKNOWN, key, NULL), "chain");
    return chain_ops_of(w->chain) != NULL
               ? NULL
               : err_hint(w->op.arena, &E_NO_LIQUIDITY, "This service has no wallets on that chain");
}

static const struct err *find_token(struct withdrawal_op *w, const char *name)
{
    const struct err *e = token_resolve(w->op.ctx, w->op.arena, w->chain, name, &w->token);
    const struct token *known = e == NULL ? token_known(&w->token) : NULL;

    w->native = known != NULL && token_is_native(known);
    return e == &E_INTERNAL ? &E_WITHDRAWAL_FAILED : e;
}

static const struct err *read_amount(struct withdrawal_op *w, const char *text)
{
    w->all = strcmp(text, WITHDRAWAL_MAX) == 0;
    return w->all ? NULL : token_ref_amount(w->op.arena, &w->token, text, &w->amount);
}

static const struct err *find_wallet(struct withdrawal_op *w, const char *address)
{
    const struct err *e =
        wallet_need(w->op.ctx, w->op.agent->id, wallet_kind_on(w->chain), address, &w->op.wallet);

    return e == &E_INTERNAL ? &E_WITHDRAWAL_FAILED : e;
}

const struct err *withdrawal_op_begin(void *op, const void *what)
{
    struct withdrawal_op *w = op;
    const struct withdrawal_asked *asked = what;
    const char *missing = asked->token == NULL ? "token" : asked->amount == NULL ? "amount" : NULL;
    const struct err *e;

    if (missing == NULL && asked->chain == NULL)
        missing = "chain";
    if (missing != NULL)
        return err_on(w->op.arena, err_fmt(w->op.arena, &E_REQUIRED, missing, NULL), missing);
    if ((e = find_chain(w, asked->chain)) != NULL || (e = find_address(w, asked)) != NULL)
        return e;
    if (w->to.kind != wallet_kind_on(w->chain))
        return err_on(w->op.arena, &E_WITHDRAWAL_FAMILY, "address_id");
    if ((e = find_token(w, asked->token)) != NULL || (e = read_amount(w, asked->amount)) != NULL)
        return e;
    return find_wallet(w, asked->wallet_address);
}

/* ---- the plan ---- */

static const struct err *plan_transfer(struct withdrawal_op *w, struct u256 amount)
{
    const struct chain_ops *f = chain_ops_of(w->chain);
    const struct err *e;

    w->op.plan = (struct plan){ .chain = w->chain,
                                .wallet = w->op.wallet.ref.address,
                                .deadline = clock_seconds() + PLAN_VALID_FOR_S,
                                .leaves = { .token = w->token, .native = w->native },
                                .arrives = { .token = w->token },
                                .recipient = w->to.address,
                                .exact = true };
    f->transfer(&w->op.plan, w->op.arena, w->to.address, amount);
    if (f->complete != NULL && (e = f->complete(w->op.ctx, w->op.arena, &w->op.plan)) != NULL)
        return e;
    f->transfer(&w->op.plan, w->op.arena, w->to.address, amount);
    return NULL;
}

/* The wallet's balance of the token, even if nothing can be transferred. */
static const struct err *ask_held(struct withdrawal_op *w, struct u256 *held)
{
    struct chain_state st;
    const struct err *e = plan_transfer(w, U256_ZERO);

    if (e == NULL)
        e = chain_ops_of(w->chain)->try_plan(w->op.ctx, w->op.arena, &w->op.plan, &st);
    if (e != NULL)
        return e;
    *held = w->native ? st.native_balance : st.token_balance;
    return !u256_is_zero(*held)
               ? NULL
               : elsewhere_none(w->op.ctx, w->op.arena, w->op.wallet.ref.address, w->chain, w->token.symbol);
}

static const struct err *judge_recipient(const struct withdrawal_op *w)
{
    const struct recipient r = { .chain = w->chain,
                                 .address = w->to.address,
                                 .token = w->token.address,
                                 .contract_allowed = chain_listed(w->to.allow_contract, w->chain) };

    return recipient_judge(w->op.ctx, w->op.arena, &r);
}

/* A withdrawal of all the coin is not tried, since the rest after fees is unknown yet; policies value all. */
const struct err *withdrawal_op_plan(struct withdrawal_op *w)
{
    const struct err *e = judge_recipient(w);
    struct u256 held;

    if (e != NULL)
        return e;
    if (!w->all)
        return plan_transfer(w, w->amount);
    if ((e = ask_held(w, &held)) != NULL)
        return e;
    if (u256_is_zero(w->amount) || u256_cmp(held, w->amount) < 0) /* never more than was approved */
        w->amount = held;
    e = plan_transfer(w, w->native ? U256_ZERO : w->amount);
    w->op.plan.leaves.amount = w->amount;
    return e;
}

/* ---- hooks of the commit ---- */

/* An amount that came after the balance was read and valued stays. */
static const struct err *withdrawal_fit(struct commit *c, const struct reservation *r)
{
    const struct withdrawal_op *w = c->market;
    struct u256 amount;
    const struct err *e = transfer_left(c->plan, &c->state, r, &amount);

    if (e != NULL)
        return e;
    if (u256_cmp(amount, w->amount) > 0)
        amount = w->amount;
    c->family->transfer(c->plan, c->arena, w->to.address, amount);
    c->terms.amount_in = c->terms.expected_out = amount;
    c->terms.min_out = w->native ? U256_ZERO : amount;
    if (u256_cmp(amount, w->amount) == 0 && plan_rounds_shares(c->plan, &c->state))
        c->terms.expected_out = c->terms.min_out = c->state.arrives;
    return NULL;
}

static bool withdrawal_store(struct commit *c, struct db *db)
{
    const struct withdrawal_op *w = c->market;
    struct withdrawal row = { .execution_id = c->out->execution.id,
                              .agent_id = c->wallet->agent_id,
                              .address_id = w->to.id };
    struct u256 value;

    return c->family->cost(c->plan, &c->state, &value, &row.fee) && withdrawals_put(db, &row);
}

/* The signer's clock and its book decide, not the database's row of the address. */
static const struct err *refusal_of_signer(const struct commit *c)
{
    const struct withdrawal_op *w = c->market;

    switch (signer_rule(c->ctx->signer)) {
    case RULE_WAITING:
        return address_waits(c->arena, &w->to);
    case RULE_ADDRESS:
        return &E_WITHDRAWAL_ADDRESS_NOT_FOUND;
    default:
        return c->failure;
    }
}

static const struct err *withdrawal_explain(struct commit *c, const struct err *e)
{
    bool unsigned_yet = e != NULL && e == c->refusal && e == c->failure && !c->stale;

    if (unsigned_yet)
        return refusal_of_signer(c);
    return e != NULL ? e : c->failure;
}

static const struct commit_hooks hooks = { .store = withdrawal_store, .explain = withdrawal_explain };
static const struct commit_hooks hooks_of_all = { .fit = withdrawal_fit,
                                                  .store = withdrawal_store,
                                                  .explain = withdrawal_explain };

static const struct err *withdrawal_plan(void *op, struct commit *c)
{
    struct withdrawal_op *w = op;
    const struct err *e = withdrawal_op_plan(w);

    c->hooks = w->all ? &hooks_of_all : &hooks;
    c->record = &w->to.record;
    c->terms = (struct execution){ .venue = "withdraw",
                                   .from = w->token,
                                   .to = w->token,
                                   .amount_in = w->amount,
                                   .expected_out = w->amount,
                                   .min_out = w->all && w->native ? U256_ZERO : w->amount };
    return e;
}

/* The terms as they are stored; of all of the coin, which promises no minimum, as much of that as is left. */
static const struct err *withdrawal_resume(void *op, const struct execution *x)
{
    struct withdrawal_op *w = op;
    struct withdrawal row;
    const struct token *known = token_known(&x->from);

    w->chain = chain_by_id(x->from.chain_id);
    w->token = x->from;
    w->native = known != NULL && token_is_native(known);
    w->amount = x->amount_in;
    w->all = w->native && u256_is_zero(x->min_out);
    if (w->chain == NULL || withdrawals_get(w->op.ctx->db, x->id, &row) != LOOKUP_FOUND)
        return &E_WITHDRAWAL_FAILED;
    return read_address(w, withdrawal_addresses_get(w->op.ctx->db, w->op.agent->id, row.address_id, &w->to));
}

/* ---- as it is shown ---- */

static bool withdrawal_read(struct db *db, struct arena *a, const struct execution *x, const void **own)
{
    struct withdrawal *w = ARENA_NEW(a, struct withdrawal);

    *own = w;
    return withdrawals_get(db, x->id, w) == LOOKUP_FOUND;
}

static bool withdrawal_moved(struct db *db, const struct execution_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (moves[i].fee != NULL && !withdrawals_set_fee(db, moves[i].id, moves[i].fee))
            return false;
    return true;
}

static const struct address_record *withdrawal_record_read(struct db *db, struct arena *a,
                                                           const struct execution *x)
{
    struct address_record *r = ARENA_NEW(a, struct address_record);

    return withdrawal_addresses_record(db, x->id, r) == LOOKUP_FOUND ? r : NULL;
}

static const char *amount_shown(struct arena *a, const struct execution *x)
{
    return arena_printf(a, "%s %s", amount_text(a, (struct amount){ x->amount_in, x->from.decimals }),
                        x->from.symbol);
}

static void withdrawal_view(struct json_writer *w, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct withdrawal *own = shown->own;
    const struct chain *c = chain_by_id(x->from.chain_id);

    jw_integer(w, "id", (int64_t)x->id);
    jw_string(w, "token", x->from.symbol);
    jw_string(w, "token_address", x->from.address);
    amount_write(w, "amount", (struct amount){ x->amount_in, x->from.decimals });
    if (!u256_is_zero(x->expected_out) && u256_cmp(x->expected_out, x->amount_in) != 0)
        amount_write(w, "arrives", (struct amount){ x->expected_out, x->from.decimals });
    jw_string(w, "chain", c != NULL ? c->key : "unknown");
    jw_string(w, "to", own->to);
    jw_integer(w, "address_id", (int64_t)own->address_id);
    jw_string(w, "status", exec_status_text(x->status));
    jw_string_or_null(w, "tx_hash", tx_hash_text(w->arena, x->from.chain_id, &x->tx_hash));
    amount_write(w, "fee", (struct amount){ own->fee, c != NULL ? c->native_decimals : 0 });
    jw_time(w, "created_at", x->created_ms);
    jw_time(w, "completed_at", x->completed_ms);
    jw_string_or_null(w, "error", x->error_message);
}

static const char *withdrawal_sentence(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct withdrawal *own = shown->own;

    return arena_printf(a, "withdrawal %llu of %s to %s: %s%s%s", (unsigned long long)x->id,
                        amount_shown(a, x), own->to, exec_status_text(x->status),
                        x->error_message != NULL ? ". " : "",
                        x->error_message != NULL ? x->error_message : "");
}

static const char *withdrawal_terms(struct arena *a, const struct execution_shown *shown)
{
    const struct execution *x = shown->execution;
    const struct withdrawal *own = shown->own;
    const struct chain *c = chain_by_id(x->from.chain_id);

    return arena_printf(a, "%s on %s to %s", amount_shown(a, x), c != NULL ? c->key : "unknown", own->to);
}

static const struct action withdrawal_action = { .op_size = sizeof(struct withdrawal_op),
                                                 .failure = &E_WITHDRAWAL_FAILED,
                                                 .hooks = &hooks,
                                                 .begin = withdrawal_op_begin,
                                                 .resume = withdrawal_resume,
                                                 .plan = withdrawal_plan,
                                                 .member = "withdrawal",
                                                 .members = "withdrawals",
                                                 .not_found = &E_WITHDRAWAL_NOT_FOUND,
                                                 .page = withdrawals_page,
                                                 .lists_fewer_statuses = true };

const struct exec_kind withdrawal_kind = { .name = "withdrawal",
                                           .venue_class = "withdraw",
                                           .action = &withdrawal_action,
                                           .event_completed = "withdrawal.completed",
                                           .event_failed = "withdrawal.failed",
                                           .replaceable = true,
                                           .verdict = verdict_by_spend,
                                           .read = withdrawal_read,
                                           .moved = withdrawal_moved,
                                           .record = withdrawal_record_read,
                                           .view = withdrawal_view,
                                           .sentence = withdrawal_sentence,
                                           .terms = withdrawal_terms };
