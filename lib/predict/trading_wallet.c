#include "predict/trading_wallet.h"

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "chain/unavailable.h"
#include "predict/account.h"
#include "predict/collateral_lately.h"
#include "predict/relayer.h"
#include "predict/relayer_venue.h"
#include "store/requests.h"
#include "venue/erc20.h"
#include "venue/polymarket_calls.h"
#include "venue/polymarket_wallet.h"

enum {
    SEL_NONCE = 0xaffed0e0,
    SEL_IS_APPROVED_FOR_ALL = 0xe985e9c5,
    SEL_PREDICT_WALLET_ADDRESS = 0x04f1d3c7, /* predictWalletAddress(bytes32): of the owner's id */
    SEL_BEACON = 0x49493a4d,
    POLL_MS = 2500,
    POLL_MAX = 4096,
};

struct evm_addr outcome_tokens_addr(enum polymarket_exchange e)
{
    return evm_addr_or_zero(e == POLYMARKET_V3 ? POLYMARKET_POSITIONS : POLYMARKET_TOKENS);
}

/* ---- looking ---- */

/* Items of the multicall; two are there for each exchange, the last two for a contract. */
enum {
    SEEN_BLOCK,
    SEEN_TIME,
    SEEN_NONCE,
    SEEN_COLLATERAL,
    SEEN_EXCHANGES,
    SEEN_PREDICTED = SEEN_EXCHANGES + 2 * POLYMARKET_EXCHANGES,
    SEEN_BEACON
};

static void poll_add(struct multicall *m, struct evm_addr target, struct buf *data)
{
    multicall_add(m, target, data);
    buf_reset(data);
}

/* The owner's address, as a word, is the wallet's id. */
static void place_ask(struct multicall *m, struct buf *data, struct evm_addr owner)
{
    abi_selector(data, SEL_PREDICT_WALLET_ADDRESS);
    abi_addr(data, owner);
    poll_add(m, polymarket_wallet_factory(), data);
    abi_selector(data, SEL_BEACON);
    poll_add(m, polymarket_wallet_factory(), data);
}

static void wallet_ask(struct rpc_batch *b, const struct trading_wallet *w)
{
    struct multicall m = MULTICALL_INIT(POLL_MAX);
    struct buf data = BUF_INIT(POLL_MAX);

    multicall_block_number(&m, NULL);
    multicall_block_time(&data);
    poll_add(&m, multicall_addr(), &data);
    abi_selector(&data, SEL_NONCE);
    poll_add(&m, w->address, &data);
    erc20_balance_of(&data, w->address);
    poll_add(&m, evm_addr_or_zero(POLYMARKET_COLLATERAL), &data);
    for (enum polymarket_exchange e = POLYMARKET_V2; e <= POLYMARKET_V3; e++) {
        erc20_allowance(&data, w->address, polymarket_exchange_addr(e));
        poll_add(&m, evm_addr_or_zero(POLYMARKET_COLLATERAL), &data);
        abi_selector(&data, SEL_IS_APPROVED_FOR_ALL);
        abi_addr(&data, w->address);
        abi_addr(&data, polymarket_exchange_addr(e));
        poll_add(&m, outcome_tokens_addr(e), &data);
    }
    if (w->is_contract)
        place_ask(&m, &data, w->owner);
    multicall_finish(&m, &data);
    multicall_call(b, &data);
    buf_free(&data);
    multicall_free(&m);
}

static bool word_is(const struct multicall_results *seen, unsigned i, struct evm_addr addr, bool *same)
{
    struct u256 word, wanted;

    if (!multicall_word(&word, seen, i) || !u256_from_be_n(&wanted, addr.bytes, sizeof addr.bytes))
        return false;
    *same = u256_cmp(word, wanted) == 0;
    return true;
}

/* A factory that does not tell the address tells what its wallets run, from which the address follows. */
static enum wallet_place place_read(const struct trading_wallet *w, const struct multicall_results *seen)
{
    bool same;

    if (word_is(seen, SEEN_PREDICTED, w->address, &same))
        return same ? PLACE_SAME : PLACE_OTHER;
    if (!word_is(seen, SEEN_BEACON, polymarket_wallet_beacon(), &same))
        return PLACE_UNTOLD;
    return same && evm_addr_eq(w->address, polymarket_wallet_of(w->owner, POLYMARKET_WALLET_BEACON))
               ? PLACE_SAME
               : PLACE_OTHER;
}

/* A wallet that is not there has no nonce to tell. */
static bool wallet_read(struct trading_wallet *w, struct arena *a, const struct rpc_answer *r)
{
    struct multicall_results seen = { NULL, 0 };
    struct u256 nonce, trusted;

    if (!rpc_bytes(&seen.data, &seen.len, a, r) || !multicall_word(&w->collateral, &seen, SEEN_COLLATERAL))
        return false;
    w->deployed = w->is_contract && multicall_word(&nonce, &seen, SEEN_NONCE);
    if (w->deployed && !u256_to_u64(&w->nonce, nonce))
        return false;
    if (w->is_contract && !w->deployed)
        w->place = place_read(w, &seen);
    for (unsigned e = 0; e < POLYMARKET_EXCHANGES; e++) {
        if (!multicall_word(&w->allowance[e], &seen, SEEN_EXCHANGES + 2 * e) ||
            !multicall_word(&trusted, &seen, SEEN_EXCHANGES + 2 * e + 1))
            return false;
        w->trusted[e] = !u256_is_zero(trusted);
    }
    return true;
}

static bool place_in_time_read(struct seen_at *out, struct arena *a, const struct rpc_answers *as)
{
    struct multicall_results seen = { NULL, 0 };
    struct u256 block, time;
    uint64_t seconds;

    if (!rpc_bytes(&seen.data, &seen.len, a, &as->items[0]) || !multicall_word(&block, &seen, SEEN_BLOCK) ||
        !multicall_word(&time, &seen, SEEN_TIME) || !u256_to_u64(&out->block, block) ||
        !u256_to_u64(&seconds, time) || seconds > INT64_MAX / 1000)
        return false;
    out->time_ms = (int64_t)seconds * 1000;
    out->trades = &as->items[1];
    return true;
}

static bool block_of_answers(uint64_t *out, const struct node_query *q, struct arena *a)
{
    struct seen_at at;

    if (!place_in_time_read(&at, a, &q->answers))
        return false;
    *out = at.block;
    return true;
}

static const struct err *poll_read(struct trading_wallet *out, const struct collateral_lately *lately,
                                   const struct ctx *ctx, struct arena *a, const struct node_query *q)
{
    struct seen_at at;

    if (!place_in_time_read(&at, a, &q->answers) || !wallet_read(out, a, &q->answers.items[0]))
        return chain_senseless(q->chain, "trading_wallet");
    return collateral_lately_lay(lately, ctx, a, &at, out) ? NULL : chain_behind(a, q->chain);
}

const struct err *trading_wallet_poll(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                                      struct trading_wallet *out)
{
    struct buf body = BUF_INIT(4 * POLL_MAX);
    struct rpc_batch batch = rpc_begin(&body);
    struct node_query q = { .chain = chain_by_id(POLYMARKET_CHAIN_ID),
                            .batch = &batch,
                            .block_of = block_of_answers };
    const struct err *e = &E_INTERNAL;
    struct collateral_lately lately;

    *out = (struct trading_wallet){ .address = account_trading(p),
                                    .owner = evm_addr_or_zero(p->wallet.ref.address),
                                    .is_contract = p->kind == PREDICT_DEPOSIT };
    wallet_ask(&batch, out);
    if (collateral_lately_read(ctx, a, p, &lately)) {
        collateral_lately_ask(&batch, &lately);
        rpc_end(&batch);
        q.since = lately.since;
        node_ask_all(ctx, &q, 1, POLL_MS, a);
        e = q.answered ? poll_read(out, &lately, ctx, a, &q) : chain_unavailable(ctx, a, q.chain);
    }
    if (q.answered)
        rpc_answers_free(&q.answers);
    buf_free(&body);
    return e;
}

/* ---- batches ---- */

void trading_batch_begin(struct trading_batch *b, const struct trading_wallet *w)
{
    *b = (struct trading_batch){ .wallet = w->address, .owner = w->owner, .nonce = w->nonce };
}

void trading_batch_add(struct trading_batch *b, struct arena *a, struct evm_addr target, struct buf *data)
{
    b->calls[b->count++] = (struct polymarket_call){ .target = target,
                                                     .data = arena_memdup(a, data->data, data->len),
                                                     .len = data->len };
    buf_free(data);
}

void trading_batch_allow(struct trading_batch *b, struct arena *a, struct evm_addr spender,
                         struct u256 amount)
{
    struct buf data = BUF_INIT(POLL_MAX);

    erc20_approve(&data, spender, amount);
    trading_batch_add(b, a, evm_addr_or_zero(POLYMARKET_COLLATERAL), &data);
}

void trading_batch_trust(struct trading_batch *b, struct arena *a, struct evm_addr at, struct evm_addr whom)
{
    struct buf data = BUF_INIT(POLL_MAX);

    polymarket_trust(&data, whom);
    trading_batch_add(b, a, at, &data);
}

static void request_append(struct plan *p, struct arena *a, const struct relayer_order *order,
                           int64_t deadline)
{
    struct plan_request *r = &p->requests[p->request_count++];

    *r = (struct plan_request){ .venue = &relayer_venue,
                                .order = arena_memdup(a, order, sizeof *order),
                                .expires_ms = deadline * 1000 };
    r->signing_key = arena_memdup(a, p->wallet, strlen(p->wallet));
    r->signing_key_len = strlen(p->wallet);
}

void trading_batch_request(struct plan *p, struct arena *a, const struct trading_wallet *w,
                           const struct trading_batch *b, int64_t deadline)
{
    struct relayer_order order = { .creates = true, .batch = b };

    if (!w->deployed)
        request_append(p, a, &order, deadline);
    order.creates = false;
    if (b->count > 0)
        request_append(p, a, &order, deadline);
}

void trading_batch_steps(struct plan *p, struct arena *a, const struct trading_batch *b)
{
    p->chain = chain_by_id(POLYMARKET_CHAIN_ID);
    for (size_t i = 0; i < b->count; i++)
        p->steps[p->count++] = (struct step){ .kind = TX_APPROVAL,
                                              .to = evm_addr_print(a, b->calls[i].target),
                                              .data = b->calls[i].data,
                                              .data_len = b->calls[i].len };
}

const struct err *trading_batch_free(const struct commit *c, const struct trading_wallet *w)
{
    struct venue_request last;
    struct relayer_task task;

    switch (requests_last(c->ctx->db, c->arena, c->wallet->id, relayer_venue.name, &last)) {
    case LOOKUP_NONE:
        return NULL;
    case LOOKUP_ERROR:
        return c->failure;
    case LOOKUP_FOUND:
        break;
    }
    if (last.effect.state < EFFECT_SETTLED)
        return &E_TRANSFER_UNDER_WAY;
    if (last.effect.state == EFFECT_LOST || !last.effect.succeeded)
        return NULL;
    if (!relayer_read_task(&task, last.body, last.body_len))
        return c->failure;
    return task.creates || task.nonce < w->nonce ? NULL : &E_TRANSFER_UNDER_WAY;
}
