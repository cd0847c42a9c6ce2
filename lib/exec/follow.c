#include "exec/follow.h"

#include "base/fault.h"
#include "exec/family.h"
#include "exec/kind.h"
#include "exec/outcome.h"
#include "net/call.h"
#include "policy/approval.h"
#include "service/conf.h"
#include "store/executions.h"
#include "store/transactions.h"
#include "store/wallets.h"

enum {
    QUESTIONS_MAX = 96, /* of a slice, about its executions: with those about the chain they fit in a batch */
    LEASE_S = 30,
    DEADLINE_MS = 5000,
};

/* ---- what is looked at together ---- */

static bool is_doubted(const struct watch *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].block_number != 0 && (w->txs[i].kind == TX_CANCEL || !w->txs[i].effect.succeeded))
            return true;
    return w->execution->status == EXEC_FAILED;
}

static struct watch watch_make(struct execution *x, struct transaction *txs, unsigned n, struct arena *a)
{
    struct watch w = { .execution = x, .chain = chain_by_id(x->from.chain_id), .txs = txs, .count = n };

    w.sights = ARENA_ARRAY(a, struct sight, n + 1);
    for (unsigned i = 0; i < n; i++)
        if (txs[i].kind == TX_SPEND)
            w.spend = i;
    w.doubted = is_doubted(&w);
    return w;
}

/* The transactions of one execution are neighbours in `txs`. Those without any, on chains that nobody can
 * look at, or of a kind that only a newer program knows, are left out. How many are made. */
static unsigned watches_make(struct watch *w, struct execution *list, unsigned n, struct transaction *txs,
                             unsigned ntxs, struct arena *a)
{
    unsigned at = 0, made = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned first;

        while (at < ntxs && txs[at].effect.execution_id < list[i].id)
            at++;
        first = at;
        while (at < ntxs && txs[at].effect.execution_id == list[i].id)
            at++;
        w[made] = watch_make(&list[i], txs + first, at - first, a);
        made += at > first && exec_kind_of(list[i].kind) != NULL && family_of(w[made].chain) != NULL;
    }
    return made;
}

static int watch_order(const void *x, const void *y)
{
    const struct watch *a = x, *b = y;

    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    if (a->doubted != b->doubted)
        return a->doubted ? 1 : -1;
    return a->execution->id < b->execution->id ? -1 : 1;
}

/* About an execution a node is asked for the wallet's nonce, and for a receipt of each transaction. */
static unsigned slices_make(struct slice *s, struct watch *w, unsigned n)
{
    unsigned made = 0, questions = 0;

    qsort(w, n, sizeof *w, watch_order);
    for (unsigned i = 0; i < n; i++) {
        bool fits = made > 0 && s[made - 1].chain == w[i].chain && s[made - 1].doubted == w[i].doubted &&
                    questions + 1 + w[i].count <= QUESTIONS_MAX;

        if (!fits) {
            s[made++] = (struct slice){ .chain = w[i].chain, .doubted = w[i].doubted, .w = &w[i] };
            questions = 0;
        }
        s[made - 1].count++;
        questions += 1 + w[i].count;
    }
    return made;
}

/* ---- one pass ---- */

/* All chains at once: what one of them keeps silent about does not hold up the others. */
static void slices_ask(const struct ctx *ctx, struct arena *a, struct slice *slices, unsigned n)
{
    struct call *calls = ARENA_ARRAY(a, struct call, n);
    unsigned asked = 0;

    for (unsigned i = 0; i < n; i++)
        if (family_of(slices[i].chain)->look_begin(ctx, a, &slices[i], &calls[asked]))
            slices[i].call = &calls[asked++];
    (void)calls_run(ctx->net, calls, asked, DEADLINE_MS);
}

static void slice_follow(const struct ctx *ctx, struct arena *a, struct slice *s)
{
    const struct family *family = family_of(s->chain);

    if (s->call == NULL)
        return;
    family->look_end(ctx, a, s);
    for (struct watch *w = s->w; w < s->w + s->count; w++) {
        if (!w->known)
            continue;
        family->look_closer(ctx, a, w);
        if (w->execution->follow == FOLLOW_IN_FLIGHT)
            family->repair(ctx, a, w);
        outcome_record(ctx, a, w);
    }
    family->look_free(s);
}

static void watches_follow(const struct ctx *ctx, struct arena *a, struct watch *w, unsigned n)
{
    struct slice *slices = ARENA_ARRAY(a, struct slice, n);
    unsigned count = slices_make(slices, w, n);

    if (FAULT("poll.ask"))
        return;
    slices_ask(ctx, a, slices, count);
    for (unsigned i = 0; i < count; i++)
        slice_follow(ctx, a, &slices[i]);
}

/* An execution without a transaction waited for an approval, and is looked at when the time for it is over.
 */
static void unsigned_end(const struct ctx *ctx, struct arena *a, const struct execution *list, unsigned n,
                         const struct transaction *txs, unsigned ntxs)
{
    for (unsigned i = 0, at = 0; i < n; i++) {
        while (at < ntxs && txs[at].effect.execution_id < list[i].id)
            at++;
        if (at == ntxs || txs[at].effect.execution_id != list[i].id)
            approval_lapse(ctx->db, a, &list[i]);
    }
}

static int wallet_order(const void *x, const void *y)
{
    const struct wallet *a = x, *b = y;

    return a->id < b->id ? -1 : a->id > b->id;
}

/* False: one of them is gone. */
static bool watch_wallets_set(struct watch *w, unsigned n, const struct wallet *wallets, size_t count)
{
    for (unsigned i = 0; i < n; i++) {
        const struct wallet key = { .id = w[i].execution->wallet_id };
        const struct wallet *found =
            count > 0 ? bsearch(&key, wallets, count, sizeof key, wallet_order) : NULL;

        if (found == NULL)
            return false;
        w[i].wallet = *found;
    }
    return true;
}

static int claimed_follow(const struct ctx *ctx, struct arena *a, const struct uuid *owner)
{
    struct execution *list;
    struct transaction *txs;
    struct wallet *wallets;
    struct watch *w;
    int n = executions_claimed(ctx->db, a, owner, &list),
        ntxs = transactions_claimed(ctx->db, a, owner, &txs),
        nwallets = wallets_claimed(ctx->db, a, owner, &wallets);
    int64_t now_ms;
    unsigned made;

    if (n < 0 || ntxs < 0 || nwallets < 0 || !db_clock_ms(ctx->db, &now_ms))
        return -1;
    unsigned_end(ctx, a, list, (unsigned)n, txs, (unsigned)ntxs);
    w = ARENA_ARRAY(a, struct watch, (size_t)n + 1);
    made = watches_make(w, list, (unsigned)n, txs, (unsigned)ntxs, a);
    for (unsigned i = 0; i < made; i++)
        w[i].now_ms = now_ms;
    if (!watch_wallets_set(w, made, wallets, (size_t)nwallets))
        return -1;
    watches_follow(ctx, a, w, made);
    return n;
}

int follow_due(const struct ctx *ctx, struct arena *a)
{
    struct uuid owner = uuid_random();
    int64_t claimed = STEP("poll.claim", executions_claim(ctx->db, &owner, LEASE_S, FOLLOW_MAX), -1);
    int n;

    if (claimed <= 0)
        return (int)claimed;
    n = claimed_follow(ctx, a, &owner);
    return STEP("poll.release", executions_release(ctx->db, &owner, ctx->conf->second_look_s), false) ? n
                                                                                                      : -1;
}
