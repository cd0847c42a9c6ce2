#include "perps/perps_order.h"

#include <string.h>

#include "base/clock.h"
#include "chain/tokens.h"
#include "exec/commit_approval.h"
#include "exec/elsewhere.h"
#include "exec/wallet.h"
#include "net/venues.h"
#include "perps/action_sign.h"
#include "perps/key_choice.h"
#include "perps/number.h"
#include "perps/perps_markets.h"
#include "perps/perps_order_follower.h"
#include "perps/perps_order_venue.h"
#include "perps/perps_terms.h"
#include "perps/request_budget.h"
#include "service/conf.h"
#include "store/executions.h"
#include "store/order_leases.h"
#include "store/perps_accounts.h"
#include "store/perps_orders.h"
#include "store/trading_keys.h"
#include "store/wallets.h"

enum {
    ARBITRUM = 42161, /* whose dollars the account is kept in */
    VALID_S = 30,
    POLL_SOON_MS = 2000,
    POLL_AT_ONCE_MS = 1000,
    KEY_TRIES = 3,
    KEY_AGAIN_MS = 30 * 1000, /* between two that are made for cancels */
};

static const int64_t KEY_VALID_MS = 180LL * 24 * 3600 * 1000 - 10LL * 60 * 1000; /* clocks may differ */

/* An order, or a setting or a key alone, on its way to the commit. */
struct order_op {
    struct order_op *self; /* for hooks, which see it as constant */
    struct wallet wallet;
    enum exec_kind_id kind;
    struct perps_terms terms;
    struct key_choice chosen;
    bool key_changed; /* another execution has made one meanwhile */
    struct perps_action approval, setting, order;
    struct plan plan;
};

/* ---- the key ---- */

static bool key_make(const struct ctx *ctx, struct db *db, struct order_op *p)
{
    int64_t now_ms;

    if (!db_clock_ms(db, &now_ms) || !perps_key_make(ctx, &p->wallet, &p->chosen.key))
        return false;
    struct hyperliquid_approval *ap = &p->approval.action.approval;
    struct trading_key *k = &p->chosen.key;

    k->valid_until_ms = now_ms + KEY_VALID_MS;
    (void)snprintf(k->name, sizeof k->name, "%s", p->chosen.name);
    *ap = (struct hyperliquid_approval){ .key = evm_addr_or_zero(k->address),
                                         .valid_until = (uint64_t)k->valid_until_ms };
    (void)snprintf(ap->name, sizeof ap->name, "%s", k->name);
    return true;
}

/* Inside the transaction, each time it is tried: an address that was signed for once is never signed for
 * again. */
static enum db_update key_take(const struct commit *c, struct db *db)
{
    struct order_op *p = ((const struct order_op *)c->market)->self;

    if (p->chosen.is_new && !key_make(c->ctx, db, p))
        return DB_ERROR;
    for (unsigned i = 0; i < p->plan.request_count; i++) {
        struct plan_request *r = &p->plan.requests[i];
        const char *signs = r->venue == &perps_key_venue ? p->wallet.ref.address : p->chosen.key.address;

        r->signing_key = (const uint8_t *)signs;
        r->signing_key_len = strlen(signs);
    }
    return UPDATED;
}

/* Under the wallet's lock. What a key in force signs is taken, whichever else is made meanwhile. */
static const struct err *key_recheck(struct commit *c)
{
    struct order_op *p = ((const struct order_op *)c->market)->self;
    struct key_choice now;

    if (!p->chosen.is_new && p->chosen.key.approved)
        return NULL;
    if (!key_choose(c->ctx->db, p->wallet.id, clock_ms(), &now))
        return c->failure;
    p->key_changed = !key_choice_eq(&now, &p->chosen);
    return p->key_changed ? c->failure : NULL;
}

/* ---- rows ---- */

static void order_row_set(const struct commit *c, struct perps_order *o)
{
    o->execution_id = c->out->execution.id;
    o->agent_id = c->wallet->agent_id;
    o->wallet_id = c->wallet->id;
    o->status = c->out->awaits ? ORDER_WAITING : ORDER_PENDING;
}

static void child_set(struct perps_order *o, const struct perps_order *behind)
{
    struct perps_child *c = behind->role == PERPS_TAKE_PROFIT ? &o->gain : &o->loss;

    *c = (struct perps_child){ .status = behind->status, .trigger = behind->trigger };
    memcpy(c->cloid, behind->cloid, sizeof c->cloid);
}

static bool order_rows_add(struct db *db, const struct commit *c, const struct perps_terms *t)
{
    struct perps_order rows[PERPS_ORDERS_AT_ONCE] = { t->order };
    unsigned n = 1 + t->behind_count;

    rows[0].behind = t->behind_count;
    memcpy(&rows[1], t->behind, t->behind_count * sizeof t->behind[0]);
    for (unsigned i = 0; i < n; i++)
        order_row_set(c, &rows[i]);
    for (unsigned i = 1; i < n; i++)
        child_set(&rows[0], &rows[i]);
    return perps_orders_add(db, rows, n);
}

static bool key_store(struct db *db, const struct commit *c, struct order_op *p)
{
    if (!p->chosen.is_new)
        return true;
    p->chosen.key.execution_id = c->out->execution.id;
    return trading_keys_add(db, &p->chosen.key);
}

static bool has_order(const struct order_op *p)
{
    return p->kind == KIND_PERPS_ORDER || p->kind == KIND_PERPS_CLOSE;
}

static bool poll_soon(struct db *db, uint64_t wallet_id)
{
    bool soon;
    enum lookup found = perps_accounts_due_in(db, wallet_id, POLL_SOON_MS, &soon);

    if (found == LOOKUP_ERROR || (found == LOOKUP_NONE && perps_accounts_add(db, wallet_id) == DB_ERROR))
        return false;
    return soon || order_leases_due(db, ORDERS_OF_PERPS, wallet_id, POLL_SOON_MS);
}

static bool order_op_store(struct commit *c, struct db *db)
{
    struct order_op *p = ((const struct order_op *)c->market)->self;
    bool orders = has_order(p), kept = true;

    if (orders && c->approved != NULL)
        kept = perps_orders_begin(db, c->wallet->agent_id, c->out->execution.id) == UPDATED;
    else if (orders)
        kept = order_rows_add(db, c, &p->terms);
    if (!kept || c->out->awaits)
        return kept;
    return key_store(db, c, p) && (!orders || poll_soon(db, c->wallet->id));
}

/* An approved order gets the approved terms, or better. A market order keeps its worst price from the
 * approval, wherever the book is. */
static const struct err *terms_recheck(const struct commit *c)
{
    const struct perps_terms *t = &((const struct order_op *)c->market)->terms;

    if (c->approved == NULL)
        return NULL;
    if (!t->order.is_market && u256_cmp(t->bound, c->out->execution.amount_in) > 0)
        return err_hint(c->arena, &E_PRICE_MOVED,
                        "It would bind more than was approved: place the order anew");
    /* The transaction takes the approval in place of the key. */
    return key_take(c, c->ctx->db) == UPDATED ? NULL : c->failure;
}

static void order_op_spend_facts(const struct commit *c, struct spend_facts *o)
{
    const struct perps_terms *t = &((const struct order_op *)c->market)->terms;
    struct amount bound = { t->bound, PERPS_MARGIN_PLACES };

    o->asset = t->asset.name;
    o->leverage = t->order.leverage;
    o->has_margin = amount_rescale_up(&bound, bound, RATE_PLACES);
    o->margin = bound.raw;
    o->slippage.value = t->order.is_market ? c->slippage.value : 0;
}

static const struct commit_hooks hooks = { .check = terms_recheck,
                                           .spend_facts = order_op_spend_facts,
                                           .take = key_take,
                                           .locked = key_recheck,
                                           .store = order_op_store };

/* ---- the plan ---- */

static struct hyperliquid_order order_compose(const struct perps_terms *t, const struct perps_order *o)
{
    static const enum hyperliquid_order_kind kinds[] = {
        [PERPS_GTC] = HYPERLIQUID_GTC, [PERPS_IOC] = HYPERLIQUID_IOC, [PERPS_ALO] = HYPERLIQUID_ALO
    };
    struct hyperliquid_order h = { .asset = t->asset.index,
                                   .buy = !o->sells,
                                   .reduce_only = o->reduce_only,
                                   .price = o->price,
                                   .size = o->size,
                                   .kind = kinds[o->tif],
                                   .has_cloid = true };

    memcpy(h.cloid, o->cloid, sizeof h.cloid);
    if (o->role != PERPS_ORDER) {
        h.kind = o->role == PERPS_TAKE_PROFIT ? HYPERLIQUID_TAKE_PROFIT : HYPERLIQUID_STOP_LOSS;
        h.trigger_price = o->trigger;
        h.trigger_is_market = true;
    }
    return h;
}

static void request_add(struct order_op *p, const struct venue *venue, struct perps_action *action,
                        enum hyperliquid_kind kind)
{
    action->key = &p->chosen.key;
    action->action.kind = kind;
    p->plan.requests[p->plan.request_count++] = (struct plan_request){
        .venue = venue, .order = action, .signing_key = (const uint8_t *)"", .valid_ms = VALID_S * 1000
    };
}

static void order_request(struct order_op *p)
{
    const struct perps_terms *t = &p->terms;
    struct hyperliquid_action *action = &p->order.action;

    action->grouping = t->behind_count > 0 ? HYPERLIQUID_PARENT_FIRST : HYPERLIQUID_ALONE;
    action->count = 1 + t->behind_count;
    action->orders[0] = order_compose(t, &t->order);
    for (unsigned i = 0; i < t->behind_count; i++)
        action->orders[1 + i] = order_compose(t, &t->behind[i]);
    request_add(p, &perps_order_venue, &p->order, HYPERLIQUID_ORDER);
}

static void plan_make(struct order_op *p)
{
    const struct token_ref dollar = token_ref_of(token_find(chain_by_id(ARBITRUM), "USDC"));
    const struct perps_terms *t = &p->terms;

    p->plan = (struct plan){ .wallet = p->wallet.ref.address,
                             .deadline = clock_seconds() + VALID_S,
                             .leaves = { .token = dollar, .amount = t->bound },
                             .arrives = { .token = dollar } };
    if (p->chosen.is_new)
        request_add(p, &perps_key_venue, &p->approval, HYPERLIQUID_APPROVE);
    if (t->sets) {
        p->setting.action.leverage = (struct hyperliquid_leverage){ .asset = t->asset.index,
                                                                    .cross = !t->order.isolated,
                                                                    .leverage = t->order.leverage };
        request_add(p, &perps_leverage_venue, &p->setting, HYPERLIQUID_LEVERAGE);
    }
    if (has_order(p))
        order_request(p);
}

/* ---- to the commit ---- */

static void order_op_send(struct commit *c, const struct order_op *p)
{
    struct perps_order o;

    commit_send(c);
    if (c->out->awaits || !has_order(p) || c->out->execution.status == EXEC_FAILED)
        return;
    if ((c->out->more || c->out->execution.status == EXEC_PENDING) &&
        perps_orders_of_execution(c->ctx->db, c->arena, c->out->execution.id, &o) == LOOKUP_FOUND)
        (void)perps_order_poll_one(c->ctx, c->arena, &o, POLL_AT_ONCE_MS);
}

static const struct err *order_op_try(struct commit *c, struct order_op *p)
{
    p->key_changed = false;
    if (!key_choose(c->ctx->db, p->wallet.id, clock_ms(), &p->chosen))
        return commit_explain(c, &E_PERPS_FAILED);
    if (p->kind == KIND_PERPS_KEY && !p->chosen.is_new) /* another request has made one meanwhile */
        return &E_PERPS_FAILED;
    plan_make(p);
    c->plan = &p->plan;
    c->terms = (struct execution){ .kind = p->kind,
                                   .venue = "hyperliquid",
                                   .once = c->approved != NULL ? c->out->execution.once : uuid_random(),
                                   .from = p->plan.leaves.token,
                                   .to = p->plan.arrives.token,
                                   .amount_in = p->plan.leaves.amount };
    return commit_run(c);
}

static const struct err *order_op_commit(struct commit *c, struct order_op *p)
{
    const struct err *e = order_op_try(c, p);

    for (unsigned i = 1; i < KEY_TRIES && e != NULL && p->key_changed; i++)
        e = order_op_try(c, p);
    if (e == NULL)
        order_op_send(c, p);
    return e;
}

static struct order_op *order_op_new(struct arena *a)
{
    struct order_op *p = ARENA_NEW(a, struct order_op);

    *p = (struct order_op){ .self = p };
    return p;
}

static struct commit commit_of(const struct ctx *ctx, struct arena *a, const struct order_op *p,
                               const struct commit_note *note, struct commit_result *out)
{
    return (struct commit){ .ctx = ctx,
                            .arena = a,
                            .wallet = &p->wallet,
                            .hooks = &hooks,
                            .market = p,
                            .slippage = { p->terms.slippage },
                            .failure = &E_PERPS_FAILED,
                            .note = note,
                            .out = out };
}

/* A failure of the venue is the order's failure, with a hint. */
static const struct err *failure_of(const struct err *e)
{
    return err_is(e, &E_UPSTREAM) || e == &E_INTERNAL ? &E_PERPS_FAILED : e;
}

static const struct err *wallet_find(const struct ctx *ctx, const struct agent *agent, const char *address,
                                     struct wallet *out)
{
    return failure_of(wallet_need(ctx, agent->id, WALLET_EVM, address, out));
}

/* At the market's price of now: what the agent's stop lets pass, as a stolen key would close at any price. */
static bool closes_as_usual(const struct perps_terms *t)
{
    return t->order.reduce_only && t->order.is_market && !t->priced && t->slippage <= PERPS_USUAL_SLIPPAGE;
}

static const struct err *terms_commit(const struct ctx *ctx, struct arena *a, struct order_op *p,
                                      const struct commit_note *note, struct commit_result *out)
{
    struct commit c = commit_of(ctx, a, p, note, out);
    const struct err *e = p->terms.order.reduce_only ? NULL : venue_check(a, VENUE_PERPS_EXCHANGE);

    if (e != NULL || (e = perps_terms_check(ctx, a, &p->wallet, &p->terms)) != NULL)
        return failure_of(e);
    p->kind = p->terms.order.reduce_only ? KIND_PERPS_CLOSE : KIND_PERPS_ORDER;
    c.any_halt = !closes_as_usual(&p->terms);
    return failure_of(order_op_commit(&c, p));
}

static const struct err *order_place_asked(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                           const struct perps_order_in *in, const char *wallet_address,
                                           const struct commit_note *note, struct commit_result *out)
{
    struct order_op *p = order_op_new(a);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (!ctx->conf->perps_trading)
        return &E_PERPS_NOT_CONFIGURED;
    if ((e = perps_terms_read(ctx, a, in, &p->terms)) != NULL)
        return failure_of(e);
    if ((e = wallet_find(ctx, agent, wallet_address, &p->wallet)) != NULL)
        return e;
    return terms_commit(ctx, a, p, note, out);
}

/* ---- closing ---- */

static const struct err *close_asked(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                     const char *market, const char *size, const char *slippage,
                                     const char *wallet_address, const struct commit_note *note,
                                     struct commit_result *out)
{
    struct order_op *p = order_op_new(a);
    struct perps_order_in in = { .market = market, .size = size, .slippage = slippage, .reduce_only = true };
    struct perps_position_state is;
    struct perps_asset asset;
    bool there = false;
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (!ctx->conf->perps_trading)
        return &E_PERPS_NOT_CONFIGURED;
    if ((e = perps_asset_find(ctx, a, market, &asset, &there)) != NULL)
        return failure_of(e);
    if (!there)
        return perps_market_refuse(a, market);
    if ((e = wallet_find(ctx, agent, wallet_address, &p->wallet)) != NULL)
        return e;
    if ((e = perps_position_state_whole(ctx, a, &p->wallet, &asset, &is)) != NULL)
        return failure_of(e);
    if (!is.has_position)
        return err_fmt(a, &E_PERPS_NO_POSITION, perps_market_name(a, asset.name), NULL);
    in.side = is.held.is_short ? PERPS_LONG : PERPS_SHORT;
    if (in.size == NULL)
        in.size = is.held.size;
    if ((e = perps_terms_read(ctx, a, &in, &p->terms)) != NULL)
        return failure_of(e);
    return terms_commit(ctx, a, p, note, out);
}

/* ---- settings ---- */

static const struct err *setting_read(const struct ctx *ctx, struct arena *a, const char *market,
                                      const char *leverage, const char *mode, struct order_op *p)
{
    struct perps_terms *t = &p->terms;
    bool there = false;
    const struct err *e = venue_check(a, VENUE_PERPS_EXCHANGE);

    if (e != NULL || (e = perps_asset_find(ctx, a, market, &t->asset, &there)) != NULL)
        return failure_of(e);
    if (!there)
        return perps_market_refuse(a, market);
    if ((e = perps_leverage_read(a, leverage, perps_leverage_allowed(ctx, t->asset.leverage),
                                 &t->order.leverage)) != NULL)
        return e;
    t->order.isolated = mode != NULL ? strcmp(mode, "isolated") == 0 : t->asset.only_isolated;
    return t->asset.only_isolated && !t->order.isolated ? err_on(a, &E_PERPS_ISOLATED, "marginMode") : NULL;
}

static const struct err *setting_commit(const struct ctx *ctx, struct arena *a, struct order_op *p,
                                        struct perps_setting *out)
{
    struct commit_result r = { .lost_to = 0 };
    struct commit c = commit_of(ctx, a, p, NULL, &r);
    const struct err *e = order_op_commit(&c, p);
    struct execution x;

    if (e != NULL)
        return failure_of(e);
    if (executions_get(ctx->db, a, p->wallet.agent_id, r.execution.id, &x) != LOOKUP_FOUND)
        return &E_PERPS_FAILED;
    out->pending = x.status != EXEC_COMPLETED && x.status != EXEC_FAILED;
    if (x.status != EXEC_FAILED)
        return NULL;
    return x.error_message != NULL ? err_hint(a, &E_PERPS_LEVERAGE_REFUSED, x.error_message)
                                   : &E_PERPS_LEVERAGE_REFUSED;
}

static const struct err *leverage_set_asked(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                            const char *market, const char *leverage, const char *mode,
                                            const char *wallet_address, struct perps_setting *out)
{
    struct order_op *p = order_op_new(a);
    struct perps_terms *t = &p->terms;
    const struct err *e;

    if (!ctx->conf->perps_trading)
        return &E_PERPS_NOT_CONFIGURED;
    p->kind = KIND_PERPS_LEVERAGE;
    if ((e = setting_read(ctx, a, market, leverage, mode, p)) != NULL ||
        (e = wallet_find(ctx, agent, wallet_address, &p->wallet)) != NULL)
        return e;
    if ((e = perps_position_state(ctx, a, &p->wallet, &t->asset, &t->position_state)) != NULL)
        return failure_of(e);
    if (mode == NULL && !t->asset.only_isolated)
        t->order.isolated = !t->position_state.setting.is_cross;
    *out = (struct perps_setting){ .market = perps_market_name(a, t->asset.name),
                                   .leverage = t->order.leverage,
                                   .isolated = t->order.isolated };
    t->sets = t->order.leverage != t->position_state.setting.value ||
              t->order.isolated == t->position_state.setting.is_cross;
    return t->sets ? setting_commit(ctx, a, p, out) : NULL;
}

/* ---- a key alone ---- */

/* An agent that repeats a cancel every other second gets no new key each time that the venue refuses one. */
static bool key_is_wanted(const struct ctx *ctx, struct order_op *p)
{
    struct trading_key newest;
    int64_t now_ms;
    enum lookup found = trading_keys_newest(ctx->db, p->wallet.id, &newest);

    return found != LOOKUP_ERROR && db_clock_ms(ctx->db, &now_ms) &&
           (found == LOOKUP_NONE || now_ms - newest.created_ms > KEY_AGAIN_MS) &&
           key_choose(ctx->db, p->wallet.id, now_ms, &p->chosen) && p->chosen.is_new;
}

void perps_key_renew(const struct ctx *ctx, struct arena *a, const struct wallet *w)
{
    struct commit_result r = { .lost_to = 0 };
    struct order_op *p = order_op_new(a);
    struct commit c = commit_of(ctx, a, p, NULL, &r);

    p->wallet = *w;
    p->kind = KIND_PERPS_KEY;
    if (ctx->conf->perps_trading && key_is_wanted(ctx, p))
        (void)order_op_commit(&c, p);
}

/* ---- going on after an approval ---- */

/* The terms as they are stored, in the market as it is by now: at the price that was approved. */
static const struct err *approved_read(const struct ctx *ctx, struct arena *a, uint64_t execution_id,
                                       struct perps_terms *t)
{
    bool there = false;
    int n;
    const struct err *e;

    if (perps_orders_of_execution(ctx->db, a, execution_id, &t->order) != LOOKUP_FOUND ||
        (n = perps_orders_behind(ctx->db, a, &t->order, t->behind)) < 0)
        return &E_PERPS_FAILED;
    t->behind_count = (unsigned)n;
    t->has_leverage = t->has_mode = t->priced = true;
    if ((e = perps_asset_find(ctx, a, t->order.asset, &t->asset, &there)) != NULL)
        return failure_of(e);
    return there ? NULL : perps_market_refuse(a, t->order.asset);
}

static const struct err *approved_place(struct commit *c, struct order_op *p)
{
    const struct err *e = approved_read(c->ctx, c->arena, c->out->execution.id, &p->terms);

    if (e == NULL)
        e = failure_of(perps_terms_check(c->ctx, c->arena, &p->wallet, &p->terms));
    return e != NULL ? commit_explain(c, e) : failure_of(order_op_commit(c, p));
}

static const struct err *order_place_approved_asked(const struct ctx *ctx, struct arena *a,
                                                    const struct agent *agent, const char *approval_id,
                                                    const struct commit_note *note, struct commit_result *out)
{
    struct order_op *p = order_op_new(a);
    struct approval ap;
    struct commit c = commit_of(ctx, a, p, note, out);
    enum lookup found = commit_approval_find(ctx, a, agent->id, approval_id, &ap);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (!ctx->conf->perps_trading)
        return &E_PERPS_NOT_CONFIGURED;
    if (found != LOOKUP_FOUND || ap.kind != KIND_PERPS_ORDER)
        return found == LOOKUP_ERROR ? &E_PERPS_FAILED : &E_APPROVAL_NOT_FOUND;
    if (executions_get(ctx->db, a, agent->id, ap.execution_id, &out->execution) != LOOKUP_FOUND ||
        wallets_get(ctx->db, out->execution.wallet_id, &p->wallet) != LOOKUP_FOUND)
        return &E_PERPS_FAILED;
    if ((e = commit_approval_usable(&ap, out)) != NULL || out->awaits)
        return e;
    p->kind = KIND_PERPS_ORDER;
    c.approved = &ap;
    c.slippage = ap.slippage;
    return approved_place(&c, p);
}

/* ---- entry points: all requests to the venue count as an order's ---- */

/* A lack of funds may be a deposit that the venue does not show yet. */
static const struct err *refusal_explain(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                         const struct err *e)
{
    if (!err_is(e, &E_PERPS_NOT_FUNDED) && !err_is(e, &E_PERPS_MARGIN))
        return e;
    return elsewhere_deposit(ctx, a, agent->id, KIND_PERPS_DEPOSIT, "/perps/transfer/", e);
}

const struct err *perps_order_place(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                    const struct perps_order_in *in, const char *wallet_address,
                                    const struct commit_note *note, struct commit_result *out)
{
    const struct err *e;

    perps_request_budget_for(PERPS_REQUEST_BUDGET_ORDERS);
    e = order_place_asked(ctx, a, agent, in, wallet_address, note, out);
    perps_request_budget_for(PERPS_REQUEST_BUDGET_READS);
    return refusal_explain(ctx, a, agent, e);
}

const struct err *perps_close(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                              const char *market, const char *size, const char *slippage,
                              const char *wallet_address, const struct commit_note *note,
                              struct commit_result *out)
{
    const struct err *e;

    perps_request_budget_for(PERPS_REQUEST_BUDGET_ORDERS);
    e = close_asked(ctx, a, agent, market, size, slippage, wallet_address, note, out);
    perps_request_budget_for(PERPS_REQUEST_BUDGET_READS);
    return refusal_explain(ctx, a, agent, e);
}

const struct err *perps_leverage_set(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                     const char *market, const char *leverage, const char *mode,
                                     const char *wallet_address, struct perps_setting *out)
{
    const struct err *e;

    perps_request_budget_for(PERPS_REQUEST_BUDGET_ORDERS);
    e = leverage_set_asked(ctx, a, agent, market, leverage, mode, wallet_address, out);
    perps_request_budget_for(PERPS_REQUEST_BUDGET_READS);
    return refusal_explain(ctx, a, agent, e);
}

const struct err *perps_order_place_approved(const struct ctx *ctx, struct arena *a,
                                             const struct agent *agent, const char *approval_id,
                                             const struct commit_note *note, struct commit_result *out)
{
    const struct err *e;

    perps_request_budget_for(PERPS_REQUEST_BUDGET_ORDERS);
    e = order_place_approved_asked(ctx, a, agent, approval_id, note, out);
    perps_request_budget_for(PERPS_REQUEST_BUDGET_READS);
    return refusal_explain(ctx, a, agent, e);
}
