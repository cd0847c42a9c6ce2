#include "exec/evm/evm_balances.h"

#include <string.h>

#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "exec/changes.h"
#include "venue/erc20.h"

enum {
    DEADLINE_MS = 2500,
    WALLETS_PER_CALL = 16, /* so that no call exceeds what nodes allow one to cost */
    TOKENS_MAX = 128,      /* of one chain */
    CALL_BYTES = 512 * 1024,
};

/* The balances asked of one chain. */
struct reading {
    const struct chain *chain;
    const struct token *tokens[TOKENS_MAX];
    unsigned count;
    uint64_t since; /* a block that the answers have to know */
    struct buf body;
    struct rpc_batch batch;
};

/* The wallets that live on EVM chains. */
struct owners {
    const char **text;
    struct evm_addr *addr;
    struct account_blocks *blocks;
    unsigned count;
};

struct question {
    const struct reading *reading;
    const struct owners *owners;
};

/* ---- asking ---- */

static void add_balance(struct multicall *m, struct evm_addr owner, const struct token *t)
{
    struct buf data = BUF_INIT(64);

    if (token_is_native(t)) {
        multicall_coin_balance(&data, owner);
        multicall_add(m, multicall_addr(), &data);
    } else {
        erc20_balance_of(&data, owner);
        multicall_add(m, token_addr(t), &data);
    }
    buf_free(&data);
}

static unsigned owners_in_call(const struct owners *o, unsigned call)
{
    unsigned left = o->count - call * WALLETS_PER_CALL;

    return left < WALLETS_PER_CALL ? left : WALLETS_PER_CALL;
}

/* The balances, and behind them the block that they are of. */
static void ask_owners(struct reading *r, const struct owners *o, unsigned call)
{
    struct multicall m = MULTICALL_INIT(CALL_BYTES);
    struct buf data = BUF_INIT(CALL_BYTES);

    for (unsigned i = 0; i < owners_in_call(o, call); i++)
        for (unsigned t = 0; t < r->count; t++)
            add_balance(&m, o->addr[call * WALLETS_PER_CALL + i], r->tokens[t]);
    multicall_block_number(&m, r->chain->arbsys);
    multicall_finish(&m, &data);
    multicall_call(&r->batch, &data);
    buf_free(&data);
    multicall_free(&m);
}

static void reading_add(struct reading *r, const struct token *list, size_t n)
{
    for (size_t i = 0; i < n && r->count < TOKENS_MAX; i++)
        if (strcmp(list[i].chain, r->chain->key) == 0)
            r->tokens[r->count++] = &list[i];
}

static void reading_begin(struct reading *r, const struct chain *c, const struct owners *o,
                          const struct holdings *out)
{
    *r = (struct reading){ .chain = c, .body = BUF_INIT(MAX_UPSTREAM) };
    reading_add(r, tokens, tokens_count);
    reading_add(r, out->also, out->also_count);
    for (unsigned i = 0; i < o->count; i++) {
        uint64_t block = changes_block_of(&o->blocks[i], c);

        r->since = block > r->since ? block : r->since;
    }
    r->batch = rpc_begin(&r->body);
    for (unsigned call = 0; call * WALLETS_PER_CALL < o->count; call++)
        ask_owners(r, o, call);
    rpc_end(&r->batch);
}

/* ---- reading ---- */

/* An upper bound of the number of holdings. */
static size_t holdings_at_most(const struct reading *readings, size_t n, const struct owners *o)
{
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (size_t)readings[i].count * o->count;
    return sum;
}

static bool results_of(struct multicall_results *out, struct arena *a, const struct rpc_answer *r)
{
    return rpc_bytes(&out->data, &out->len, a, r);
}

static bool block_read(uint64_t *out, const struct multicall_results *results, unsigned at)
{
    struct u256 word;

    return multicall_word(&word, results, at) && u256_to_u64(out, word);
}

/* The oldest block of an answer that several calls make up. */
static bool block_of_answers(uint64_t *out, const struct node_query *q, struct arena *a)
{
    const struct question *of = q->owner;
    uint64_t block;

    *out = UINT64_MAX;
    for (unsigned call = 0; call < q->answers.count; call++) {
        struct multicall_results results;

        if (!results_of(&results, a, &q->answers.items[call]) ||
            !block_read(&block, &results, owners_in_call(of->owners, call) * of->reading->count))
            return false;
        *out = block < *out ? block : *out;
    }
    return true;
}

/* False when some balance is missing: it is unknown then, not zero. */
static bool read_owner(struct holdings *out, const struct reading *r, const char *owner,
                       const struct multicall_results *results, unsigned at, const struct changes *changes)
{
    bool all = true;

    for (unsigned t = 0; t < r->count; t++) {
        const struct token *token = r->tokens[t];
        struct holding h = { r->chain, token, owner, .balance.decimals = token->decimals };

        if (!multicall_word(&h.balance.raw, results, at + t) ||
            !changes_lay(changes, token_is_native(token) ? NULL : token->address_text, &h.balance.raw))
            all = false;
        else if (!amount_is_zero(h.balance))
            out->held[out->count++] = h;
    }
    return all;
}

/* The changes of the wallet since the block of the answer. */
static bool owner_changes(const struct ctx *ctx, struct arena *a, const struct reading *r,
                          const struct owners *o, unsigned owner, const struct multicall_results *results,
                          unsigned at, struct changes *out)
{
    uint64_t block;

    *out = (struct changes){ .count = 0 };
    return block_read(&block, results, at) &&
           changes_since(ctx, a, o->text[owner], r->chain, changes_block_of(&o->blocks[owner], r->chain),
                         block, out);
}

static bool read_owners(const struct ctx *ctx, struct arena *a, struct holdings *out, const struct reading *r,
                        const struct owners *o, unsigned call, const struct multicall_results *results)
{
    unsigned n = owners_in_call(o, call);
    bool all = true;

    for (unsigned i = 0; i < n; i++) {
        unsigned owner = call * WALLETS_PER_CALL + i;
        struct changes changes;

        all = owner_changes(ctx, a, r, o, owner, results, n * r->count, &changes) &&
              read_owner(out, r, o->text[owner], results, i * r->count, &changes) && all;
    }
    return all;
}

static bool reading_end(const struct ctx *ctx, struct arena *a, struct holdings *out, const struct reading *r,
                        const struct owners *o, const struct rpc_answers *answers)
{
    bool all = true;

    for (unsigned call = 0; call < answers->count; call++) {
        struct multicall_results results;

        if (!results_of(&results, a, &answers->items[call]) ||
            !read_owners(ctx, a, out, r, o, call, &results))
            all = false;
    }
    return all;
}

/* ---- all of it ---- */

static bool is_wanted(const struct ctx *ctx, const struct chain *c, const struct chain *only)
{
    return c->type == CHAIN_EVM && (only == NULL ? nodes_known(ctx->nodes, c) : c == only);
}

static void read_chains(const struct ctx *ctx, struct arena *a, const struct owners *o,
                        const struct chain *only, struct holdings *out)
{
    struct reading *readings = ARENA_ARRAY(a, struct reading, chains_count);
    struct node_query *queries = ARENA_ARRAY(a, struct node_query, chains_count);
    struct question *questions = ARENA_ARRAY(a, struct question, chains_count);
    size_t n = 0;

    for (size_t i = 0; i < chains_count; i++)
        if (is_wanted(ctx, &chains[i], only))
            reading_begin(&readings[n++], &chains[i], o, out);
    for (size_t i = 0; i < n; i++) {
        questions[i] = (struct question){ &readings[i], o };
        queries[i] = (struct node_query){ .chain = readings[i].chain,
                                          .batch = &readings[i].batch,
                                          .owner = &questions[i],
                                          .since = readings[i].since,
                                          .block_of = block_of_answers };
    }
    node_ask_all(ctx, queries, n, DEADLINE_MS, a);
    holdings_reserve(out, a, holdings_at_most(readings, n, o));
    for (size_t i = 0; i < n; i++) {
        if (!queries[i].answered || !reading_end(ctx, a, out, &readings[i], o, &queries[i].answers))
            out->unread[out->unread_count++] = readings[i].chain;
        if (queries[i].answered)
            rpc_answers_free(&queries[i].answers);
        buf_free(&readings[i].body);
    }
}

void evm_balances(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                  const struct chain *only, struct holdings *out)
{
    struct owners o = { ARENA_ARRAY(a, const char *, count), ARENA_ARRAY(a, struct evm_addr, count),
                        ARENA_ARRAY(a, struct account_blocks, count), 0 };
    bool known = true;

    for (size_t i = 0; i < count; i++) {
        if (wallets[i].ref.kind != WALLET_EVM || !evm_addr_parse(&o.addr[o.count], wallets[i].ref.address))
            continue;
        known = changes_blocks(ctx, a, wallets[i].ref.address, &o.blocks[o.count]) && known;
        o.text[o.count++] = wallets[i].ref.address;
    }
    if (o.count > 0 && known)
        read_chains(ctx, a, &o, only, out);
    for (size_t i = 0; o.count > 0 && !known && i < chains_count; i++)
        if (is_wanted(ctx, &chains[i], only))
            out->unread[out->unread_count++] = &chains[i];
}
