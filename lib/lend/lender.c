#include "lend/lender.h"

#include "chain/evm/abi.h"
#include "lend/aave.h"
#include "lend/morpho.h"

const struct lender *const lenders[] = { &aave_lender, &morpho_lender, NULL };

bool lend_answer(const uint8_t **data, size_t *len, struct lend_answers *r)
{
    *data = NULL;
    *len = 0;
    return multicall_result(&r->results, r->next++, data, len);
}

bool lend_answer_word(struct u256 *out, struct lend_answers *r)
{
    return multicall_word(out, &r->results, r->next++);
}

bool lend_answer_addr(struct evm_addr *out, struct lend_answers *r)
{
    const uint8_t *data;
    size_t len;

    return lend_answer(&data, &len, r) && len == ABI_WORD && abi_get_addr(out, data, len, 0);
}

enum { QUESTION_BYTES = 1024 };

void lend_ask(struct multicall *m, struct evm_addr target, void (*ask)(struct buf *out))
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    ask(&data);
    multicall_add(m, target, &data);
    buf_free(&data);
}

void lend_ask_of(struct multicall *m, struct evm_addr target,
                 void (*ask)(struct buf *out, struct evm_addr of), struct evm_addr of)
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    ask(&data, of);
    multicall_add(m, target, &data);
    buf_free(&data);
}

struct lend_market *lend_market_add(struct lend_chain *c)
{
    c->markets = arena_grow(c->arena, c->markets, c->count, sizeof *c->markets);
    c->markets[c->count] = (struct lend_market){ .chain = c->chain };
    return &c->markets[c->count++];
}

void lend_position_add(struct lend_chain *c, struct lend_position p)
{
    c->positions = arena_grow(c->arena, c->positions, c->position_count, sizeof *c->positions);
    p.owner = c->owner;
    c->positions[c->position_count++] = p;
}

void lend_account_add(struct lend_chain *c, struct lend_account k)
{
    c->accounts = arena_grow(c->arena, c->accounts, c->account_count, sizeof *c->accounts);
    k.owner = c->owner;
    c->accounts[c->account_count++] = k;
}
