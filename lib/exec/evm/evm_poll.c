#include "exec/evm/evm_poll.h"

#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "exec/evm/arrived.h"
#include "exec/evm/evm_stored.h"
#include "exec/evm/fees.h"
#include "exec/evm/seen.h"
#include "exec/evm/success.h"
#include "exec/opinion.h"

enum { AGAIN_MS = 5000, PLACE_MS = 1500 };

struct evm_poll {
    struct buf body;
    struct rpc_batch batch;
    struct node_query query;
    struct head_at at_head;
    unsigned at_fees;
};

/* ---- requests ---- */

/* Once for all executions of a wallet. */
static void nonces_ask(struct rpc_batch *b, const struct chain_batch *s, struct tracked *w)
{
    for (const struct tracked *other = s->w; other < w; other++) {
        if (other->wallet.id == w->wallet.id) {
            evm_seen(w)->at_nonces = evm_seen(other)->at_nonces;
            return;
        }
    }
    evm_seen(w)->at_nonces = b->count;
    rpc_add(b, "eth_getTransactionCount", "[\"%s\",\"latest\"]", w->wallet.ref.address);
}

static void poll_ask(const struct ctx *ctx, struct arena *a, struct evm_poll *l, const struct chain_batch *s)
{
    struct rpc_batch *b = &l->batch;

    l->body = (struct buf)BUF_INIT(MAX_UPSTREAM);
    *b = rpc_begin(&l->body);
    l->at_head = head_ask(b, ctx, s->chain);
    l->at_fees = b->count;
    fees_ask(b, s->chain);
    for (struct tracked *w = s->w; w < s->w + s->count; w++) {
        nonces_ask(b, s, w);
        evm_seen(w)->at_receipts = b->count;
        for (unsigned j = 0; j < w->count; j++)
            rpc_add(b, "eth_getTransactionReceipt", "[\"%s\"]", evm_hash_text(a, &w->txs[j].hash));
    }
    rpc_end(b);
}

bool evm_poll_begin(const struct ctx *ctx, struct arena *a, struct chain_batch *s, struct call *call)
{
    struct evm_poll *l = ARENA_NEW(a, struct evm_poll);

    for (struct tracked *w = s->w; w < s->w + s->count; w++) {
        w->seen = ARENA_NEW(a, struct evm_seen);
        *evm_seen(w) = (struct evm_seen){ .receipts = ARENA_ARRAY(a, struct receipt, w->count) };
    }
    *l = (struct evm_poll){ .at_fees = 0 };
    poll_ask(ctx, a, l, s);
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

static void tracked_read(struct tracked *w, const struct rpc_answers *as)
{
    struct evm_seen *seen = evm_seen(w);

    w->known = rpc_u64(&seen->nonces, &as->items[seen->at_nonces]);
    for (unsigned j = 0; j < w->count; j++) {
        const struct rpc_answer *r = &as->items[seen->at_receipts + j];

        /* An error is no answer: nothing may be concluded from it. */
        w->known = w->known && r->result != NULL && receipt_read(&seen->receipts[j], r->result);
        /* A node behind the block that we have seen it in does not show a reorganisation. */
        w->known = w->known && w->txs[j].block_number <= seen->head.block;
    }
}

static void observations_set(struct tracked *w)
{
    const struct evm_seen *seen = evm_seen(w);
    const struct head *h = &seen->head;

    for (unsigned i = 0; i < w->count; i++) {
        const struct receipt *r = &seen->receipts[i];

        w->observations[i] = (struct observation){ .block = r->block,
                                                   .succeeded = r->succeeded,
                                                   .has_fee = r->has_fee,
                                                   .fee = r->fee,
                                                   .confirmed = block_depth(h, r->block) >= h->confirm,
                                                   .settled = block_is_settled(h, r->block) };
    }
    for (unsigned i = 0; i < w->count; i++)
        w->observations[i].taken = nonce_taken(w, w->txs[i].nonce);
}

/* Executions whose answers are incomplete stay unknown. */
static void poll_read(const struct ctx *ctx, const struct chain_batch *s, const struct evm_poll *l)
{
    const struct rpc_answers *as = &l->query.answers;
    struct head head;

    if (!head_read(&head, ctx, s->chain, l->at_head, as) ||
        !fees_read(&head.fees, ctx, s->chain, &as->items[l->at_fees]))
        return;
    for (struct tracked *w = s->w; w < s->w + s->count; w++) {
        evm_seen(w)->head = head;
        tracked_read(w, as);
        observations_set(w);
    }
}

/* A node that has been stuck for long has no say. */
static bool is_far_behind(const struct chain_batch *s)
{
    for (const struct tracked *w = s->w; w < s->w + s->count; w++) {
        const struct head *h = &evm_seen(w)->head;

        for (unsigned i = 0; i < w->count; i++)
            if (h->block + h->settle < w->txs[i].block_number)
                return true;
    }
    return false;
}

static void first_node_ask(const struct ctx *ctx, struct arena *a, const struct chain_batch *s,
                           struct evm_poll *l)
{
    rpc_answers_free(&l->query.answers);
    l->query.order = NODE_AS_CONFIGURED;
    node_ask_all(ctx, &l->query, 1, AGAIN_MS, a);
    if (l->query.answered)
        poll_read(ctx, s, l);
}

static bool speaks_against(const struct tracked *w, unsigned i)
{
    return w->observations[i].block != 0 && (w->txs[i].kind == TX_CANCEL || !w->observations[i].succeeded);
}

static bool any_speaks_against(const struct chain_batch *s)
{
    for (const struct tracked *w = s->w; w < s->w + s->count; w++)
        for (unsigned i = 0; w->known && i < w->count; i++)
            if (speaks_against(w, i))
                return true;
    return false;
}

/* `as`: what the first node says; NULL: nothing. */
static void observation_compare(struct tracked *w, unsigned i, const struct rpc_answers *as,
                                const struct head *h)
{
    const struct rpc_answer *said = as == NULL ? NULL : &as->items[evm_seen(w)->at_receipts + i];
    struct observation *s = &w->observations[i];
    struct receipt r;

    s->disputed = said == NULL || said->result == NULL || !receipt_read(&r, said->result) ||
                  r.block != s->block || r.succeeded != s->succeeded;
    s->confirmed = s->confirmed && !s->disputed && block_depth(h, s->block) >= h->confirm;
    s->settled = s->settled && !s->disputed && block_is_settled(h, s->block);
}

/* The second node alone is asked about what is doubted, again and again. What it has against an execution is
 * put to the first one too: otherwise one node that lies would agree with itself. */
static void first_node_compare(const struct ctx *ctx, struct arena *a, const struct chain_batch *s,
                               const struct evm_poll *l)
{
    struct node_query first = { .chain = s->chain, .batch = &l->batch, .order = NODE_AS_CONFIGURED };
    struct head h = { .block = 0 };
    bool told;

    node_ask_all(ctx, &first, 1, AGAIN_MS, a);
    told = first.answered && head_read(&h, ctx, s->chain, l->at_head, &first.answers);
    for (struct tracked *w = s->w; w < s->w + s->count; w++)
        for (unsigned i = 0; w->known && i < w->count; i++)
            if (speaks_against(w, i))
                observation_compare(w, i, told ? &first.answers : NULL, &h);
    if (first.answered)
        rpc_answers_free(&first.answers);
}

void evm_poll_end(const struct ctx *ctx, struct arena *a, struct chain_batch *s)
{
    struct evm_poll *l = s->poll;

    if (!node_call_end(s->call))
        return;
    poll_read(ctx, s, l);
    if (s->doubted && is_far_behind(s))
        first_node_ask(ctx, a, s, l);
    else if (s->doubted && any_speaks_against(s))
        first_node_compare(ctx, a, s, l);
    success_poll(ctx, a, s);
    arrived_poll(ctx, a, s);
}

/* Only now: the receipts lead into the answers. */
void evm_poll_free(struct chain_batch *s)
{
    struct evm_poll *l = s->poll;

    if (l->query.answered)
        rpc_answers_free(&l->query.answers);
    buf_free(&l->body);
}

/* ---- before it is followed ---- */

/* The block that all of them show; of two, the later one. 0: one shows none. */
static uint64_t block_shown(const struct rpc_answers *answers, size_t told, unsigned item)
{
    uint64_t block = 0;
    struct receipt r;

    for (size_t i = 0; i < told; i++) {
        const struct rpc_answer *answer = &answers[i].items[item];

        if (!rpc_is_final(answer->class) || !receipt_read(&r, answer->result) || r.block == 0)
            return 0;
        block = r.block > block ? r.block : block;
    }
    return block;
}

void evm_place(const struct ctx *ctx, struct arena *a, const struct chain *c, struct unplaced_list *list)
{
    size_t told = 0;
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];

    for (unsigned i = 0; i < list->count; i++)
        rpc_add(&batch, "eth_getTransactionReceipt", "[\"%s\"]", evm_hash_text(a, &list->list[i].hash));
    rpc_end(&batch);
    if (list->count > 0)
        told = opinions_ask(ctx, c, &batch, PLACE_MS, a, answers);
    for (unsigned i = 0; told == opinions_all(ctx, c) && i < list->count; i++)
        list->list[i].block = block_shown(answers, told, i);
    node_answers_free(answers, told);
    buf_free(&body);
}
