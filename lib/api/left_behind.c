#include "api/left_behind.h"

#include <string.h>

#include "api/endpoint/endpoint.h"
#include "base/clock.h"
#include "base/json_reader.h"
#include "exec/kind.h"
#include "exec/opinion.h"
#include "lend/markets.h"
#include "lend/place.h"
#include "model/agent.h"
#include "model/perps_order.h"
#include "net/bulkhead.h"
#include "perps/number.h"
#include "perps/perps_account.h"
#include "perps/wallet_state.h"
#include "predict/account.h"
#include "predict/positions.h"
#include "service/conf.h"
#include "store/executions.h"
#include "store/orders.h"
#include "store/perps_orders.h"
#include "store/predict_accounts.h"
#include "store/wallets.h"
#include "swap/wallet_portfolio.h"

enum {
    ASKED_MS = 20 * 1000, /* after which no further wallet is asked about at a market */
    SHOWN_MAX = 100,      /* of each list */
    ORDERS_MAX = 50,      /* of each status */
    SHARE_PLACES = 6,
    CENTS = 2,
};

static const char PREDICT[] = "predict", PERPS[] = "perps", LEND[] = "lend";

/* The state of the search. */
struct left_check {
    struct api_call *call;
    const struct ctx *ctx; /* the call's, or the same for other nodes */
    struct left_behind *out;
    struct wallet *wallets;
    size_t wallet_count;
    const char *held_on; /* store/wallets.h */
    struct execution_place *places;
    size_t place_count;
    int64_t until_ms;
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

static bool was_seen_at(const struct left_check *l, const char *place)
{
    return strstr(l->held_on, arena_printf(l->call->arena, ",%s,", place)) != NULL;
}

static bool has_held(const struct left_check *l, const struct chain *c)
{
    for (size_t i = 0; i < l->place_count; i++)
        if (l->places[i].token.chain_id == c->id)
            return true;
    return was_seen_at(l, c->key);
}

static bool is_of_perps(enum exec_kind_id kind)
{
    return kind >= KIND_PERPS_ORDER && kind <= KIND_PERPS_WITHDRAWAL;
}

static bool has_done(const struct left_check *l, bool (*is)(enum exec_kind_id))
{
    for (size_t i = 0; i < l->place_count; i++)
        if (is(l->places[i].kind))
            return true;
    return false;
}

void left_behind_note(struct api_call *c, const struct holdings *held)
{
    const char *list = held->count == 0 ? NULL : wallets_held_on(c->ctx->db, c->arena, c->agent->id);

    for (size_t i = 0; list != NULL && i < held->count; i++) {
        const struct holding *h = &held->held[i];

        if (strstr(list, arena_printf(c->arena, ",%s,", h->chain->key)) != NULL ||
            !wallets_holds_on(c->ctx->db, c->agent->id, h->wallet, h->chain->key))
            continue;
        list = arena_printf(c->arena, "%s%s,", list, h->chain->key);
    }
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

static void holdings_add(struct left_check *l, const struct holdings *held, const char *place)
{
    for (size_t i = 0; i < held->count; i++) {
        const struct holding *h = &held->held[i];

        item_add(l, (struct left_item){ place != NULL ? place : h->chain->key, h->chain->key,
                                        h->token->symbol, h->balance, h->priced, h->usd });
    }
    for (size_t i = 0; i < held->unread_count; i++)
        if (place != NULL || has_held(l, held->unread[i]))
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
        holdings_add(l, &held, NULL);
        left_behind_note(l->call, &held);
    }
}

/* ---- on prediction markets ---- */

static void position_add(struct left_check *l, const json_t *row)
{
    const char *size = json_string_value(json_object_get(row, "size")),
               *price = json_string_value(json_object_get(row, "currentPrice")),
               *outcome = json_string_value(json_object_get(row, "outcome")),
               *question = json_string_value(json_object_get(row, "question"));
    struct left_item item = { .place = PREDICT, .chain = "polygon", .what = "shares" };
    struct arena *a = l->call->arena;
    struct amount each;

    if (outcome != NULL && question != NULL)
        item.what = arena_printf(a, "%s: %s", outcome, question);
    if (size == NULL || amount_parse_down(a, &item.amount, size, SHARE_PLACES) != AMOUNT_FINE)
        item.amount = (struct amount){ U256_ZERO, SHARE_PLACES };
    else if (amount_is_zero(item.amount))
        return;
    item.valued = price != NULL && amount_parse_down(a, &each, price, RATE_PLACES) == AMOUNT_FINE &&
                  !amount_is_zero(item.amount) && amount_times_down(&item.usd, item.amount, each);
    item_add(l, item);
}

static void positions_check(struct left_check *l, const struct wallet *w)
{
    const char *text;
    json_t *doc;
    const json_t *row;
    size_t i;

    if (clock_mono_ms() > l->until_ms || positions_of(l->ctx, l->call->arena, w, &text) != NULL) {
        silent_add(l, PREDICT);
        return;
    }
    doc = json_read_texts(text, strlen(text));
    json_array_foreach(json_object_get(doc, "positions"), i, row) position_add(l, row);
    json_decref(doc);
}

/* Whether the wallet has an account there, be it a contract of its own or itself. */
static bool has_account(struct left_check *l, const struct wallet *w)
{
    struct predict_account account;
    enum lookup found = predict_accounts_get(l->ctx->db, w, &account);

    l->failed = l->failed || found == LOOKUP_ERROR;
    return found == LOOKUP_FOUND;
}

static void deposit_check(struct left_check *l, const struct wallet *w)
{
    struct holdings held;
    struct wallet deposit;

    if (!has_account(l, w) || account_deposit_wallet(l->ctx->db, w, &deposit) != LOOKUP_FOUND)
        return;
    portfolio_read(l->ctx, l->call->arena, &deposit, 1, chain_by_id(POLYMARKET_CHAIN_ID), &held);
    holdings_add(l, &held, PREDICT);
}

static void predict_check(struct left_check *l, const struct wallet *w)
{
    if (has_account(l, w))
        positions_check(l, w);
}

/* ---- in perpetuals ---- */

static void perps_add(struct left_check *l, const char *dollars)
{
    struct left_item item = { .place = PERPS, .what = "USDC" };

    if (*dollars == '-' || perps_is_zero(dollars))
        return;
    item.valued = amount_parse_down(l->call->arena, &item.usd, dollars, RATE_PLACES) == AMOUNT_FINE &&
                  perps_amount(&item.amount, dollars);
    item_add(l, item);
}

/* Its worth is not known here. */
static void coin_add(struct left_check *l, const struct perps_coin *c)
{
    struct left_item item = { .place = PERPS, .what = c->name };

    if (perps_amount(&item.amount, c->total))
        item_add(l, item);
}

/* A venue that does not answer once is asked no more. */
static void perps_check(struct left_check *l)
{
    bool known = has_done(l, is_of_perps) || was_seen_at(l, PERPS), answers = true;

    if (!known && !l->ctx->conf->perps_trading)
        return;
    for (size_t i = 0; answers && i < l->wallet_count; i++) {
        const struct wallet *w = &l->wallets[i];
        struct perps_held held;

        if (w->ref.kind != WALLET_EVM)
            continue;
        answers = clock_mono_ms() < l->until_ms && perps_held(l->ctx, l->call->arena, w, &held) == NULL;
        if (!answers || !held.has_something)
            continue;
        perps_add(l, held.dollars);
        for (size_t k = 0; k < held.coin_count; k++)
            coin_add(l, &held.coins[k]);
        if (!was_seen_at(l, PERPS))
            (void)wallets_holds_on(l->ctx->db, w->agent_id, w->ref.address, PERPS);
    }
    if (known && !answers)
        silent_add(l, PERPS);
}

/* ---- at lenders ---- */

/* Dollars as a lender reckons them have other decimals. */
static void lent_part_add(struct left_check *l, const struct lend_market *m, const char *what,
                          struct amount amount, struct amount usd)
{
    struct left_item item = { .place = LEND, .chain = m->chain->key, .what = what, .amount = amount };

    if (amount_is_zero(amount))
        return;
    item.valued = m->listed && amount_rescale_up(&item.usd, usd, RATE_PLACES);
    item_add(l, item);
}

static void lent_add(struct left_check *l, const struct lend_position *p)
{
    const struct lend_market *m = p->market;

    lent_part_add(l, m, m->loan, (struct amount){ p->supplied, m->decimals }, lend_worth(m, p->supplied));
    if (strcmp(m->protocol, "morpho") == 0) /* collateral is another token than what is lent */
        lent_part_add(l, m, m->collateral, p->collateral, p->collateral_usd);
}

static void debts_check(struct left_check *l)
{
    const struct agent *agent = l->call->agent;

    for (size_t i = 0; i < l->wallet_count; i++) {
        const struct wallet *w = &l->wallets[i];
        struct lend_book book;

        if (w->ref.kind != WALLET_EVM)
            continue;
        if (clock_mono_ms() > l->until_ms) {
            if (agent->lend_operations > 0)
                silent_add(l, LEND);
            return;
        }
        lend_held(l->ctx, l->call->arena, evm_addr_or_zero(w->ref.address), &book);
        for (size_t k = 0; k < book.position_count; k++)
            lent_add(l, &book.positions[k]);
        for (size_t k = 0; agent->lend_operations > 0 && k < book.unread_count; k++)
            if (has_held(l, book.unread[k]))
                silent_add(l, arena_printf(l->call->arena, "%s on %s", LEND, book.unread[k]->key));
    }
}

/* ---- unfinished executions ---- */

static void order_add(struct left_check *l, const char *market, const char *id)
{
    struct left_behind *out = l->out;

    out->orders = arena_grow(l->call->arena, out->orders, out->order_count, sizeof *out->orders);
    out->orders[out->order_count++] = (struct left_order){ market, id };
}

static void account_poll(struct left_check *l, enum order_status status)
{
    const struct page page = { .limit = ORDERS_MAX };
    const struct perps_filter filter = { .status = status };
    struct db *db = l->ctx->db;
    struct arena *a = l->call->arena;
    struct order *orders = ARENA_ARRAY(a, struct order, ORDERS_MAX);
    struct perps_order *perps = ARENA_ARRAY(a, struct perps_order, ORDERS_MAX);
    uint64_t agent = l->call->agent->id;
    int n = orders_page(db, a, agent, 1u << status, &page, orders),
        of_perps = perps_orders_page(db, a, agent, &filter, &page, perps);

    l->failed = l->failed || n < 0 || of_perps < 0;
    for (int i = 0; i < n; i++)
        order_add(l, PREDICT, order_id_text(a, orders[i].hash));
    for (int i = 0; i < of_perps; i++)
        order_add(l, PERPS, perps_cloid_text(a, perps[i].cloid));
}

static void unended_check(struct left_check *l)
{
    int n = executions_unended(l->ctx->db, l->call->arena, l->call->agent->id, &l->out->unended);

    l->failed = l->failed || n < 0;
    l->out->unended_count = n > 0 ? (size_t)n : 0;
    account_poll(l, ORDER_PENDING);
    account_poll(l, ORDER_OPEN);
}

/* ---- all of it ---- */

static bool is_funded(const struct left_behind *left)
{
    struct amount dollar;

    return left->unvalued || amount_parse(&dollar, "1", RATE_PLACES) != AMOUNT_FINE ||
           u256_cmp(left->usd.raw, dollar.raw) > 0;
}

static void chain_money_check(struct left_check *l)
{
    chains_check(l);
    for (size_t i = 0; i < l->wallet_count; i++)
        deposit_check(l, &l->wallets[i]);
    debts_check(l);
}

/* One node alone does not say that there is nothing: others are asked, whose silence says nothing. */
static void money_check_again(struct left_check *l)
{
    struct left_behind *out = l->out, first = *out;
    struct ctx second = opinion_second(l->ctx);

    l->ctx = &second;
    l->until_ms = clock_mono_ms() + ASKED_MS;
    out->items = NULL;
    out->count = 0;
    out->usd.raw = U256_ZERO;
    chain_money_check(l);
    out->silent_count = first.silent_count;
    if (!is_funded(out))
        *out = first;
    l->ctx = l->call->ctx;
}

static void money_check(struct left_check *l)
{
    chain_money_check(l);
    for (size_t i = 0; i < l->wallet_count; i++)
        predict_check(l, &l->wallets[i]);
    perps_check(l);
    if (!is_funded(l->out) && opinions_differ_anywhere(l->ctx))
        money_check_again(l);
}

const struct err *left_behind_read(struct api_call *c, struct left_behind *out)
{
    struct left_check l = { .call = c, .ctx = c->ctx, .out = out, .until_ms = clock_mono_ms() + ASKED_MS };
    int wallets = wallets_list(c->ctx->db, c->arena, c->agent->id, &l.wallets),
        places = executions_places(c->ctx->db, c->arena, c->agent->id, &l.places);

    *out = (struct left_behind){ .usd.decimals = RATE_PLACES };
    l.held_on = wallets_held_on(c->ctx->db, c->arena, c->agent->id);
    if (wallets < 0 || places < 0 || l.held_on == NULL)
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
