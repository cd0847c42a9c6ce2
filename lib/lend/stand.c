#include "lend/stand.h"

#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "chain/unavailable.h"
#include "exec/changes.h"
#include "lend/lender.h"
#include "venue/aave_state.h"
#include "venue/erc20.h"
#include "venue/morpho_state.h"

enum { CALL_BYTES = 8192, QUESTION_BYTES = 256, DEADLINE_MS = 2500 };

/* ---- asking ---- */

static void add(struct multicall *m, struct evm_addr target, struct buf *data)
{
    multicall_add(m, target, data);
    buf_reset(data);
}

static void aave_add(struct multicall *m, const struct lend_place *p, struct evm_addr wallet)
{
    lend_ask_of(m, p->a_token, erc20_balance_of, wallet);
    lend_ask_of(m, p->debt_token, erc20_balance_of, wallet);
    lend_ask_of(m, contract_addr(p->lender), aave_ask_account, wallet);
}

static void morpho_add(struct multicall *m, const struct lend_place *p, struct evm_addr wallet)
{
    struct evm_addr blue = contract_addr(p->lender);
    struct buf data = BUF_INIT(QUESTION_BYTES);

    morpho_ask_holding(&data, p->market, wallet);
    add(m, blue, &data);
    morpho_ask_state(&data, p->market);
    add(m, blue, &data);
    morpho_ask_price(&data);
    add(m, p->terms.oracle, &data);
    buf_free(&data);
}

static void stand_add(struct multicall *m, const struct lend_place *p, const struct token_ref *token,
                      struct evm_addr wallet)
{
    struct evm_addr at = evm_addr_or_zero(token->address);
    struct buf data = BUF_INIT(QUESTION_BYTES);

    lend_ask_of(m, at, erc20_balance_of, wallet);
    erc20_allowance(&data, wallet, contract_addr(p->lender));
    add(m, at, &data);
    buf_free(&data);
    if (lend_place_is_morpho(p))
        morpho_add(m, p, wallet);
    else
        aave_add(m, p, wallet);
}

void lend_stand_ask(struct buf *out, const struct lend_place *p, const struct token_ref *token,
                    struct evm_addr wallet)
{
    struct multicall m = MULTICALL_INIT(CALL_BYTES);

    stand_add(&m, p, token, wallet);
    multicall_finish(&m, out);
    multicall_free(&m);
}

/* ---- reading ---- */

static bool aave_read(struct lend_stand *out, struct lend_answers *r)
{
    struct aave_account account;
    const uint8_t *data;
    size_t len;

    if (!lend_answer_word(&out->supplied, r) || !lend_answer_word(&out->borrowed, r) ||
        !lend_answer(&data, &len, r) || !aave_read_account(&account, data, len))
        return false;
    out->has_health = !u256_is_zero(account.debt);
    out->health = account.health;
    return true;
}

/* Debt without a price has no reliable health. */
static bool morpho_health_read(struct lend_stand *out, const struct lend_place *p, struct u256 price)
{
    struct u256 worth, limit;

    out->has_health = !u256_is_zero(out->borrowed);
    if (!out->has_health)
        return true;
    if (u256_is_zero(price) || !morpho_worth(&worth, out->collateral, price) ||
        !morpho_limit(&limit, worth, &p->terms))
        return false;
    out->health = morpho_health(limit, out->borrowed);
    return true;
}

static bool morpho_read(struct lend_stand *out, const struct lend_place *p, struct lend_answers *r)
{
    struct morpho_holding h;
    struct morpho_state s;
    struct u256 price;
    const uint8_t *data;
    size_t len;

    if (!lend_answer(&data, &len, r) || !morpho_read_holding(&h, data, len) || !lend_answer(&data, &len, r) ||
        !morpho_read_state(&s, data, len))
        return false;
    if (!lend_answer_word(&price, r))
        price = U256_ZERO;
    out->supply_shares = h.supply_shares;
    out->borrow_shares = h.borrow_shares;
    out->collateral = h.collateral;
    return morpho_supplied(&out->supplied, &s, h.supply_shares) &&
           morpho_borrowed(&out->borrowed, &s, h.borrow_shares) && morpho_health_read(out, p, price);
}

static bool stand_read(struct lend_stand *out, const struct lend_place *p, struct lend_answers *r)
{
    *out = (struct lend_stand){ .has_health = false };
    return lend_answer_word(&out->at_hand, r) && lend_answer_word(&out->allowance, r) &&
           (lend_place_is_morpho(p) ? morpho_read(out, p, r) : aave_read(out, r));
}

bool lend_stand_read(struct lend_stand *out, const struct lend_place *p, const uint8_t *data, size_t len)
{
    struct lend_answers answers = { .results = { data, len } };

    return stand_read(out, p, &answers);
}

/* ---- now ---- */

/* Nothing that such a call changes stays. */
static void accrual_add(struct multicall *m, const struct lend_place *p)
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    morpho_ask_accrual(&data, &p->terms);
    add(m, contract_addr(p->lender), &data);
    buf_free(&data);
}

/* *block_at: where the block stands that the answers are of. */
static void poll_ask(struct rpc_batch *b, const struct lend_place *p, const struct token_ref *token,
                     struct evm_addr wallet, unsigned *block_at)
{
    struct multicall m = MULTICALL_INIT(CALL_BYTES);
    struct buf data = BUF_INIT(CALL_BYTES);

    if (lend_place_is_morpho(p))
        accrual_add(&m, p);
    stand_add(&m, p, token, wallet);
    multicall_block_number(&m, p->chain->arbsys);
    *block_at = m.count - 1;
    multicall_finish(&m, &data);
    multicall_call(b, &data);
    rpc_end(b);
    buf_free(&data);
    multicall_free(&m);
}

static bool poll_read(struct lend_stand *out, struct arena *a, const struct lend_place *p,
                      const struct rpc_answer *answer)
{
    struct lend_answers r = { .next = lend_place_is_morpho(p) ? 1 : 0 };

    return rpc_bytes(&r.results.data, &r.results.len, a, answer) && stand_read(out, p, &r);
}

static bool block_of_answers(uint64_t *out, const struct node_query *q, struct arena *a)
{
    const unsigned *block_at = q->owner;
    struct multicall_results results = { .data = NULL };
    struct u256 word;

    return rpc_bytes(&results.data, &results.len, a, &q->answers.items[0]) &&
           multicall_word(&word, &results, *block_at) && u256_to_u64(out, word);
}

/* An answer of a node that does not know the wallet's last block would be refused, or repeated, without
 * need. */
static const struct err *poll_judge(const struct node_query *q, struct lend_stand *out, struct arena *a,
                                    const struct lend_place *p)
{
    if (q->behind)
        return chain_behind(a, p->chain);
    return poll_read(out, a, p, &q->answers.items[0]) ? NULL : chain_senseless(p->chain, "standing");
}

const struct err *lend_stand_poll(const struct ctx *ctx, struct arena *a, const struct lend_place *p,
                                  const struct token_ref *token, struct evm_addr wallet,
                                  struct lend_stand *out)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    unsigned block_at;
    struct node_query q = {
        .chain = p->chain, .batch = &batch, .owner = &block_at, .block_of = block_of_answers
    };
    const struct err *e = &E_INTERNAL;
    struct account_blocks blocks;
    int64_t until_ms = 0;

    poll_ask(&batch, p, token, wallet, &block_at);
    if (changes_blocks(ctx, a, evm_addr_print(a, wallet), &blocks)) {
        q.since = changes_block_of(&blocks, p->chain);
        do {
            node_ask_all(ctx, &q, 1, DEADLINE_MS, a);
            e = q.answered ? poll_judge(&q, out, a, p) : chain_unavailable(ctx, a, p->chain);
            if (q.answered)
                rpc_answers_free(&q.answers);
        } while (err_is(e, &E_BEHIND) && changes_await(&until_ms));
    }
    buf_free(&body);
    return e;
}
