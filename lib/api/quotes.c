#include "store/quotes.h"
#include "api/admission/idempotency.h"
#include "api/endpoints.h"
#include "api/view.h"
#include "chain/chains.h"
#include "codec/rand.h"
#include "model/agent.h"
#include "service/conf.h"
#include "swap/impact.h"
#include "swap/quote.h"
#include "swap/token.h"

static json_t *token_view(const struct token_ref *t)
{
    const struct token_label label = token_label(t);

    return json_pack("{s:s, s:s, s:s, s:i, s:o*}", "symbol", label.symbol, "chain",
                     chain_by_id(t->chain_id)->key, "address", t->address, "decimals", (int)t->decimals,
                     "unverified", view_flag(label.unverified));
}

static json_t *unverified_view(const struct quote *q)
{
    return view_flag(token_label(&q->from).unverified || token_label(&q->to).unverified);
}

/* The winner first, then the runners-up. */
static json_t *routes_view(struct arena *a, const struct quote *q, const struct offers *offers)
{
    json_t *list = json_array();

    for (size_t i = 0; i < offers->count; i++) {
        const struct offer *o = &offers->best_first[i];

        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:I}", "provider", o->provider->key, "dex",
                                              o->label, "amount_out", view_amount(a, o->out, &q->to),
                                              "estimated_gas", (json_int_t)o->gas_units));
    }
    return list;
}

static json_t *impact_view(struct arena *a, struct ppm impact)
{
    return view_text(impact.value == PPM_NONE ? NULL : ppm_text(a, impact));
}

/* Dollars with as many places as dollars have on a chain. */
static json_t *gas_view(struct arena *a, struct u256 usd)
{
    enum { USD_PLACES = 6 };
    struct u256 cut;

    if (u256_is_zero(usd) || !u256_div(&cut, NULL, usd, u256_from_u64(1000000000000)))
        return json_null();
    return json_string(amount_text(a, (struct amount){ cut, USD_PLACES }));
}

/* Until it is in a block and that one is deep enough, in seconds. */
static json_int_t seconds_until_done(const struct ctx *ctx, const struct chain *c)
{
    uint64_t blocks = 1 + conf_chain_number(ctx->conf, "confirm_depth", c->key, c->confirm_depth);

    return (json_int_t)((blocks * c->block_ms + 999) / 1000);
}

static void warn_of_token(json_t *list, struct arena *a, const struct token_ref *t)
{
    if (token_label(t).unverified)
        json_array_append_new(
            list,
            json_string(arena_printf(
                a, "%s is no listed token, and its symbol passes for one or cannot be shown", t->address)));
}

static json_t *warnings_view(struct arena *a, const struct quote *q)
{
    json_t *list = json_array();

    if (q->price_impact.value > IMPACT_WARNS)
        json_array_append_new(list, json_string(arena_printf(a, "%s: a smaller amount gets a better price",
                                                             impact_text(a, q->price_impact))));
    warn_of_token(list, a, &q->from);
    warn_of_token(list, a, &q->to);
    return list;
}

static json_t *quote_view(struct api_call *c, const struct quote *q, const struct offers *offers)
{
    struct arena *a = c->arena;
    const char *dex = offers->best_first[0].label;
    const struct chain *from = chain_by_id(q->from.chain_id), *to = chain_by_id(q->to.chain_id);
    char id[QUOTE_ID_TEXT_LEN + 1];
    struct amount in = { q->amount_in, q->from.decimals }, out = { q->amount_out, q->to.decimals };
    json_t *view;

    quote_id_text(id, &q->id);
    view = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:i}", "quote_id", id, "from_token", token_view(&q->from),
        "to_token", token_view(&q->to), "amount_in", view_amount(a, q->amount_in, &q->from), "amount_out",
        view_amount(a, q->amount_out, &q->to), "amount_out_min", view_amount(a, q->min_out, &q->to),
        "exchange_rate", amount_rate_text(a, in, out), "expires_in_seconds", QUOTE_LIFETIME_S);
    if (view == NULL ||
        json_object_update_new(
            view,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o*, s:o, s:I}", "chain_type",
                      chain_type_text(from->type), "from_chain", from->key, "to_chain", to->key, "slippage",
                      amount_text(a, (struct amount){ u256_from_u64(q->slippage.value), 6 }), "dex", dex,
                      "route", arena_printf(a, "%s → %s via %s", q->from.symbol, q->to.symbol, dex), "routes",
                      routes_view(a, q, offers), "price_impact", impact_view(a, q->price_impact), "warnings",
                      warnings_view(a, q), "unverified", unverified_view(q), "estimated_gas_usd",
                      gas_view(a, offers->best_first[0].gas_usd), "estimated_time_seconds",
                      seconds_until_done(c->ctx, from))) != 0)
        return NULL;
    return view;
}

static int add(struct db *db, const void *quote)
{
    return quotes_add(db, quote) ? 1 : -1;
}

struct reply *ep_quote(struct api_call *c, const void *arg)
{
    const struct quote_in *in = arg;
    struct quote q;
    struct offers offers;
    const struct err *e = quote_make(c->ctx, c->arena, c->agent->id, in, &q, &offers);

    if (e != NULL)
        return reply_err(c->rq, e);
    rand_bytes(q.id.bytes, sizeof q.id.bytes);
    return idempotency_commit(c, reply_json(c->rq, 200, quote_view(c, &q, &offers)), add, &q);
}
