#include "lend/operation_plan.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "chain/tokens.h"
#include "chain/unavailable.h"
#include "exec/chain_ops.h"
#include "exec/wallet.h"
#include "service/conf.h"
#include "store/lend_operations.h"
#include "venue/aave_calls.h"
#include "venue/loan_revert.h"
#include "venue/wrapped_native.h"

enum { CALL_BYTES = 1024, HEALTH_PLACES = 18 };

/* ---- the request ---- */

static enum loan_act act_of(enum exec_kind_id kind, const struct lend_asked *asked)
{
    switch (kind) {
    case KIND_LEND_SUPPLY:
        return asked->collateral ? LOAN_PLEDGE : LOAN_SUPPLY;
    case KIND_LEND_WITHDRAW:
        return asked->collateral ? LOAN_RELEASE : LOAN_WITHDRAW;
    case KIND_LEND_BORROW:
        return LOAN_BORROW;
    case KIND_LEND_REPAY:
        return LOAN_REPAY;
    default:
        return LOAN_COLLATERAL;
    }
}

static bool moves_collateral(const struct lend_op *l)
{
    return l->act == LOAN_PLEDGE || l->act == LOAN_RELEASE;
}

static const struct err *choose_token(struct lend_op *l)
{
    bool morpho = lend_place_is_morpho(&l->place);

    if (moves_collateral(l) && !morpho)
        return err_hint(l->op.arena, &E_LEND_NO_COLLATERAL,
                        "Collateral is apart from the supply in markets of Morpho alone");
    if (l->act == LOAN_COLLATERAL && morpho)
        return err_hint(l->op.arena, &E_LEND_NO_COLLATERAL,
                        "In markets of Morpho supply it with \"collateral\": true");
    if (l->act == LOAN_COLLATERAL && l->enabled && !l->place.can_be_collateral)
        return &E_LEND_NO_COLLATERAL;
    if (moves_collateral(l) && l->place.collateral.chain_id == 0)
        return &E_LEND_NO_COLLATERAL;
    l->token = moves_collateral(l) ? l->place.collateral : l->place.loan;
    return NULL;
}

/* The wrapped token stands for the coin; the lender always pays out the wrapped token. */
static const struct err *choose_coin(struct lend_op *l, const char *asset)
{
    const struct token *named = asset != NULL ? token_find(l->place.chain, asset) : NULL;
    const struct token *wrapped = token_wrapped_native(l->place.chain);
    bool coin = named != NULL && token_is_native(named);
    const char *address = coin && wrapped != NULL ? wrapped->address_text
                          : named != NULL         ? named->address_text
                                                  : asset;

    if (asset == NULL)
        return NULL;
    if (strcasecmp(address, l->token.address) != 0 && strcasecmp(asset, l->token.symbol) != 0)
        return err_hint(
            l->op.arena, err_on(l->op.arena, &E_VALIDATION, "asset"),
            arena_printf(l->op.arena, "It must be %s, or the coin that this wraps", l->token.symbol));
    l->wraps = coin && (l->op.kind == KIND_LEND_SUPPLY || l->op.kind == KIND_LEND_REPAY);
    return NULL;
}

static const struct err *read_amount(struct lend_op *l, const char *text)
{
    if (l->act == LOAN_COLLATERAL)
        return NULL;
    if (text == NULL)
        return err_on(l->op.arena, err_fmt(l->op.arena, &E_REQUIRED, "amount", NULL), "amount");
    l->everything =
        strcmp(text, LEND_MAX) == 0 && (l->op.kind == KIND_LEND_WITHDRAW || l->op.kind == KIND_LEND_REPAY);
    return l->everything ? NULL : token_ref_amount(l->op.arena, &l->token, text, &l->amount);
}

const struct err *lend_op_begin(void *op, const void *what)
{
    struct lend_op *l = op;
    const struct lend_asked *asked = what;
    const struct err *e;

    l->enabled = asked->enabled;
    l->act = act_of(l->op.kind, asked);
    if ((e = lend_place_find(l->op.ctx, l->op.arena, &asked->named, &l->place)) != NULL ||
        (e = choose_token(l)) != NULL || (e = choose_coin(l, asked->named.asset)) != NULL ||
        (e = read_amount(l, asked->amount)) != NULL)
        return e;
    return wallet_need(l->op.ctx, l->op.agent->id, WALLET_EVM, asked->wallet_address, &l->op.wallet);
}

/* ---- amounts ---- */

static struct evm_addr wallet_address(const struct lend_op *l)
{
    return evm_addr_or_zero(l->op.wallet.ref.address);
}

/* Elsewhere the calls themselves say what there is not. */
static bool needs_poll(const struct lend_op *l)
{
    return l->simulates || l->everything || l->act == LOAN_REPAY || l->act == LOAN_PLEDGE;
}

/* The debt, and a thousandth for the interest until the block. */
static struct u256 debt_bound(struct u256 debt)
{
    struct u256 bound;

    if (!u256_muldiv(&bound, debt, u256_from_u64(1001), u256_from_u64(1000)) ||
        !u256_add(&bound, bound, u256_from_u64(1)))
        return debt;
    return bound;
}

/* A wallet that has the debt, but not quite the bound, gives all that it has. */
static const struct err *settle_repayment(struct lend_op *l)
{
    struct u256 owed = l->before.borrowed, bound = debt_bound(owed);

    if (u256_is_zero(owed))
        return &E_LEND_NO_DEBT;
    l->closes = l->everything || u256_cmp(l->amount, owed) >= 0;
    if (!l->closes)
        return NULL;
    if (!l->everything && u256_cmp(l->amount, bound) < 0)
        bound = l->amount;
    if (!l->wraps && u256_cmp(l->before.at_hand, owed) >= 0 && u256_cmp(l->before.at_hand, bound) < 0)
        bound = l->before.at_hand;
    l->gives = bound;
    l->amount = owed;
    return NULL;
}

static const struct err *settle_withdrawal(struct lend_op *l)
{
    if (l->everything)
        l->amount = l->act == LOAN_RELEASE ? l->before.collateral : l->before.supplied;
    return l->everything && u256_is_zero(l->amount) ? &E_LEND_SUPPLIED : NULL;
}

static const struct err *settle_amount(struct lend_op *l)
{
    const struct err *e = NULL;

    if (needs_poll(l))
        e = lend_stand_poll(l->op.ctx, l->op.arena, &l->place, &l->token, wallet_address(l), &l->before);
    if (e != NULL)
        return e;
    l->gives = l->act == LOAN_SUPPLY || l->act == LOAN_PLEDGE || l->act == LOAN_REPAY ? l->amount : U256_ZERO;
    if (l->act == LOAN_REPAY)
        return settle_repayment(l);
    return l->act == LOAN_WITHDRAW || l->act == LOAN_RELEASE ? settle_withdrawal(l) : NULL;
}

/* ---- the loan and its call ---- */

static void aave_call(struct buf *out, struct lend_op *l)
{
    struct evm_addr asset = evm_addr_or_zero(l->token.address), wallet = wallet_address(l);
    struct u256 all_or_amount = l->everything || l->closes ? LOAN_ALL : l->amount;

    l->loan.amount = all_or_amount;
    switch (l->act) {
    case LOAN_WITHDRAW:
        aave_withdraw(out, asset, all_or_amount, wallet);
        return;
    case LOAN_BORROW:
        aave_borrow(out, asset, l->amount, wallet);
        return;
    case LOAN_REPAY:
        aave_repay(out, asset, all_or_amount, wallet);
        return;
    case LOAN_COLLATERAL:
        l->loan.amount = u256_from_u64(l->enabled);
        aave_collateral(out, asset, l->enabled);
        return;
    case LOAN_SUPPLY:
    case LOAN_PLEDGE:
    case LOAN_RELEASE:
        break;
    }
    aave_supply(out, asset, l->amount, wallet);
}

static void morpho_call(struct buf *out, struct lend_op *l)
{
    const struct morpho_market *m = &l->place.terms;
    struct evm_addr wallet = wallet_address(l);
    bool by_shares = l->closes || (l->everything && l->act == LOAN_WITHDRAW);
    struct morpho_quantity q = { .amount = l->amount };

    if (by_shares)
        q = (struct morpho_quantity){ .shares =
                                          l->closes ? l->before.borrow_shares : l->before.supply_shares };
    l->loan.amount = q.amount;
    l->loan.shares = q.shares;
    switch (l->act) {
    case LOAN_WITHDRAW:
        morpho_withdraw(out, m, q, wallet);
        return;
    case LOAN_BORROW:
        morpho_borrow(out, m, q, wallet);
        return;
    case LOAN_REPAY:
        morpho_repay(out, m, q, wallet);
        return;
    case LOAN_PLEDGE:
        morpho_pledge(out, m, l->amount, wallet);
        return;
    case LOAN_RELEASE:
        morpho_release(out, m, l->amount, wallet);
        return;
    case LOAN_SUPPLY:
    case LOAN_COLLATERAL:
        break;
    }
    morpho_supply(out, m, q, wallet);
}

static void loan_call(struct buf *out, struct lend_op *l)
{
    l->loan = (struct loan){ .act = l->act };
    (void)snprintf(l->loan.lender, sizeof l->loan.lender, "%s", l->place.lender->address);
    (void)snprintf(l->loan.asset, sizeof l->loan.asset, "%s", l->token.address);
    memcpy(l->loan.market, l->place.market, sizeof l->loan.market);
    if (lend_place_is_morpho(&l->place))
        morpho_call(out, l);
    else
        aave_call(out, l);
}

/* ---- the plan ---- */

static struct step *add_step(struct lend_op *l, const char *to, struct buf *data)
{
    struct step *s = &l->op.plan.steps[l->op.plan.count++];

    *s = (struct step){ .kind = TX_SPEND,
                        .to = to,
                        .data = arena_memdup(l->op.arena, data->data, data->len),
                        .data_len = data->len };
    buf_free(data);
    return s;
}

static void add_wrapping(struct lend_op *l)
{
    struct buf data = BUF_INIT(CALL_BYTES);

    wrapped_native_deposit(&data);
    add_step(l, l->token.address, &data)->value = l->gives;
}

static void add_loan(struct lend_op *l)
{
    struct buf data = BUF_INIT(CALL_BYTES);
    struct step *s;

    loan_call(&data, l);
    l->op.plan.spend = l->op.plan.count;
    l->op.plan.loan = &l->loan;
    s = add_step(l, l->loan.lender, &data);
    s->drifts = true;
    if (!loan_takes(&l->loan))
        return;
    s->token = l->token.address;
    s->spender = l->loan.lender;
    s->token_amount = l->gives;
}

static void allow(struct lend_op *l, struct u256 amount)
{
    chain_ops_of(l->op.plan.chain)
        ->allow(&l->op.plan, l->op.arena, l->token.address, l->place.lender->address, amount);
}

static void add_steps(struct lend_op *l)
{
    bool gives = !u256_is_zero(l->gives);

    if (l->wraps)
        add_wrapping(l);
    if (gives)
        allow(l, l->gives);
    add_loan(l);
    if (gives && l->closes)
        allow(l, U256_ZERO);
}

static void add_question(struct lend_op *l)
{
    struct buf data = BUF_INIT(PLAN_AFTER_MAX * 4);

    lend_stand_ask(&data, &l->place, &l->token, wallet_address(l));
    l->op.plan.after = arena_memdup(l->op.arena, data.data, data.len);
    l->op.plan.after_len = data.len;
    buf_free(&data);
}

/* Policies see both of the market's two tokens: this is the other one. */
static struct token_ref other_token(const struct lend_op *l)
{
    if (!lend_place_is_morpho(&l->place))
        return l->token;
    return moves_collateral(l) || l->place.collateral.chain_id == 0 ? l->place.loan : l->place.collateral;
}

static bool pays_out(const struct lend_op *l)
{
    return l->act == LOAN_WITHDRAW || l->act == LOAN_BORROW || l->act == LOAN_RELEASE;
}

static void set_amounts(struct lend_op *l)
{
    struct plan *p = &l->op.plan;

    p->leaves.token = p->arrives.token = l->token;
    if (pays_out(l)) {
        p->leaves.token = other_token(l);
        p->arrives.amount = l->everything ? U256_ZERO : l->amount;
        return;
    }
    p->arrives.token = other_token(l);
    p->leaves.amount = l->gives;
    p->leaves.native = l->wraps;
    if (l->wraps)
        p->leaves.token = token_ref_of(token_find(l->place.chain, l->place.chain->native));
}

const struct err *lend_op_plan(struct lend_op *l)
{
    const struct err *e = settle_amount(l);

    if (e != NULL)
        return e;
    l->op.plan = (struct plan){ .chain = l->place.chain,
                                .wallet = l->op.wallet.ref.address,
                                .deadline = clock_seconds() + PLAN_VALID_FOR_S };
    set_amounts(l);
    add_steps(l);
    add_question(l);
    return NULL;
}

/* ---- results of the simulation ---- */

/* A pledge adds no interest, so the debt that the contract shows behind it is an older one. */
static bool health_of_pledge(struct lend_stand *out, const struct lend_op *l)
{
    struct u256 shown = out->borrowed;

    out->borrowed = l->before.borrowed;
    return !out->has_health || u256_muldiv(&out->health, out->health, shown, out->borrowed);
}

static bool after_read(struct lend_stand *out, const struct lend_op *l, const uint8_t *after, size_t len)
{
    return after != NULL && lend_stand_read(out, &l->place, after, len) &&
           (l->act != LOAN_PLEDGE || health_of_pledge(out, l));
}

/* Where two nodes differ in the health, the lesser one counts. */
bool lend_op_after(struct lend_stand *out, const struct lend_op *l, const struct chain_state *st)
{
    struct lend_stand apart;

    if (!st->tried || !after_read(out, l, st->after, st->after_len))
        return false;
    if (after_read(&apart, l, st->after_apart, st->after_apart_len) && apart.has_health &&
        (!out->has_health || u256_cmp(apart.health, out->health) < 0)) {
        out->has_health = true;
        out->health = apart.health;
    }
    out->has_health = out->has_health && !st->behind; /* it would be without the wallet's last operation */
    return true;
}

bool lend_op_risks(const struct lend_op *l)
{
    return pays_out(l) || (l->act == LOAN_COLLATERAL && !l->enabled);
}

void lend_op_spend_facts(struct spend_facts *o, const struct lend_op *l, const struct chain_state *st)
{
    struct lend_stand after;

    o->has_health = lend_op_risks(l) && lend_op_after(&after, l, st) && after.has_health;
    if (o->has_health)
        o->health_after = after.health;
}

/* The operator's lowest health factor, with 18 places. */
static struct u256 floor_of(const struct lend_op *l)
{
    struct u256 floor;

    return u256_mul(&floor, u256_from_u64(l->op.ctx->conf->lend_min_health_factor),
                    u256_from_u64(1000000000000))
               ? floor
               : U256_ZERO;
}

static const char *health_text(struct arena *a, struct u256 health)
{
    return amount_text(a, (struct amount){ health, HEALTH_PLACES });
}

static const struct err *too_unhealthy(const struct lend_op *l, struct u256 floor)
{
    return err_fmt(l->op.arena, &E_LEND_HEALTH, health_text(l->op.arena, floor), NULL);
}

static const struct err *check_health(const struct lend_op *l, const struct lend_stand *after)
{
    struct u256 floor = floor_of(l);

    if (!after->has_health)
        return NULL;
    if (lend_op_risks(l) && u256_cmp(after->health, floor) < 0)
        return too_unhealthy(l, floor);
    return u256_cmp(after->health, l->least_health) < 0 ? too_unhealthy(l, l->least_health) : NULL;
}

/* A remainder that must not be left; NULL: none. */
static const char *left_behind(const struct lend_op *l, const struct lend_stand *after)
{
    if (!u256_is_zero(l->gives) && !u256_is_zero(after->allowance))
        return "an allowance";
    if (l->closes && !u256_is_zero(after->borrowed))
        return "a debt";
    if (l->everything && l->act == LOAN_WITHDRAW && !u256_is_zero(after->supplied))
        return "a supply";
    return NULL;
}

const struct err *lend_op_verdict(const struct lend_op *l, const struct chain_state *st)
{
    struct lend_stand after;
    const char *left;

    if (!lend_op_after(&after, l, st)) {
        (void)chain_senseless(l->place.chain, "behind_trial");
        return &E_LEND_FAILED;
    }
    left = left_behind(l, &after);
    if (left == NULL)
        return check_health(l, &after);
    log_error("simulation_shows_loss",
              "msg=\"a trial shows what must not happen\" reason=\"it leaves %s\" chain=%s"
              " wallet=%s",
              left, l->place.chain->key, l->op.wallet.ref.address);
    return &E_WOULD_REVERT;
}

/* The revert of the lender or a token is a better reason than a plain revert. */
static const struct err *revert_told(const struct lend_op *l, const struct chain_state *st,
                                     const struct err *e)
{
    const struct loan_revert r = { .lender = l->place.lender->kind,
                                   .act = l->act,
                                   .data = st->revert_data,
                                   .len = st->revert_len,
                                   .floor = health_text(l->op.arena, floor_of(l)) };

    if (st->tried || (st->revert_data == NULL && st->revert != NULL))
        return st->revert != NULL ? err_hint(l->op.arena, e, st->revert) : e;
    return loan_revert_error(l->op.arena, &r);
}

const struct err *lend_op_refusal(const struct lend_op *l, const struct chain_state *st, const struct err *e)
{
    if (err_is(e, &E_WOULD_REVERT) || err_is(e, &E_PRICE_MOVED))
        return revert_told(l, st, &E_WOULD_REVERT);
    if (err_is(e, &E_UPSTREAM) || err_is(e, &E_INTERNAL))
        return e->base != NULL && e->hint != NULL ? err_hint(l->op.arena, &E_LEND_FAILED, e->hint)
                                                  : &E_LEND_FAILED;
    return e;
}

/* Refusals of the chain's state, which an operation in progress may be about to change. */
static bool is_of_state(const struct err *e)
{
    static const struct err *const list[] = { &E_LEND_COLLATERAL, &E_LEND_HEALTH, &E_LEND_NO_DEBT,
                                              &E_LEND_SUPPLIED,   &E_BALANCE,     &E_WOULD_REVERT,
                                              &E_LEND_REFUSED };

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (err_is(e, list[i]))
            return true;
    return false;
}

const struct err *lend_op_in_progress(const struct lend_op *l, uint64_t id)
{
    return err_wait(l->op.arena, &E_LEND_IN_PROGRESS, 1,
                    arena_printf(l->op.arena,
                                 "Operation %llu of the wallet on that chain has not ended: once GET "
                                 "/lend/operation/%llu shows that it has, ask again",
                                 (unsigned long long)id, (unsigned long long)id));
}

const struct err *lend_op_explain(const struct lend_op *l, const struct chain_state *st, const struct err *e)
{
    uint64_t id;

    e = lend_op_refusal(l, st, e);
    if (!is_of_state(e) ||
        lend_operations_under_way(l->op.ctx->db, l->op.wallet.id, l->place.chain->id,
                                  st->tried_at > 0 ? st->tried_at : INT64_MAX, &id) != LOOKUP_FOUND)
        return e;
    return lend_op_in_progress(l, id);
}
