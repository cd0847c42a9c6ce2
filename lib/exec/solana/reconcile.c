#include "exec/solana/reconcile.h"

#include "chain/rpc/node.h"
#include "chain/solana/rpc.h"
#include "exec/solana/stored.h"
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

static bool read_wallets(uint64_t *unknown, const struct ctx *ctx, const struct rpc_answers *as,
                         int64_t since_ms)
{
    for (unsigned i = 0; i < as->count; i++)
        if (!count_unknown(&unknown[i], ctx, as->items[i].result, since_ms))
            return false;
    return true;
}

bool solana_reconcile(const struct ctx *ctx, struct arena *a, const struct chain *c,
                      const struct wallet *list, size_t count, int64_t since_ms, uint64_t *unknown)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    bool ok;

    for (size_t i = 0; i < count; i++)
        solana_ask_signatures_of(&batch, list[i].ref.address);
    rpc_end(&batch);
    ok = node_ask(ctx, c, &batch, DEADLINE_MS, a, &answers);
    if (ok) {
        ok = read_wallets(unknown, ctx, &answers, since_ms);
        rpc_answers_free(&answers);
    }
    buf_free(&body);
    return ok;
}
