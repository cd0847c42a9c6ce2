#include "transfer/withdrawal.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "chain/address.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/commit_approval.h"
#include "exec/elsewhere.h"
#include "exec/payable.h"
#include "exec/wallet.h"
#include "signer/client.h"
#include "store/executions.h"
#include "store/wallets.h"
#include "store/withdrawal_addresses.h"
#include "store/withdrawals.h"
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
    return w->to.active || w->simulates ? NULL : address_waits(w->arena, &w->to);
}

static const struct err *find_address(struct withdrawal_op *w, const struct withdrawal_asked *asked)
{
    uint64_t agent_id = w->agent->id;
    const struct err *e;

    if (asked->to == NULL && asked->address_id == 0)
        return err_on(w->arena, &E_ADDRESS_ID_REQUIRED, "address_id");
    if (asked->to == NULL)
        return read_address(w, withdrawal_addresses_get(w->ctx->db, agent_id, asked->address_id, &w->to));
    e = read_address(w, address_named(w->ctx, agent_id, wallet_kind_on(w->chain), asked->to, &w->to));
    return e == NULL && asked->address_id != 0 && asked->address_id != w->to.id
               ? err_on(w->arena, &E_ADDRESS_ID_OTHER, "address_id")
               : e;
}

static const struct err *find_chain(struct withdrawal_op *w, const char *key)
{
    w->chain = chain_find(key);
    if (w->chain == NULL)
        return err_on(w->arena, err_fmt(w->arena, &E_CHAIN_UNKNOWN, key, NULL), "chain");
    return chain_ops_of(w->chain) != NULL
               ? NULL
               : err_hint(w->arena, &E_NO_LIQUIDITY, "This service has no wallets on that chain");
}

static const struct err *find_token(struct withdrawal_op *w, const char *name)
{
    const struct err *e = token_resolve(w->ctx, w->arena, w->chain, name, &w->token);
    const struct token *known = e == NULL ? token_known(&w->token) : NULL;

    w->native = known != NULL && token_is_native(known);
    return e == &E_INTERNAL ? &E_WITHDRAWAL_FAILED : e;
}

static const struct err *read_amount(struct withdrawal_op *w, const char *text)
{
    w->all = strcmp(text, WITHDRAWAL_MAX) == 0;
    return w->all ? NULL : token_ref_amount(w->arena, &w->token, text, &w->amount);
}

static const struct err *find_wallet(struct withdrawal_op *w, const char *address)
{
    const struct err *e = wallet_need(w->ctx, w->agent->id, wallet_kind_on(w->chain), address, &w->wallet);

    return e == &E_INTERNAL ? &E_WITHDRAWAL_FAILED : e;
}

const struct err *withdrawal_op_begin(struct withdrawal_op *w, const struct withdrawal_asked *asked)
{
    const struct err *e;

    if ((e = find_chain(w, asked->chain)) != NULL || (e = find_address(w, asked)) != NULL)
        return e;
    if (w->to.kind != wallet_kind_on(w->chain))
        return err_on(w->arena, &E_WITHDRAWAL_FAMILY, "address_id");
    if ((e = find_token(w, asked->token)) != NULL || (e = read_amount(w, asked->amount)) != NULL)
        return e;
    return find_wallet(w, asked->wallet_address);
}

/* ---- the plan ---- */

static const struct err *plan_transfer(struct withdrawal_op *w, struct u256 amount)
{
    const struct chain_ops *f = chain_ops_of(w->chain);
    const struct err *e;

    w->plan = (struct plan){ .chain = w->chain,
                             .wallet = w->wallet.ref.address,
                             .deadline = clock_seconds() + PLAN_VALID_FOR_S,
                             .leaves = { .token = w->token, .native = w->native },
                             .arrives = { .token = w->token },
                             .recipient = w->to.address,
                             .exact = true };
    f->transfer(&w->plan, w->arena, w->to.address, amount);
    if (f->complete != NULL && (e = f->complete(w->ctx, w->arena, &w->plan)) != NULL)
        return e;
    f->transfer(&w->plan, w->arena, w->to.address, amount);
    return NULL;
}

/* The wallet's balance of the token, even if nothing can be transferred. */
static const struct err *ask_held(struct withdrawal_op *w, struct u256 *held)
{
    struct chain_state st;
    const struct err *e = plan_transfer(w, U256_ZERO);

    if (e == NULL)
        e = chain_ops_of(w->chain)->try_plan(w->ctx, w->arena, &w->plan, &st);
    if (e != NULL)
        return e;
    *held = w->native ? st.native_balance : st.token_balance;
    return !u256_is_zero(*held)
               ? NULL
               : elsewhere_none(w->ctx, w->arena, w->wallet.ref.address, w->chain, w->token.symbol);
}

static const struct err *judge_recipient(const struct withdrawal_op *w)
{
    const struct recipient r = { .chain = w->chain,
                                 .address = w->to.address,
                                 .token = w->token.address,
                                 .contract_allowed = chain_listed(w->to.allow_contract, w->chain) };

    return recipient_judge(w->ctx, w->arena, &r);
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
    w->plan.leaves.amount = w->amount;
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

/* ---- carrying it out ---- */

static const struct err *withdrawal_op_commit(struct withdrawal_op *w, struct commit *c)
{
    const struct err *e = withdrawal_op_plan(w);

    if (e != NULL)
        return e;
    c->wallet = &w->wallet;
    c->plan = &w->plan;
    c->hooks = w->all ? &hooks_of_all : &hooks;
    c->record = &w->to.record;
    c->terms = (struct execution){ .kind = KIND_WITHDRAWAL,
                                   .venue = "withdraw",
                                   .once = w->once,
                                   .from = w->token,
                                   .to = w->token,
                                   .amount_in = w->amount,
                                   .expected_out = w->amount,
                                   .min_out = w->all && w->native ? U256_ZERO : w->amount };
    if ((e = commit_run(c)) != NULL)
        return e;
    commit_send(c);
    return NULL;
}

static struct commit commit_of(const struct withdrawal_op *w, const struct commit_note *note,
                               struct commit_result *out)
{
    return (struct commit){ .ctx = w->ctx,
                            .arena = w->arena,
                            .market = w,
                            .failure = &E_WITHDRAWAL_FAILED,
                            .note = note,
                            .out = out };
}

static struct withdrawal_op *withdrawal_op_of(const struct ctx *ctx, struct arena *a,
                                              const struct agent *agent)
{
    struct withdrawal_op *w = ARENA_NEW(a, struct withdrawal_op);

    *w = (struct withdrawal_op){ .ctx = ctx, .arena = a, .agent = agent, .once = uuid_random() };
    return w;
}

const struct err *withdrawal_make(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                  const struct withdrawal_asked *asked, const struct commit_note *note,
                                  struct commit_result *out)
{
    struct withdrawal_op *w = withdrawal_op_of(ctx, a, agent);
    struct commit c = commit_of(w, note, out);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if ((e = withdrawal_op_begin(w, asked)) != NULL)
        return e;
    return withdrawal_op_commit(w, &c);
}

/* The terms as they are stored; of all of the coin, which promises no minimum, as much of that as is left. */
static const struct err *approved_begin(struct withdrawal_op *w, const struct execution *x)
{
    struct withdrawal row;
    const struct token *known = token_known(&x->from);

    w->once = x->once;
    w->chain = chain_by_id(x->from.chain_id);
    w->token = x->from;
    w->native = known != NULL && token_is_native(known);
    w->amount = x->amount_in;
    w->all = w->native && u256_is_zero(x->min_out);
    if (w->chain == NULL || wallets_get(w->ctx->db, x->wallet_id, &w->wallet) != LOOKUP_FOUND ||
        withdrawals_get(w->ctx->db, x->id, &row) != LOOKUP_FOUND)
        return &E_WITHDRAWAL_FAILED;
    return read_address(w, withdrawal_addresses_get(w->ctx->db, w->agent->id, row.address_id, &w->to));
}

const struct err *withdrawal_make_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                           const char *approval_id, const struct commit_note *note,
                                           struct commit_result *out)
{
    struct withdrawal_op *w = withdrawal_op_of(ctx, a, agent);
    struct commit c = commit_of(w, note, out);
    struct approval ap;
    enum lookup found = commit_approval_find(ctx, a, agent->id, approval_id, &ap);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (found != LOOKUP_FOUND || ap.kind != KIND_WITHDRAWAL)
        return found == LOOKUP_ERROR ? &E_WITHDRAWAL_FAILED : &E_APPROVAL_NOT_FOUND;
    if (executions_get(ctx->db, a, agent->id, ap.execution_id, &out->execution) != LOOKUP_FOUND)
        return &E_WITHDRAWAL_FAILED;
    if ((e = commit_approval_usable(&ap, out)) != NULL || out->awaits)
        return e;
    c.approved = &ap;
    c.slippage = ap.slippage;
    e = approved_begin(w, &out->execution);
    return e != NULL ? commit_explain(&c, e) : withdrawal_op_commit(w, &c);
}

enum lookup withdrawal_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                           struct execution *out)
{
    enum lookup found = executions_get(ctx->db, a, agent_id, id, out);

    return found == LOOKUP_FOUND && out->kind != KIND_WITHDRAWAL ? LOOKUP_NONE : found;
}
