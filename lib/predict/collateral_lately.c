#include "predict/collateral_lately.h"

#include <string.h>

#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "codec/hex.h"
#include "predict/relayer.h"
#include "predict/relayer_venue.h"
#include "service/conf.h"
#include "venue/polymarket_calls.h"

static const struct chain *polygon(void)
{
    return chain_by_id(POLYMARKET_CHAIN_ID);
}

bool collateral_lately_read(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                            struct collateral_lately *out)
{
    const char *owner = p->wallet.ref.address;
    struct account_blocks blocks;
    int fills, transfers = 0;

    *out = (struct collateral_lately){ .since = 0 };
    if (!changes_blocks(ctx, a, owner, &blocks))
        return false;
    out->since = changes_block_of(&blocks, polygon());
    if (p->kind != PREDICT_DEPOSIT)
        return true;
    fills = fills_settled(ctx->db, a, p->wallet.id, &out->fills);
    if (out->since != 0)
        transfers = account_changes_transfers(ctx->db, a, owner, POLYMARKET_CHAIN_ID, relayer_venue.name,
                                              &out->transfers);
    out->fill_count = fills < 0 ? 0 : (unsigned)fills;
    out->transfer_count = transfers < 0 ? 0 : (unsigned)transfers;
    return fills >= 0 && transfers >= 0;
}

void collateral_lately_ask(struct rpc_batch *b, const struct collateral_lately *l)
{
    char hash[2 * HASH_LEN + 1];

    for (unsigned i = 0; i < l->fill_count; i++) {
        hex_encode(hash, l->fills[i].tx_hash, HASH_LEN);
        rpc_add(b, "eth_getTransactionReceipt", "[\"0x%s\"]", hash);
    }
}

/* ---- later changes ---- */

struct moved {
    struct u256 came, left;
};

static bool move_add(struct moved *m, bool comes, struct u256 amount)
{
    struct u256 *sum = comes ? &m->came : &m->left;

    return u256_add(sum, *sum, amount);
}

/* A block that was made after the trade was known to have settled has it, with or without a receipt. */
static bool fill_is_shown(const struct fill_settled *f, const struct seen_at *at, const struct rpc_answer *r)
{
    uint64_t block;

    return at->time_ms >= f->known_ms ||
           (r->class == RPC_RESULT && rpc_member_u64(&block, r->result, "blockNumber") && block <= at->block);
}

static bool fills_add(struct moved *m, const struct collateral_lately *l, const struct seen_at *at)
{
    bool fits = true;

    for (unsigned i = 0; i < l->fill_count; i++) {
        const struct fill_settled *f = &l->fills[i];
        struct u256 paid = u256_from_u64(f->paid), fee = u256_from_u64(f->fee);

        if (!fill_is_shown(f, at, &at->trades[i]))
            fits = fits && move_add(m, f->sells, paid) && move_add(m, false, fee);
    }
    return fits;
}

/* One transfer, of whose rows these are the last ones read. */
struct transfer_sum {
    uint64_t block; /* of its last transaction */
    bool has_batch;
    uint64_t nonce;
};

static void transfer_gather(struct transfer_sum *sum, const struct transfer_row *row)
{
    struct relayer_task task;

    if (row->block > sum->block)
        sum->block = row->block;
    if (row->body == NULL || !relayer_read_task(&task, row->body, row->body_len) || task.creates)
        return;
    sum->has_batch = true;
    sum->nonce = task.nonce;
}

/* The batch of a deposit, which comes last, lets the exchanges take what is there then. */
static void batch_lay(struct trading_wallet *w, const struct transfer_sum *sum, enum exec_kind_id kind)
{
    w->deployed = true;
    w->nonce = sum->nonce + 1;
    for (unsigned e = 0; kind == KIND_PREDICT_DEPOSIT && e < POLYMARKET_EXCHANGES; e++)
        w->trusted[e] = true;
}

/* What is redeemed comes and goes in one batch. */
static bool transfer_lay(struct moved *m, struct trading_wallet *w, const struct transfer_row *row,
                         const struct transfer_sum *sum, uint64_t block)
{
    bool batch_due = sum->has_batch && (!w->deployed || w->nonce <= sum->nonce), fits = true;

    if (row->kind == KIND_PREDICT_DEPOSIT && sum->block > block)
        fits = move_add(m, true, row->amount);
    if (row->kind == KIND_PREDICT_WITHDRAWAL && batch_due)
        fits = move_add(m, false, row->amount);
    if (batch_due)
        batch_lay(w, sum, row->kind);
    return fits;
}

static bool transfers_add(struct moved *m, const struct collateral_lately *l, uint64_t block,
                          struct trading_wallet *w)
{
    struct transfer_sum sum = { .block = 0 };
    bool fits = true;

    for (unsigned i = 0; i < l->transfer_count; i++) {
        const struct transfer_row *row = &l->transfers[i];

        transfer_gather(&sum, row);
        if (i + 1 < l->transfer_count && row[1].execution_id == row->execution_id)
            continue;
        fits = fits && transfer_lay(m, w, row, &sum, block);
        sum = (struct transfer_sum){ .block = 0 };
    }
    return fits;
}

static bool own_lay(const struct collateral_lately *l, const struct ctx *ctx, struct arena *a, uint64_t block,
                    struct trading_wallet *w)
{
    struct changes changes;

    return changes_since(ctx, a, evm_addr_print(a, w->owner), polygon(), l->since, block, &changes) &&
           changes_lay(&changes, POLYMARKET_COLLATERAL, &w->collateral);
}

bool collateral_lately_lay(const struct collateral_lately *l, const struct ctx *ctx, struct arena *a,
                           const struct seen_at *at, struct trading_wallet *w)
{
    struct moved m = { U256_ZERO, U256_ZERO };
    const uint64_t nonce = w->nonce;
    struct u256 sum;

    if (!w->is_contract)
        return own_lay(l, ctx, a, at->block, w);
    if (!fills_add(&m, l, at) || !transfers_add(&m, l, at->block, w))
        return false;
    if (!u256_add(&sum, w->collateral, m.came) || !u256_sub(&w->collateral, sum, m.left))
        return false;
    for (unsigned e = 0; w->nonce != nonce && e < POLYMARKET_EXCHANGES; e++)
        w->allowance[e] = w->collateral;
    return true;
}

/* ---- a wallet that trades itself ---- */

enum { POLL_MS = 2500, POLL_MAX = 4096 };

static bool block_of_head(uint64_t *out, const struct node_query *q, struct arena *a)
{
    (void)a;
    return rpc_member_u64(out, q->answers.items[0].result, "number");
}

static void change_add(struct changes *out, struct arena *a, const struct moved *m, uint64_t block)
{
    struct account_change c = { .chain_id = POLYMARKET_CHAIN_ID, .block = block, .known = true };
    struct token_change *its = change_of(&c, POLYMARKET_COLLATERAL);

    its->came = m->came;
    its->left = m->left;
    out->list = arena_grow(a, out->list, out->count, sizeof *out->list);
    out->list[out->count++] = c;
}

/* Asks a node that has come at least as far, after its newest block, for the time of the block. */
static bool trades_read(const struct collateral_lately *l, const struct ctx *ctx, struct arena *a,
                        uint64_t block, struct moved *m)
{
    struct buf body = BUF_INIT(POLL_MAX);
    struct rpc_batch batch = rpc_begin(&body);
    struct node_query q = { .chain = polygon(), .batch = &batch, .since = block, .block_of = block_of_head };
    struct seen_at at = { .block = block };
    uint64_t seconds;
    bool known;

    rpc_add(&batch, "eth_getBlockByNumber", "[\"latest\",false]");
    rpc_add(&batch, "eth_getBlockByNumber", "[\"0x%llx\",false]", (unsigned long long)block);
    collateral_lately_ask(&batch, l);
    rpc_end(&batch);
    node_ask_all(ctx, &q, 1, POLL_MS, a);
    known = q.answered && !q.behind && rpc_member_u64(&seconds, q.answers.items[1].result, "timestamp") &&
            seconds <= INT64_MAX / 1000;
    if (known) {
        at.time_ms = (int64_t)seconds * 1000;
        at.trades = &q.answers.items[2];
        known = fills_add(m, l, &at);
    }
    if (q.answered)
        rpc_answers_free(&q.answers);
    buf_free(&body);
    return known;
}

bool collateral_lately_changes(const struct ctx *ctx, struct arena *a, const char *address,
                               const struct chain *c, uint64_t block, struct changes *out)
{
    struct collateral_lately l = { .since = 0 };
    struct moved m = { U256_ZERO, U256_ZERO };
    int n;

    if (c != polygon() || !ctx->conf->predict_trading)
        return true;
    n = fills_settled_itself(ctx->db, a, address, &l.fills);
    if (n <= 0)
        return n == 0;
    l.fill_count = (unsigned)n;
    if (!trades_read(&l, ctx, a, block, &m))
        return false;
    if (!u256_is_zero(m.came) || !u256_is_zero(m.left))
        change_add(out, a, &m, block + 1);
    return true;
}
