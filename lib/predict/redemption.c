#include <jansson.h>

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "chain/unavailable.h"
#include "codec/hex.h"
#include "exec/chain_ops.h"
#include "predict/catalogue.h"
#include "predict/predict_view.h"
#include "predict/transfer_plan.h"
#include "venue/polymarket_calls.h"

enum {
    OUTCOMES = 2,
    SEL_BALANCE_OF = 0x00fdd58e,
    SEL_IS_APPROVED_FOR_ALL = 0xe985e9c5,
    POLL_MS = 2500,
    POLL_MAX = 2048,
};

struct redemption {
    enum polymarket_exchange exchange;
    uint8_t condition[HASH_LEN];
    struct u256 outcomes[OUTCOMES]; /* their tokens */
    struct evm_addr tokens, redeemer;
    /* State on the chain: */
    struct u256 held[OUTCOMES];
    bool open;    /* as the catalogue shows it */
    bool trusted; /* the redeemer may move the wallet's tokens */
};

/* ---- the market ---- */

static bool market_use(struct redemption *r, const struct market *m)
{
    size_t n;

    if (!m->has_exchange || m->outcome_count != OUTCOMES || m->condition == NULL ||
        !hex_decode_0x(r->condition, HASH_LEN, &n, m->condition) || n != HASH_LEN)
        return false;
    for (size_t i = 0; i < OUTCOMES; i++)
        if (m->outcomes[i].token == NULL || !u256_parse(&r->outcomes[i], m->outcomes[i].token))
            return false;
    r->exchange = m->exchange;
    r->open = m->status < MARKET_CLOSED;
    return true;
}

static const struct err *market_read(struct redemption *r, struct transfer *t)
{
    static const char *const redeemers[] = { [POLYMARKET_V2] = POLYMARKET_ADAPTER,
                                             [POLYMARKET_NEG_RISK] = POLYMARKET_NEG_RISK_ADAPTER,
                                             [POLYMARKET_V3] = POLYMARKET_ROUTER };
    const char *text;
    const struct err *e = catalogue_market(t->op.ctx, t->op.arena, t->asked->market, &text);
    struct market m;
    json_t *detail;

    if (e != NULL)
        return e;
    detail = json_loads(text, 0, NULL);
    market_of_view(&m, t->op.arena, detail);
    json_decref(detail);
    if (!market_use(r, &m))
        return &E_NOTHING_TO_REDEEM;
    r->tokens = outcome_tokens_addr(r->exchange);
    r->redeemer = evm_addr_or_zero(redeemers[r->exchange]);
    return NULL;
}

/* ---- the chain's state ---- */

static void held_ask(struct rpc_batch *b, const struct redemption *r, struct evm_addr wallet)
{
    struct multicall m = MULTICALL_INIT(POLL_MAX);
    struct buf data = BUF_INIT(POLL_MAX);

    for (size_t i = 0; i < OUTCOMES; i++) {
        abi_selector(&data, SEL_BALANCE_OF);
        abi_addr(&data, wallet);
        abi_u256(&data, r->outcomes[i]);
        multicall_add(&m, r->tokens, &data);
        buf_reset(&data);
    }
    abi_selector(&data, SEL_IS_APPROVED_FOR_ALL);
    abi_addr(&data, wallet);
    abi_addr(&data, r->redeemer);
    multicall_add(&m, r->tokens, &data);
    buf_reset(&data);
    multicall_finish(&m, &data);
    multicall_call(b, &data);
    rpc_end(b);
    buf_free(&data);
    multicall_free(&m);
}

static bool held_read(struct redemption *r, struct arena *a, const struct rpc_answer *answer)
{
    struct multicall_results seen = { NULL, 0 };
    struct u256 trusted;

    if (!rpc_bytes(&seen.data, &seen.len, a, answer) || !multicall_word(&r->held[0], &seen, 0) ||
        !multicall_word(&r->held[1], &seen, 1) || !multicall_word(&trusted, &seen, OUTCOMES))
        return false;
    r->trusted = !u256_is_zero(trusted);
    return true;
}

static const struct err *held_nothing(const struct redemption *r, struct arena *a)
{
    return r->open
               ? err_hint(a, &E_NOTHING_TO_REDEEM,
                          "The market is still open: it pays once it is resolved, to who holds shares then")
               : &E_NOTHING_TO_REDEEM;
}

static const struct err *shares_held_read(struct redemption *r, struct transfer *t)
{
    struct buf body = BUF_INIT(4 * POLL_MAX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    const struct err *e = NULL;

    held_ask(&batch, r, t->trading.address);
    if (node_ask(t->op.ctx, t->op.plan.chain, &batch, POLL_MS, t->op.arena, &answers)) {
        if (!held_read(r, t->op.arena, &answers.items[0]))
            e = chain_senseless(t->op.plan.chain, "shares");
        else if (u256_is_zero(r->held[0]) && u256_is_zero(r->held[1]))
            e = held_nothing(r, t->op.arena);
        rpc_answers_free(&answers);
    } else {
        e = chain_unavailable(t->op.ctx, t->op.arena, t->op.plan.chain);
    }
    buf_free(&body);
    return e;
}

/* ---- the calls ---- */

static void step_append(struct plan *p, struct arena *a, struct evm_addr to, struct buf *data)
{
    p->spend = p->count++;
    p->steps[p->spend] = (struct step){ .kind = TX_SPEND,
                                        .to = evm_addr_print(a, to),
                                        .data = arena_memdup(a, data->data, data->len),
                                        .data_len = data->len };
    buf_reset(data);
}

/* Appends the redemption as steps of the holder of the tokens. */
static void redeem_steps(struct plan *p, struct arena *a, const struct redemption *r)
{
    struct buf data = BUF_INIT(POLL_MAX);

    if (!r->trusted) {
        polymarket_trust(&data, r->redeemer);
        step_append(p, a, r->tokens, &data);
        p->steps[p->spend].kind = TX_APPROVAL;
    }
    if (r->exchange != POLYMARKET_V3) {
        polymarket_redeem(&data, r->condition);
        step_append(p, a, r->redeemer, &data);
    }
    for (unsigned i = 0; r->exchange == POLYMARKET_V3 && i < OUTCOMES; i++) {
        if (u256_is_zero(r->held[i]))
            continue;
        polymarket_redeem_v3(&data, r->condition, i, r->held[i]);
        step_append(p, a, r->redeemer, &data);
    }
    buf_free(&data);
}

/* Has a node run them in the trading wallet's name: *paid is what it gets. */
static const struct err *redeem_try(struct transfer *t, struct plan *p, struct u256 *paid)
{
    struct chain_state st;
    const struct err *e = chain_ops_of(p->chain)->try_plan(t->op.ctx, t->op.arena, p, &st);

    if (e != NULL || st.unverified)
        return e != NULL ? e : &E_UPSTREAM;
    if (st.behind && (!st.tried || u256_is_zero(st.arrives)))
        return chain_behind(t->op.arena, p->chain);
    if (!st.tried)
        return &E_NOT_RESOLVED;
    *paid = st.arrives;
    return u256_is_zero(*paid) ? &E_NOTHING_TO_REDEEM : NULL;
}

static void redeem_batch(struct transfer *t, const struct plan *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];
        struct buf data = BUF_INIT(POLL_MAX);

        buf_add(&data, s->data, s->data_len);
        trading_batch_add(&t->batch, t->op.arena, evm_addr_or_zero(s->to), &data);
    }
    transfer_unwrap(t, t->amount);
    trading_batch_request(&t->op.plan, t->op.arena, &t->trading, &t->batch, t->op.plan.deadline);
}

const struct err *redemption_plan(struct transfer *t)
{
    struct plan trial = { .chain = t->op.plan.chain,
                          .wallet = evm_addr_print(t->op.arena, t->trading.address),
                          .deadline = t->op.plan.deadline,
                          .leaves = { .token = transfer_collateral() },
                          .arrives = { .token = transfer_collateral() } };
    struct redemption r = { .trusted = false };
    const struct err *e = market_read(&r, t);

    if (e != NULL || (e = shares_held_read(&r, t)) != NULL)
        return e;
    redeem_steps(&trial, t->op.arena, &r);
    if ((e = redeem_try(t, &trial, &t->amount)) != NULL)
        return e;
    t->terms.from = transfer_collateral();
    if (!t->trading.is_contract) {
        t->op.plan = trial;
        t->op.plan.arrives.amount = t->amount;
        t->terms.to = t->terms.from;
        transfer_tell(t, false);
        return NULL;
    }
    t->terms.to = transfer_dollar();
    redeem_batch(t, &trial);
    return NULL;
}
