#include "exec/evm/evm_payments.h"

#include <inttypes.h>

#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "exec/evm/coins.h"
#include "exec/evm/evm_receipt.h"
#include "exec/evm/evm_stored.h"
#include "exec/evm/head.h"
#include "exec/newest.h"

enum { DEADLINE_MS = 2000 };

static void ask_time(struct rpc_batch *b, uint64_t block)
{
    rpc_add(b, "eth_getBlockByNumber", "[\"0x%" PRIx64 "\",false]", block);
}

static bool read_time(int64_t *seconds, const struct rpc_answer *r)
{
    uint64_t at;

    if (!rpc_member_u64(&at, r->result, "timestamp") || at > INT64_MAX)
        return false;
    *seconds = (int64_t)at;
    return true;
}

enum lookup evm_newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c, uint64_t *block)
{
    static const struct height_words words = { "eth_blockNumber", "[]", rpc_u64, ask_time, read_time };

    return newest_block(ctx, a, c, &words, block);
}

/* ---- requests ---- */

enum { QUESTIONS = 2 }; /* about each: its receipt, and the transaction itself */

struct evm_payments {
    struct buf body;
    struct rpc_batch batch;
    struct head_at at_head;
    unsigned at_first; /* about the first one */
};

bool evm_payments_begin(const struct ctx *ctx, struct arena *a, struct payments *p, struct call *call)
{
    struct evm_payments *l = ARENA_NEW(a, struct evm_payments);

    *l = (struct evm_payments){ .body = BUF_INIT(MAX_TX) };
    l->batch = rpc_begin(&l->body);
    l->at_head = head_ask(&l->batch, ctx, p->chain);
    l->at_first = l->batch.count;
    for (unsigned i = 0; i < p->count; i++) {
        const char *hash = evm_hash_text(a, p->list[i].tx);

        rpc_add(&l->batch, "eth_getTransactionReceipt", "[\"%s\"]", hash);
        rpc_add(&l->batch, "eth_getTransactionByHash", "[\"%s\"]", hash);
    }
    rpc_end(&l->batch);
    p->query->chain = p->chain;
    p->query->batch = &l->batch;
    p->poll = l;
    if (node_begin(call, ctx, p->query, a))
        return true;
    buf_free(&l->body);
    return false;
}

/* ---- tokens ---- */

static void arrival_add(struct payment *p, struct arena *a, const struct arrival *moved)
{
    p->arrivals = arena_grow(a, p->arrivals, p->count, sizeof *p->arrivals);
    p->arrivals[p->count++] = *moved;
}

/* The part of the transfer that stays with the recipient: amounts of the token that leave the recipient in
 * the same transaction are taken off the first ones that came. A token that passes through the recipient pays
 * nothing. */
static struct u256 stays_of(const struct receipt *r, const struct receipt_transfer *in, size_t at)
{
    struct u256 came_before = U256_ZERO, left = U256_ZERO;
    struct receipt_transfer t;
    bool sane = true; /* no sum is beyond all numbers */
    const json_t *log;
    size_t i;

    json_array_foreach(r->logs, i, log)
    {
        if (!receipt_transfer_read(&t, log) || !evm_addr_eq(t.token, in->token))
            continue;
        if (evm_addr_eq(t.from, in->to))
            sane = sane && u256_add(&left, left, t.amount);
        if (i < at && evm_addr_eq(t.to, in->to))
            sane = sane && u256_add(&came_before, came_before, t.amount);
    }
    return sane ? u256_sub_or_zero(in->amount, u256_sub_or_zero(left, came_before)) : U256_ZERO;
}

static void tokens_read(struct payment *p, struct arena *a, const struct receipt *r)
{
    const struct evm_addr recipient = evm_addr_or_zero(p->recipient);
    struct receipt_transfer t;
    const json_t *log;
    size_t i;

    json_array_foreach(r->logs, i, log)
    {
        struct arrival moved = { .log_index = 0 };

        if (!receipt_transfer_read(&t, log) || !evm_addr_eq(t.to, recipient))
            continue;
        moved.log_index = t.log_index;
        moved.amount = stays_of(r, &t, i);
        if (u256_is_zero(moved.amount))
            continue;
        evm_address_bytes(&moved.token, evm_addr_print(a, t.token));
        arrival_add(p, a, &moved);
    }
}

/* ---- coin ---- */

static void coin_add(struct payment *p, struct arena *a, struct u256 amount, bool of_block)
{
    struct arrival moved = { .log_index = ARRIVAL_COIN, .amount = amount, .of_block = of_block };

    evm_address_bytes(&moved.token, EVM_ADDR_ZERO);
    if (!u256_is_zero(amount))
        arrival_add(p, a, &moved);
}

/* Reads the coin that the transaction itself carries to the recipient. False: it is sent to another address,
 * which may have passed coin on. */
static bool coin_read(struct payment *p, struct arena *a, const json_t *tx)
{
    const char *to = json_string_value(json_object_get(tx, "to"));
    const char *value = json_string_value(json_object_get(tx, "value"));
    struct evm_addr at;
    struct u256 amount;

    if (to == NULL || value == NULL || !evm_addr_parse(&at, to) ||
        !evm_addr_eq(at, evm_addr_or_zero(p->recipient)))
        return false;
    if (u256_parse_hex(&amount, value))
        coin_add(p, a, amount, false);
    return true;
}

/* If the recipient has sent a transaction itself, its balance does not show the payment; nor does a node that
 * has forgotten that block. */
static void balances_read(struct payment *p, struct arena *a, const struct rpc_answer *r)
{
    struct coins c;
    struct u256 came;

    p->amount_unknown = !coins_read(&c, r) || c.sent > 0;
    if (!p->amount_unknown && u256_sub(&came, c.after, c.before))
        coin_add(p, a, came, true);
}

static void balances_poll(const struct ctx *ctx, struct arena *a, const struct payments *p,
                          struct payment *const *list, unsigned n)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch b = rpc_begin(&body);
    struct node_query q = {
        .chain = p->chain, .batch = &b, .order = p->query->order, .apart = p->query->apart
    };

    for (unsigned i = 0; i < n; i++)
        coins_ask(&b, list[i]->recipient, list[i]->block);
    rpc_end(&b);
    if (n > 0)
        node_ask_all(ctx, &q, 1, DEADLINE_MS, a);
    if (q.answered) {
        for (unsigned i = 0; i < n; i++)
            balances_read(list[i], a, &q.answers.items[COINS_QUESTIONS * i]);
        rpc_answers_free(&q.answers);
    }
    buf_free(&body);
}

/* ---- answers ---- */

/* An error is no answer: nothing may be concluded from it, nor from a node behind the block that has shown it
 * before. False: what coin came has to be told by balances. */
static bool payment_read(struct payment *p, struct arena *a, const struct head *h, const struct rpc_answer *r)
{
    struct receipt receipt;

    p->known = r[0].result != NULL && receipt_read(&receipt, r[0].result) && p->seen_block <= h->block;
    if (p->known && receipt.block == 0)
        (void)rpc_member_u64(&p->lists, r[1].result, "blockNumber");
    if (!p->known || receipt.block == 0)
        return true;
    p->block = receipt.block;
    p->succeeded = receipt.succeeded;
    p->confirmed = block_depth(h, p->block) >= h->confirm;
    p->settled = block_is_settled(h, p->block);
    if (!p->succeeded)
        return true;
    tokens_read(p, a, &receipt);
    p->amount_unknown = p->coin;
    if (p->coin && coin_read(p, a, r[1].result))
        p->amount_unknown = false;
    return !p->amount_unknown;
}

void evm_payments_end(const struct ctx *ctx, struct arena *a, struct payments *p)
{
    struct evm_payments *l = p->poll;
    struct payment *by_balance[PAYMENTS_MAX];
    struct head head;
    unsigned n = 0;

    if (node_call_end(p->call)) {
        const struct rpc_answers *as = &p->query->answers;
        bool told = head_read(&head, ctx, p->chain, l->at_head, as);

        for (unsigned i = 0; told && i < p->count; i++)
            if (!payment_read(&p->list[i], a, &head, &as->items[l->at_first + QUESTIONS * i]))
                by_balance[n++] = &p->list[i];
        balances_poll(ctx, a, p, by_balance, n);
        rpc_answers_free(&p->query->answers);
    }
    buf_free(&l->body);
}
