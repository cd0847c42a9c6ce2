#include "transfer/sweep.h"

#include "base/clock.h"
#include "base/fault.h"
#include "exec/commit.h"
#include "exec/verdict.h"
#include "swap/swap_view.h"
#include "transfer/left.h"

/* Everything that no transaction in progress may still take, for the coin less the fees. */
static const struct err *fit_balance(struct commit *c, const struct reservation *r)
{
    const struct sweep *sweep = c->market;
    struct u256 amount;
    const struct err *e = transfer_left(c->plan, &c->state, r, &amount);

    if (e != NULL)
        return e;
    c->family->transfer(c->plan, c->arena, sweep->to, amount);
    c->terms.amount_in = c->terms.expected_out = c->terms.min_out = amount;
    return NULL;
}

static const struct commit_hooks sweep_hooks = { .fit = fit_balance };

/* A coin is tried with nothing, as how much its fees leave is not known yet. */
static struct plan sweep_plan(const struct sweep *s, const struct chain *c, const struct token *t,
                              struct u256 held)
{
    const struct token_ref token = token_ref_of(t);
    struct plan p = { .chain = c,
                      .wallet = s->wallet->ref.address,
                      .deadline = clock_seconds() + PLAN_VALID_FOR_S,
                      .leaves = { .token = token, .native = token_is_native(t) },
                      .arrives = { .token = token },
                      .recipient = s->to };

    chain_ops_of(c)->transfer(&p, s->arena, s->to, p.leaves.native ? U256_ZERO : held);
    return p;
}

const struct err *sweep_token(const struct sweep *s, const struct chain *c, const struct token *t,
                              struct u256 held, struct execution *out)
{
    struct plan plan;
    struct commit_result result = { .lost_to = 0 };
    struct commit commit = { .ctx = s->ctx,
                             .arena = s->arena,
                             .wallet = s->wallet,
                             .plan = &plan,
                             .terms = { .kind = KIND_TRANSFER,
                                        .venue = "sweep",
                                        .once = uuid_random(),
                                        .from = token_ref_of(t),
                                        .to = token_ref_of(t) },
                             .hooks = &sweep_hooks,
                             .market = s,
                             .failure = &E_SWAP_EXECUTION,
                             .operator_mac = s->operator_mac,
                             .out = &result };
    const struct chain_ops *family = chain_ops_of(c);
    const struct err *e;

    const struct recipient to = { c, s->to, NULL, true }; /* the operator says so */

    if ((e = recipient_judge(s->ctx, s->arena, &to)) != NULL)
        return e;
    plan = sweep_plan(s, c, t, held);
    if (family->complete != NULL && (e = family->complete(s->ctx, s->arena, &plan)) != NULL)
        return e;
    if ((e = commit_run(&commit)) != NULL)
        return e;
    (void)FAULT("sweep.committed");
    commit_send(&commit);
    *out = result.execution;
    return NULL;
}

/* It is shown as a swap of a token into itself. The signer demands the operator's MAC for each. */
const struct exec_kind sweep_kind = { .name = "transfer",
                                      .halts = HALTED_NEVER,
                                      .policies = POLICIES_NONE,
                                      .event_completed = "transfer.completed",
                                      .event_failed = "transfer.failed",
                                      .verdict = verdict_by_spend,
                                      .view = swap_view,
                                      .sentence = swap_sentence };
