#include "swap/swap_plan.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "chain/address.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "route/cross_rates.h"
#include "route/feed.h"
#include "route/net.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "route/reference_price.h"
#include "route/route.h"
#include "store/transactions.h"
#include "swap/bridge_limit.h"
#include "swap/impact.h"
#include "swap/swap_quote.h"

/* For a deposit's order: how long before its end it is to be in a block, and how long signing may take. */
enum { BRIDGE_PAYS_S = 60, BRIDGE_SIGNS_S = 30 };

static void add_swap(struct plan *p, struct arena *a, const struct quote *q, const struct wallet_call *call)
{
    const char *token = p->leaves.native ? NULL : arena_strdup(a, q->from.address);

    if (call->spender != NULL)
        chain_ops_of(p->chain)->allow(p, a, token, call->spender, q->amount_in);
    p->spend = p->count++;
    p->steps[p->spend] = (struct step){
        .kind = TX_SPEND,
        .to = call->to,
        .value = call->value,
        .data = call->data,
        .data_len = call->data_len,
        .quoted_gas = call->gas_units > 0 ? gas_believed(call->gas_units, p->chain) : q->gas_units,
        .unseen_gas = call->unseen_gas,
        .token = token,
        .spender = call->spender,
        .token_amount = q->amount_in,
        .proof = call->proof,
        .proof_len = call->proof_len,
        .submit_via = call->submit_via,
    };
}

/* A deposit that comes too late to be answered by a payment is not sent any more. False: it already is. */
static bool bridge_has_time(struct plan *p, const struct wallet_call *call)
{
    int64_t last = call->refund_after - BRIDGE_PAYS_S;

    if (call->refund_after == 0)
        return true;
    if (last < p->deadline)
        p->deadline = last;
    return last > clock_seconds() + BRIDGE_SIGNS_S;
}

static void add_bridge(struct plan *p, struct arena *a, const struct quote *q, const struct wallet_call *call)
{
    struct plan_bridge *bridge;

    if (q->from.chain_id == q->to.chain_id)
        return;
    p->bridge = bridge = ARENA_NEW(a, struct plan_bridge);
    *bridge = (struct plan_bridge){
        .bridge_provider = arena_strdup(a, q->provider),
        .reference = call->reference,
        .deadline = call->refund_after,
        .seconds = call->seconds,
    };
}

/* Once, and not what is traded. */
static void add_other(struct plan *p, const struct address_bytes *token)
{
    const struct chain_ops *family = chain_ops_of(p->chain);
    struct address_bytes traded[2];

    family->address_bytes(&traded[0], p->leaves.token.address);
    family->address_bytes(&traded[1], p->arrives.token.address);
    if (p->other_count == PLAN_MAX_OTHERS || address_bytes_equal(token, &traded[0]) ||
        address_bytes_equal(token, &traded[1]))
        return;
    for (unsigned i = 0; i < p->other_count; i++)
        if (address_bytes_equal(token, &p->others[i]))
            return;
    p->others[p->other_count++] = *token;
}

/* The chain's listed tokens except the traded ones. */
static void add_listed(struct plan *p)
{
    struct address_bytes token;

    for (size_t i = 0; i < tokens_count; i++)
        if (strcmp(tokens[i].chain, p->chain->key) == 0 && !token_is_native(&tokens[i])) {
            chain_ops_of(p->chain)->address_bytes(&token, tokens[i].address_text);
            add_other(p, &token);
        }
}

bool swap_plan_tracked(struct plan *p, const struct ctx *ctx, const struct wallet *w)
{
    struct address_bytes tokens_allowed[PLAN_MAX_OTHERS];
    int n = p->by_others ? transactions_allowed(ctx->db, w->id, p->chain->id, tokens_allowed, PLAN_MAX_OTHERS)
                         : 0;

    for (int i = 0; i < n; i++)
        add_other(p, &tokens_allowed[i]);
    return n >= 0;
}

static bool quote_reference(struct route_in *in, const struct quote *q)
{
    if (!quote_route(in, q))
        return false;
    in->shortlist = q->reference.len > 0 ? &q->reference : NULL;
    return true;
}

/* The price of a small part of what is traded. */
static void add_probe(struct plan *p, struct arena *a, const struct quote *q)
{
    struct buf data = BUF_INIT(MAX_TX);
    struct route_in in;

    if (quote_reference(&in, q) && reference_ask(&data, &in, q->amount_out)) {
        p->probe = arena_memdup(a, data.data, data.len);
        p->probe_len = data.len;
    }
    buf_free(&data);
}

static const char *swap_fee_receiver(const struct ctx *ctx, const struct quote *q)
{
    const struct provider *provider = provider_find(q->provider);
    const struct provider_fee *fee = provider == NULL ? NULL : provider_fee(ctx, provider);

    return fee == NULL ? NULL : fee->receiver;
}

/* Those who ask the chain itself have their calls made here. */
static bool is_by_others(const struct quote *q)
{
    const struct provider *provider = provider_find(q->provider);

    return provider == NULL || provider->service != NULL;
}

/* A wrong transaction would be signed as it is by those who sign themselves. */
static const struct err *guard_steps(const struct ctx *ctx, struct arena *a, const struct quote *q,
                                     struct plan *p)
{
    const char *why = p->not_kept = chain_ops_of(p->chain)->guard(p);

    if (why == NULL) {
        provider_kept_promise(provider_find(q->provider));
        return NULL;
    }
    log_error("calldata_mismatch",
              "msg=\"what a provider hands over does not keep the plan\" reason=\"%s\" provider=%s", why,
              q->provider);
    if (!ctx->asks_known)
        provider_found_lying(provider_find(q->provider));
    return err_hint(
        a, &E_UPSTREAM,
        arena_printf(
            a,
            "What %s hands over is not what it offered, and is not signed: ask for another quote, or name it in exclude_providers",
            provider_name(q->provider)));
}

const struct err *swap_plan_make(struct plan *p, const struct ctx *ctx, struct arena *a,
                                 const struct quote *q, const char *wallet, int64_t deadline)
{
    const struct token *known = token_known(&q->from), *bought = token_known(&q->to);
    const struct chain_ops *family;
    char owner[WALLET_ADDR_MAX];
    struct wallet_call call;
    const struct err *e;
    struct tx_in in;

    *p = (struct plan){
        .chain = chain_by_id(q->from.chain_id),
        .fee_receiver = swap_fee_receiver(ctx, q),
        .by_others = is_by_others(q),
        .deadline = deadline,
        .leaves = { .token = q->from, .amount = q->amount_in },
        .arrives = { .token = q->to,
                     .native = bought != NULL && token_is_native(bought),
                     .amount = q->min_out },
    };
    if (q->recipient[0] != '\0')
        p->recipient = arena_strdup(a, q->recipient);
    family = chain_ops_of(p->chain);
    if (family == NULL)
        return &E_INTERNAL;
    if (!address_canonical(owner, p->chain->type, wallet))
        return err_on(a, &E_WALLET_ADDRESS, "wallet_address");
    p->wallet = arena_strdup(a, owner);
    if (!quote_tx(&in, q, p->wallet, deadline))
        return &E_INTERNAL;
    p->leaves.native = known != NULL && token_is_native(known);
    if ((e = bridge_limit_check(ctx, a, q)) != NULL)
        return e;
    if ((e = route_tx(ctx, a, q->provider, &in, &call)) != NULL)
        return e;
    if (!bridge_has_time(p, &call))
        return err_hint(a, &E_UPSTREAM,
                        arena_printf(a, "What %s hands over ends too soon to be sent: ask for another quote",
                                     provider_name(q->provider)));
    add_swap(p, a, q, &call);
    add_bridge(p, a, q, &call);
    add_listed(p);
    if (family->complete != NULL && (e = family->complete(ctx, a, p)) != NULL)
        return e;
    if ((e = guard_steps(ctx, a, q, p)) != NULL)
        return e;
    add_probe(p, a, q);
    p->reference_out = call.reference_out;
    feed_refresh(ctx, a);
    return NULL;
}

static struct u256 reference_across(const struct ctx *ctx, struct arena *a, const struct quote *q)
{
    struct cross_rates rates;
    struct route_in in;

    if (!quote_route(&in, q))
        return U256_ZERO;
    cross_rates_ask(&rates, ctx, a, &in);
    return rates.reference_out;
}

static struct u256 reference_of(const struct quote *q, const struct plan *p, const struct chain_state *st)
{
    struct route_in in;

    if (st->probed == NULL || !quote_reference(&in, q))
        return p->reference_out;
    return reference_read(&in, q->amount_out, st->probed, st->probed_len);
}

/* No simulation shows the output of a bridge: it counts as quoted, to which the minimum is bound. */
struct ppm swap_plan_impact(const struct ctx *ctx, struct arena *a, const struct quote *q,
                            const struct plan *p, const struct chain_state *st)
{
    if (q->from.chain_id != q->to.chain_id)
        return impact_of(ctx, q, q->amount_out, reference_across(ctx, a, q));
    return impact_of(ctx, q, st->tried ? st->arrives : q->amount_out, reference_of(q, p, st));
}
