#include "exec/solana/lifetime.h"

#include "chain/solana/solana_addr.h"
#include "chain/solana/solana_rpc.h"

enum {
    LIFE = 150, /* blocks */
    AHEAD_MAX =
        32, /* by which another node may be ahead: a transaction is given up too late rather than too early */
    EACH_MS = 1000,   /* a slow one is not waited for */
    APART_MAX = 1500, /* between the heights of nodes that say the truth */
};

/* ---- the request for the chain's height ---- */

enum { AT_FINAL, AT_LAST };

void lifetime_ask(struct lifetime *out, struct node_query *queries, const struct chain *c)
{
    *out = (struct lifetime){ .body = BUF_INIT(1024) };
    out->batch = rpc_begin(&out->body);
    rpc_add(&out->batch, "getEpochInfo", "[{\"commitment\":\"" SOLANA_FINALIZED "\"}]");
    rpc_add(&out->batch, "getLatestBlockhash", "[{\"commitment\":\"" SOLANA_NEWEST "\"}]");
    rpc_end(&out->batch);
    node_pair(queries, c, &out->batch, EACH_MS);
}

void lifetime_free(struct lifetime *l)
{
    buf_free(&l->body);
}

/* The last block that may take what was signed just now, by one node's words. */
static bool end_read(uint64_t *out, const struct rpc_answer *r)
{
    uint64_t final, last;

    if (!solana_rpc_number(&final, json_object_get(r[AT_FINAL].result, "blockHeight")) ||
        !solana_rpc_number(&last,
                           json_object_get(solana_rpc_value(&r[AT_LAST], NULL), "lastValidBlockHeight")) ||
        final > INT64_MAX || last > INT64_MAX)
        return false;
    *out = (final + LIFE > last ? final + LIFE : last) + AHEAD_MAX;
    return true;
}

bool lifetime_read(uint64_t *last, struct node_query *queries)
{
    uint64_t latest = *last + AHEAD_MAX, earliest = latest, end;

    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        if (!queries[i].answered)
            continue;
        if (end_read(&end, queries[i].answers.items)) {
            latest = end > latest ? end : latest;
            earliest = end < earliest ? end : earliest;
        }
        rpc_answers_free(&queries[i].answers);
    }
    *last = latest;
    return latest - earliest <= APART_MAX;
}

/* ---- the end ---- */

void lifetime_ask_hash(struct rpc_batch *b, const uint8_t hash[static SOLANA_BLOCKHASH_LEN])
{
    char text[SOLANA_ADDR_TEXT_LEN + 1];

    base58_encode(text, hash, SOLANA_BLOCKHASH_LEN);
    rpc_add(b, "isBlockhashValid", "[\"%s\",{\"commitment\":\"" SOLANA_FINALIZED "\"}]", text);
    rpc_add(b, "isBlockhashValid", "[\"%s\",{\"commitment\":\"" SOLANA_NEWEST "\"}]", text);
}

bool lifetime_is_over(const struct rpc_answer r[static 2])
{
    return json_is_false(solana_rpc_value(&r[0], NULL)) && json_is_false(solana_rpc_value(&r[1], NULL));
}
