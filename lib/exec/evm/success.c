#include "exec/evm/success.h"

#include <strings.h>

#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "exec/evm/evm_stored.h"
#include "exec/evm/seen.h"
#include "exec/opinion.h"

enum { DEADLINE_MS = 2000 };

/* ---- requests ---- */

/* Whether the observation would complete it, or end its being followed. A payment after a bridge's deposit is
 * proven by itself; a request is sent after steps that are confirmed. */
static bool is_success(const struct tracked *w, unsigned i)
{
    const struct observation *s = &w->observations[i];
    bool completes = w->execution->status != EXEC_COMPLETED && w->bridge == NULL &&
                     (w->txs[i].kind == TX_SPEND || w->request_count > 0);

    return s->block != 0 && s->succeeded && w->txs[i].kind != TX_CANCEL &&
           (s->settled || (s->confirmed && completes));
}

static bool any_success(const struct tracked *w)
{
    for (unsigned i = 0; w->known && i < w->count; i++)
        if (is_success(w, i))
            return true;
    return false;
}

/* ---- the answer of each ---- */

enum says {
    SAYS_NOTHING, /* it does not answer, has not come so far, or omits the receipt */
    SAYS_THE_SAME,
    SAYS_ELSE,    /* another block, other logs, or that it was reverted */
    SAYS_NOWHERE, /* in no block, and its nonce is unused */
};

/* One node's answers about a batch. */
struct opinion {
    const struct rpc_answers *answers;
    struct head head;
    bool told;
};

static uint64_t nonces_said(const struct opinion *o, const struct tracked *w)
{
    uint64_t n;

    return rpc_u64(&n, &o->answers->items[evm_seen(w)->at_again]) ? n : UINT64_MAX;
}

static bool text_is_same(const json_t *a, const json_t *b)
{
    const char *one = json_string_value(a), *other = json_string_value(b);

    return one != NULL && other != NULL ? strcasecmp(one, other) == 0 : one == other;
}

static bool log_is_same(const json_t *a, const json_t *b)
{
    static const char *const members[] = { "address", "data" };
    const json_t *topics = json_object_get(a, "topics"), *others = json_object_get(b, "topics");
    bool same = json_array_size(topics) == json_array_size(others);

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        same = same && text_is_same(json_object_get(a, members[i]), json_object_get(b, members[i]));
    for (size_t i = 0; same && i < json_array_size(topics); i++)
        same = text_is_same(json_array_get(topics, i), json_array_get(others, i));
    return same;
}

/* Compares the logs, from which arrivals and transfers are read. */
static bool logs_are_same(const json_t *a, const json_t *b)
{
    bool same = json_array_size(a) == json_array_size(b);

    for (size_t i = 0; same && i < json_array_size(a); i++)
        same = log_is_same(json_array_get(a, i), json_array_get(b, i));
    return same;
}

static enum says says_of(const struct opinion *o, const struct tracked *w, unsigned i)
{
    const struct rpc_answer *r = &o->answers->items[evm_seen(w)->at_again + 1 + i];
    const struct observation *s = &w->observations[i];
    struct receipt receipt;

    if (!o->told || r->result == NULL || !receipt_read(&receipt, r->result))
        return SAYS_NOTHING;
    if (receipt.block != 0)
        return receipt.block == s->block && receipt.succeeded &&
                       logs_are_same(receipt.logs, evm_seen(w)->receipts[i].logs)
                   ? SAYS_THE_SAME
                   : SAYS_ELSE;
    /* One that has just taken the block may not have its receipts yet. */
    return block_depth(&o->head, s->block) > o->head.confirm && nonces_said(o, w) <= w->txs[i].nonce
               ? SAYS_NOWHERE
               : SAYS_NOTHING;
}

/* ---- consequences ---- */

/* As if the first node had not shown them: they are sent again, to others too. */
static void tracked_take_back(struct tracked *w, uint64_t nonces)
{
    struct evm_seen *seen = evm_seen(w);

    for (unsigned i = 0; i < w->count; i++) {
        if (w->txs[i].nonce < nonces)
            continue;
        w->observations[i] = (struct observation){ .block = 0 };
        seen->receipts[i] = (struct receipt){ .block = 0 };
    }
    if (seen->nonces > nonces)
        seen->nonces = nonces;
}

/* UINT64_MAX: nothing is to be taken back. */
static uint64_t success_weigh(const struct ctx *ctx, struct tracked *w, unsigned i,
                              const struct opinion *list, size_t n)
{
    int64_t waited_ms = w->now_ms - w->txs[i].effect.created_ms;
    struct observation *s = &w->observations[i], agreed = *s;
    size_t same = 0;
    bool else_ = false;
    uint64_t nonces = UINT64_MAX;

    for (size_t k = 0; k < n; k++) {
        const struct opinion *o = &list[k];
        enum says says = says_of(o, w, i);

        else_ = else_ || says == SAYS_ELSE;
        if (says == SAYS_NOWHERE)
            nonces = nonces_said(o, w);
        if (says != SAYS_THE_SAME)
            continue;
        same++;
        agreed.confirmed = agreed.confirmed && block_depth(&o->head, s->block) >= o->head.confirm;
        agreed.settled = agreed.settled && block_is_settled(&o->head, s->block);
    }
    if (else_ || nonces != UINT64_MAX) {
        /* An execution that two nodes showed as done stays so, and is followed on. */
        s->settled = false;
        s->confirmed = s->confirmed && w->execution->status == EXEC_COMPLETED;
        return w->execution->status == EXEC_COMPLETED ? UINT64_MAX : nonces;
    }
    s->settled = agreed.settled && opinions_do(ctx, w->chain, same, waited_ms, OPINION_LONG_MS);
    if (w->execution->status != EXEC_COMPLETED)
        s->confirmed =
            agreed.confirmed && opinions_do(ctx, w->chain, same, waited_ms,
                                            n < NODE_OPINIONS ? OPINION_SHORT_MS : OPINION_LONG_MS);
    return UINT64_MAX;
}

static void tracked_weigh(const struct ctx *ctx, struct tracked *w, const struct opinion *list, size_t n)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < w->count; i++) {
        uint64_t nonces = is_success(w, i) ? success_weigh(ctx, w, i, list, n) : UINT64_MAX;

        least = nonces < least ? nonces : least;
    }
    if (least != UINT64_MAX)
        tracked_take_back(w, least);
}

void success_poll(const struct ctx *ctx, struct arena *a, const struct chain_batch *s)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    struct opinion list[NODE_OPINIONS];
    struct head_at at_head = head_ask(&b, ctx, s->chain);
    unsigned asked = b.count;
    size_t told = 0;

    if (!opinions_differ(ctx, s->chain))
        goto end;
    for (struct tracked *w = s->w; w < s->w + s->count; w++)
        if (any_success(w)) {
            evm_seen(w)->at_again = b.count;
            rpc_add(&b, "eth_getTransactionCount", "[\"%s\",\"latest\"]", w->wallet.ref.address);
            for (unsigned i = 0; i < w->count; i++)
                rpc_add(&b, "eth_getTransactionReceipt", "[\"%s\"]", evm_hash_text(a, &w->txs[i].hash));
        }
    rpc_end(&b);
    if (b.count == asked)
        goto end;
    told = node_ask_two(ctx, s->chain, &b, DEADLINE_MS, a, answers);
    for (size_t i = 0; i < told; i++) {
        list[i] = (struct opinion){ .answers = &answers[i] };
        list[i].told = head_read(&list[i].head, ctx, s->chain, at_head, &answers[i]);
    }
    for (struct tracked *w = s->w; w < s->w + s->count; w++)
        if (any_success(w))
            tracked_weigh(ctx, w, list, told);
    node_answers_free(answers, told);
end:
    buf_free(&body);
}
