#include "exec/evm/repair.h"

#include <string.h>

#include "base/fault.h"
#include "base/log.h"
#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "codec/hex.h"
#include "exec/broadcast.h"
#include "exec/evm/evm_sign.h"
#include "exec/evm/fees.h"
#include "exec/evm/revoke.h"
#include "exec/evm/seen.h"
#include "exec/kind.h"
#include "exec/opinion.h"
#include "exec/reopen.h"
#include "exec/wallet.h"
#include "store/executions.h"
#include "store/transactions.h"

enum {
    SEND_AGAIN_MS = 5000,
    STUCK_MS = 60000,
    GAP_MS = 30000,
    REFUSED_MS = 500,
    PAUSES_MAX = 13,     /* the longest is about an hour */
    ATTEMPTS_MAX = 8,    /* of one kind at a nonce that bid more each time */
    REVOCATIONS_MAX = 2, /* cancels at a nonce that take an allowance back; then plain ones */
    GAP_MAX = 16,        /* nonces filled in one pass */
    GAP_SPAN = 256,      /* nonces looked through */
    DEADLINE_MS = 3000,
};

/* Its nonce is used, by whichever transaction. */
static bool nonce_is_used(const struct tracked *w, unsigned i)
{
    return nonce_in_block(w, w->txs[i].nonce) || evm_seen(w)->nonces > w->txs[i].nonce;
}

/* The last attempt at the nonce whose first is txs[i]; with `cancel` only among cancels, else among the
 * others. NULL when there is none. */
static struct transaction *attempt_latest(const struct tracked *w, unsigned i, bool cancel)
{
    struct transaction *last = NULL;

    for (unsigned j = i; j < w->count && w->txs[j].nonce == w->txs[i].nonce; j++)
        if ((w->txs[j].kind == TX_CANCEL) == cancel)
            last = &w->txs[j];
    return last;
}

/* How many such attempts there are. */
static unsigned attempt_count(const struct tracked *w, unsigned i, bool cancel)
{
    unsigned n = 0;

    for (unsigned j = i; j < w->count && w->txs[j].nonce == w->txs[i].nonce; j++)
        n += (w->txs[j].kind == TX_CANCEL) == cancel;
    return n;
}

/* The most that any attempt at the nonce has bid: a replacement must exceed it. */
static struct fees bid_highest(const struct tracked *w, unsigned i)
{
    struct fees f = { .max_fee = U256_ZERO, .priority_fee = U256_ZERO };

    for (unsigned j = i; j < w->count && w->txs[j].nonce == w->txs[i].nonce; j++) {
        if (u256_cmp(w->txs[j].max_fee, f.max_fee) > 0)
            f.max_fee = w->txs[j].max_fee;
        if (u256_cmp(w->txs[j].priority_fee, f.priority_fee) > 0)
            f.priority_fee = w->txs[j].priority_fee;
    }
    return f;
}

/* The nonce only fills a gap before the execution's own. */
static bool is_filler(const struct tracked *w, unsigned i)
{
    return attempt_latest(w, i, false) == NULL;
}

/* Nodes will never take any attempt at the nonce; that the wallet cannot pay a higher fee is no
 * reason to give up the attempt before it. */
static bool nonce_is_hopeless(const struct tracked *w, unsigned i)
{
    bool refused = false;

    for (unsigned j = i; j < w->count && w->txs[j].nonce == w->txs[i].nonce; j++) {
        const struct transaction *t = &w->txs[j];

        if (t->kind != TX_CANCEL && t->effect.accepted && t->effect.refusals < REFUSALS)
            return false;
        refused = refused || (t->kind != TX_CANCEL && t->effect.refusals >= REFUSALS);
    }
    return refused;
}

/* A step that was refused, and yet is in a block by way of another node, is no reason to give up the rest.
 * Once the nonce of a step went to a transaction from elsewhere, the execution can only fail. */
static bool is_given_up(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (first_of_place(w, i) && !is_filler(w, i) &&
            (w->observations[i].foreign || (!nonce_is_used(w, i) && nonce_is_hopeless(w, i))))
            return true;
    return false;
}

/* ---- writing and sending ---- */

static enum tx_verdict attempt_add_tx(struct db *db, void *arg)
{
    struct transaction *t = arg;
    enum lookup held = executions_hold(db, t->effect.execution_id);

    if (held == LOOKUP_NONE)
        return TX_ROLLBACK;
    return held == LOOKUP_FOUND && transactions_add(db, t) ? TX_COMMIT : TX_FAILED;
}

static void attempts_send(const struct ctx *ctx, struct arena *a, const struct tracked *w,
                          const struct transaction *txs, unsigned n)
{
    bool accepted;

    if (n > 0 && !broadcast_txs(ctx, a, w->chain, w->execution, txs, n, DEADLINE_MS, &accepted))
        return;
    /* The status in memory follows what was just recorded. */
    if (n > 0 && accepted && w->execution->status == EXEC_PENDING)
        w->execution->status = EXEC_SUBMITTED;
}

/* Stored before it is sent: after a crash in between it is found and sent again. */
static void attempt_add(const struct ctx *ctx, struct arena *a, const struct tracked *w, const struct step *s,
                        const struct fees *fees, uint64_t nonce)
{
    const struct exec_kind *kind = exec_kind_of(w->execution->kind);
    struct signing in = { .wallet = &w->wallet, .chain = w->chain, .step = s, .fees = fees, .nonce = nonce };
    struct transaction t;
    struct wallet far;

    if (w->bridge != NULL && s->kind == TX_SPEND) {
        in.proof = w->bridge->proof;
        in.proof_len = w->bridge->proof_len;
        if (!wallet_paid_far(ctx, w, &far, &in.far_wallet))
            return;
    }
    if (s->kind == TX_SPEND && kind->record != NULL &&
        (in.to = kind->record(ctx->db, a, w->execution)) == NULL)
        return;
    if (!STEP("repair.sign", evm_sign(ctx, a, &in, &t), false))
        return;
    t.effect.execution_id = w->execution->id;
    if (STEP("repair.store", db_transact(ctx->db, attempt_add_tx, &t), TX_UNKNOWN) != TX_DONE)
        return;
    log_info("transaction_repaired", "msg=\"another attempt\" execution=%llu nonce=%llu kind=%s",
             (unsigned long long)w->execution->id, (unsigned long long)nonce, tx_kind_text(s->kind));
    attempts_send(ctx, a, w, &t, 1);
}

/* The gas that a node estimates for a transfer of nothing, the lower one of two nodes' estimates or the
 * greater one: so a lie spoils every other attempt. 0 when none answers. */
static uint64_t estimate_transfer(const struct ctx *ctx, struct arena *a, const struct tracked *w,
                                  bool greater)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    uint64_t gas = 0, said;
    size_t answered;

    rpc_add(&b, "eth_estimateGas", "[{\"from\":\"%s\",\"to\":\"%s\",\"value\":\"0x0\"}]",
            w->wallet.ref.address, w->wallet.ref.address);
    rpc_end(&b);
    answered = node_ask_two(ctx, w->chain, &b, DEADLINE_MS, a, answers);
    for (size_t i = 0; i < answered; i++) {
        if (rpc_u64(&said, &answers[i].items[0]))
            gas = gas == 0 || (said > gas) == greater ? said : gas;
    }
    node_answers_free(answers, answered);
    buf_free(&body);
    return gas;
}

/* The n-th attempt. */
static struct step cancel_of(const struct ctx *ctx, struct arena *a, const struct tracked *w, unsigned n)
{
    return step_cancel(w->chain, w->wallet.ref.address, estimate_transfer(ctx, a, w, n % 2 == 1));
}

/* From the spending step's place on the first cancels take its allowance back. */
static struct step cancel_at(const struct ctx *ctx, struct arena *a, const struct tracked *w, unsigned i,
                             unsigned n)
{
    struct step s;

    if (w->txs[i].nonce >= w->txs[w->spend].nonce && n < REVOCATIONS_MAX && step_revoke(a, w, &s))
        return s;
    return cancel_of(ctx, a, w, n);
}

/* ---- actions on an open nonce ---- */

/* The bid of the next attempt: more than all before it, as long as these are not too many. */
static struct fees next_fees(const struct tracked *w, unsigned i, unsigned n, const struct fees *now)
{
    struct fees old = bid_highest(w, i);

    if (n < ATTEMPTS_MAX)
        return fees_bumped(old.max_fee, old.priority_fee, now);
    old.legacy = now->legacy;
    return u256_cmp(old.max_fee, now->max_fee) < 0 ? *now : old;
}

static struct fees bid_next(const struct ctx *ctx, struct arena *a, const struct tracked *w, unsigned i,
                            unsigned n)
{
    struct fees now = fees_now(ctx, a, w->chain, &evm_seen(w)->head.fees);

    return fees_bounded(ctx, w->chain, next_fees(w, i, n, &now));
}

/* The n-th attempt was refused, and time has passed since: a second, and twice as long each time. */
static bool is_refused_since(const struct transaction *t, unsigned n, int64_t now)
{
    int64_t pause_ms = REFUSED_MS << (n < PAUSES_MAX ? n : PAUSES_MAX);

    return (t->effect.said == BROADCAST_UNDERPRICED || t->effect.said == BROADCAST_REFUSED) &&
           now - t->effect.created_ms > pause_ms;
}

/* Some cancel uses up the nonce in the end: one that nodes refused is signed again, with the gas that a node
 * estimates at that time. */
static void cancel_nonce(const struct ctx *ctx, struct arena *a, const struct tracked *w, unsigned i,
                         int64_t now)
{
    struct transaction *c = attempt_latest(w, i, true);
    unsigned n = attempt_count(w, i, true);
    bool is_stuck = c != NULL && now - c->effect.created_ms > STUCK_MS && n < ATTEMPTS_MAX;

    if (c == NULL || is_stuck || is_refused_since(c, n, now)) {
        struct step s = cancel_at(ctx, a, w, i, n);
        struct fees fees = bid_next(ctx, a, w, i, n);

        attempt_add(ctx, a, w, &s, &fees, w->txs[i].nonce);
    } else if (now - c->effect.broadcast_ms > SEND_AGAIN_MS) {
        attempts_send(ctx, a, w, c, 1);
    }
}

/* The same call at a higher fee. */
static void speed_up(const struct ctx *ctx, struct arena *a, const struct tracked *w, unsigned i)
{
    struct transaction *t = attempt_latest(w, i, false);
    struct fees fees = bid_next(ctx, a, w, i, attempt_count(w, i, false));
    struct step s;

    if (t != NULL && step_of_tx(a, t, &s))
        attempt_add(ctx, a, w, &s, &fees, t->nonce);
}

/* Nodes say so, or one took it long ago and no nonce before it is missing. */
static bool bids_too_little(const struct tracked *w, unsigned i, int64_t now)
{
    const struct transaction *t = attempt_latest(w, i, false);
    unsigned n = attempt_count(w, i, false);

    if (t == NULL || !exec_kind_of(w->execution->kind)->replaceable || n >= ATTEMPTS_MAX)
        return false;
    if (t->effect.said == BROADCAST_UNDERPRICED)
        return is_refused_since(t, n, now);
    return t->effect.accepted && evm_seen(w)->nonces == t->nonce && now - t->effect.created_ms > STUCK_MS;
}

/* Sends the open transactions again, in nonce order, when it is time to. */
static void send_again(const struct ctx *ctx, struct arena *a, const struct tracked *w, int64_t now)
{
    struct transaction due[PLAN_MAX_STEPS];
    unsigned n = 0;
    bool time_for_it = false;

    for (unsigned i = 0; i < w->count; i++) {
        struct transaction *t;

        if (!first_of_place(w, i) || nonce_is_used(w, i))
            continue;
        t = attempt_latest(w, i, false);
        if (t == NULL || n == PLAN_MAX_STEPS)
            continue;
        due[n++] = *t;
        time_for_it = time_for_it || now - t->effect.broadcast_ms > SEND_AGAIN_MS;
    }
    if (time_for_it)
        attempts_send(ctx, a, w, due, n);
}

/* ---- nonces that no transaction uses ---- */

/* The first transaction that is a step of the execution. */
static unsigned first_own(const struct tracked *w)
{
    unsigned i = 0;

    while (i + 1 < w->count && w->txs[i].kind == TX_CANCEL)
        i++;
    return i;
}

/* The first nonce that two nodes, where there are two, do not count as used, by the higher of them, once both
 * have come as far as that block. */
static bool nonces_unused(const struct ctx *ctx, struct arena *a, const struct tracked *w, uint64_t block,
                          uint64_t *from)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    const struct head_at at_head = head_ask(&b, ctx, w->chain);
    unsigned at_nonces = b.count;
    size_t told, agreed = 0;

    *from = 0;
    rpc_add(&b, "eth_getTransactionCount", "[\"%s\",\"latest\"]", w->wallet.ref.address);
    rpc_end(&b);
    told = node_ask_two(ctx, w->chain, &b, DEADLINE_MS, a, answers);
    for (size_t i = 0; i < told; i++) {
        struct head h;
        uint64_t n;

        if (head_read(&h, ctx, w->chain, at_head, &answers[i]) && h.block >= block + h.confirm &&
            rpc_u64(&n, &answers[i].items[at_nonces])) {
            agreed++;
            *from = n > *from ? n : *from;
        }
    }
    node_answers_free(answers, told);
    buf_free(&body);
    return agreed == told && opinions_do(ctx, w->chain, agreed,
                                         w->now_ms - w->txs[first_own(w)].effect.created_ms, OPINION_LONG_MS);
}

/* Nothing of ours gets past a nonce that was called settled, or lost, and is unused: what had it is followed
 * again. */
static void nonce_reopen(const struct ctx *ctx, struct arena *a, const struct tracked *w, uint64_t nonce)
{
    uint64_t execution_id, block, unused;

    if (transactions_nonce_settled(ctx->db, w->wallet.id, w->chain->id, nonce, &execution_id, &block) !=
            LOOKUP_FOUND ||
        !nonces_unused(ctx, a, w, block, &unused) || unused > nonce)
        return;
    if (execution_reopen(ctx->db, execution_id) == UPDATED)
        log_error("nonce_reopened",
                  "msg=\"a nonce that was called settled is unused\" chain=%s execution=%llu nonce=%llu",
                  w->chain->key, (unsigned long long)execution_id, (unsigned long long)nonce);
}

/* Nonces before ours that no row has: a node counted transactions as pending that never were, or that were
 * dropped. They are filled from the lowest on, or nothing after them would ever be included. */
static void fill_gap(const struct ctx *ctx, struct arena *a, const struct tracked *w, int64_t now)
{
    const struct transaction *mine = &w->txs[first_own(w)];
    uint64_t last =
        mine->nonce < evm_seen(w)->nonces + GAP_SPAN ? mine->nonce : evm_seen(w)->nonces + GAP_SPAN;
    unsigned filled = 0;
    struct fees fees;
    struct step s;

    if (now - mine->effect.created_ms < GAP_MS)
        return;
    for (uint64_t n = evm_seen(w)->nonces; n < last && filled < GAP_MAX; n++) {
        if (transactions_nonce_known(ctx->db, w->wallet.id, w->chain->id, n) != LOOKUP_NONE) {
            nonce_reopen(ctx, a, w, n);
            continue;
        }
        if (filled++ == 0) {
            s = cancel_of(ctx, a, w, 0);
            fees = fees_now(ctx, a, w->chain, &evm_seen(w)->head.fees);
        }
        attempt_add(ctx, a, w, &s, &fees, n);
    }
}

void evm_repair(const struct ctx *ctx, struct arena *a, struct tracked *w)
{
    int64_t now = w->now_ms;
    bool cancel;

    if (w->count > 0)
        evm_revoke(ctx, a, w);
    if (w->observations[w->spend].foreign) {
        /* Cancels revocations of an execution whose place another transaction has taken. */
        for (unsigned i = 0; i < w->count; i++)
            if (is_revocation(w, i) && first_of_place(w, i) && !txs_compete(&w->txs[i], &w->txs[w->spend]) &&
                !nonce_is_used(w, i))
                cancel_nonce(ctx, a, w, i, w->now_ms);
        return;
    }
    cancel = is_given_up(w) || now > w->execution->valid_until_ms;
    for (unsigned i = 0; i < w->count; i++) {
        if (!first_of_place(w, i) || nonce_is_used(w, i))
            continue;
        if (cancel || is_filler(w, i))
            cancel_nonce(ctx, a, w, i, now);
        else if (bids_too_little(w, i, now))
            speed_up(ctx, a, w, i);
    }
    if (!cancel)
        send_again(ctx, a, w, now);
    fill_gap(ctx, a, w, now);
}
