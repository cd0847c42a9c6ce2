#include "swap/track.h"

#include <string.h>

#include "chain/evm/node.h"
#include "core/clock.h"
#include "core/conf.h"
#include "core/fault.h"
#include "core/hex.h"
#include "core/log.h"
#include "store/events.h"
#include "store/swaps.h"
#include "store/wallets.h"
#include "swap/offer.h"
#include "swap/receipt.h"
#include "swap/repair.h"
#include "swap/view.h"
#include "webhook/payload.h"

static const char REORGANISED[] = "its block was reorganised away";

enum {
    CLAIM_MAX = 100,
    SLICE_MAX = 16, /* swaps in one batch: nodes take some dozens of questions at once */
    LEASE_S = 30,
    DEADLINE_MS = 5000,
};

/* ---- what a node says ---- */

/* Swaps on one chain, neighbours in the list of all. */
struct slice {
    const struct chain *chain;
    struct watch *w;
    unsigned count;
    struct buf body;
    struct rpc_batch batch;
};

static void ask(struct slice *s)
{
    struct rpc_batch *b = &s->batch;

    s->body = (struct buf)BUF_INIT(MAX_UPSTREAM);
    *b = rpc_begin(&s->body);
    rpc_add(b, "eth_blockNumber", "[]");
    fees_ask(b, s->chain);
    for (struct watch *w = s->w; w < s->w + s->count; w++) {
        w->at_count = b->count;
        rpc_add(b, "eth_getTransactionCount", "[\"%s\",\"latest\"]", w->wallet.ref.address);
        for (unsigned j = 0; j < w->count; j++) {
            char hash[65];

            hex_encode(hash, w->txs[j].hash, 32);
            rpc_add(b, "eth_getTransactionReceipt", "[\"0x%s\"]", hash);
        }
    }
    rpc_end(b);
}

static void read_watch(struct watch *w, const struct rpc_answers *as)
{
    w->known = rpc_u64(&w->chain_count, &as->items[w->at_count]);
    for (unsigned j = 0; j < w->count; j++) {
        const struct rpc_answer *r = &as->items[w->at_count + 1 + j];

        /* An error is no answer: nothing may be concluded from it. */
        w->known = w->known && r->result != NULL && receipt_read(&w->receipts[j], r->result);
        /* A node behind the block that we have seen it in does not show a reorganisation. */
        w->known = w->known && w->txs[j].block_number <= w->head.block;
    }
}

/* Swaps whose answers are incomplete stay unknown. */
static void read_answers(const struct ctx *ctx, struct slice *s, const struct rpc_answers *answers)
{
    struct head head = { 0 };

    if (!rpc_u64(&head.block, &answers->items[0]) ||
        !fees_read(&head.fees, ctx, s->chain, &answers->items[1]))
        return;
    head.confirm = conf_chain_number(ctx->conf, "confirm_depth", s->chain->key, s->chain->confirm_depth);
    head.settle = conf_chain_number(ctx->conf, "settle_depth", s->chain->key, s->chain->settle_depth);
    for (struct watch *w = s->w; w < s->w + s->count; w++) {
        w->head = head;
        read_watch(w, answers);
    }
}

/* ---- what follows from it ---- */

static unsigned depth(const struct watch *w, const struct receipt *r)
{
    return r->block == 0 || r->block > w->head.block ? 0 : (unsigned)(w->head.block - r->block + 1);
}

/* The transaction in a block among those with the swap's own nonce; -1 when there is none. */
static int winner(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].nonce == w->swap_nonce && w->receipts[i].block != 0)
            return (int)i;
    return -1;
}

static bool deep_enough(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        bool settled = false;

        for (unsigned j = 0; j < w->count; j++)
            settled = settled ||
                      (w->txs[j].nonce == w->txs[i].nonce && depth(w, &w->receipts[j]) >= w->head.settle);
        if (!settled)
            return false;
    }
    return true;
}

static bool any_accepted(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind == TX_SWAP && w->txs[i].accepted)
            return true;
    return false;
}

static void fail(struct swap_move *m, const char *code, const char *message)
{
    m->to = SWAP_FAILED;
    m->error_code = code;
    m->error_message = message;
    m->why = message;
}

static void judge_mined(const struct watch *w, unsigned i, struct swap_move *m)
{
    const struct swap_tx *t = &w->txs[i];
    const struct receipt *r = &w->receipts[i];

    if (t->kind == TX_CANCEL) {
        if (depth(w, r) >= w->head.settle)
            fail(m, w->refused ? "SIMULATION_REVERTED" : "QUOTE_EXPIRED",
                 w->refused ? "No node would take the transaction; its nonce was taken back"
                            : "Not included in time; its nonce was taken back");
        return;
    }
    m->tx_hash = t->hash;
    if (depth(w, r) < w->head.confirm) {
        m->to = SWAP_PROCESSING;
        m->why = "in a block";
    } else if (r->succeeded) {
        m->to = SWAP_COMPLETED;
        m->why = "confirmed";
    } else {
        fail(m, "SIMULATION_REVERTED", "The transaction was included and reverted");
    }
}

static bool is_final(enum swap_status s)
{
    return s == SWAP_COMPLETED || s == SWAP_FAILED;
}

/* Whether the chain still shows something that the status can rest on. */
static bool has_ground(const struct watch *w, int winner_at)
{
    if (winner_at < 0)
        return w->foreign;
    return w->swap->status != SWAP_COMPLETED || w->txs[winner_at].kind != TX_CANCEL;
}

/* Where the swap belongs by what the chain shows. `to` equal to `from`: it stays. */
static struct swap_move verdict(const struct watch *w)
{
    struct swap_move m = { .id = w->swap->id, .agent_id = w->swap->agent_id };
    int i = winner(w);

    m.from = m.to = w->swap->status;
    if (i >= 0) {
        judge_mined(w, (unsigned)i, &m);
    } else if (w->foreign) {
        fail(&m, "CONFLICT", "The wallet's nonce was used by a transaction from elsewhere");
    } else if (m.from == SWAP_PROCESSING && any_accepted(w)) {
        m.to = SWAP_SUBMITTED;
        m.why = REORGANISED;
    }
    /* What was reported as final goes back through processing. */
    if (is_final(m.from) && (m.to != m.from || !has_ground(w, i))) {
        m.to = SWAP_PROCESSING;
        m.why = REORGANISED;
        m.error_code = m.error_message = NULL;
    }
    return m;
}

/* ---- writing it down ---- */

struct record_job {
    struct watch *w;
    struct arena *arena;
    struct swap_move move;
    struct u256 arrived;
    bool settle;
};

/* The event's data is the swap as it is after the move, read inside the same transaction. */
static bool add_event(struct db *db, struct record_job *job)
{
    struct buf body = BUF_INIT(WEBHOOK_BODY_MAX);
    struct swap s;
    struct swap_tx *txs;
    int n;
    json_t *data;
    bool ok;
    const char *type = job->move.to == SWAP_COMPLETED ? "swap.completed" : "swap.failed";

    if (swaps_get(db, job->arena, 0, job->move.id, &s) != 1 ||
        (n = swaps_txs(db, job->arena, job->move.id, &txs)) < 0)
        return false;
    s.status = swap_listed(s.status);
    data = swap_view(job->arena, &s, txs, (unsigned)n);
    ok = payload_write(&body, type, clock_ms(), data) && events_add(db, s.agent_id, type, buf_text(&body));
    json_decref(data);
    buf_free(&body);
    return ok;
}

static bool record_txs(struct db *db, const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        const struct swap_tx *t = &w->txs[i];
        const struct receipt *r = &w->receipts[i];

        if ((t->state == TX_OPEN || t->state == TX_MINED) &&
            (t->block_number != r->block || (r->block != 0 && t->state == TX_OPEN)) &&
            !swaps_tx_in_block(db, t->id, r->block, r->succeeded))
            return false;
    }
    return true;
}

static bool record_settled(struct db *db, const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->receipts[i].block != 0 && !swaps_tx_settled(db, &w->txs[i]))
            return false;
    if (w->foreign && !swaps_nonce_lost(db, w->swap->wallet_id, w->chain->id, w->swap_nonce))
        return false;
    return swaps_settle(db, w->swap->id);
}

static enum tx_verdict record_tx(struct db *db, void *arg)
{
    struct record_job *job = arg;
    bool moves = job->move.to != job->move.from;
    int moved = moves ? swaps_move(db, &job->move) : 1;

    if (moved < 0)
        return TX_FAILED;
    if (moved == 0)
        return TX_ROLLBACK; /* somebody else moved it meanwhile: look again next time */
    if (!record_txs(db, job->w) || (job->settle && !record_settled(db, job->w)))
        return TX_FAILED;
    if (moves && (job->move.to == SWAP_COMPLETED || job->move.to == SWAP_FAILED) && !add_event(db, job))
        return TX_FAILED;
    return TX_COMMIT;
}

static bool txs_changed(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].state <= TX_MINED && w->txs[i].block_number != w->receipts[i].block)
            return true;
    return false;
}

static void record(const struct ctx *ctx, struct arena *a, struct watch *w)
{
    struct record_job job = { .w = w, .arena = a, .move = verdict(w) };
    int i = winner(w);

    if (job.move.to == SWAP_COMPLETED && i >= 0 &&
        receipt_arrived(&job.arrived, &w->receipts[i], w->swap, w->wallet.ref.address))
        job.move.amount_out = &job.arrived;
    job.settle =
        (job.move.to == SWAP_COMPLETED || job.move.to == SWAP_FAILED) && (w->foreign || deep_enough(w));
    if (job.move.to == job.move.from && !job.settle && !txs_changed(w))
        return;
    if (db_transact(ctx->db, record_tx, &job) != TX_DONE)
        return;
    (void)FAULT("poll.moved");
    if (job.move.to != job.move.from)
        log_info("swap=%llu from=%s to=%s why=\"%s\"", (unsigned long long)w->swap->id,
                 swap_status_text(job.move.from), swap_status_text(job.move.to), job.move.why);
}

/* ---- one pass ---- */

static bool refused(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind != TX_CANCEL && w->txs[i].refusals >= REFUSALS)
            return true;
    return false;
}

/* The transactions of one swap are neighbours in `txs`. */
static unsigned watches_make(struct watch *w, struct swap *swaps, unsigned n, struct swap_tx *txs,
                             unsigned ntxs, struct arena *a)
{
    unsigned at = 0, made = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned first;

        while (at < ntxs && txs[at].swap_id < swaps[i].id)
            at++;
        first = at;
        while (at < ntxs && txs[at].swap_id == swaps[i].id)
            at++;
        w[made] = (struct watch){ .swap = &swaps[i], .txs = txs + first, .count = at - first };
        w[made].receipts = ARENA_ARRAY(a, struct receipt, w[made].count + 1);
        w[made].chain = chain_by_id(swaps[i].from.chain_id);
        for (unsigned j = first; j < at; j++)
            if (txs[j].kind == TX_SWAP)
                w[made].swap_nonce = txs[j].nonce;
        w[made].refused = refused(&w[made]);
        made += w[made].count > 0 && w[made].chain != NULL && w[made].chain->type == CHAIN_EVM;
    }
    return made;
}

static int by_chain(const void *x, const void *y)
{
    const struct watch *a = x, *b = y;

    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    return a->swap->id < b->swap->id ? -1 : 1;
}

static unsigned slices_make(struct slice *s, struct watch *w, unsigned n)
{
    unsigned made = 0;

    qsort(w, n, sizeof *w, by_chain);
    for (unsigned i = 0; i < n; i++) {
        bool fits = made > 0 && s[made - 1].chain == w[i].chain && s[made - 1].count < SLICE_MAX;

        if (!fits)
            s[made++] = (struct slice){ .chain = w[i].chain, .w = &w[i] };
        s[made - 1].count++;
    }
    return made;
}

static void follow_slice(const struct ctx *ctx, struct arena *a, struct slice *s, struct node_query *q)
{
    if (!q->answered)
        return;
    read_answers(ctx, s, &q->answers);
    for (struct watch *w = s->w; w < s->w + s->count; w++) {
        if (!w->known)
            continue;
        repair(ctx, a, w);
        record(ctx, a, w);
    }
    rpc_answers_free(&q->answers); /* the receipts lead into it */
}

/* All chains at once: what one of them keeps silent about does not hold up the others. */
static void follow(const struct ctx *ctx, struct arena *a, struct watch *w, unsigned n)
{
    struct slice *slices = ARENA_ARRAY(a, struct slice, n);
    unsigned count = slices_make(slices, w, n);
    struct node_query *queries = ARENA_ARRAY(a, struct node_query, count);

    for (unsigned i = 0; i < count; i++) {
        ask(&slices[i]);
        queries[i] = (struct node_query){ .chain = slices[i].chain, .batch = &slices[i].batch };
    }
    node_ask_all(ctx, queries, count, DEADLINE_MS, a);
    for (unsigned i = 0; i < count; i++) {
        follow_slice(ctx, a, &slices[i], &queries[i]);
        buf_free(&slices[i].body);
    }
}

static int follow_claimed(const struct ctx *ctx, struct arena *a, const struct uuid *owner)
{
    struct swap *swaps;
    struct swap_tx *txs;
    struct watch *w;
    int n = swaps_claimed(ctx->db, a, owner, &swaps), ntxs = swaps_claimed_txs(ctx->db, a, owner, &txs);
    unsigned made;

    if (n < 0 || ntxs < 0)
        return -1;
    w = ARENA_ARRAY(a, struct watch, (size_t)n + 1);
    made = watches_make(w, swaps, (unsigned)n, txs, (unsigned)ntxs, a);
    for (unsigned i = 0; i < made; i++)
        if (wallets_get(ctx->db, w[i].swap->wallet_id, &w[i].wallet) != 1)
            return -1;
    follow(ctx, a, w, made);
    return n;
}

int swaps_follow(const struct ctx *ctx, struct arena *a)
{
    struct uuid owner = uuid_random();
    int64_t claimed = swaps_claim(ctx->db, &owner, LEASE_S, CLAIM_MAX);
    int n;

    if (claimed <= 0)
        return (int)claimed;
    n = follow_claimed(ctx, a, &owner);
    return swaps_release(ctx->db, &owner) ? n : -1;
}
