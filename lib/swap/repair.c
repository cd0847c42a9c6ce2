#include "swap/repair.h"

#include <string.h>

#include "chain/evm/node.h"
#include "core/fault.h"
#include "core/hex.h"
#include "core/log.h"
#include "store/swaps.h"
#include "swap/offer.h"
#include "swap/sign.h"

enum {
    OFFER_AGAIN_MS = 5000,
    STUCK_MS = 60000,
    GAP_MS = 30000,
    ATTEMPTS_MAX = 8,
    GAP_MAX = 16,
    DEADLINE_MS = 3000,
};

/* Its nonce is used, by whomever. */
static bool is_over(const struct watch *w, unsigned i)
{
    return nonce_in_block(w, w->txs[i].nonce) || w->chain_count > w->txs[i].nonce;
}

/* The last attempt at the nonce whose first is txs[i]; with `cancel` only among cancels, else among the
 * others. NULL when there is none. */
static struct swap_tx *latest(const struct watch *w, unsigned i, bool cancel)
{
    struct swap_tx *last = NULL;

    for (unsigned j = i; j < w->count && w->txs[j].nonce == w->txs[i].nonce; j++)
        if ((w->txs[j].kind == TX_CANCEL) == cancel)
            last = &w->txs[j];
    return last;
}

static unsigned attempts(const struct watch *w, unsigned i)
{
    unsigned n = 0;

    while (i + n < w->count && w->txs[i + n].nonce == w->txs[i].nonce)
        n++;
    return n;
}

/* What any attempt at the nonce bid at most: a replacement has to exceed it. */
static struct fees highest(const struct watch *w, unsigned i)
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

/* What was refused, and yet made it into a block by way of another node, is no reason to give up the rest.
 * Without a step whose nonce went elsewhere the swap can only fail. */
static bool given_up(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->receipts[i].foreign ||
            (w->txs[i].kind != TX_CANCEL && w->txs[i].refusals >= REFUSALS && !is_over(w, i)))
            return true;
    return false;
}

/* ---- writing and sending ---- */

static enum tx_verdict add_tx(struct db *db, void *arg)
{
    return swaps_add_tx(db, arg) ? TX_COMMIT : TX_FAILED;
}

static void offer(const struct ctx *ctx, struct arena *a, const struct watch *w, const struct swap_tx *txs,
                  unsigned n)
{
    bool accepted;

    if (n > 0 && !offer_txs(ctx, a, w->chain, w->swap, txs, n, DEADLINE_MS, &accepted))
        return;
    /* The status in hand follows what was just recorded. */
    if (n > 0 && accepted && w->swap->status == SWAP_PENDING)
        w->swap->status = SWAP_SUBMITTED;
}

/* Stored before it is sent: after a crash in between it is found and sent again. */
static void sign_store_offer(const struct ctx *ctx, struct arena *a, const struct watch *w,
                             const struct step *s, const struct fees *fees, uint64_t nonce)
{
    struct swap_tx t;

    if (!STEP("repair.sign", sign_step(ctx, a, &w->wallet, w->chain, fees, nonce, s, &t), false))
        return;
    t.swap_id = w->swap->id;
    if (STEP("repair.store", db_transact(ctx->db, add_tx, &t), TX_UNKNOWN) != TX_DONE)
        return;
    log_info("msg=\"another attempt\" swap=%llu nonce=%llu kind=%s", (unsigned long long)w->swap->id,
             (unsigned long long)nonce, tx_kind_text(s->kind));
    offer(ctx, a, w, &t, 1);
}

static struct step cancel_of(const struct watch *w)
{
    struct evm_addr me = { { 0 } };

    (void)evm_addr_parse(&me, w->wallet.ref.address);
    return step_cancel(me);
}

/* ---- what to do with an open nonce ---- */

static void cancel_nonce(const struct ctx *ctx, struct arena *a, const struct watch *w, unsigned i,
                         int64_t now)
{
    struct swap_tx *c = latest(w, i, true);
    struct step s = cancel_of(w);
    struct fees old = highest(w, i), fees = fees_bumped(old.max_fee, old.priority_fee, &w->head.fees);

    if (c == NULL)
        sign_store_offer(ctx, a, w, &s, &fees, w->txs[i].nonce);
    else if (now - c->created_ms > STUCK_MS && attempts(w, i) < ATTEMPTS_MAX)
        sign_store_offer(ctx, a, w, &s, &fees, w->txs[i].nonce);
    else if (now - c->offered_ms > OFFER_AGAIN_MS)
        offer(ctx, a, w, c, 1);
}

/* The same call, dearer. */
static void speed_up(const struct ctx *ctx, struct arena *a, const struct watch *w, unsigned i)
{
    struct swap_tx *t = latest(w, i, false);
    struct fees old = highest(w, i), fees = fees_bumped(old.max_fee, old.priority_fee, &w->head.fees);
    struct step s;

    if (t != NULL && step_of_tx(a, t, &s))
        sign_store_offer(ctx, a, w, &s, &fees, t->nonce);
}

static bool stuck(const struct watch *w, unsigned i, int64_t now)
{
    const struct swap_tx *t = latest(w, i, false);

    /* A sweep cannot be signed again without the operator: it goes in at its fee, or is taken back. */
    return t != NULL && strcmp(w->swap->provider, SWEEP_PROVIDER) != 0 && t->accepted &&
           w->chain_count == t->nonce && now - t->created_ms > STUCK_MS && attempts(w, i) < ATTEMPTS_MAX;
}

/* The open transactions of the swap, in nonce order, when it is time to offer them again. */
static void offer_again(const struct ctx *ctx, struct arena *a, const struct watch *w, int64_t now)
{
    struct swap_tx due[PLAN_MAX_STEPS];
    unsigned n = 0;
    bool time_for_it = false;

    for (unsigned i = 0; i < w->count; i++) {
        struct swap_tx *t;

        if (!first_of_nonce(w, i) || is_over(w, i))
            continue;
        t = latest(w, i, false);
        if (t == NULL || n == PLAN_MAX_STEPS)
            continue;
        due[n++] = *t;
        time_for_it = time_for_it || now - t->offered_ms > OFFER_AGAIN_MS;
    }
    if (time_for_it)
        offer(ctx, a, w, due, n);
}

/* ---- nonces of nobody ---- */

/* Only fills a gap before the swap. */
static bool is_filler(const struct watch *w, unsigned i)
{
    return latest(w, i, false) == NULL;
}

/* The swap's own first transaction. */
static unsigned first_own(const struct watch *w)
{
    unsigned i = 0;

    while (i + 1 < w->count && w->txs[i].kind == TX_CANCEL)
        i++;
    return i;
}

/* Nonces before ours that no row has: a node counted transactions as pending that never were, or were
 * dropped. They are filled from the lowest one on, or nothing behind them would ever be included. */
static void fill_gap(const struct ctx *ctx, struct arena *a, const struct watch *w, int64_t now)
{
    const struct swap_tx *mine = &w->txs[first_own(w)];
    struct step s = cancel_of(w);
    unsigned filled = 0;

    if (now - mine->created_ms < GAP_MS)
        return;
    for (uint64_t n = w->chain_count; n < mine->nonce && filled < GAP_MAX; n++) {
        if (swaps_nonce_known(ctx->db, w->wallet.id, w->chain->id, n) != 0)
            continue;
        sign_store_offer(ctx, a, w, &s, &w->head.fees, n);
        filled++;
    }
}

void repair(const struct ctx *ctx, struct arena *a, const struct watch *w)
{
    int64_t now = w->now_ms;
    bool cancel;

    if (w->foreign)
        return;
    cancel = given_up(w) || now > w->swap->valid_until_ms;
    for (unsigned i = 0; i < w->count; i++) {
        if (!first_of_nonce(w, i) || is_over(w, i))
            continue;
        if (cancel || is_filler(w, i))
            cancel_nonce(ctx, a, w, i, now);
        else if (stuck(w, i, now))
            speed_up(ctx, a, w, i);
    }
    if (!cancel)
        offer_again(ctx, a, w, now);
    fill_gap(ctx, a, w, now);
}
