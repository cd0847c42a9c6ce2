#include "swap/execute.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/metrics.h"
#include "chain/address.h"
#include "chain/tokens.h"
#include "codec/rand.h"
#include "exec/commit_approval.h"
#include "exec/elsewhere.h"
#include "exec/wallet.h"
#include "route/price.h"
#include "store/executions.h"
#include "store/quotes.h"
#include "store/wallets.h"
#include "swap/attempts.h"
#include "swap/impact.h"
#include "swap/purchase_recipient.h"
#include "swap/swap_plan.h"
#include "swap/swap_quote.h"

enum { TWINS_MAX = 6, TWIN_MS = 300 };

/* ---- hooks of the commit ---- */

static const struct err *execute_check(const struct commit *c)
{
    const struct quote *q = c->market;

    return impact_check(c->ctx, c->arena, q, swap_plan_impact(c->ctx, c->arena, q, c->plan, &c->state));
}

static enum db_update execute_take(const struct commit *c, struct db *db)
{
    const struct quote *q = c->market;

    return quotes_take(db, &q->id, q->agent_id);
}

/* Looks at the quote again: that another request consumed it, or is about to, comes before expiry, expiry
 * before every other reason. */
static const struct err *execute_explain(struct commit *c, const struct err *e)
{
    const struct quote *q = c->market;
    struct quote now;

    switch (quotes_get_free(c->ctx->db, &q->id, q->agent_id, &now)) {
    case LOOKUP_ERROR:
        return e != NULL ? e : c->failure;
    case LOOKUP_NONE:
        return &E_QUOTE_NOT_FOUND;
    case LOOKUP_FOUND:
        break;
    }
    if (now.consumed)
        return executions_by_once(c->ctx->db, q->agent_id, &q->id, &c->out->lost_to) == LOOKUP_ERROR
                   ? c->failure
                   : &E_QUOTE_NOT_FOUND;
    if (now.expired)
        return &E_QUOTE_EXPIRED_EXECUTE;
    return e != NULL ? e : c->failure;
}

static const struct commit_hooks swap_hooks = {
    .check = execute_check,
    .take = execute_take,
    .explain = execute_explain,
};

/* ---- from a quote to its commit ---- */

static struct execution terms_of(const struct quote *q)
{
    struct execution x = {
        .kind = KIND_SWAP,
        .once = q->id,
        .from = q->from,
        .to = q->to,
        .amount_in = q->amount_in,
        .expected_out = q->amount_out,
        .min_out = q->min_out,
    };

    memcpy(x.venue, q->provider, sizeof x.venue);
    return x;
}

/* *asked: whether the provider has handed over what may be signed. */
static const struct err *commit_attempt(struct commit *c, const struct quote *q, bool *asked)
{
    const struct err *e = STEP("route.build",
                               swap_plan_make(c->plan, c->ctx, c->arena, q, c->wallet->ref.address,
                                              clock_seconds() + PLAN_VALID_FOR_S),
                               &E_UPSTREAM);

    *asked = e == NULL;
    if (e != NULL)
        return commit_explain(c, e);
    if (!swap_plan_tracked(c->plan, c->ctx, c->wallet))
        return c->failure;
    c->terms = terms_of(q);
    c->slippage = q->slippage;
    return commit_run(c);
}

/* A provider that builds the same transaction again does not once there is another block. */
static const struct err *commit_no_duplicate(struct commit *c, const struct quote *q, bool *asked)
{
    const struct err *e = commit_attempt(c, q, asked);

    for (unsigned i = 0; i < TWINS_MAX && e != NULL && err_is(e, &E_DUPLICATE_TX); i++) {
        usleep(1000 * (TWIN_MS + rand_below(TWIN_MS)));
        e = commit_attempt(c, q, asked);
    }
    return e;
}

/* A swap of a managed wallet to another family's chain pays a wallet of the same agent. */
static const struct err *far_wallet_to_use(struct commit *c, struct quote *q)
{
    struct wallet *far = ARENA_NEW(c->arena, struct wallet);
    const struct err *e = recipient_is_far(q) ? recipient_own(c->ctx, c->arena, q, far) : NULL;

    c->far_wallet = e == NULL && recipient_is_far(q) ? far : NULL;
    return e == &E_INTERNAL ? &E_SWAP_EXECUTION : e;
}

/* In dollars, with RATE_PLACES: the amount of the side that is a dollar, else by a cached price, so that the
 * commit does not wait for one. */
static bool worth_of(struct amount *usd, const struct ctx *ctx, const struct execution *x)
{
    const struct token *from = token_known(&x->from), *to = token_known(&x->to);
    struct amount price;

    if (from != NULL && from->stable)
        return amount_rescale_up(usd, (struct amount){ x->amount_in, x->from.decimals }, RATE_PLACES);
    if (to != NULL && to->stable)
        return amount_rescale_up(usd, (struct amount){ x->expected_out, x->to.decimals }, RATE_PLACES);
    return price_last(ctx, &x->from, &price) &&
           amount_times_down(usd, (struct amount){ x->amount_in, x->from.decimals }, price);
}

static void accepted_count(const struct commit *c)
{
    const struct chain *chain = chain_by_id(c->terms.from.chain_id);
    struct u256 cents, rest, cent = u256_from_u64(10000000000000000); /* of RATE_PLACES */
    struct amount usd;
    uint64_t n;

    metric_add(METRIC("swaps_accepted_total", chain->key), 1);
    if (worth_of(&usd, c->ctx, &c->terms) && u256_div(&cents, &rest, usd.raw, cent) && u256_to_u64(&n, cents))
        metric_add(METRIC("swap_cents", chain->key), n);
}

static const struct err *commit_quote(struct commit *c, struct quote *q)
{
    struct attempts attempts;
    const struct err *e = far_wallet_to_use(c, q);
    bool asked;

    if (e != NULL)
        return commit_explain(c, e);
    c->plan = ARENA_NEW(c->arena, struct plan);
    attempts_begin(&attempts, q);
    do
        e = commit_no_duplicate(c, &attempts.now, &asked);
    while (e != NULL && attempts_go_on(&attempts, c->ctx, c->arena, e, asked));
    if (e == &E_BALANCE) /* on the word of a provider that builds nothing then */
        e = elsewhere_explain(c->ctx, c->arena, c->wallet->ref.address, chain_by_id(q->from.chain_id),
                              q->from.symbol, e);
    if (e != NULL)
        return attempts_refusal(&attempts, e);
    if (!c->out->awaits)
        accepted_count(c);
    commit_send(c);
    return NULL;
}

static const struct err *quote_to_execute(const struct ctx *ctx, const struct agent *agent,
                                          const char *quote_id, struct quote *q)
{
    enum lookup found = quote_of(ctx, agent->id, quote_id, q);

    if (found == LOOKUP_ERROR)
        return &E_SWAP_EXECUTION;
    return found == LOOKUP_NONE ? &E_QUOTE_NOT_FOUND : NULL;
}

static const struct err *wallet_to_use(const struct ctx *ctx, const struct agent *agent,
                                       const struct quote *q, const char *address, struct wallet *w)
{
    const struct chain *c = chain_by_id(q->from.chain_id);
    const struct err *e =
        c == NULL ? &E_SWAP_EXECUTION : wallet_need(ctx, agent->id, wallet_kind_on(c), address, w);

    return e == &E_INTERNAL ? &E_SWAP_EXECUTION : e;
}

const struct err *swap_execute(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                               const char *quote_id, const char *wallet_address, struct ppm max_impact,
                               const struct commit_note *note, struct commit_result *out)
{
    struct quote q;
    struct wallet w;
    struct commit c = { .ctx = ctx,
                        .arena = a,
                        .wallet = &w,
                        .hooks = &swap_hooks,
                        .market = &q,
                        .failure = &E_SWAP_EXECUTION,
                        .note = note,
                        .out = out };
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if ((e = quote_to_execute(ctx, agent, quote_id, &q)) != NULL)
        return e;
    if (q.consumed || q.expired)
        return commit_explain(&c, NULL);
    if (max_impact.value != PPM_NONE)
        q.max_impact = max_impact;
    if ((e = wallet_to_use(ctx, agent, &q, wallet_address, &w)) != NULL)
        return commit_explain(&c, e);
    return commit_quote(&c, &q);
}

/* ---- going on after an approval ---- */

/* The same trade at the price of now. Never less than was approved may arrive, and more where the price has
 * become better. */
static const struct err *quote_again(const struct ctx *ctx, struct arena *a, const struct execution *s,
                                     struct ppm slippage, struct ppm max_impact, const struct wallet *w,
                                     struct quote *q)
{
    const struct chain *from = chain_by_id(s->from.chain_id), *to = chain_by_id(s->to.chain_id);
    struct quote first;
    struct quote_in in = { .from_token = s->from.address,
                           .to_token = s->to.address,
                           .amount = amount_text(a, (struct amount){ s->amount_in, s->from.decimals }),
                           .wallet_address = w->ref.address,
                           .slippage = slippage.value,
                           .max_impact = max_impact.value };
    struct offers offers;
    const struct err *e;

    if (from == NULL || to == NULL)
        return &E_SWAP_EXECUTION;
    in.from_chain = from->key;
    in.to_chain = to->key;
    if (quotes_get(ctx->db, &s->once, s->agent_id, &first) != LOOKUP_FOUND)
        return &E_SWAP_EXECUTION;
    if (max_impact.value == PPM_NONE)
        in.max_impact = first.max_impact.value;
    if (first.recipient[0] != '\0')
        in.to_wallet_address = first.recipient;
    if ((e = quote_make(ctx, a, s->agent_id, &in, q, &offers)) != NULL)
        return e;
    if (u256_cmp(q->amount_out, s->min_out) < 0)
        return &E_PRICE_MOVED;
    if (u256_cmp(q->min_out, s->min_out) < 0)
        q->min_out = s->min_out;
    q->id = s->once;
    return NULL;
}

const struct err *swap_execute_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                        const char *approval_id, struct ppm max_impact,
                                        const struct commit_note *note, struct commit_result *out)
{
    struct quote q;
    struct wallet w;
    struct approval ap;
    struct commit c = { .ctx = ctx,
                        .arena = a,
                        .wallet = &w,
                        .hooks = &swap_hooks,
                        .market = &q,
                        .failure = &E_SWAP_EXECUTION,
                        .approved = &ap,
                        .note = note,
                        .out = out };
    enum lookup found = commit_approval_find(ctx, a, agent->id, approval_id, &ap);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (found != LOOKUP_FOUND || ap.kind != KIND_SWAP)
        return found == LOOKUP_ERROR ? &E_SWAP_EXECUTION : &E_APPROVAL_NOT_FOUND;
    if (executions_get(ctx->db, a, agent->id, ap.execution_id, &out->execution) != LOOKUP_FOUND ||
        wallets_get(ctx->db, out->execution.wallet_id, &w) != LOOKUP_FOUND)
        return &E_SWAP_EXECUTION;
    if ((e = commit_approval_usable(&ap, out)) != NULL || out->awaits)
        return e;
    if ((e = quote_again(ctx, a, &out->execution, ap.slippage, max_impact, &w, &q)) != NULL)
        return commit_explain(&c, e);
    return commit_quote(&c, &q);
}
