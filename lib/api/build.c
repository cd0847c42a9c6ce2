#include "swap/build.h"

#include "api/admission/idempotency.h"
#include "api/endpoints.h"
#include "api/view.h"
#include "codec/hex.h"
#include "codec/rand.h"
#include "model/agent.h"
#include "store/quotes.h"
#include "swap/quote.h"
#include "swap/token.h"

static json_t *hex_view(struct arena *a, struct u256 v)
{
    char text[U256_HEX_LEN + 1];

    u256_hex(text, v);
    return json_string(arena_strdup(a, text));
}

static json_t *data_view(struct arena *a, const struct step *s)
{
    char *data = arena_alloc(a, 2 + 2 * s->data_len + 1);

    data[0] = '0';
    data[1] = 'x';
    hex_encode(data + 2, s->data, s->data_len);
    return json_string(data);
}

static json_t *step_view(struct arena *a, const struct unsigned_swap *u, const struct step *s)
{
    struct u256 gas = u256_from_u64(s->gas_limit);

    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:I}", "type",
                     chain_type_text(u->plan.chain->type), "from", u->plan.wallet, "to", s->to, "data",
                     data_view(a, s), "value", hex_view(a, s->value), "gas_estimate", hex_view(a, gas),
                     "gas_limit", hex_view(a, gas), "gas_price", hex_view(a, u->gas_price), "chain_id",
                     (json_int_t)u->plan.chain->id);
}

static char *amount_said(struct arena *a, struct u256 raw, const struct token_ref *t)
{
    return arena_printf(a, "%s %s", amount_text(a, (struct amount){ raw, t->decimals }), t->symbol);
}

static const char *approval_said(struct arena *a, const struct unsigned_swap *u, unsigned i)
{
    const struct step *s = &u->plan.steps[i];
    const char *what = arena_printf(a, "Sign and send approvals[%u] on %s and wait until it is in a block", i,
                                    u->plan.chain->key);

    if (u256_is_zero(s->token_amount))
        return arena_printf(a, "%s: it takes back what %s may still take", what, s->spender);
    return arena_printf(a, "%s: it lets %s take %s and no more", what, s->spender,
                        amount_said(a, s->token_amount, &u->quote.from));
}

static const char *swap_said(struct arena *a, const struct unsigned_swap *u)
{
    const struct quote *q = &u->quote;

    return arena_printf(a, "Sign and send transaction on %s before valid_until: it swaps %s for at least %s",
                        u->plan.chain->key, amount_said(a, q->amount_in, &q->from),
                        amount_said(a, q->min_out, &q->to));
}

/* The approvals that are needed, and with them in the same order what to do. */
static json_t *approvals_view(struct arena *a, const struct unsigned_swap *u, json_t *instructions)
{
    json_t *list = json_array();

    for (unsigned i = 0; u->needs_approval && i < u->plan.spend; i++) {
        json_array_append_new(list, step_view(a, u, &u->plan.steps[i]));
        json_array_append_new(instructions, json_string(approval_said(a, u, i)));
    }
    return list;
}

static json_t *trade_view(struct arena *a, const struct quote *q)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "from_chain", chain_by_id(q->from.chain_id)->key,
                     "to_chain", chain_by_id(q->to.chain_id)->key, "from_token", q->from.symbol, "to_token",
                     q->to.symbol, "amount_in", view_amount(a, q->amount_in, &q->from), "expected_amount_out",
                     view_amount(a, q->amount_out, &q->to), "minimum_amount_out",
                     view_amount(a, q->min_out, &q->to));
}

static json_t *meta_view(struct arena *a, const struct quote *q)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "from_token", q->from.symbol, "to_token", q->to.symbol,
                     "amount_in", view_amount(a, q->amount_in, &q->from), "expected_out",
                     view_amount(a, q->amount_out, &q->to), "min_out", view_amount(a, q->min_out, &q->to));
}

static json_t *unsigned_view(struct arena *a, const struct unsigned_swap *u)
{
    const struct quote *q = &u->quote;
    const struct plan *p = &u->plan;
    json_t *instructions = json_array(), *approvals = approvals_view(a, u, instructions);
    char id[QUOTE_ID_TEXT_LEN + 1];

    quote_id_text(id, &q->id);
    json_array_append_new(instructions, json_string(swap_said(a, u)));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}", "quote_id", id, "chain_type",
                     chain_type_text(p->chain->type), "transaction", step_view(a, u, &p->steps[p->spend]),
                     "approvals", approvals, "instructions", instructions, "swap", trade_view(a, q),
                     "valid_until", view_time(p->deadline * 1000), "meta", meta_view(a, q), "unverified",
                     view_flag(token_label(&q->from).unverified || token_label(&q->to).unverified));
}

static const struct err *quote_directly(struct api_call *c, const struct quote_in *in, struct quote *q)
{
    struct offers offers;
    const struct err *e = quote_in_whole(c->arena, in);

    if (e == NULL)
        e = quote_make(c->ctx, c->arena, c->agent->id, in, q, &offers);
    rand_bytes(q->id.bytes, sizeof q->id.bytes);
    return e;
}

static int add(struct db *db, const void *quote)
{
    return quotes_add(db, quote) ? 1 : -1;
}

/* A quote that was made for it is kept, as one that was asked for. */
static struct reply *build_directly(struct api_call *c, const struct quote_in *in)
{
    struct unsigned_swap u;
    struct quote q;
    const struct err *e = quote_directly(c, in, &q);

    if (e == NULL)
        e = build_direct(c->ctx, c->arena, &q, in->wallet_address, &u);
    if (e != NULL)
        return reply_err(c->rq, e);
    return idempotency_commit(c, reply_json(c->rq, 200, unsigned_view(c->arena, &u)), add, &q);
}

struct reply *ep_swap(struct api_call *c, const void *arg)
{
    const struct swap_in *in = arg;
    struct unsigned_swap u;
    const struct err *e;

    if (in->quote_id == NULL)
        return build_directly(c, &in->trade);
    e = build_from_quote(c->ctx, c->arena, c->agent->id, in->quote_id, in->trade.wallet_address,
                         (struct ppm){ in->trade.max_impact }, &u);
    return e != NULL ? reply_err(c->rq, e) : reply_json(c->rq, 200, unsigned_view(c->arena, &u));
}
