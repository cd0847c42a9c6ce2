#include "swap/simulate.h"

#include "api/endpoints.h"
#include "api/view.h"
#include "codec/rand.h"
#include "model/agent.h"
#include "store/quotes.h"
#include "swap/quote.h"
#include "swap/token.h"

enum { CENTS = 2 };

static const struct err *fresh_quote(struct api_call *c, const struct quote_in *in, struct quote *q)
{
    const struct err *e = quote_in_whole(c->arena, in);
    struct offers offers;

    return e != NULL ? e : quote_make(c->ctx, c->arena, c->agent->id, in, q, &offers);
}

static const struct err *find_quote(struct api_call *c, const struct swap_in *in, struct quote *q)
{
    const struct err *e;

    if (in->quote_id != NULL) {
        e = simulate_quote(c->ctx, c->agent->id, in->quote_id, q);
        if (e == NULL && in->trade.max_impact != PPM_NONE)
            q->max_impact.value = in->trade.max_impact;
        return e;
    }
    return fresh_quote(c, &in->trade, q);
}

/* A fresh quote is kept, so that it may be executed as it was rehearsed. */
static const struct err *keep(struct api_call *c, const struct swap_in *in, struct quote *q)
{
    if (in->quote_id != NULL)
        return NULL;
    rand_bytes(q->id.bytes, sizeof q->id.bytes);
    return quotes_add(c->ctx->db, q) ? NULL : &E_INTERNAL;
}

static json_t *check_view(const struct check *c)
{
    json_t *o = json_pack("{s:s, s:s, s:s}", "name", c->name, "status", check_status_text(c->status),
                          "detail", c->detail);

    if (c->unverified)
        json_object_set_new(o, "unverified", json_true());
    return o;
}

static json_t *impact_view(const struct simulation *s)
{
    return s->impact.value == PPM_NONE ? json_null()
                                       : json_real(s->impact.value / 1e4); /* per cent, shown only */
}

static json_t *output_view(struct arena *a, const struct simulation *s)
{
    const struct quote *q = s->quote;
    const struct token_label label = token_label(&q->to);

    return json_pack("{s:s, s:s, s:o, s:o*}", "token", label.symbol, "amount",
                     amount_text(a, (struct amount){ q->amount_out, q->to.decimals }), "amount_usd",
                     view_text(s->has_usd ? amount_places_down(a, s->usd, CENTS) : NULL), "unverified",
                     view_flag(label.unverified));
}

static json_t *simulation_view(struct arena *a, const struct simulation *s)
{
    const struct quote *q = s->quote;
    json_t *checks = json_array(), *warnings = json_array();
    char id[QUOTE_ID_TEXT_LEN + 1];

    for (unsigned i = 0; i < CHECKS; i++) {
        json_array_append_new(checks, check_view(&s->checks[i]));
        if (s->checks[i].status == CHECK_WARN)
            json_array_append_new(warnings, json_string(s->checks[i].detail));
    }
    quote_id_text(id, &q->id);
    return json_pack("{s:b, s:s, s:s, s:s, s:o, s:s, s:o, s:{s:s, s:o}, s:o, s:o}", "would_execute",
                     s->would_execute, "quote_id", id, "chain_type", "evm", "wallet_address", s->wallet,
                     "expected_output", output_view(a, s), "min_output_after_slippage",
                     amount_text(a, (struct amount){ q->min_out, q->to.decimals }), "price_impact_pct",
                     impact_view(s), "fees", "protocol", "0", "gas_estimate",
                     view_text(s->has_fees ? amount_text(a, s->fees) : NULL), "checks", checks, "warnings",
                     warnings);
}

struct reply *ep_swap_simulate(struct api_call *c, const void *arg)
{
    const struct swap_in *in = arg;
    const char *wallet;
    struct simulation s;
    struct quote q;
    const struct err *e;

    if ((e = find_quote(c, in, &q)) != NULL ||
        (e = simulate_wallet(c->ctx, c->arena, c->agent->id, in->trade.wallet_address, &wallet)) != NULL ||
        (e = keep(c, in, &q)) != NULL || (e = simulate_swap(c->ctx, c->arena, &q, wallet, &s)) != NULL)
        return reply_err(c->rq, e);
    return reply_json(c->rq, 200, simulation_view(c->arena, &s));
}
