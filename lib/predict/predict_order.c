#include "predict/predict_order.h"

#include <string.h>

#include "base/clock.h"
#include "chain/tokens.h"
#include "exec/cached_answer.h"
#include "exec/commit_approval.h"
#include "exec/elsewhere.h"
#include "net/venues.h"
#include "predict/account.h"
#include "predict/balance_venue.h"
#include "predict/clob.h"
#include "predict/credentials.h"
#include "predict/order_funds.h"
#include "predict/order_worth.h"
#include "predict/predict_eligibility.h"
#include "predict/predict_order_follower.h"
#include "predict/predict_order_venue.h"
#include "predict/relayer_quota.h"
#include "predict/relayer_venue.h"
#include "predict/trading_wallet.h"
#include "service/conf.h"
#include "signer/signer_limits.h"
#include "store/executions.h"
#include "store/order_leases.h"
#include "store/orders.h"
#include "store/predict_accounts.h"
#include "store/requests.h"
#include "store/wallets.h"
#include "venue/polymarket_calls.h"

enum { ASK_DEADLINE_MS = 2500, SENT_FOR_S = 60, ACCESS_S = 180, POLL_SOON_MS = 2000, POLL_AT_ONCE_MS = 1000 };

/* An order on its way to the commit. */
struct order_op {
    struct order order;
    struct predict_token token;
    struct cached_answers known; /* what the venue said before */
    struct predict_account account;
    struct clob_credentials credentials;
    struct order_funds held; /* of what it gives */
    const char *midpoint;    /* of a sale; NULL: unknown */
    struct order_request request;
    struct plan plan;
    /* If the exchange may not take the order's funds: */
    struct trading_wallet trading;
    struct trading_batch access;
    struct u256 allowed; /* by it: how much the exchange may take then */
    bool over;           /* more than the operator lets one signature allow */
};

/* ---- the venue's terms ---- */

/* NULL: unknown. */
static const char *midpoint_ask(const struct ctx *ctx, struct arena *a, const char *token)
{
    const char *mid = NULL;
    struct book book;
    struct call c;

    call_init(&c, clob_book_url(a, ctx->conf->predict_clob_url, token), MAX_UPSTREAM);
    call_use_lane(&c, ctx->bulkhead, BULKHEAD_EXCHANGE);
    (void)calls_run(ctx->net, &c, 1, ASK_DEADLINE_MS);
    if (c.result == CALL_ANSWERED && c.status == 200 && clob_read_book(a, &c.answer, &book))
        mid = book_midpoint(a, &book);
    call_free(&c);
    return mid;
}

/* ---- hooks of the commit ---- */

struct needs {
    struct u256 needed; /* what it gives, and what other orders do */
    struct u256 coming; /* what trades have brought, and the balance does not show yet */
};

/* False: the database failed. */
static bool needs_read(const struct ctx *ctx, const struct order_op *p, struct needs *out)
{
    bool buys = p->order.side == ORDER_BUY;
    struct order as_placed = p->order;
    struct order_reservation others;

    as_placed.status = ORDER_PENDING;
    if (!orders_reserved(ctx->db, p->account.wallet.id, &p->order.token, p->held.seen_ms, &others))
        return false;
    out->coming = u256_from_u64(buys ? others.coming_collateral : others.coming_shares);
    return u256_add(&out->needed, u256_from_u64(order_holds(&as_placed, false)),
                    u256_from_u64(buys ? others.collateral : others.shares));
}

/* Shares and collateral have as many decimals. */
static const char *sum_text(struct arena *a, struct u256 raw)
{
    return amount_text(a, (struct amount){ raw, POLYMARKET_DECIMALS });
}

/* With both numbers; a deposit brings no shares. */
static const struct err *balance_missing(const struct commit *c, struct u256 needed)
{
    const struct order_op *p = c->market;
    bool buys = p->order.side == ORDER_BUY;

    return err_hint(
        c->arena, &E_ALLOWANCE,
        arena_printf(c->arena, "The trading wallet has %s %s, %s needed, open orders and fees included: %s",
                     sum_text(c->arena, p->held.balance), buys ? "pUSD" : "shares of the outcome",
                     sum_text(c->arena, needed),
                     buys ? "POST /predict/deposit adds to it, or place a smaller order" : "sell fewer"));
}

/* The venue takes no order over what has not settled. */
static const struct err *balance_short(const struct commit *c, const struct needs *n)
{
    const struct order_op *p = c->market;
    struct u256 soon;

    if (!u256_add(&soon, p->held.balance, n->coming) || u256_cmp(soon, n->needed) < 0)
        return balance_missing(c, n->needed);
    return err_hint(c->arena, &E_ALLOWANCE,
                    "What was traded moments ago is still being settled: try again in a few seconds");
}

/* Adds collateral that is on its way home: a wallet does one batch at a time. A kept balance does not show
 * what batches have done since. */
static const struct err *withdrawal_add(struct commit *c, struct u256 *needed)
{
    const struct order_op *p = c->market;
    struct request_brief last;
    enum lookup found = requests_last_brief(c->ctx->db, c->wallet->id, relayer_venue.name, &last);
    bool over = found == LOOKUP_FOUND && last.state >= EFFECT_SETTLED;

    if (found == LOOKUP_ERROR)
        return c->failure;
    if (found == LOOKUP_NONE || (over && !p->held.kept))
        return NULL;
    if (p->held.kept && (!over || last.updated_ms >= p->held.seen_ms))
        return &E_ALLOWANCE;
    return last.kind != KIND_PREDICT_WITHDRAWAL || u256_add(needed, *needed, last.amount_in) ? NULL
                                                                                             : c->failure;
}

/* The wallet must have the order's funds in addition to those of executions in progress. */
static const struct err *order_locked(struct commit *c)
{
    const struct order_op *p = c->market;
    const struct err *e;
    struct needs n;

    if (!needs_read(c->ctx, p, &n))
        return c->failure;
    if (p->order.side == ORDER_BUY && (e = withdrawal_add(c, &n.needed)) != NULL)
        return e;
    if (u256_cmp(p->held.balance, n.needed) < 0)
        return balance_short(c, &n);
    if (p->access.count > 0 && p->trading.is_contract)
        return trading_batch_free(c, &p->trading);
    return u256_cmp(p->access.count > 0 ? p->allowed : p->held.allowance, n.needed) < 0 ? &E_ALLOWANCE : NULL;
}

static bool order_store(struct commit *c, struct db *db)
{
    const struct order_op *p = c->market;
    struct order o = p->order;

    o.execution_id = c->out->execution.id;
    o.agent_id = c->wallet->agent_id;
    o.wallet_id = c->wallet->id;
    o.has_hash = !c->out->awaits;
    if (!p->held.kept && !order_funds_keep(db, c->arena, &o, &p->held))
        return false;
    if (c->out->awaits)
        return orders_add(db, &o);
    memcpy(o.hash, c->requests[c->plan->request_count - 1].venue_key, sizeof o.hash);
    return (c->approved != NULL ? orders_begin(db, &o) == UPDATED : orders_add(db, &o)) &&
           order_leases_due(db, ORDERS_OF_PREDICTION, c->wallet->id, POLL_SOON_MS);
}

/* An approved order may not cost more by now. */
static const struct err *order_check(const struct commit *c)
{
    const struct order_op *p = c->market;
    bool dearer = c->approved != NULL && p->order.side == ORDER_BUY &&
                  u256_cmp(p->plan.leaves.amount, c->out->execution.amount_in) > 0;

    return dearer ? err_hint(c->arena, &E_PRICE_MOVED,
                             "The venue's fee may be more than was approved: place the order anew")
                  : NULL;
}

static const struct commit_hooks order_hooks = { .check = order_check,
                                                 .locked = order_locked,
                                                 .store = order_store };

/* ---- from its terms to the commit ---- */

/* All that the wallet holds, so that its next orders need nothing; where the signer would not sign that, as
 * much as it does, but what orders need at least. What a batch allows is not held against a limit. */
static void allowance_choose(const struct ctx *ctx, struct arena *a, struct order_op *p, struct u256 needed)
{
    struct limits *limits = ARENA_NEW(a, struct limits);
    const struct limit *most = NULL;

    p->allowed = p->trading.collateral;
    if (!p->trading.is_contract && limits_read(limits, ctx->conf))
        most = limits_find(limits, POLYMARKET_CHAIN_ID, POLYMARKET_COLLATERAL);
    if (most == NULL || !most->per_tx || u256_cmp(p->allowed, most->tx_max) <= 0)
        return;
    p->over = u256_cmp(needed, most->tx_max) > 0;
    p->allowed = p->over ? needed : most->tx_max;
}

static void access_calls(const struct ctx *ctx, struct arena *a, struct order_op *p, struct u256 needed)
{
    enum polymarket_exchange e = (enum polymarket_exchange)p->order.exchange;

    trading_batch_begin(&p->access, &p->trading);
    if (p->order.side == ORDER_BUY) {
        allowance_choose(ctx, a, p, needed);
        trading_batch_allow(&p->access, a, polymarket_exchange_addr(e), p->allowed);
    } else {
        p->allowed = p->held.balance;
        trading_batch_trust(&p->access, a, outcome_tokens_addr(e), polymarket_exchange_addr(e));
    }
}

/* Purchases use up what was allowed, and sales bring collateral that nothing is allowed of yet. The trading
 * wallet allows the exchange more then, by a batch or by steps of its own, and the venue is told, before the
 * order goes out. */
static const struct err *access_plan(const struct ctx *ctx, struct arena *a, struct order_op *p)
{
    struct balance_order *poll;
    const struct err *e;
    struct needs n;

    if (p->held.kept)
        return NULL;
    if (!needs_read(ctx, p, &n))
        return &E_PREDICT_ORDER_FAILED;
    if (u256_cmp(p->held.allowance, n.needed) >= 0 || u256_cmp(p->held.balance, n.needed) < 0)
        return NULL;
    if (trading_wallet_poll(ctx, a, &p->account, &p->trading) != NULL)
        return &E_PREDICT_ORDER_FAILED;
    if (p->trading.is_contract && !p->trading.deployed)
        return NULL;
    p->plan.deadline += ACCESS_S;
    access_calls(ctx, a, p, n.needed);
    if (p->trading.is_contract) {
        e = relayer_quota_check(ctx, a, p->plan.deadline - SENT_FOR_S, &E_PREDICT_ORDER_FAILED);
        if (e != NULL)
            return e;
        trading_batch_request(&p->plan, a, &p->trading, &p->access, p->plan.deadline - SENT_FOR_S);
    } else {
        trading_batch_steps(&p->plan, a, &p->access);
    }
    poll = ARENA_NEW(a, struct balance_order);
    *poll =
        (struct balance_order){ .asset = order_asset(&p->order), .token = order_asset_token(a, &p->order) };
    balance_request(&p->plan, a, poll);
    return NULL;
}

static const struct err *plan_make(const struct ctx *ctx, struct arena *a, struct order_op *p)
{
    const struct order *o = &p->order;
    const struct token_ref pusd =
        token_ref_of(token_find(chain_by_id(POLYMARKET_CHAIN_ID), POLYMARKET_COLLATERAL));
    struct evm_addr exchange = polymarket_exchange_addr((enum polymarket_exchange)o->exchange);
    struct plan *plan = &p->plan;
    const struct err *e;

    p->access.count = 0;
    p->over = false;
    *plan = (struct plan){ .wallet = p->account.wallet.ref.address,
                           .deadline = clock_seconds() + SENT_FOR_S,
                           .leaves.token = pusd,
                           .arrives.token = pusd };
    plan->leaves_unknown = !order_worth(&plan->leaves.amount, o, p->midpoint);
    if ((e = access_plan(ctx, a, p)) != NULL)
        return e;
    p->request = (struct order_request){ .order = o, .account = &p->account, .credentials = &p->credentials };
    plan->requests[plan->request_count++] =
        (struct plan_request){ .venue = &order_venue,
                               .order = &p->request,
                               .signing_key = (const uint8_t *)plan->wallet,
                               .signing_key_len = strlen(plan->wallet),
                               .to = evm_addr_print(a, exchange) };
    return NULL;
}

/* Reads everything that the cache may hold in one query; the exchange is unknown until the market's rules are
 * read. */
static void known_read(const struct ctx *ctx, struct arena *a, uint64_t wallet_id, struct order_op *p)
{
    struct order o = { .side = p->order.side, .token = p->token.id };

    p->known = (struct cached_answers){ .count = 0 };
    cached_answers_add(&p->known, predict_token_question(a, &p->token));
    if (o.side == ORDER_BUY)
        cached_answers_add(&p->known, geoblock_query(ctx, a));
    for (; o.exchange < POLYMARKET_EXCHANGES; o.exchange++)
        cached_answers_add(&p->known, order_funds_question(a, wallet_id, &o));
    cached_answers_read(ctx, a, &p->known);
}

static const struct err *token_rules(const struct ctx *ctx, struct arena *a, uint64_t wallet_id,
                                     const char *token, struct order_op *p)
{
    const struct err *e = predict_token_read(a, token, &p->token);

    if (e == NULL) {
        known_read(ctx, a, wallet_id, p);
        e = predict_token_find(ctx, a, &p->known, &p->token);
    }
    return e != NULL && err_is(e, &E_TOKEN_ID) ? err_on(a, e, "tokenId") : e;
}

/* The market's rules, and the account. */
static const struct err *order_op_prepare(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                          const char *token, struct order_op *p)
{
    const struct err *e;

    if ((e = venue_check(a, VENUE_CLOB)) != NULL || (e = token_rules(ctx, a, w->id, token, p)) != NULL ||
        (e = order_terms_check(a, &p->token, &p->order)) != NULL)
        return e;
    if (p->account.kind == 0 && (e = account_open(ctx, a, w, &p->account)) != NULL)
        return e == &E_UPSTREAM ? &E_PREDICT_ORDER_FAILED : e;
    if (p->order.side == ORDER_BUY && (e = eligibility_check(ctx, a, &p->known, &p->account)) != NULL)
        return e;
    p->midpoint = p->order.side == ORDER_SELL ? midpoint_ask(ctx, a, p->token.text) : NULL;
    return NULL;
}

/* An immediate match is shown in the answer, if the venue reports it soon. */
static void order_op_send(struct commit *c)
{
    const struct order_op *p = c->market;
    struct order o;

    commit_send(c);
    if (c->out->execution.status == EXEC_FAILED)
        order_funds_forget(c->ctx->db, c->arena, &p->account, &p->order);
    if (c->out->more && orders_of_execution(c->ctx->db, c->arena, c->out->execution.id, &o) == LOOKUP_FOUND)
        (void)order_poll_one(c->ctx, c->arena, &o, POLL_AT_ONCE_MS);
}

/* An answer of the venue may have proved wrong what was read with the account. */
static bool order_op_credentials(const struct ctx *ctx, struct arena *a, struct order_op *p)
{
    bool asked = !p->held.kept || p->account.closed_only_due;

    return (asked ? credentials_get : credentials_of)(ctx, a, &p->account, &p->credentials);
}

static const struct err *order_op_plan(const struct ctx *ctx, struct arena *a, struct order_op *p)
{
    const struct err *e = p->held.kept ? NULL : order_funds_ask(ctx, a, &p->account, &p->order, &p->held);

    if (e != NULL)
        return e;
    return order_op_credentials(ctx, a, p) ? plan_make(ctx, a, p) : &E_PREDICT_ORDER_FAILED;
}

static const struct err *limit_explain(const struct commit *c, const struct order_op *p, const struct err *e)
{
    if (!p->over || !err_is(e, &E_OPERATOR_LIMIT))
        return e;
    return err_hint(
        c->arena, e,
        arena_printf(c->arena,
                     "Nothing was signed: this order and those that are open need the exchange to "
                     "be allowed %s pUSD, which is over the limit of a signature: cancel some, or "
                     "place a smaller one",
                     amount_text(c->arena, (struct amount){ p->allowed, POLYMARKET_DECIMALS })));
}

static const struct err *order_op_try(struct commit *c, struct order_op *p)
{
    const struct err *e = order_op_plan(c->ctx, c->arena, p);

    if (e != NULL)
        return commit_explain(c, e);
    c->plan = &p->plan;
    if (p->order.type == ORDER_GTD)
        c->approvable_until_ms = p->order.expires_ms - ORDER_GTD_AHEAD_MS;
    c->terms = (struct execution){ .kind = KIND_PREDICT_ORDER,
                                   .venue = "polymarket",
                                   .once = c->approved != NULL ? c->out->execution.once : uuid_random(),
                                   .from = p->plan.leaves.token,
                                   .to = p->plan.arrives.token,
                                   .amount_in = p->plan.leaves.amount };
    return limit_explain(c, p, commit_run(c));
}

/* Funds that a cached balance does not show may have come since, and the planned allowance may be too little
 * next to an order that came first. A wallet that trades with its own balance may spend it elsewhere. */
static const struct err *order_op_commit(struct commit *c, struct order_op *p, const char *token)
{
    const struct err *e = order_op_prepare(c->ctx, c->arena, c->wallet, token, p);
    bool own;

    if (e != NULL)
        return commit_explain(c, e);
    own = p->account.kind == PREDICT_EOA;
    p->held.kept = !own && order_funds_last(c->arena, &p->known, &p->account, &p->order, &p->held);
    e = order_op_try(c, p);
    if ((own || p->held.kept) && err_is(e, &E_ALLOWANCE)) {
        p->held.kept = false;
        e = order_op_try(c, p);
    }
    if (e == NULL)
        order_op_send(c);
    return e;
}

/* A lack of funds may be a deposit that the venue does not show yet. */
static const struct err *refusal_explain(const struct commit *c, const struct order_op *p,
                                         const struct err *e)
{
    if (!err_is(e, &E_ALLOWANCE) || p->order.side != ORDER_BUY)
        return e;
    return elsewhere_deposit(c->ctx, c->arena, c->wallet->agent_id, KIND_PREDICT_DEPOSIT,
                             "/predict/transfer/", e);
}

static struct commit commit_of(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                               const struct order_op *p, const struct commit_note *note,
                               struct commit_result *out)
{
    return (struct commit){ .ctx = ctx,
                            .arena = a,
                            .wallet = w,
                            .hooks = &order_hooks,
                            .market = p,
                            .failure = &E_PREDICT_ORDER_FAILED,
                            .note = note,
                            .out = out };
}

static const struct err *account_to_use(const struct ctx *ctx, const struct agent *agent, const char *address,
                                        struct predict_account *out)
{
    const struct err *e = account_find(ctx, agent->id, address, out);

    return e == &E_INTERNAL ? &E_PREDICT_ORDER_FAILED : e;
}

const struct err *order_place(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                              const struct order_in *in, const char *wallet_address,
                              const struct commit_note *note, struct commit_result *out)
{
    struct order_op *p = ARENA_NEW(a, struct order_op);
    struct wallet w;
    struct commit c = commit_of(ctx, a, &w, p, note, out);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (!predict_is_configured(ctx))
        return &E_PREDICT_NOT_CONFIGURED;
    if ((e = order_terms_read(a, in, clock_ms(), &p->order)) != NULL ||
        (e = account_to_use(ctx, agent, wallet_address, &p->account)) != NULL)
        return e;
    w = p->account.wallet;
    e = order_op_commit(&c, p, in->token);
    explicit_bzero(&p->credentials, sizeof p->credentials);
    return refusal_explain(&c, p, e);
}

/* ---- going on after an approval ---- */

static const struct err *approved_place(struct commit *c, struct order_op *p)
{
    char token[U256_DECIMAL_LEN + 1];
    const struct err *e;

    if (orders_of_execution(c->ctx->db, c->arena, c->out->execution.id, &p->order) != LOOKUP_FOUND)
        return &E_PREDICT_ORDER_FAILED;
    if (p->order.type == ORDER_GTD && p->order.expires_ms < clock_ms() + ORDER_GTD_AHEAD_MS)
        return commit_explain(c, &E_APPROVAL_EXPIRED);
    u256_decimal(token, p->order.token);
    e = order_op_commit(c, p, token);
    explicit_bzero(&p->credentials, sizeof p->credentials);
    return refusal_explain(c, p, e);
}

const struct err *order_place_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                       const char *approval_id, const struct commit_note *note,
                                       struct commit_result *out)
{
    struct order_op *p = ARENA_NEW(a, struct order_op);
    struct wallet w;
    struct approval ap;
    struct commit c = commit_of(ctx, a, &w, p, note, out);
    enum lookup found = commit_approval_find(ctx, a, agent->id, approval_id, &ap);
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (!predict_is_configured(ctx))
        return &E_PREDICT_NOT_CONFIGURED;
    if (found != LOOKUP_FOUND || ap.kind != KIND_PREDICT_ORDER)
        return found == LOOKUP_ERROR ? &E_PREDICT_ORDER_FAILED : &E_APPROVAL_NOT_FOUND;
    if (executions_get(ctx->db, a, agent->id, ap.execution_id, &out->execution) != LOOKUP_FOUND ||
        wallets_get(ctx->db, out->execution.wallet_id, &w) != LOOKUP_FOUND)
        return &E_PREDICT_ORDER_FAILED;
    if ((e = commit_approval_usable(&ap, out)) != NULL || out->awaits)
        return e;
    c.approved = &ap;
    return approved_place(&c, p);
}
