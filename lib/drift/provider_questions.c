/* The known question to a provider of routes: a quote of a listed pair, and what it builds for that. */
#include "base/clock.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "drift/source.h"
#include "exec/chain_ops.h"
#include "route/gas_price.h"
#include "route/provider_json.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "route/question.h"
#include "swap/swap_plan.h"
#include "swap/swap_quote.h"

enum {
    DEADLINE_MS = 10000,
    SLIPPAGE = 10000, /* 1 % */
    LASTS_S = 20 * 60,
};

/* ---- requests ---- */

#define DOLLARS "25"

/* About as much as some dollars are worth. */
static const char *coin_amount(const struct chain *c)
{
    static const struct {
        const char *coin, *amount;
    } amounts[] = { { "ETH", "0.01" }, { "BNB", "0.05" }, { "SOL", "0.2" }, { "FTM", "100" } };

    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        if (strcmp(amounts[i].coin, c->native) == 0)
            return amounts[i].amount;
    return "20";
}

static bool amount_read(struct u256 *out, const char *text, uint8_t decimals)
{
    struct amount amount;

    if (!amount_of_number(&amount, text, decimals))
        return false;
    *out = amount.raw;
    return true;
}

/* The chain's coin for its dollars; between chains, dollars for dollars. */
static bool pair_known(struct route_in *in, const struct chain *from, const struct chain *to)
{
    const struct token *sold = token_find(from, from == to ? from->native : "USDC"),
                       *bought = token_find(to, "USDC");

    if (sold == NULL || bought == NULL)
        return false;
    *in = (struct route_in){
        .from_chain = from,
        .to_chain = to,
        .from = token_ref_of(sold),
        .to = token_ref_of(bought),
        .slippage = { SLIPPAGE },
        .wallet = from->type == CHAIN_SOLANA ? WIRE_NOBODY_ON_SOLANA : WIRE_NOBODY,
    };
    return amount_read(&in->amount_in, from == to ? coin_amount(from) : DOLLARS, sold->decimals);
}

static bool pair_serves(struct route_in *in, const struct ctx *ctx, const struct provider *p,
                        const struct chain *from, const struct chain *to)
{
    return from->type == to->type && nodes_known(ctx->nodes, from) && nodes_known(ctx->nodes, to) &&
           p->supports(from, to) && pair_known(in, from, to);
}

/* The first pair of chains that it serves and that have nodes here: one chain before two, and between two
 * chains the busiest pair. */
static bool question_known(struct route_in *in, const struct ctx *ctx, const struct provider *p)
{
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        if (pair_serves(in, ctx, p, c, c))
            return true;
    if (pair_serves(in, ctx, p, chain_find("ethereum"), chain_find("base")))
        return true;
    for (const struct chain *from = chains; from < chains + chains_count; from++)
        for (const struct chain *to = chains; to < chains + chains_count; to++)
            if (from != to && pair_serves(in, ctx, p, from, to))
                return true;
    return false;
}

/* ---- answers ---- */

static const char *base_of(const struct asking *k, const struct provider *p)
{
    return p->service == NULL ? "" : provider_url(k->ctx, p);
}

static void quote_failed(struct asking *k, const struct provider *p, const struct question *q)
{
    const struct route_in *in = &q->in;

    if (q->end == ASK_UNAVAILABLE || q->end == ASK_TIMEOUT || q->end == ASK_REFUSED ||
        q->end == ASK_RATE_LIMITED)
        asking_failed(k, base_of(k, p));
    else
        asking_found(k, DRIFT_EMPTY, "it offers nothing for %s to %s on %s: %s", in->from.symbol,
                     in->to.symbol, in->from_chain->key, ask_end_text(q->end));
}

/* False: nothing was offered. */
static bool quote_ask(struct asking *k, const struct provider *p, const struct route_in *in,
                      struct quote *quote)
{
    struct gas_price gas = { .per_unit = U256_ZERO };
    struct question q;
    struct call call;
    bool offered;

    (void)provider_admits(k->ctx, p);
    if (!question_ask(&q, p, in, &call, k->ctx, k->arena)) {
        asking_found(k, DRIFT_OFF, "nothing can be asked of it here");
        return false;
    }
    (void)calls_run(k->ctx->net, &call, 1, DEADLINE_MS);
    question_read(&q, k->arena);
    provider_tell(p, &call, q.end);
    k->report.took_ms = call.took_ms;
    question_rank(&q, &gas);
    offered = q.end == ASK_OFFERED && q.answer->count > 0;
    if (offered)
        quote_of_offer(quote, 0, in, &q.answer->offers[0]);
    else
        quote_failed(k, p, &q);
    call_free(&call);
    return offered;
}

/* Whether a contract does the work that its registry on the chain does not name; that the wallet has nothing
 * to trade shows too, and says nothing. */
static bool is_foreign(struct asking *k, struct plan *plan)
{
    struct chain_state *st = ARENA_NEW(k->arena, struct chain_state);

    return plan->chain->type == CHAIN_EVM &&
           err_is(chain_ops_of(plan->chain)->try_plan(k->ctx, k->arena, plan, st), &E_WOULD_REVERT);
}

/* It is right if it does not build for a wallet without funds. */
static void plan_found(struct asking *k, const struct provider *p, struct plan *plan, const struct err *e)
{
    if (e == NULL && is_foreign(k, plan))
        asking_found(k, DRIFT_UNSAFE, "a contract does the work that its registry does not name");
    else if (e == NULL)
        asking_found(k, DRIFT_WORKS, "quote, plan and guard on %s", plan->chain->key);
    else if (err_is(e, &E_BALANCE) || err_is(e, &E_GAS))
        asking_found(k, DRIFT_WORKS, "quote on %s; it builds nothing for a wallet without funds",
                     plan->chain->key);
    else if (plan->not_kept != NULL)
        asking_found(k, DRIFT_UNSAFE, "the guard refuses what it hands over: %s", plan->not_kept);
    else if (err_is(e, &E_OPERATOR_LIMIT))
        asking_found(k, DRIFT_WORKS, "quote on %s; bridge_max_usd keeps it from being built",
                     plan->chain->key);
    else if (err_is(e, &E_NO_LIQUIDITY) || err_is(e, &E_PRICE_MOVED))
        asking_found(k, DRIFT_EMPTY, "it offers, but does not build that: %s", e->text);
    else
        asking_failed(k, base_of(k, p));
}

static const struct err *plan_ask(struct asking *k, const struct quote *q, struct plan *plan)
{
    const char *wallet =
        chain_by_id(q->from.chain_id)->type == CHAIN_SOLANA ? WIRE_NOBODY_ON_SOLANA : WIRE_NOBODY;

    return swap_plan_make(plan, k->ctx, k->arena, q, wallet, clock_seconds() + LASTS_S);
}

void provider_drift(struct asking *k, const struct provider *p)
{
    struct plan *plan = ARENA_NEW(k->arena, struct plan);
    struct route_in in;
    struct quote quote;

    *plan = (struct plan){ .count = 0 };
    if (!provider_is_on(k->ctx, p)) {
        asking_found(
            k, DRIFT_OFF, "%s",
            p->service->needs_key
                ? arena_printf(k->arena, "it needs a key (provider.%s.key_file), or has no URL", p->key)
                : "its URL is set to nothing");
    } else if (!question_known(&in, k->ctx, p)) {
        asking_found(k, DRIFT_OFF, "no chain that it serves has a node here");
    } else {
        if (quote_ask(k, p, &in, &quote))
            plan_found(k, p, plan, plan_ask(k, &quote, plan));
        if (asking_is_served(k))
            provider_serves_us(p);
        else if (asking_is_refused(k) && provider_is_in_doubt(p))
            provider_keeps_refusing(p, k->report.said);
    }
}
