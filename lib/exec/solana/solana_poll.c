#include "exec/solana/solana_poll.h"

#include <inttypes.h>
#include <string.h>

#include "chain/rpc/node.h"
#include "chain/solana/solana_rpc.h"
#include "exec/broadcast.h"
#include "exec/newest.h"
#include "exec/opinion.h"
#include "exec/solana/lifetime.h"
#include "exec/solana/solana_receipt.h"
#include "exec/solana/solana_stored.h"

enum {
    DEADLINE_MS = 3000,
    SECOND_MS = 2000,
    PLACE_MS = 1500,
    BULKHEAD_BEHIND = 32, /* that a node may be by, and still not know what others have */
    SEND_AGAIN_MS = 1500,
    LIFE = 200,       /* blocks, rather more than transactions live */
    RECEIPTS = 64,    /* that are asked for at once: each may have many kilobytes */
    LONG_MS = 600000, /* of our own clock: no hash lives so long, and a node that is silent is not waited for
                         any more */
};

/* The items of a poll, in this order; from AT_FIRST on at the second one, with two for each transaction. */
enum { AT_FINAL, AT_STATUSES, AT_FIRST, AT_HASHES };

struct solana_poll {
    struct buf body;
    struct rpc_batch batch;
    struct node_query query;
    unsigned count; /* of transactions */
    uint64_t slot;  /* that the statuses are from */
    uint64_t final_slot, final_height;
};

/* The node's answers about one execution. */
struct solana_seen {
    const struct solana_status *statuses; /* of each transaction */
    bool told;                            /* how much arrived */
    struct u256 arrived;
    bool has_changes; /* by the transaction that does what the execution is for */
    struct account_change changes;
};

static struct solana_seen *seen_of(const struct tracked *w)
{
    return w->seen;
}

/* ---- requests ---- */

static unsigned chain_batch_txs(const struct chain_batch *s)
{
    unsigned n = 0;

    for (const struct tracked *w = s->w; w < s->w + s->count; w++)
        n += w->count;
    return n;
}

/* The final height comes first: a transaction that is missing afterwards was missing then. */
static void statuses_ask(struct rpc_batch *b, struct arena *a, const struct tracked *w, unsigned count,
                         unsigned txs)
{
    const char **signatures = ARENA_ARRAY(a, const char *, txs);
    unsigned n = 0;

    for (const struct tracked *each = w; each < w + count; each++)
        for (unsigned j = 0; j < each->count; j++)
            signatures[n++] = solana_hash_text(a, &each->txs[j].hash);
    rpc_add(b, "getEpochInfo", "[{\"commitment\":\"" SOLANA_FINALIZED "\"}]");
    solana_ask_statuses(b, signatures, n);
}

bool solana_poll_begin(const struct ctx *ctx, struct arena *a, struct chain_batch *s, struct call *call)
{
    struct solana_poll *l = ARENA_NEW(a, struct solana_poll);

    for (struct tracked *w = s->w; w < s->w + s->count; w++) {
        w->seen = ARENA_NEW(a, struct solana_seen);
        *seen_of(w) = (struct solana_seen){ .told = false };
    }
    *l = (struct solana_poll){ .body = BUF_INIT(MAX_UPSTREAM), .count = chain_batch_txs(s) };
    l->batch = rpc_begin(&l->body);
    statuses_ask(&l->batch, a, s->w, s->count, l->count);
    rpc_end(&l->batch);
    l->query = (struct node_query){ .chain = s->chain,
                                    .batch = &l->batch,
                                    .order = s->doubted ? NODE_SECOND_OPINION : NODE_AS_CONFIGURED };
    s->poll = l;
    if (node_begin(call, ctx, &l->query, a))
        return true;
    buf_free(&l->body);
    return false;
}

/* ---- answers ---- */

/* The two may come from different nodes: what one that is behind does not show is no proof. */
static bool is_over(const struct solana_poll *l, uint64_t expiry)
{
    return l->final_height > expiry && l->slot >= l->final_slot;
}

static void observations_set(struct tracked *w, const struct solana_poll *l)
{
    const struct solana_seen *seen = seen_of(w);

    w->known = true;
    for (unsigned i = 0; i < w->count; i++) {
        const struct solana_status *status = &seen->statuses[i];

        w->observations[i] = (struct observation){ .block = status->known ? status->slot : 0,
                                                   .succeeded = status->succeeded,
                                                   .confirmed = status->confirmed,
                                                   .settled = status->finalized,
                                                   .why = status->too_little ? &E_PRICE_MOVED : NULL };
        w->observations[i].taken = !status->known && is_over(l, w->txs[i].expiry);
        /* A node behind the slot that we have seen it in does not show a fork. */
        w->known = w->known && (status->known || w->txs[i].block_number <= l->slot);
    }
}

static bool final_read(struct solana_poll *l, const json_t *epoch)
{
    return solana_rpc_number(&l->final_slot, json_object_get(epoch, "absoluteSlot")) &&
           solana_rpc_number(&l->final_height, json_object_get(epoch, "blockHeight"));
}

static bool statuses_read(struct solana_poll *l, struct solana_status *out, const struct rpc_answers *as)
{
    return final_read(l, as->items[AT_FINAL].result) &&
           solana_read_statuses(out, l->count, &l->slot, &as->items[AT_STATUSES]);
}

/* Whether it has just succeeded, and bought a token. */
static bool is_to_be_read(const struct tracked *w)
{
    const struct observation *s = w->count > 0 ? &w->observations[w->spend] : NULL;

    return w->known && s != NULL && s->block != 0 && s->succeeded && s->confirmed &&
           w->execution->status != EXEC_COMPLETED && w->bridge == NULL;
}

static void receipt_take(struct solana_seen *out, const struct tracked *w, const struct rpc_answer *r)
{
    out->told = solana_receipt_arrived(&out->arrived, r, w->execution, w->wallet.ref.address);
    out->has_changes = solana_receipt_changes(&out->changes, r, w->wallet.ref.address);
}

static bool changes_are_same(const struct account_change *x, const struct account_change *y)
{
    bool same = x->count == y->count;

    for (unsigned i = 0; same && i < x->count; i++)
        same = strcmp(x->tokens[i].token, y->tokens[i].token) == 0 &&
               u256_cmp(x->tokens[i].came, y->tokens[i].came) == 0 &&
               u256_cmp(x->tokens[i].left, y->tokens[i].left) == 0;
    return same;
}

/* Both tell the same; what one alone tells, once the other has been waited for. */
static bool receipts_join(const struct ctx *ctx, const struct tracked *w, const struct solana_seen *other,
                          bool both_answered)
{
    int64_t waited_ms = w->now_ms - w->txs[w->spend].effect.created_ms;
    struct solana_seen *seen = seen_of(w);

    if (seen->told && other->told)
        return u256_cmp(seen->arrived, other->arrived) == 0 && seen->has_changes == other->has_changes &&
               (!seen->has_changes || changes_are_same(&seen->changes, &other->changes));
    if (!seen->told && other->told) {
        seen->told = true;
        seen->arrived = other->arrived;
        seen->has_changes = other->has_changes;
        seen->changes = other->changes;
    }
    return !seen->told ||
           opinions_do(ctx, w->chain, 1, waited_ms, both_answered ? OPINION_LONG_MS : OPINION_SHORT_MS);
}

/* The amount is reported with the success: while the success is disputed neither is. */
static void receipts_take(const struct ctx *ctx, const struct tracked *w, const struct rpc_answers *list,
                          size_t n, unsigned at)
{
    struct solana_seen other = { .told = false };
    struct observation *s = &w->observations[w->spend];

    receipt_take(seen_of(w), w, &list[0].items[at]);
    if (n > 1)
        receipt_take(&other, w, &list[1].items[at]);
    if (!opinions_differ(ctx, w->chain) || receipts_join(ctx, w, &other, n > 1))
        return;
    s->confirmed = s->settled = false;
}

/* From *w on, up to `end`; *w is then the first one that is left. */
static void receipts_poll(const struct ctx *ctx, struct arena *a, const struct chain *c,
                          const struct tracked **w, const struct tracked *end)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch b = rpc_begin(&body);
    const struct tracked *first = *w;
    struct rpc_answers answers[NODE_OPINIONS];
    size_t told = 0;
    unsigned at = 0;

    for (; *w < end && b.count < RECEIPTS; ++*w)
        if (is_to_be_read(*w))
            solana_receipt_ask(&b, solana_hash_text(a, &(*w)->txs[(*w)->spend].hash));
    rpc_end(&b);
    if (b.count > 0)
        told = opinions_ask(ctx, c, &b, DEADLINE_MS, a, answers);
    for (const struct tracked *read = first; told > 0 && read < *w; read++)
        if (is_to_be_read(read))
            receipts_take(ctx, read, answers, told, at++);
    node_answers_free(answers, told);
    buf_free(&body);
}

static void arrivals_poll(const struct ctx *ctx, struct arena *a, const struct chain_batch *s)
{
    const struct tracked *w = s->w;

    while (w < s->w + s->count)
        receipts_poll(ctx, a, s->chain, &w, s->w + s->count);
}

/* ---- success ---- */

/* Whether the observation would complete it, or end its being followed; a payment after a bridge's deposit is
 * proven by itself. */
static bool is_success(const struct tracked *w, unsigned i)
{
    const struct observation *s = &w->observations[i];
    bool completes = w->execution->status != EXEC_COMPLETED && w->bridge == NULL;

    return w->known && s->block != 0 && s->succeeded && (s->settled || (s->confirmed && completes));
}

static bool any_success(const struct chain_batch *s)
{
    for (const struct tracked *w = s->w; w < s->w + s->count; w++)
        for (unsigned i = 0; i < w->count; i++)
            if (is_success(w, i))
                return true;
    return false;
}

/* Weighs a success by the nodes' answers: they have to agree, and to be two where there are two. A node that
 * has come further and does not know it contradicts, and gets the transaction too. */
static void success_weigh(const struct ctx *ctx, struct tracked *w, unsigned i,
                          const struct solana_poll *polls, struct solana_status *const *statuses, size_t n)
{
    int64_t waited_ms = w->now_ms - w->txs[i].effect.created_ms;
    struct observation *s = &w->observations[i], agreed = *s;
    bool completed = w->execution->status == EXEC_COMPLETED, against = false, nowhere = false;
    size_t same = 0;

    for (size_t k = 0; k < n; k++) {
        const struct solana_status *said = &statuses[k][i];
        bool is_same = said->known && said->succeeded && said->slot == s->block;

        against = against || (said->known && !is_same);
        nowhere = nowhere || (!said->known && polls[k].slot > s->block + BULKHEAD_BEHIND);
        if (!is_same)
            continue;
        same++;
        agreed.confirmed = agreed.confirmed && said->confirmed;
        agreed.settled = agreed.settled && said->finalized;
    }
    if (nowhere && !completed) {
        *s = (struct observation){ .block = 0 };
        return;
    }
    against = against || nowhere;
    s->settled = !against && agreed.settled && opinions_do(ctx, w->chain, same, waited_ms, OPINION_LONG_MS);
    if (!completed)
        s->confirmed = !against && agreed.confirmed &&
                       opinions_do(ctx, w->chain, same, waited_ms,
                                   n < NODE_OPINIONS ? OPINION_SHORT_MS : OPINION_LONG_MS);
}

static void success_poll(const struct ctx *ctx, struct arena *a, const struct chain_batch *s, unsigned txs)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    struct solana_poll polls[NODE_OPINIONS];
    struct solana_status *statuses[NODE_OPINIONS];
    size_t told, read = 0;

    statuses_ask(&b, a, s->w, s->count, txs);
    rpc_end(&b);
    told = node_ask_two(ctx, s->chain, &b, SECOND_MS, a, answers);
    for (size_t i = 0; i < told; i++) {
        polls[read] = (struct solana_poll){ .count = txs };
        statuses[read] = ARENA_ARRAY(a, struct solana_status, txs + 1);
        read += statuses_read(&polls[read], statuses[read], &answers[i]);
    }
    node_answers_free(answers, told);
    for (struct tracked *w = s->w; w < s->w + s->count; w++) {
        for (unsigned i = 0; i < w->count; i++)
            if (is_success(w, i))
                success_weigh(ctx, w, i, polls, statuses, read);
        for (size_t k = 0; k < read; k++)
            statuses[k] += w->count;
    }
    buf_free(&body);
}

void solana_poll_end(const struct ctx *ctx, struct arena *a, struct chain_batch *s)
{
    struct solana_poll *l = s->poll;
    struct solana_status *statuses = ARENA_ARRAY(a, struct solana_status, l->count + 1);

    if (!node_call_end(s->call) || !statuses_read(l, statuses, &l->query.answers))
        return;
    for (struct tracked *w = s->w; w < s->w + s->count; w++) {
        seen_of(w)->statuses = statuses;
        observations_set(w, l);
        statuses += w->count;
    }
    if (opinions_differ(ctx, s->chain) && any_success(s))
        success_poll(ctx, a, s, l->count);
    arrivals_poll(ctx, a, s);
}

void solana_poll_free(struct chain_batch *s)
{
    struct solana_poll *l = s->poll;

    if (l->query.answered)
        rpc_answers_free(&l->query.answers);
    buf_free(&l->body);
}

/* ---- expiry ---- */

static bool any_taken(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->observations[i].taken)
            return true;
    return false;
}

/* A node that has thrown away what was in blocks of that time shows nothing of it. It tells slots, of which
 * there are more than blocks: twice as many is more than there ever were. */
static bool has_history(const struct rpc_answer *r, const struct solana_poll *l, uint64_t expiry)
{
    uint64_t first, back = 2 * (l->final_height - expiry + LIFE) + LIFE;

    if (r[AT_FIRST].class == RPC_LACKS)
        return true;
    return solana_rpc_number(&first, r[AT_FIRST].result) && (first == 0 || first + back <= l->final_slot);
}

static void hashes_ask(struct rpc_batch *b, const struct tracked *w)
{
    static const uint8_t none[SOLANA_BLOCKHASH_LEN];
    struct solana_tx tx;

    for (unsigned i = 0; i < w->count; i++)
        lifetime_ask_hash(b, solana_tx_read(&tx, w->txs[i].raw, w->txs[i].raw_len) == NULL ? tx.blockhash
                                                                                           : none);
}

static bool is_long_ago(const struct tracked *w, unsigned i)
{
    return w->now_ms - w->txs[i].effect.created_ms >= LONG_MS;
}

/* Applies one node's answers to `expired`. After long its answer about the hash alone holds nothing up. */
static void recheck_read(struct tracked *w, struct arena *a, const struct rpc_answers *as)
{
    struct solana_status *statuses = ARENA_ARRAY(a, struct solana_status, w->count + 1);
    struct solana_poll second = { .count = w->count };
    bool told = statuses_read(&second, statuses, as);

    for (unsigned i = 0; i < w->count; i++)
        w->observations[i].expired = w->observations[i].expired && told && !statuses[i].known &&
                                     is_over(&second, w->txs[i].expiry) &&
                                     has_history(as->items, &second, w->txs[i].expiry) &&
                                     (is_long_ago(w, i) || lifetime_is_over(&as->items[AT_HASHES + 2 * i]));
}

/* Two nodes have to say so, or after long those that answer. */
static void expired_read(struct tracked *w, struct arena *a, const struct rpc_answers *answers, size_t told)
{
    for (unsigned i = 0; i < w->count; i++)
        w->observations[i].expired =
            w->observations[i].taken && (told == NODE_OPINIONS || (told > 0 && is_long_ago(w, i)));
    for (size_t i = 0; i < told; i++)
        recheck_read(w, a, &answers[i]);
}

void solana_poll_closely(const struct ctx *ctx, struct arena *a, struct tracked *w)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    size_t told;

    if (any_taken(w)) {
        statuses_ask(&b, a, w, 1, w->count);
        rpc_add(&b, "getFirstAvailableBlock", "[]");
        hashes_ask(&b, w);
        rpc_end(&b);
        told = node_ask_two(ctx, w->chain, &b, DEADLINE_MS, a, answers);
        expired_read(w, a, answers, told);
        node_answers_free(answers, told);
    }
    buf_free(&body);
}

/* ---- sending again ---- */

void solana_repair(const struct ctx *ctx, struct arena *a, struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        const struct transaction *t = &w->txs[i];
        bool accepted;

        if (w->observations[i].block != 0 || w->observations[i].taken ||
            w->now_ms - t->effect.broadcast_ms < SEND_AGAIN_MS)
            continue;
        if (broadcast_txs(ctx, a, w->chain, w->execution, t, 1, DEADLINE_MS, &accepted) && accepted &&
            w->execution->status == EXEC_PENDING)
            w->execution->status = EXEC_SUBMITTED;
    }
}

/* ---- the rest ---- */

bool solana_arrived(struct u256 *out, const struct tracked *w, unsigned i)
{
    *out = seen_of(w)->arrived;
    return i == w->spend && seen_of(w)->told;
}

bool solana_changes(struct account_change *out, const struct tracked *w, unsigned i)
{
    const struct account_change *its = &seen_of(w)->changes;

    if (i != w->spend || !seen_of(w)->has_changes)
        return false;
    memcpy(out->tokens, its->tokens, its->count * sizeof its->tokens[0]);
    out->count = its->count;
    return true;
}

bool solana_follow_end(struct db *db, const struct tracked *w)
{
    (void)db, (void)w; /* nothing is recorded besides the transactions */
    return true;
}

static bool slot_read(uint64_t *out, const struct rpc_answer *r)
{
    return solana_rpc_number(out, r->result);
}

static void ask_time(struct rpc_batch *b, uint64_t slot)
{
    rpc_add(b, "getBlockTime", "[%" PRIu64 "]", slot);
}

static bool time_read(int64_t *seconds, const struct rpc_answer *r)
{
    uint64_t at;

    if (!solana_rpc_number(&at, r->result) || at > INT64_MAX)
        return false;
    *seconds = (int64_t)at;
    return true;
}

enum lookup solana_newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                uint64_t *block)
{
    static const struct height_words words = { "getSlot", "[{\"commitment\":\"" SOLANA_CONFIRMED "\"}]",
                                               slot_read, ask_time, time_read };

    return newest_block(ctx, a, c, &words, block);
}

/* ---- before it is followed ---- */

/* Merges one node's slots, unless another has shown the transaction nowhere; of two slots, the later one
 * counts. */
static void bulkhead_merge(struct unplaced_list *list, struct arena *a, const struct rpc_answers *answers,
                           bool first)
{
    struct solana_status *statuses = ARENA_ARRAY(a, struct solana_status, list->count);
    uint64_t context;
    bool told = solana_read_statuses(statuses, list->count, &context, &answers->items[0]);

    for (unsigned i = 0; i < list->count; i++) {
        struct unplaced *tx = &list->list[i];

        if (!told || !statuses[i].known || (!first && tx->block == 0))
            tx->block = 0;
        else if (statuses[i].slot > tx->block)
            tx->block = statuses[i].slot;
    }
}

void solana_place(const struct ctx *ctx, struct arena *a, const struct chain *c, struct unplaced_list *list)
{
    size_t told = 0;
    const char **signatures = ARENA_ARRAY(a, const char *, list->count + 1);
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];

    for (unsigned i = 0; i < list->count; i++)
        signatures[i] = solana_hash_text(a, &list->list[i].hash);
    solana_ask_statuses(&batch, signatures, list->count);
    rpc_end(&batch);
    if (list->count > 0)
        told = opinions_ask(ctx, c, &batch, PLACE_MS, a, answers);
    for (size_t i = 0; told == opinions_all(ctx, c) && i < told; i++)
        bulkhead_merge(list, a, &answers[i], i == 0);
    node_answers_free(answers, told);
    buf_free(&body);
}
