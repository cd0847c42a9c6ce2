#include "exec/evm/foreign_nonce.h"

#include <string.h>

#include "base/incident.h"
#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "codec/hash.h"
#include "exec/evm/seen.h"
#include "store/nonces.h"
#include "store/transactions.h"

enum {
    BLOCKS_AT_ONCE = 8,
    SPAN_FIRST = 16,
    SPAN_MAX = 1 << 16,
    DEADLINE_MS = 3000,
};

/* ---- one block ---- */

enum block_shows { SHOWS_NOTHING, SHOWS_OTHERS, SHOWS_IT };

struct block_poll {
    struct buf body;
    struct rpc_batch batch;
    struct head_at at_head; /* behind the block, where a second node is asked */
};

static void block_ask(struct block_poll *l, struct node_query *q, const struct ctx *ctx,
                      const struct tracked *w, uint64_t block, enum node_order order)
{
    *l = (struct block_poll){ .body = BUF_INIT(MAX_TX) };
    l->batch = rpc_begin(&l->body);
    rpc_add(&l->batch, "eth_getBlockByNumber", "[\"0x%llx\",true]", (unsigned long long)block);
    if (order == NODE_SECOND_OPINION)
        l->at_head = head_ask(&l->batch, ctx, w->chain);
    rpc_end(&l->batch);
    *q = (struct node_query){ .chain = w->chain, .batch = &l->batch, .order = order };
}

static bool tx_is_of(const json_t *tx, struct evm_addr wallet, uint64_t nonce)
{
    uint8_t from[EVM_ADDR_LEN];
    uint64_t n;

    return rpc_member_bytes(from, sizeof from, tx, "from") && memcmp(from, wallet.bytes, sizeof from) == 0 &&
           rpc_member_u64(&n, tx, "nonce") && n == nonce;
}

/* Whether a whole block contains the wallet's nonce; if so, n->hash is set. */
static enum block_shows block_read(struct taken_nonce *n, const json_t *block, struct evm_addr wallet,
                                   uint64_t number)
{
    const json_t *txs = json_object_get(block, "transactions"), *tx;
    uint64_t said;
    size_t i;

    if (!json_is_array(txs) || !rpc_member_u64(&said, block, "number") || said != number)
        return SHOWS_NOTHING;
    json_array_foreach(txs, i, tx)
    {
        if (tx_is_of(tx, wallet, n->nonce) && rpc_member_bytes(n->hash, sizeof n->hash, tx, "hash"))
            return SHOWS_IT;
    }
    return SHOWS_OTHERS;
}

static enum block_shows block_answer(struct block_poll *l, struct node_query *q, struct taken_nonce *n,
                                     struct evm_addr wallet, uint64_t number)
{
    enum block_shows shown = SHOWS_NOTHING;

    if (q->answered) {
        shown = block_read(n, q->answers.items[0].result, wallet, number);
        rpc_answers_free(&q->answers);
    }
    buf_free(&l->body);
    return shown;
}

/* By its own head: a node that lags may be on a branch that others have left. */
static bool second_has_settled(const struct ctx *ctx, const struct tracked *w, const struct block_poll *l,
                               const struct node_query *q, uint64_t block)
{
    struct head h;

    return q->answered && head_read(&h, ctx, w->chain, l->at_head, &q->answers) &&
           block_is_settled(&h, block);
}

/* ---- the search ---- */

/* Reads the next few blocks downwards, all at once, and moves the search on. The wallet's transaction is in
 * one of them or further down. */
static void search_step(const struct ctx *ctx, struct arena *a, const struct tracked *w,
                        struct taken_nonce *n, struct evm_addr wallet)
{
    struct block_poll polls[BLOCKS_AT_ONCE];
    struct node_query queries[BLOCKS_AT_ONCE];
    uint64_t from = n->block;
    unsigned count = from < BLOCKS_AT_ONCE ? (unsigned)from : BLOCKS_AT_ONCE;
    bool ended = false;

    for (unsigned i = 0; i < count; i++)
        block_ask(&polls[i], &queries[i], ctx, w, from - i, NODE_AS_CONFIGURED);
    node_ask_all(ctx, queries, count, DEADLINE_MS, a);
    for (unsigned i = 0; i < count; i++) {
        struct taken_nonce here = *n;
        enum block_shows shown = block_answer(&polls[i], &queries[i], &here, wallet, from - i);

        if (ended)
            continue;
        ended = shown != SHOWS_OTHERS; /* what was not answered is asked again next time */
        n->found = shown == SHOWS_IT;
        memcpy(n->hash, here.hash, sizeof n->hash);
        n->block = ended ? from - i : from - i - 1;
    }
}

/* From the newest block again, and further down than the last time. */
static void search_restart(struct taken_nonce *n, const struct tracked *w)
{
    n->top = n->block = evm_seen(w)->head.block;
    n->span = n->span == 0 ? SPAN_FIRST : n->span < SPAN_MAX ? 2 * n->span : SPAN_MAX;
    n->found = false;
}

/* Whether another node, where there is one, shows the same transaction. */
static enum block_shows search_confirm(const struct ctx *ctx, struct arena *a, const struct tracked *w,
                                       const struct taken_nonce *n, struct evm_addr wallet)
{
    struct taken_nonce again = *n;
    struct node_query q;
    struct block_poll l;
    enum block_shows shown;
    bool deep;

    block_ask(&l, &q, ctx, w, n->block, NODE_SECOND_OPINION);
    node_ask_all(ctx, &q, 1, DEADLINE_MS, a);
    deep = second_has_settled(ctx, w, &l, &q, n->block);
    shown = block_answer(&l, &q, &again, wallet, n->block);
    if (!deep)
        return SHOWS_NOTHING;
    return shown == SHOWS_IT && memcmp(again.hash, n->hash, sizeof n->hash) != 0 ? SHOWS_OTHERS : shown;
}

/* Another process may have signed another attempt since this list was read. Our own transactions are stored
 * before they are sent. */
static bool hash_is_foreign(struct db *db, const uint8_t hash[static HASH_LEN])
{
    struct tx_hash known = { .len = HASH_LEN };

    memcpy(known.bytes, hash, HASH_LEN);
    return transactions_hash_known(db, &known) == LOOKUP_NONE;
}

static void nonce_mark_foreign(struct tracked *w, uint64_t nonce)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].nonce == nonce)
            w->observations[i].foreign = true;
}

/* The block is read again once it is deep enough to stay; if it has changed by then, the search restarts. */
static void found_follow(const struct ctx *ctx, struct arena *a, struct tracked *w, struct taken_nonce *n,
                         struct evm_addr wallet)
{
    enum block_shows shown;

    if (!block_is_settled(&evm_seen(w)->head, n->block))
        return;
    shown = search_confirm(ctx, a, w, n, wallet);
    if (shown == SHOWS_IT && hash_is_foreign(ctx->db, n->hash))
        nonce_mark_foreign(w, n->nonce);
    if (shown == SHOWS_OTHERS) {
        n->span = 0;
        search_restart(n, w);
    }
}

/* The first pass only notes it: most often the receipt is there at the next pass. */
static void nonce_pursue(const struct ctx *ctx, struct arena *a, struct tracked *w, uint64_t nonce)
{
    struct taken_nonce n = { .wallet_id = w->wallet.id, .chain_id = w->chain->id, .nonce = nonce };
    enum lookup known = nonces_taken_get(ctx->db, &n);
    struct evm_addr wallet;

    if (known == LOOKUP_ERROR || !evm_addr_parse(&wallet, w->wallet.ref.address))
        return;
    if (known == LOOKUP_NONE)
        search_restart(&n, w);
    else if (n.found)
        found_follow(ctx, a, w, &n, wallet);
    else
        search_step(ctx, a, w, &n, wallet);
    if (!n.found && (n.block == 0 || n.block + n.span <= n.top))
        search_restart(&n, w);
    if (!nonces_taken_put(ctx->db, &n))
        log_repeated("nonce_search_not_recorded", "", "msg=\"search not recorded\" execution=%llu",
                     (unsigned long long)w->execution->id);
}

void evm_poll_closely(const struct ctx *ctx, struct arena *a, struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (first_of_place(w, i) && nonce_taken(w, w->txs[i].nonce))
            nonce_pursue(ctx, a, w, w->txs[i].nonce);
}

bool evm_follow_end(struct db *db, const struct tracked *w)
{
    return nonces_taken_end(db, w->execution->wallet_id, w->chain->id, w->txs[0].nonce,
                            w->txs[w->count - 1].nonce);
}
