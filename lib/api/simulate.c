#include "swap/swap_simulate.h"

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/quote_endpoints.h"
#include "api/view.h"
#include "model/agent.h"
#include "route/provider.h"
#include "store/quotes.h"
#include "swap/token.h"

/* ---- parameters ---- */

struct simulate_in {
    const char *quote_id;
    struct quote_in trade;
};

static const struct param simulate_params[] = {
    { "quote_id", P_TEXT, INTO(struct simulate_in, quote_id), .beside = PARAM_QUOTED,
      .about = "A quote of this agent" },
    { "wallet_address", P_TEXT, INTO(struct simulate_in, trade.wallet_address), .check = param_wallet_fault,
      .bad = &E_WALLET_ADDRESS, .max = PARAM_NAME_MAX, .about = "Default the agent's oldest managed wallet" },
    PARAMS_TRADE(struct simulate_in, trade),
    { 0 },
};

/* ---- answers ---- */

/* clang-format off */
static const struct schema simulated_output_schema = { "SimulatedOutput", "What would arrive", FIELDS {
    { "token",      TEXT("USDC"),     "Symbol" },
    { "amount",     AMOUNT("4498.2"), "How much" },
    { "amount_usd", TEXT("4498.20"),  "Its worth in dollars; null without a price", MAY_BE_NULL },
    UNVERIFIED,
    END } };

static const struct schema simulated_fees_schema = { "SimulatedFees", "What it would cost", FIELDS {
    { "protocol",     AMOUNT("0"),      "The gateway's fee" },
    { "gas_estimate", AMOUNT("0.0004"), "Network fees in the native coin; null when unknown", MAY_BE_NULL },
    END } };

static const struct schema simulation_schema = { "Simulation", "How the swap would go", FIELDS {
    SUCCESS,
    { "would_execute",             FLAG("true"),                    "Whether it would be executed" },
    { "quote_id",                  TEXT(A_QUOTE),                   "The quote that was rehearsed" },
    { "chain_type",                CHOICE(wallet_types, "evm"),     "Kind of the chain", FULL_ONLY },
    { "wallet_address",            TEXT(A_WALLET),                  "The wallet" },
    { "amount_in",                 AMOUNT("1.5"),                   "How much would be given" },
    { "expected_output",           OBJECT(simulated_output_schema), "What would arrive" },
    { "min_output_after_slippage", AMOUNT("4363.254"),              "The least that would arrive" },
    { "price_impact_pct",          NUMBER("0.03"),                  "Per cent; null when unknown", MAY_BE_NULL },
    { "fees",                      OBJECT(simulated_fees_schema),   "What it would cost" },
    { "checks",                    LIST(check_schema),              "Every check of execution" },
    { "warnings",                  TEXTS("Price impact is high"),   "Details of the checks that warn" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

enum { CENTS = 2 };

static const struct err *find_quote(struct api_call *c, const struct simulate_in *in, struct quote *q,
                                    uint64_t *swap_id)
{
    struct offers offers;
    const struct err *e = in->quote_id == NULL
                              ? quote_new(c, &in->trade, q, &offers)
                              : simulate_quote(c->ctx, c->agent->id, in->quote_id, q, swap_id);

    if (e != NULL)
        return e;
    if (in->quote_id != NULL && in->trade.max_impact != PPM_NONE)
        q->max_impact.value = in->trade.max_impact;
    return NULL;
}

/* A new quote is stored, so that it can be executed as it was simulated. */
static const struct err *store_new_quote(struct api_call *c, const struct simulate_in *in,
                                         const struct quote *q)
{
    return in->quote_id != NULL || quotes_add(c->ctx->db, q) ? NULL : &E_INTERNAL;
}

static void impact_percent_write(struct json_writer *w, const struct swap_simulation *s)
{
    if (s->impact.value == PPM_NONE)
        jw_null(w, "price_impact_pct");
    else
        jw_real(w, "price_impact_pct", s->impact.value / 1e4); /* per cent, shown only */
}

static void output_write(struct json_writer *w, const struct swap_simulation *s)
{
    const struct quote *q = s->quote;
    const struct token_label label = token_label(&q->to);

    jw_object(w, "expected_output");
    jw_string(w, "token", label.symbol);
    view_amount(w, "amount", q->amount_out, &q->to);
    jw_string_or_null(w, "amount_usd", s->has_usd ? amount_places_down(w->arena, s->usd, CENTS) : NULL);
    jw_true_if(w, "unverified", label.unverified);
    jw_end(w);
}

static void fees_write(struct json_writer *w, const struct swap_simulation *s)
{
    jw_object(w, "fees");
    jw_string(w, "protocol", "0");
    if (s->has_fees)
        amount_write(w, "gas_estimate", s->fees);
    else
        jw_null(w, "gas_estimate");
    jw_end(w);
}

static struct reply *simulation_reply(struct request *rq, const struct swap_simulation *s)
{
    struct json_writer *w = reply_open(rq, 200);
    const struct quote *q = s->quote;
    char id[QUOTE_ID_TEXT_LEN + 1];

    quote_id_text(id, &q->id);
    jw_bool(w, "would_execute", s->would_execute);
    jw_string(w, "quote_id", id);
    jw_string(w, "chain_type", chain_type_text(chain_by_id(q->from.chain_id)->type));
    jw_string(w, "wallet_address", s->wallet);
    view_amount(w, "amount_in", q->amount_in, &q->from);
    output_write(w, s);
    view_amount(w, "min_output_after_slippage", q->min_out, &q->to);
    impact_percent_write(w, s);
    fees_write(w, s);
    view_checks(w, s->checks, CHECKS);
    return reply_close(w);
}

static struct reply *post_swap_simulate(struct api_call *c, const void *arg)
{
    const struct simulate_in *in = arg;
    const char *wallet;
    struct swap_simulation s;
    struct quote q;
    uint64_t swap_id = 0;
    const struct err *e;

    if ((e = find_quote(c, in, &q, &swap_id)) != NULL ||
        (e = simulate_wallet(c->ctx, c->arena, &q, in->trade.wallet_address, &wallet)) != NULL ||
        (e = store_new_quote(c, in, &q)) != NULL ||
        (e = simulate_swap(c->ctx, c->arena, &q, wallet, &s)) != NULL)
        return quote_refuse(c, e, swap_id);
    return simulation_reply(c->rq, &s);
}

/* ---- as a sentence ---- */

static const char *simulation_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *out = json_object_get(body, "expected_output");
    const char *fault = phrase_failed_check(body);

    (void)asked;
    if (!json_is_true(json_object_get(body, "would_execute")))
        return arena_printf(a, "It would be refused: %s", *fault == '\0' ? "a check failed" : fault);
    return arena_printf(a, "It would be executed, for %s %s", phrase_text(out, "amount"),
                        phrase_text(out, "token"));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/swap/simulate",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(simulate_params, struct simulate_in),
        .handler = post_swap_simulate,
        .flags = WAITS,
        .tool = "simulate_swap",
        .sentence = simulation_sentence,
        .summary = "Rehearse a swap",
        .about =
            "Every check of execution, with nothing signed and nothing consumed: see a refusal before it happens.",
        .tag = TAG_QUOTES,
        .skill = SKILL_QUOTE,
        .status = 200,
        .answer = &simulation_schema,
        .errors = ERRORS{ &E_SWAP_MODE, &E_QUOTE_EXPIRED_EXECUTE, &E_QUOTE_NOT_FOUND, &E_WALLET_NOT_FOUND,
                          &E_BALANCE, &E_GAS, &E_BEHIND, &E_OPERATOR_LIMIT, PRICE_ERRORS, &E_NO_PROVIDER,
                          &E_PROVIDER_UNKNOWN, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
};

const struct endpoint_group simulations_endpoints = { ENDPOINT_ROWS(rows) };
