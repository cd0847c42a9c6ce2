#include "operator/admin_sweep.h"

#include "chain/address.h"
#include "operator/admin_agents.h"
#include "predict/account.h"
#include "store/trading_halts.h"
#include "store/wallets.h"
#include "swap/wallet_portfolio.h"
#include "transfer/sweep.h"

bool operator_address_read(char out[static WALLET_ADDR_MAX], enum chain_type *type, const char *text)
{
    for (size_t i = 0; chain_families[i] != NULL; i++) {
        *type = chain_families[i]->type;
        if (address_canonical(out, *type, text))
            return true;
    }
    return false;
}

const char *operator_sweep_order(const struct ctx *ctx, struct arena *a, const char *agent,
                                 const char *address, struct sweep_order *out)
{
    const char *problem = operator_find_agent(ctx, a, agent, &out->agent);

    if (problem != NULL)
        return problem;
    if (!operator_address_read(out->to, &out->type, address))
        return arena_printf(a, "not an address: %s", address);
    if (trading_halts_check(ctx->db, out->agent.id) != LOOKUP_FOUND)
        return "stop the agent first, so that nothing is traded meanwhile";
    return NULL;
}

struct sweeping {
    const struct ctx *ctx;
    struct arena *arena;
    const struct sweep_order *order;
    const struct operator_mac *by;
    sweep_report_fn *report;
    void *arg;
    bool complete;
};

static void sweep_report(struct sweeping *s, const struct sweep_result *r)
{
    s->complete = s->complete && (r->outcome == SWEEP_SENT || r->outcome == SWEEP_NOT_SWEPT);
    s->report(s->arg, r);
}

/* Sweeps a holding; an empty one is no failure. */
static void sweep_holding(struct sweeping *s, const struct wallet *w, const struct holding *h)
{
    const struct sweep one = { s->ctx, s->arena, w, s->order->to, s->by };
    struct sweep_result r = { .wallet = w, .chain = h->chain, .token = h->token };
    struct execution execution;

    r.refusal = sweep_token(&one, h->chain, h->token, h->balance.raw, &execution);
    if (err_is(r.refusal, &E_BALANCE) || (err_is(r.refusal, &E_GAS) && token_is_native(h->token)))
        return;
    r.outcome = r.refusal == NULL ? SWEEP_SENT : SWEEP_REFUSED;
    r.execution = r.refusal == NULL ? &execution : NULL;
    sweep_report(s, &r);
}

static void sweep_unread(struct sweeping *s, const struct wallet *w, const struct holdings *held)
{
    for (size_t i = 0; i < held->unread_count; i++) {
        const struct sweep_result r = { .outcome = SWEEP_UNREAD, .wallet = w, .chain = held->unread[i] };

        sweep_report(s, &r);
    }
}

/* Says what is left behind. */
static void sweep_deposit_wallet(struct sweeping *s, const struct wallet *w)
{
    struct sweep_result r = { .outcome = SWEEP_DEPOSITED, .wallet = w };
    struct holdings held;
    struct wallet deposit;

    if (account_deposit_wallet(s->ctx->db, w, &deposit) != LOOKUP_FOUND)
        return;
    portfolio_read(s->ctx, s->arena, &deposit, 1, chain_by_id(POLYMARKET_CHAIN_ID), &held);
    for (size_t i = 0; i < held.count; i++) {
        r.chain = held.held[i].chain;
        r.token = held.held[i].token;
        sweep_report(s, &r);
    }
    sweep_unread(s, w, &held);
}

/* Tokens first: their fees come out of the coin. */
static void sweep_wallet(struct sweeping *s, const struct wallet *w)
{
    struct holdings held;

    portfolio_read(s->ctx, s->arena, w, 1, NULL, &held);
    for (int native = 0; native < 2; native++)
        for (size_t i = 0; i < held.count; i++)
            if (token_is_native(held.held[i].token) == (native == 1))
                sweep_holding(s, w, &held.held[i]);
    sweep_unread(s, w, &held);
    sweep_deposit_wallet(s, w);
}

bool operator_sweep(const struct ctx *ctx, struct arena *a, const struct sweep_order *order,
                    const struct operator_mac *by, sweep_report_fn *report, void *arg)
{
    struct sweeping s = { ctx, a, order, by, report, arg, .complete = true };
    struct wallet *list;
    int n = wallets_list(ctx->db, a, order->agent.id, &list);

    for (int i = 0; i < n; i++) {
        const struct sweep_result left = { .outcome = SWEEP_NOT_SWEPT, .wallet = &list[i] };

        if (wallet_chain_type(list[i].ref.kind) == order->type)
            sweep_wallet(&s, &list[i]);
        else
            sweep_report(&s, &left);
    }
    return n >= 0 && s.complete;
}
