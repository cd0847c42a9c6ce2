#include "swap/swap_quote.h"

#include <string.h>

#include "chain/address.h"
#include "chain/tokens.h"
#include "store/quotes.h"
#include "swap/impact.h"
#include "swap/purchase_recipient.h"
#include "swap/token.h"

static const char DEFAULT_CHAIN[] = "ethereum";

static const struct err *side_chain(struct arena *a, const char *own, const char *own_name,
                                    const char *common, const struct chain **out)
{
    const char *key = own != NULL ? own : common != NULL ? common : DEFAULT_CHAIN;

    *out = chain_find(key);
    if (*out != NULL)
        return NULL;
    return err_on(a, err_fmt(a, &E_CHAIN_UNKNOWN, key, NULL), own != NULL ? own_name : "chain");
}

static const struct err *side_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                    const char *text, const char *name, struct token_ref *out)
{
    const struct err *e = token_resolve(ctx, a, c, text, out);

    return e == NULL || e->status != 400 ? e : err_on(a, e, name);
}

/* Solana counts tokens in 64 bits. */
static const struct err *check_amount(struct arena *a, const struct chain *c, struct u256 amount)
{
    uint64_t units;

    if (c->type != CHAIN_SOLANA || u256_to_u64(&units, amount))
        return NULL;
    return err_hint(a, err_on(a, &E_AMOUNT, "amount"), "More than the chain can count");
}

static const struct err *quote_amount(struct arena *a, const char *text, const struct chain *c,
                                      const struct token_ref *t, struct u256 *out)
{
    const struct err *e = token_ref_amount(a, t, text, out);

    return e != NULL ? e : check_amount(a, c, *out);
}

/* On Solana the coin and its wrapped form have one address. */
static bool same_token(const struct token_ref *x, const struct token_ref *y)
{
    return x->chain_id == y->chain_id && strcmp(x->address, y->address) == 0 &&
           token_known(x) == token_known(y);
}

static const struct err *check_wallet(struct arena *a, const struct chain *c, const char *address)
{
    return address == NULL || address_is_wallet(c->type, address)
               ? NULL
               : err_on(a, &E_WALLET_ADDRESS, "wallet_address");
}

static const struct err *provider_unknown(struct arena *a, const char *key, const char *name)
{
    const struct err *e = err_on(a, err_fmt(a, &E_PROVIDER_UNKNOWN, err_shown(a, key), NULL), name);
    const struct provider_ended *ended = provider_ended(key);
    const char *hint =
        ended == NULL ? "Providers:" : arena_printf(a, "%s ended on %s. Providers:", ended->name, ended->day);

    for (const char *const *k = provider_keys(); *k != NULL; k++)
        hint = arena_printf(a, "%s %s%s", hint, *k, k[1] == NULL ? "" : ",");
    return err_hint(a, e, hint);
}

static const struct err *quote_providers(struct arena *a, const struct quote_in *in, unsigned *unwanted)
{
    const char *unknown = providers_choose(unwanted, in->providers, NULL);
    const char *name = "providers";

    if (unknown == NULL) {
        unknown = providers_choose(unwanted, in->providers, in->exclude_providers);
        name = "exclude_providers";
    }
    return unknown == NULL ? NULL : provider_unknown(a, unknown, name);
}

/* One side of a swap as it was asked for, and the names of its parameters. */
struct side {
    const char *chain, *chain_name, *token, *token_name;
};

static const struct err *side_find(const struct ctx *ctx, struct arena *a, const struct side *s,
                                   const char *common_chain, const struct chain **chain,
                                   struct token_ref *token)
{
    const struct err *e = side_chain(a, s->chain, s->chain_name, common_chain, chain);

    return e != NULL ? e : side_token(ctx, a, *chain, s->token, s->token_name, token);
}

/* Reports everything that is wrong with it at once. */
static const struct err *quote_resolve(const struct ctx *ctx, struct arena *a, const struct quote_in *in,
                                       struct route_in *r)
{
    const struct side given = { in->from_chain, "from_chain", in->from_token, "from_token" },
                      taken = { in->to_chain, "to_chain", in->to_token, "to_token" };
    const struct err *from, *e;

    *r = (struct route_in){
        .slippage = { in->slippage },
        .wallet = in->wallet_address,
        .wants_reference = true,
    };
    from = side_find(ctx, a, &given, in->chain, &r->from_chain, &r->from);
    e = err_both(a, from, side_find(ctx, a, &taken, in->chain, &r->to_chain, &r->to));
    if (e == NULL && same_token(&r->from, &r->to))
        e = err_on(a, &E_SAME_TOKEN, "to_token");
    if (from == NULL)
        e = err_both(a, e, quote_amount(a, in->amount, r->from_chain, &r->from, &r->amount_in));
    if (r->from_chain != NULL)
        e = err_both(a, e, check_wallet(a, r->from_chain, in->wallet_address));
    return err_both(a, e, quote_providers(a, in, &r->unwanted));
}

static void quote_keep_offers(struct quote *q, struct arena *a, const struct offers *offers)
{
    size_t n = offers->count - 1 < QUOTE_OFFERS_MAX ? offers->count - 1 : QUOTE_OFFERS_MAX;
    struct quote_offer *list = ARENA_ARRAY(a, struct quote_offer, n);

    for (size_t i = 0; i < n; i++) {
        const struct offer *o = &offers->best_first[1 + i];

        list[i] = (struct quote_offer){
            .amount_out = o->out,
            .min_out = o->min_out,
            .gas_units = o->gas_units,
            .payload = o->payload.data,
            .payload_len = o->payload.len,
        };
        (void)snprintf(list[i].provider, sizeof list[i].provider, "%s", o->provider->key);
    }
    q->offers = list;
    q->offer_count = (unsigned)n;
}

void quote_of_offer(struct quote *q, uint64_t agent_id, const struct route_in *r, const struct offer *offer)
{
    *q = (struct quote){
        .agent_id = agent_id,
        .from = r->from,
        .to = r->to,
        .amount_in = r->amount_in,
        .amount_out = offer->out,
        .min_out = offer->min_out,
        .slippage = r->slippage,
        .gas_units = offer->gas_units,
        .route_len = offer->payload.len,
    };
    (void)snprintf(q->provider, sizeof q->provider, "%s", offer->provider->key);
    memcpy(q->route, offer->payload.data, offer->payload.len);
}

bool quote_route(struct route_in *out, const struct quote *q)
{
    *out = (struct route_in){
        .from_chain = chain_by_id(q->from.chain_id),
        .to_chain = chain_by_id(q->to.chain_id),
        .from = q->from,
        .to = q->to,
        .amount_in = q->amount_in,
        .slippage = q->slippage,
    };
    if (q->recipient[0] != '\0')
        out->recipient = q->recipient;
    return out->from_chain != NULL && out->to_chain != NULL;
}

bool quote_tx(struct tx_in *out, const struct quote *q, const char *wallet, int64_t deadline)
{
    *out = (struct tx_in){
        .min_out = q->min_out,
        .deadline = deadline,
        .payload = { q->route, q->route_len },
    };
    if (!quote_route(&out->route, q))
        return false;
    out->route.wallet = wallet;
    return true;
}

const struct err *quote_in_whole(struct arena *a, const struct quote_in *in)
{
    const struct err *e = NULL;

    if (in->from_token == NULL && in->to_token == NULL && in->amount == NULL)
        return err_on(a, &E_SWAP_MODE, "quote_id");
    if (in->from_token == NULL)
        e = err_both(a, e, err_on(a, &E_SWAP_MODE, "from_token"));
    if (in->to_token == NULL)
        e = err_both(a, e, err_on(a, &E_SWAP_MODE, "to_token"));
    if (in->amount == NULL)
        e = err_both(a, e, err_on(a, &E_SWAP_MODE, "amount"));
    return e;
}

enum lookup quote_of(const struct ctx *ctx, uint64_t agent_id, const char *quote_id, struct quote *out)
{
    struct uuid id;

    return quote_id_parse(&id, quote_id) ? quotes_get(ctx->db, &id, agent_id, out) : LOOKUP_NONE;
}

/* If the agent wants only other providers, the pools are still asked for the output of a small part: without
 * it the price impact of the quote is unknown. Their offers are left out. */
static void quote_ask_reference(const struct ctx *ctx, struct arena *a, const struct route_in *r,
                                struct offers *offers)
{
    static const char *const pools[] = { "uniswap", NULL };
    struct route_in beside = *r;
    struct offers said;

    if (!u256_is_zero(offers->reference_out) || r->from_chain != r->to_chain ||
        providers_choose(&beside.unwanted, pools, NULL) != NULL || (r->unwanted & ~beside.unwanted) == 0 ||
        route_offers(ctx, a, &beside, &said) != NULL)
        return;
    offers->reference_out = said.reference_out;
    offers->reference = said.reference;
}

const struct err *quote_make(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                             const struct quote_in *in, struct quote *out, struct offers *offers)
{
    char recipient[WALLET_ADDR_MAX];
    struct route_in r;
    const struct err *e;

    if ((e = quote_resolve(ctx, a, in, &r)) != NULL ||
        (e = recipient_choose(ctx, a, agent_id, &r, in->to_wallet_address, recipient)) != NULL)
        return e;
    if (recipient[0] != '\0')
        r.recipient = recipient;
    if ((e = route_offers(ctx, a, &r, offers)) != NULL)
        return e;
    quote_ask_reference(ctx, a, &r, offers);
    quote_of_offer(out, agent_id, &r, &offers->best_first[0]);
    memcpy(out->recipient, recipient, sizeof recipient);
    quote_keep_offers(out, a, offers);
    out->reference = offers->reference;
    out->max_impact.value = in->max_impact;
    out->price_impact = impact_of(ctx, out, out->amount_out, offers->reference_out);
    if (in->wallet_address != NULL)
        (void)snprintf(out->wallet_address, sizeof out->wallet_address, "%s", in->wallet_address);
    return NULL;
}
