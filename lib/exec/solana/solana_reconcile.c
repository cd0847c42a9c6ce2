#include "exec/solana/solana_reconcile.h"

#include "chain/rpc/node.h"
#include "chain/solana/solana_rpc.h"
#include "exec/solana/solana_stored.h"
#include "store/transactions.h"

enum { DEADLINE_MS = 10000 };

static bool is_younger(const json_t *entry, int64_t since_ms)
{
    uint64_t seconds;

    /* A node may not know when a block was. */
    return !solana_rpc_number(&seconds, json_object_get(entry, "blockTime")) ||
           (int64_t)seconds * 1000 >= since_ms;
}

static bool count_unknown(uint64_t *unknown, const struct ctx *ctx, const json_t *list, int64_t since_ms)
{
    const json_t *entry;
    size_t i;

    *unknown = 0;
    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, entry)
    {
        const char *signature = json_string_value(json_object_get(entry, "signature"));
        enum lookup known;
        struct tx_hash hash;

        if (signature == NULL || !solana_hash_read(&hash, signature))
            return false;
        known = is_younger(entry, since_ms) ? transactions_hash_known(ctx->db, &hash) : LOOKUP_FOUND;
        if (known == LOOKUP_ERROR)
            return false;
        *unknown += known == LOOKUP_NONE;
    }
    return true;
}

/* By the words of two nodes: what one does not show, the other one does. */
static bool read_wallet(uint64_t *unknown, const struct ctx *ctx, const struct rpc_answers *answers,
                        size_t count, size_t wallet, int64_t since_ms)
{
    bool told = false;
    uint64_t each;

    *unknown = 0;
    for (size_t i = 0; i < count; i++) {
        if (!count_unknown(&each, ctx, answers[i].items[wallet].result, since_ms))
            continue;
        told = true;
        *unknown = each > *unknown ? each : *unknown;
    }
    return told;
}

bool solana_reconcile(const struct ctx *ctx, struct arena *a, const struct chain *c,
                      const struct wallet *list, size_t count, int64_t since_ms, uint64_t *unknown)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    size_t answered;
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        solana_ask_signatures_of(&batch, list[i].ref.address);
    rpc_end(&batch);
    answered = node_ask_two(ctx, c, &batch, DEADLINE_MS, a, answers);
    for (size_t i = 0; ok && i < count; i++)
        ok = read_wallet(&unknown[i], ctx, answers, answered, i, since_ms);
    node_answers_free(answers, answered);
    buf_free(&body);
    return ok;
}
