#include "exec/evm/evm_reconcile.h"

#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "store/wallets.h"

enum {
    DEADLINE_MS = 10000,
    QUESTIONS = 2, /* about each wallet */
    APART_MAX = 64 /* more nonces than that no pool has of a wallet: one of two nodes lies */
};

static void ask_nonces(struct rpc_batch *b, const struct wallet *w)
{
    rpc_add(b, "eth_getTransactionCount", "[\"%s\",\"latest\"]", w->ref.address);
    rpc_add(b, "eth_getTransactionCount", "[\"%s\",\"pending\"]", w->ref.address);
}

/* A transaction in the node's pool has used its nonce, too. */
static bool read_nonces(uint64_t *next, const struct rpc_answer *r)
{
    uint64_t latest, pending;

    if (!rpc_u64(&latest, &r[0]) || !rpc_u64(&pending, &r[1]))
        return false;
    *next = pending > latest ? pending : latest;
    return true;
}

/* By the words of two nodes, of which one may not know yet what the other one does: the greater counts.
 * False: neither says it, or they are too far apart. */
static bool next_of_nodes(uint64_t *next, const struct rpc_answers *answers, size_t count, size_t wallet)
{
    uint64_t least = UINT64_MAX, each;

    *next = 0;
    for (size_t i = 0; i < count; i++) {
        if (!read_nonces(&each, &answers[i].items[wallet * QUESTIONS]))
            continue;
        least = each < least ? each : least;
        *next = each > *next ? each : *next;
    }
    return least != UINT64_MAX && *next - least <= APART_MAX;
}

/* Stored nonces only go up: one that the chain has not seen may be on its way. */
static bool raise_nonce(const struct ctx *ctx, const struct chain *c, const struct wallet *w, uint64_t next,
                        uint64_t *unknown)
{
    uint64_t stored;

    if (!wallets_nonce(ctx->db, w->id, c->id, &stored))
        return false;
    *unknown = next > stored ? next - stored : 0;
    return *unknown == 0 || wallets_nonce_raise(ctx->db, w->id, c->id, next);
}

static bool read_wallets(const struct ctx *ctx, const struct chain *c, const struct wallet *list,
                         size_t count, const struct rpc_answers *answers, size_t answered, uint64_t *unknown)
{
    uint64_t next;

    for (size_t i = 0; i < count; i++)
        if (!next_of_nodes(&next, answers, answered, i) || !raise_nonce(ctx, c, &list[i], next, &unknown[i]))
            return false;
    return true;
}

bool evm_reconcile(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct wallet *list,
                   size_t count, int64_t since_ms, uint64_t *unknown)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    size_t answered;
    bool ok;

    (void)since_ms;
    for (size_t i = 0; i < count; i++)
        ask_nonces(&batch, &list[i]);
    rpc_end(&batch);
    answered = node_ask_two(ctx, c, &batch, DEADLINE_MS, a, answers);
    ok = read_wallets(ctx, c, list, count, answers, answered, unknown);
    node_answers_free(answers, answered);
    buf_free(&body);
    return ok;
}
