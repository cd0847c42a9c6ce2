#include "store/quotes.h"
#include "api/endpoints.h"
#include "api/idempotency.h"
#include "chain/chains.h"
#include "core/hex.h"
#include "core/rand.h"
#include "core/view.h"
#include "model/agent.h"
#include "swap/build.h"
#include "swap/impact.h"
#include "swap/quote.h"
#include "swap/token.h"

/* Left out unless it is true. */
static json_t *flag_view(bool set)
{
    return set ? json_true() : NULL;
}

static json_t *token_view(const struct swap_token *t)
{
    const struct token_label label = token_label(t);

    return json_pack("{s:s, s:s, s:s, s:i, s:o*}", "symbol", label.symbol, "chain",
                     chain_by_id(t->chain_id)->key, "address", t->address, "decimals", (int)t->decimals,
                     "unverified", flag_view(label.unverified));
}

static json_t *unverified_view(const struct quote *q)
{
    return flag_view(token_label(&q->from).unverified || token_label(&q->to).unverified);
}

static json_t *amount_view(struct arena *a, struct u256 raw, const struct swap_token *t)
{
    return json_string(amount_text(a, (struct amount){ raw, t->decimals }));
}

/* The winner first, then the runners-up. */
static json_t *routes_view(struct arena *a, const struct quote *q, const struct offers *offers)
{
    json_t *list = json_array();

    for (size_t i = 0; i < offers->count; i++) {
        const struct offer *o = &offers->best_first[i];

        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:I}", "provider", o->provider->key, "dex",
                                              o->label, "amount_out", amount_view(a, o->out, &q->to),
                                              "estimated_gas", (json_int_t)o->gas_units));
    }
    return list;
}

static json_t *impact_view(struct arena *a, struct ppm impact)
{
    return view_text(impact.value == PPM_NONE ? NULL : ppm_text(a, impact));
}

static void warn_of_token(json_t *list, struct arena *a, const struct swap_token *t)
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

static json_t *quote_view(struct arena *a, const struct quote *q, const struct offers *offers)
{
    const char *dex = offers->best_first[0].label;
    const struct chain *from = chain_by_id(q->from.chain_id), *to = chain_by_id(q->to.chain_id);
    char id[QUOTE_ID_TEXT_LEN + 1];
    struct amount in = { q->amount_in, q->from.decimals }, out = { q->amount_out, q->to.decimals };
    json_t *view;

    quote_id_text(id, &q->id);
    view = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:i}", "quote_id", id, "from_token", token_view(&q->from),
        "to_token", token_view(&q->to), "amount_in", amount_view(a, q->amount_in, &q->from), "amount_out",
        amount_view(a, q->amount_out, &q->to), "amount_out_min", amount_view(a, q->min_out, &q->to),
        "exchange_rate", amount_rate_text(a, in, out), "expires_in_seconds", QUOTE_LIFETIME_S);
    if (view == NULL ||
        json_object_update_new(
            view,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o*}", "chain_type",
                      chain_type_text(from->type), "from_chain", from->key, "to_chain", to->key, "slippage",
                      amount_text(a, (struct amount){ u256_from_u64(q->slippage.value), 6 }), "dex", dex,
                      "route", arena_printf(a, "%s → %s via %s", q->from.symbol, q->to.symbol, dex), "routes",
                      routes_view(a, q, offers), "price_impact", impact_view(a, q->price_impact), "warnings",
                      warnings_view(a, q), "unverified", unverified_view(q))) != 0)
        return NULL;
    return view;
}

static int add(struct db *db, const void *quote)
{
    return quotes_add(db, quote) ? 1 : -1;
}

struct reply *ep_quote(struct request *rq, const void *arg)
{
    const struct quote_body *body = arg;
    struct quote_in in = {
        .from_token = body->from_token,
        .to_token = body->to_token,
        .amount = body->amount,
        .chain = body->chain,
        .from_chain = body->from_chain,
        .to_chain = body->to_chain,
        .wallet_address = body->wallet_address,
        .slippage = body->slippage,
        .max_impact = body->max_impact,
    };
    struct quote q;
    struct offers offers;
    const struct err *e = quote_make(rq->ctx, rq->arena, rq->agent->id, &in, &q, &offers);

    if (e != NULL)
        return reply_err(rq, e);
    rand_bytes(q.id.bytes, sizeof q.id.bytes);
    return idempotency_commit(rq, reply_json(rq, 200, quote_view(rq->arena, &q, &offers)), add, &q);
}

static json_t *step_view(struct arena *a, const struct step *s, const struct chain *c)
{
    char to[EVM_ADDR_TEXT_LEN + 1], value[U256_HEX_LEN + 1];
    char *data = arena_alloc(a, 2 + 2 * s->data_len + 1);

    evm_addr_text(to, s->to);
    u256_hex(value, s->value);
    data[0] = '0';
    data[1] = 'x';
    hex_encode(data + 2, s->data, s->data_len);
    return json_pack("{s:s, s:s, s:s, s:s, s:I}", "to", to, "data", data, "value", value, "gas_estimate",
                     arena_printf(a, "0x%llx", (unsigned long long)s->gas_limit), "chain_id",
                     (json_int_t)c->id);
}

static json_t *unsigned_view(struct arena *a, const struct unsigned_swap *u)
{
    const struct quote *q = &u->quote;
    const struct plan *p = &u->plan;
    json_t *approvals = json_array();

    for (unsigned i = 0; u->needs_approval && i + 1 < p->count; i++)
        json_array_append_new(approvals, step_view(a, &p->steps[i], p->chain));
    return json_pack("{s:o, s:o, s:{s:s, s:s, s:o, s:o, s:o}, s:o*}", "transaction",
                     step_view(a, &p->steps[p->count - 1], p->chain), "approvals", approvals, "meta",
                     "from_token", q->from.symbol, "to_token", q->to.symbol, "amount_in",
                     amount_view(a, q->amount_in, &q->from), "expected_out",
                     amount_view(a, q->amount_out, &q->to), "min_out", amount_view(a, q->min_out, &q->to),
                     "unverified", unverified_view(q));
}

static const struct err *build(struct request *rq, const struct swap_in *in, struct unsigned_swap *out)
{
    struct quote_in direct = {
        .from_token = in->from_token,
        .to_token = in->to_token,
        .amount = in->amount,
        .chain = in->chain,
        .from_chain = in->from_chain,
        .to_chain = in->to_chain,
        .wallet_address = in->wallet_address,
        .slippage = in->slippage,
        .max_impact = in->max_impact,
    };
    struct quote q;
    struct offers offers;
    const struct err *e;

    if (in->quote_id != NULL)
        return build_from_quote(rq->ctx, rq->arena, rq->agent->id, in->quote_id, in->wallet_address,
                                (struct ppm){ in->max_impact }, out);
    e = quote_in_whole(rq->arena, &direct);
    if (e == NULL)
        e = quote_make(rq->ctx, rq->arena, rq->agent->id, &direct, &q, &offers);
    return e != NULL ? e : build_direct(rq->ctx, rq->arena, &q, in->wallet_address, out);
}

struct reply *ep_swap(struct request *rq, const void *arg)
{
    struct unsigned_swap u;
    const struct err *e = build(rq, arg, &u);

    return e != NULL ? reply_err(rq, e) : reply_json(rq, 200, unsigned_view(rq->arena, &u));
}
