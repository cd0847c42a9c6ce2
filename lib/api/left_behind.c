#include "api/left_behind.h"

#include <string.h>

#include "api/endpoint/endpoint.h"
#include "base/clock.h"
#include "exec/kind.h"
#include "exec/opinion.h"
#include "model/agent.h"
#include "net/bulkhead.h"
#include "store/executions.h"
#include "swap/wallet_portfolio.h"

enum {
    ASKED_MS = 20 * 1000, /* after which a market is asked about no further wallet */
    SHOWN_MAX = 100,      /* of each list */
    CENTS = 2,
};

/* The state of the search. */
struct left_check {
    struct api_call *call;
    const struct ctx *ctx; /* the call's, or the same for other nodes */
    struct left_behind *out;
    struct wallet *wallets;
    size_t wallet_count;
    struct wallet_traces traces;
    struct execution_place *places;
    size_t place_count;
    bool failed; /* the database, or an amount that fits nowhere */
};

/* ---- findings ---- */

static void item_add(struct left_check *l, struct left_item item)
{
    struct left_behind *out = l->out;

    out->items = arena_grow(l->call->arena, out->items, out->count, sizeof *out->items);
    out->items[out->count++] = item;
    if (!item.valued)
        out->unvalued = true;
    else if (!u256_add(&out->usd.raw, out->usd.raw, item.usd.raw))
        out->unvalued = true;
}

/* Once each. */
static void silent_add(struct left_check *l, const char *place)
{
    struct left_behind *out = l->out;

    for (size_t i = 0; i < out->silent_count; i++)
        if (strcmp(out->silent[i], place) == 0)
            return;
    out->silent = arena_grow(l->call->arena, out->silent, out->silent_count, sizeof *out->silent);
    out->silent[out->silent_count++] = place;
}

/* ---- the path of its money ---- */

static bool has_held(const struct left_check *l, const struct chain *c)
{
    for (size_t i = 0; i < l->place_count; i++)
        if (l->places[i].token.chain_id == c->id)
            return true;
    return wallet_traces_have(&l->traces, l->call->arena, c->key);
}

static void trace_add(struct api_call *c, struct wallet_traces *t, const char *wallet, const char *place)
{
    if (!wallet_traces_have(t, c->arena, place) && wallets_holds_on(c->ctx->db, c->agent->id, wallet, place))
        t->held_on = arena_printf(c->arena, "%s%s,", t->held_on, place);
}

void left_behind_note(struct api_call *c, struct wallet_traces *t, const struct holdings *held)
{
    for (size_t i = 0; i < held->count; i++)
        trace_add(c, t, held->held[i].wallet, held->held[i].chain->key);
}

void left_behind_note_assets(struct api_call *c, struct wallet_traces *t, const struct assets *assets)
{
    for (size_t i = 0; i < assets->count; i++)
        trace_add(c, t, assets->list[i].held.wallet, assets->list[i].market);
}

/* ---- on chains ---- */

/* Tokens that no list has and the agent has dealt in. */
static size_t unlisted_tokens(const struct left_check *l, struct token **out)
{
    struct arena *a = l->call->arena;
    size_t n = 0;

    *out = ARENA_ARRAY(a, struct token, l->place_count + 1);
    for (size_t i = 0; i < l->place_count; i++) {
        const struct token_ref *t = &l->places[i].token;
        const struct chain *c = chain_by_id(t->chain_id);
        bool known = c == NULL || *t->address == '\0' || token_known(t) != NULL;

        for (size_t k = 0; !known && k < n; k++)
            known =
                strcmp((*out)[k].chain, c->key) == 0 && strcasecmp((*out)[k].address_text, t->address) == 0;
        if (!known)
            (*out)[n++] = (struct token){ .chain = c->key,
                                          .symbol = t->symbol,
                                          .name = t->symbol,
                                          .decimals = t->decimals,
                                          .address_text = t->address };
    }
    return n;
}

static void holdings_add(struct left_check *l, const struct holdings *held)
{
    for (size_t i = 0; i < held->count; i++) {
        const struct holding *h = &held->held[i];

        item_add(l, (struct left_item){ h->chain->key, h->chain->key, h->token->symbol, h->balance, h->priced,
                                        h->usd });
    }
    for (size_t i = 0; i < held->unread_count; i++)
        if (has_held(l, held->unread[i]))
            silent_add(l, held->unread[i]->key);
}

static void chains_check(struct left_check *l)
{
    struct token *also;
    size_t also_count = unlisted_tokens(l, &also);
    struct holdings held;

    for (size_t at = 0, part; at < l->wallet_count; at += part) {
        part = l->wallet_count - at < PORTFOLIO_MAX_WALLETS ? l->wallet_count - at : PORTFOLIO_MAX_WALLETS;
        portfolio_read_with(l->ctx, l->call->arena, l->wallets + at, part, also, also_count, &held);
        holdings_add(l, &held);
        left_behind_note(l->call, &l->traces, &held);
    }
}

/* ---- at markets ---- */

/* Debts are not lost with an agent. */
static void assets_add_left(struct left_check *l, const struct assets *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct asset *x = &found->list[i];

        if (!x->is_debt)
            item_add(l, (struct left_item){ x->market, x->held.chain != NULL ? x->held.chain->key : NULL,
                                            x->what, x->held.balance, x->held.priced, x->held.usd });
    }
}

/* What is silent counts where the agent's money has been. */
static void silences_add(struct left_check *l, const struct assets *found, bool known)
{
    for (size_t i = 0; i < found->silent_count; i++) {
        const struct silent_market *x = &found->silent[i];

        if (x->certain || (known && (x->chain == NULL || has_held(l, x->chain))))
            silent_add(l, silent_market_text(l->call->arena, x));
    }
}

static void market_check(struct left_check *l, const struct asset_source *s)
{
    struct arena *a = l->call->arena;
    bool known = asset_source_is_known(s, a, &l->traces);
    struct assets_question q = { l->wallets, l->wallet_count, NULL, clock_mono_ms() + ASKED_MS };
    struct assets found = { .arena = a };
    struct holding **held;

    if (!known && s->is_offered != NULL && !s->is_offered(l->ctx))
        return;
    s->read(l->ctx, &q, &found);
    held = ARENA_ARRAY(a, struct holding *, found.count);
    for (size_t i = 0; i < found.count; i++)
        held[i] = &found.list[i].held;
    portfolio_value_listed(l->ctx, a, held, found.count);
    l->failed = l->failed || found.failed;
    assets_add_left(l, &found);
    silences_add(l, &found, known);
    left_behind_note_assets(l->call, &l->traces, &found);
}

/* ---- unfinished executions ---- */

static void orders_check(struct left_check *l, const struct asset_source *s)
{
    struct left_behind *out = l->out;
    const char **ids = ARENA_ARRAY(l->call->arena, const char *, 2 * (size_t)ASSET_ORDERS_MAX);
    int n = s->open_orders(l->ctx->db, l->call->arena, l->call->agent->id, ids);

    l->failed = l->failed || n < 0;
    for (int i = 0; i < n; i++) {
        out->orders = arena_grow(l->call->arena, out->orders, out->order_count, sizeof *out->orders);
        out->orders[out->order_count++] = (struct left_order){ s->name, ids[i] };
    }
}

static void unended_check(struct left_check *l)
{
    int n = executions_unended(l->ctx->db, l->call->arena, l->call->agent->id, &l->out->unended);

    l->failed = l->failed || n < 0;
    l->out->unended_count = n > 0 ? (size_t)n : 0;
    for (size_t i = 0; asset_sources[i] != NULL; i++)
        if (asset_sources[i]->open_orders != NULL)
            orders_check(l, asset_sources[i]);
}

/* ---- all of it ---- */

static bool is_funded(const struct left_behind *left)
{
    struct amount dollar;

    return left->unvalued || amount_parse(&dollar, "1", RATE_PLACES) != AMOUNT_FINE ||
           u256_cmp(left->usd.raw, dollar.raw) > 0;
}

static void money_check_once(struct left_check *l)
{
    chains_check(l);
    for (size_t i = 0; asset_sources[i] != NULL; i++)
        market_check(l, asset_sources[i]);
}

/* One node alone does not say that there is nothing: others are asked, whose silence says nothing. */
static void money_check_again(struct left_check *l)
{
    struct left_behind *out = l->out, first = *out;
    struct ctx second = opinion_second(l->ctx);

    l->ctx = &second;
    out->items = NULL;
    out->count = 0;
    out->usd.raw = U256_ZERO;
    money_check_once(l);
    out->silent_count = first.silent_count;
    if (!is_funded(out))
        *out = first;
    l->ctx = l->call->ctx;
}

static void money_check(struct left_check *l)
{
    money_check_once(l);
    if (!is_funded(l->out) && opinions_differ_anywhere(l->ctx))
        money_check_again(l);
}

const struct err *left_behind_read(struct api_call *c, struct left_behind *out)
{
    struct left_check l = { .call = c, .ctx = c->ctx, .out = out };
    int wallets = wallets_list(c->ctx->db, c->arena, c->agent->id, &l.wallets),
        places = executions_places(c->ctx->db, c->arena, c->agent->id, &l.places);

    *out = (struct left_behind){ .usd.decimals = RATE_PLACES };
    if (wallets < 0 || places < 0 || !wallets_traces(c->ctx->db, c->arena, c->agent->id, &l.traces))
        return c->endpoint->internal;
    l.wallet_count = (size_t)wallets;
    l.place_count = (size_t)places;
    unended_check(&l);
    if (!l.failed && wallets > 0) {
        if (!bulkhead_enter(c->ctx->bulkhead, c->agent->id))
            return &E_BUSY;
        money_check(&l);
        bulkhead_leave(c->ctx->bulkhead);
    }
    return l.failed ? c->endpoint->internal : NULL;
}

const struct err *left_behind_error(const struct left_behind *left)
{
    if (is_funded(left))
        return &E_FUNDED;
    if (left->unended_count > 0 || left->order_count > 0)
        return &E_NOT_ENDED;
    return left->silent_count > 0 ? &E_FUNDS_UNREAD : NULL;
}

/* ---- as members ---- */

static void item_write(struct json_writer *w, const struct left_item *item)
{
    jw_object(w, NULL);
    jw_string(w, "place", item->place);
    jw_string_or_null(w, "chain", item->chain);
    jw_string(w, "symbol", item->what);
    amount_write(w, "amount", item->amount);
    jw_string_or_null(w, "usd_value", item->valued ? amount_places_down(w->arena, item->usd, CENTS) : NULL);
    jw_end(w);
}

static void unended_write(struct json_writer *w, const char *kind, const char *id, const char *status)
{
    jw_object(w, NULL);
    jw_string(w, "kind", kind);
    jw_string(w, "id", id);
    jw_string(w, "status", status);
    jw_end(w);
}

void left_behind_write(struct json_writer *w, const struct left_behind *left)
{
    struct arena *a = w->arena;

    jw_string(w, "total_usd", amount_places_down(a, left->usd, CENTS));
    jw_array(w, "holdings");
    for (size_t i = 0; i < left->count && i < SHOWN_MAX; i++)
        item_write(w, &left->items[i]);
    jw_end(w);
    jw_array(w, "under_way");
    for (size_t i = 0; i < left->unended_count && i < SHOWN_MAX; i++) {
        const struct execution *x = &left->unended[i];
        const struct exec_kind *kind = exec_kind_of(x->kind);

        unended_write(w, kind != NULL ? kind->name : "execution",
                      arena_printf(a, "%llu", (unsigned long long)x->id), exec_status_text(x->status));
    }
    for (size_t i = 0; i < left->order_count && i < SHOWN_MAX; i++)
        unended_write(w, arena_printf(a, "%s order", left->orders[i].market), left->orders[i].id, "open");
    jw_end(w);
    jw_array(w, "unread");
    for (size_t i = 0; i < left->silent_count; i++)
        jw_string(w, NULL, left->silent[i]);
    jw_end(w);
}
