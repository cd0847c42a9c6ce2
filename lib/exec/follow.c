#include "exec/follow.h"

#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "chain/evm/node.h"
#include "codec/hex.h"
#include "exec/broadcast.h"
#include "exec/evm/fees.h"
#include "exec/evm/foreign_nonce.h"
#include "exec/evm/receipt.h"
#include "exec/evm/repair.h"
#include "exec/notify.h"
#include "policy/approval.h"
#include "service/conf.h"
#include "store/executions.h"
#include "store/nonces.h"
#include "store/transactions.h"
#include "store/wallets.h"

static const char REORGANISED[] = "its block was reorganised away";
static const char FOREIGN[] = "The wallet's nonce was used by a transaction from elsewhere";

enum {
    CLAIM_MAX = 100,
    SLICE_MAX = 16, /* swaps in one batch: nodes take some dozens of questions at once */
    LEASE_S = 30,
    DEADLINE_MS = 5000,
    REVIEWED_FOR_MS = 24 * 3600 * 1000,
};

/* ---- what a node says ---- */

/* Swaps on one chain, neighbours in the list of all, and all doubted or none. */
struct slice {
    const struct chain *chain;
    bool doubted;
    struct watch *w;
    unsigned count;
    unsigned at_finalized; /* in the batch; 0: not asked */
    struct buf body;
    struct rpc_batch batch;
};

/* The operator's own depth is obeyed. */
static bool asks_finalized(const struct ctx *ctx, const struct chain *c)
{
    return c->finality && conf_chain_number(ctx->conf, "settle_depth", c->key, 0) == 0;
}

static void ask(const struct ctx *ctx, struct slice *s)
{
    struct rpc_batch *b = &s->batch;

    s->body = (struct buf)BUF_INIT(MAX_UPSTREAM);
    *b = rpc_begin(&s->body);
    rpc_add(b, "eth_blockNumber", "[]");
    fees_ask(b, s->chain);
    if (asks_finalized(ctx, s->chain)) {
        s->at_finalized = b->count;
        rpc_add(b, "eth_getBlockByNumber", "[\"finalized\",false]");
    }
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

/* 0 where it is not told. Nothing is final before it is there, and a node that calls its first block so has
 * heard of no other. */
static uint64_t read_finalized(const struct slice *s, const struct rpc_answers *as, uint64_t head)
{
    uint64_t block;

    if (s->at_finalized == 0 || !rpc_member_u64(&block, as->items[s->at_finalized].result, "number"))
        return 0;
    return block <= head ? block : 0;
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
    head.finalized = read_finalized(s, answers, head.block);
    for (struct watch *w = s->w; w < s->w + s->count; w++) {
        w->head = head;
        read_watch(w, answers);
    }
}

/* ---- what follows from it ---- */

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
        bool settled = w->receipts[i].foreign;

        for (unsigned j = 0; j < w->count; j++)
            settled =
                settled || (w->txs[j].nonce == w->txs[i].nonce && block_is_settled(w, w->receipts[j].block));
        if (!settled)
            return false;
    }
    return true;
}

static bool any_accepted(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind == TX_SPEND && w->txs[i].accepted)
            return true;
    return false;
}

static void fail(struct execution_move *m, const char *code, const char *message)
{
    m->to = EXEC_FAILED;
    m->error_code = code;
    m->error_message = message;
    m->why = message;
}

static bool any_foreign(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->receipts[i].foreign)
            return true;
    return false;
}

/* As it was at the last pass. What speaks against a swap counts when two nodes have said it, where there are
 * two: `doubted` has the second one asked. */
static bool seen_before(const struct watch *w, unsigned i)
{
    return w->txs[i].block_number == w->receipts[i].block && w->txs[i].succeeded == w->receipts[i].succeeded;
}

static bool is_final(enum exec_status s)
{
    return s == EXEC_COMPLETED || s == EXEC_FAILED;
}

static void judge_mined(const struct watch *w, unsigned i, struct execution_move *m)
{
    const struct transaction *t = &w->txs[i];
    const struct receipt *r = &w->receipts[i];
    bool deep = block_depth(w, r->block) >= w->head.confirm;

    if (t->kind == TX_CANCEL) {
        if (!block_is_settled(w, r->block) || !seen_before(w, i))
            return;
        if (any_foreign(w))
            fail(m, "CONFLICT", FOREIGN);
        else
            fail(m, w->refused ? "SIMULATION_REVERTED" : "QUOTE_EXPIRED",
                 w->refused ? "No node would take the transaction; its nonce was taken back"
                            : "Not included in time; its nonce was taken back");
        return;
    }
    m->tx_hash = t->hash;
    if (deep && r->succeeded) {
        m->to = EXEC_COMPLETED;
        m->why = "confirmed";
    } else if (deep && seen_before(w, i)) {
        fail(m, "SIMULATION_REVERTED", "The transaction was included and reverted");
    } else if (!deep || !is_final(m->from)) {
        m->to = EXEC_PROCESSING;
        m->why = "in a block";
    }
}

/* Whether the chain still shows something that the status can rest on. That a receipt is missing is nothing
 * while the nonce counts as used. */
static bool has_ground(const struct watch *w, int winner_at)
{
    if (winner_at < 0)
        return w->chain_count > w->swap_nonce;
    return w->swap->status != EXEC_COMPLETED || w->txs[winner_at].kind != TX_CANCEL;
}

/* Where the swap belongs by what the chain shows. `to` equal to `from`: it stays. */
static struct execution_move verdict(const struct watch *w)
{
    struct execution_move m = { .id = w->swap->id, .kind = w->swap->kind, .agent_id = w->swap->agent_id };
    int i = winner(w);

    m.from = m.to = w->swap->status;
    if (i >= 0) {
        judge_mined(w, (unsigned)i, &m);
    } else if (w->foreign) {
        fail(&m, "CONFLICT", FOREIGN);
    } else if (m.from == EXEC_PROCESSING && any_accepted(w) && !has_ground(w, i)) {
        m.to = EXEC_SUBMITTED;
        m.why = REORGANISED;
    }
    /* What was reported as final goes back through processing. */
    if (is_final(m.from) && (m.to != m.from || !has_ground(w, i))) {
        m.to = EXEC_PROCESSING;
        m.why = REORGANISED;
        m.error_code = m.error_message = NULL;
    }
    return m;
}

/* The swap's own transaction that has succeeded; -1 when there is none. */
static int success(const struct watch *w)
{
    int i = winner(w);

    return i >= 0 && w->txs[i].kind == TX_SPEND && w->receipts[i].succeeded ? i : -1;
}

/* At the one more look at a settled failure: completed, if the chain says so. */
static struct execution_move correction(const struct watch *w)
{
    struct execution_move m = { .id = w->swap->id, .kind = w->swap->kind, .agent_id = w->swap->agent_id };
    int i = success(w);

    m.from = m.to = w->swap->status;
    if (i < 0 || !block_is_settled(w, w->receipts[i].block))
        return m;
    m.to = EXEC_COMPLETED;
    m.tx_hash = w->txs[i].hash;
    m.why = "corrected: it had succeeded";
    return m;
}

/* The look was worth it when the chain has shown something that stays; some day it is given up. */
static bool is_reviewed(const struct watch *w)
{
    int i = success(w);

    if (i >= 0)
        return block_is_settled(w, w->receipts[i].block);
    return winner(w) >= 0 || w->foreign || w->now_ms - w->swap->valid_until_ms > REVIEWED_FOR_MS;
}

/* ---- writing it down ---- */

struct record_job {
    struct watch *w;
    struct arena *arena;
    struct execution_move move;
    struct u256 arrived;
    bool settle;
    enum exec_follow next; /* then */
};

/* What is not said is not known: a receipt may be missing while the nonce counts as used. */
static bool is_news(const struct watch *w, unsigned i)
{
    const struct transaction *t = &w->txs[i];
    const struct receipt *r = &w->receipts[i];

    if (t->state > EFFECT_INCLUDED || (r->block == 0 && nonce_taken(w, t->nonce)))
        return false;
    return t->block_number != r->block ||
           (r->block != 0 && (t->state == EFFECT_OPEN || t->succeeded != r->succeeded));
}

static bool record_txs(struct db *db, const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        const struct receipt *r = &w->receipts[i];

        if (is_news(w, i) && !transactions_in_block(db, w->txs[i].id, r->block, r->succeeded))
            return false;
    }
    return true;
}

static bool record_settled(struct db *db, const struct watch *w, enum exec_follow next)
{
    const struct execution *s = w->swap;

    for (unsigned i = 0; i < w->count; i++) {
        const struct receipt *r = &w->receipts[i];

        if (r->block != 0 && !transactions_settled(db, &w->txs[i], r->block, r->succeeded))
            return false;
        if (r->foreign && !transactions_nonce_lost(db, s->wallet_id, w->chain->id, w->txs[i].nonce))
            return false;
    }
    return executions_settle(db, s->id, next) &&
           (next != FOLLOW_NOT ||
            nonces_taken_end(db, s->wallet_id, w->chain->id, w->txs[0].nonce, w->txs[w->count - 1].nonce));
}

static enum tx_verdict record_tx(struct db *db, void *arg)
{
    struct record_job *job = arg;
    bool moves = job->move.to != job->move.from;
    int moved = moves ? STEP("swap.move", executions_move(db, &job->move), -1) : 1;

    if (moved < 0)
        return TX_FAILED;
    if (moved == 0)
        return TX_ROLLBACK; /* somebody else moved it meanwhile: look again next time */
    if (!record_txs(db, job->w) ||
        (job->settle && !STEP("swap.settle", record_settled(db, job->w, job->next), false)))
        return TX_FAILED;
    if (moves && !execution_notify(db, job->arena, &job->move))
        return TX_FAILED;
    return TX_COMMIT;
}

static bool txs_changed(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (is_news(w, i))
            return true;
    return false;
}

static void decide(struct record_job *job)
{
    const struct watch *w = job->w;

    if (w->swap->follow == FOLLOW_ONCE_MORE) {
        job->move = correction(w);
        job->settle = is_reviewed(w);
        return;
    }
    job->move = verdict(w);
    job->settle = is_final(job->move.to) && deep_enough(w);
    job->next = job->move.to == EXEC_FAILED ? FOLLOW_ONCE_MORE : FOLLOW_NOT;
}

static void record(const struct ctx *ctx, struct arena *a, struct watch *w)
{
    struct record_job job = { .w = w, .arena = a, .next = FOLLOW_NOT };
    int i = winner(w);

    decide(&job);
    if (job.move.to == EXEC_COMPLETED && i >= 0 &&
        receipt_arrived(&job.arrived, &w->receipts[i], w->swap, w->wallet.ref.address))
        job.move.amount_out = &job.arrived;
    if (job.move.to == job.move.from && !job.settle && !txs_changed(w))
        return;
    if (STEP("poll.record", db_transact(ctx->db, record_tx, &job), TX_UNKNOWN) != TX_DONE)
        return;
    if (job.move.to != job.move.from)
        log_info("swap=%llu from=%s to=%s why=\"%s\"", (unsigned long long)w->swap->id,
                 exec_status_text(job.move.from), exec_status_text(job.move.to), job.move.why);
}

/* ---- one pass ---- */

static bool refused(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind != TX_CANCEL && w->txs[i].refusals >= REFUSALS)
            return true;
    return false;
}

static bool doubted(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].block_number != 0 && (w->txs[i].kind == TX_CANCEL || !w->txs[i].succeeded))
            return true;
    return w->swap->status == EXEC_FAILED;
}

/* The transactions of one swap are neighbours in `txs`. */
static unsigned watches_make(struct watch *w, struct execution *swaps, unsigned n, struct transaction *txs,
                             unsigned ntxs, struct arena *a)
{
    unsigned at = 0, made = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned first;

        while (at < ntxs && txs[at].execution_id < swaps[i].id)
            at++;
        first = at;
        while (at < ntxs && txs[at].execution_id == swaps[i].id)
            at++;
        w[made] = (struct watch){ .swap = &swaps[i], .txs = txs + first, .count = at - first };
        w[made].receipts = ARENA_ARRAY(a, struct receipt, w[made].count + 1);
        w[made].chain = chain_by_id(swaps[i].from.chain_id);
        for (unsigned j = first; j < at; j++)
            if (txs[j].kind == TX_SPEND)
                w[made].swap_nonce = txs[j].nonce;
        w[made].refused = refused(&w[made]);
        w[made].doubted = doubted(&w[made]);
        made += w[made].count > 0 && w[made].chain != NULL && w[made].chain->type == CHAIN_EVM;
    }
    return made;
}

static int by_chain(const void *x, const void *y)
{
    const struct watch *a = x, *b = y;

    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    if (a->doubted != b->doubted)
        return a->doubted ? 1 : -1;
    return a->swap->id < b->swap->id ? -1 : 1;
}

static unsigned slices_make(struct slice *s, struct watch *w, unsigned n)
{
    unsigned made = 0;

    qsort(w, n, sizeof *w, by_chain);
    for (unsigned i = 0; i < n; i++) {
        bool fits = made > 0 && s[made - 1].chain == w[i].chain && s[made - 1].doubted == w[i].doubted &&
                    s[made - 1].count < SLICE_MAX;

        if (!fits)
            s[made++] = (struct slice){ .chain = w[i].chain, .doubted = w[i].doubted, .w = &w[i] };
        s[made - 1].count++;
    }
    return made;
}

/* A node that has stood still for long has no opinion. */
static bool is_far_behind(const struct slice *s)
{
    for (const struct watch *w = s->w; w < s->w + s->count; w++)
        for (unsigned i = 0; i < w->count; i++)
            if (w->head.block + w->head.settle < w->txs[i].block_number)
                return true;
    return false;
}

static void ask_first_node(const struct ctx *ctx, struct arena *a, struct slice *s, struct node_query *q)
{
    rpc_answers_free(&q->answers);
    q->second_opinion = false;
    node_ask_all(ctx, q, 1, DEADLINE_MS, a);
    if (q->answered)
        read_answers(ctx, s, &q->answers);
}

static void follow_slice(const struct ctx *ctx, struct arena *a, struct slice *s, struct node_query *q)
{
    if (q->answered)
        read_answers(ctx, s, &q->answers);
    if (q->answered && s->doubted && is_far_behind(s))
        ask_first_node(ctx, a, s, q);
    if (!q->answered)
        return;
    for (struct watch *w = s->w; w < s->w + s->count; w++) {
        if (!w->known)
            continue;
        taken_find(ctx, a, w);
        if (w->swap->follow == FOLLOW_IN_FLIGHT)
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
        ask(ctx, &slices[i]);
        queries[i] = (struct node_query){ .chain = slices[i].chain,
                                          .batch = &slices[i].batch,
                                          .second_opinion = slices[i].doubted };
    }
    if (!FAULT("poll.ask"))
        node_ask_all(ctx, queries, count, DEADLINE_MS, a);
    for (unsigned i = 0; i < count; i++) {
        follow_slice(ctx, a, &slices[i], &queries[i]);
        buf_free(&slices[i].body);
    }
}

/* A swap without a transaction waited for an approval, and is looked at when the time for it is over. */
static void end_unsigned(const struct ctx *ctx, struct arena *a, const struct execution *swaps, unsigned n,
                         const struct transaction *txs, unsigned ntxs)
{
    for (unsigned i = 0, at = 0; i < n; i++) {
        while (at < ntxs && txs[at].execution_id < swaps[i].id)
            at++;
        if (at == ntxs || txs[at].execution_id != swaps[i].id)
            approval_lapse(ctx->db, a, &swaps[i]);
    }
}

static int follow_claimed(const struct ctx *ctx, struct arena *a, const struct uuid *owner)
{
    struct execution *swaps;
    struct transaction *txs;
    struct watch *w;
    int n = executions_claimed(ctx->db, a, owner, &swaps),
        ntxs = transactions_claimed(ctx->db, a, owner, &txs);
    int64_t now_ms;
    unsigned made;

    if (n < 0 || ntxs < 0 || !db_clock_ms(ctx->db, &now_ms))
        return -1;
    end_unsigned(ctx, a, swaps, (unsigned)n, txs, (unsigned)ntxs);
    w = ARENA_ARRAY(a, struct watch, (size_t)n + 1);
    made = watches_make(w, swaps, (unsigned)n, txs, (unsigned)ntxs, a);
    for (unsigned i = 0; i < made; i++) {
        w[i].now_ms = now_ms;
        if (wallets_get(ctx->db, w[i].swap->wallet_id, &w[i].wallet) != 1)
            return -1;
    }
    follow(ctx, a, w, made);
    return n;
}

int swaps_follow(const struct ctx *ctx, struct arena *a)
{
    struct uuid owner = uuid_random();
    int64_t claimed = STEP("poll.claim", executions_claim(ctx->db, &owner, LEASE_S, CLAIM_MAX), -1);
    int n;

    if (claimed <= 0)
        return (int)claimed;
    n = follow_claimed(ctx, a, &owner);
    return STEP("poll.release", executions_release(ctx->db, &owner, ctx->conf->second_look_s), false) ? n
                                                                                                      : -1;
}
