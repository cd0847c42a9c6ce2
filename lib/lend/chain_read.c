#include "lend/chain_read.h"

#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "exec/changes.h"
#include "store/lend_listings.h"
#include "venue/aave_calls.h"
#include "venue/aave_state.h"
#include "venue/morpho_calls.h"

enum {
    CALL_BYTES = 512 * 1024,
    STALE_S = 600, /* a node whose block is older does not know what interest and prices are now */
};

static const char NO_ANSWER[] = "no node answers", BEHIND[] = "no node knows the wallet's last block";

/* A chain, and the round that it is asked in. */
struct chain_reading {
    struct lend_chain *at;
    bool all;        /* the list of Aave's reserves is not there yet */
    const char *why; /* it cannot be read; NULL: all well */
    uint64_t since;  /* a block that what is read of the owner has to know; 0: any will do */
    unsigned calls;
    struct buf body;
    struct rpc_batch batch;
};

/* ---- asking ---- */

static void round_begin(struct chain_reading *r)
{
    r->body = (struct buf)BUF_INIT(MAX_UPSTREAM);
    r->batch = rpc_begin(&r->body);
}

static void calls_add(struct chain_reading *r, struct multicall *m)
{
    struct buf data = BUF_INIT(CALL_BYTES);

    r->calls = m->count;
    multicall_finish(m, &data);
    multicall_call(&r->batch, &data);
    buf_free(&data);
    multicall_free(m);
}

/* By a call of its own: a list is longer than what a multicall keeps of an answer. */
static void list_add(struct chain_reading *r)
{
    struct buf data = BUF_INIT(ABI_SELECTOR);

    aave_ask_reserves(&data);
    rpc_add_call(&r->batch, NULL, contract_addr(contract_of(r->at->chain, &aave_pool)), &data);
    buf_free(&data);
}

static void first_ask(struct chain_reading *r)
{
    struct multicall m = MULTICALL_INIT(CALL_BYTES);

    round_begin(r);
    lend_ask(&m, multicall_addr(), multicall_block_time);
    for (size_t i = 0; lenders[i] != NULL; i++)
        lenders[i]->find(r->at, &m);
    calls_add(r, &m);
    if (r->all)
        list_add(r);
    rpc_end(&r->batch);
}

static void second_ask(struct chain_reading *r)
{
    struct multicall m = MULTICALL_INIT(CALL_BYTES);

    round_begin(r);
    for (size_t i = 0; lenders[i] != NULL; i++)
        lenders[i]->ask(r->at, &m);
    for (size_t k = 0; k < r->at->owner_count; k++) {
        r->at->owner = &r->at->owners[k];
        for (size_t i = 0; lenders[i] != NULL; i++)
            lenders[i]->ask_owner(r->at, &m);
    }
    multicall_block_number(&m, r->at->chain->arbsys);
    calls_add(r, &m);
    rpc_end(&r->batch);
}

/* ---- reading ---- */

static bool calls_read(struct lend_answers *out, const struct chain_reading *r, const struct rpc_answers *as)
{
    *out = (struct lend_answers){ .next = 0 };
    return rpc_bytes(&out->results.data, &out->results.len, r->at->arena, &as->items[0]) &&
           multicall_complete(&out->results, r->calls);
}

static bool block_is_new(struct lend_chain *c, struct lend_answers *r)
{
    struct u256 word;

    return lend_answer_word(&word, r) && u256_to_u64(&c->now_s, word) &&
           c->now_s + STALE_S >= (uint64_t)clock_seconds();
}

static bool block_read(struct lend_chain *c, struct lend_answers *r)
{
    struct u256 word;

    return lend_answer_word(&word, r) && u256_to_u64(&c->block, word);
}

static bool list_read(struct lend_chain *c, const struct rpc_answer *answer)
{
    const uint8_t *data;
    size_t len;

    return rpc_bytes(&data, &len, c->arena, answer) &&
           aave_read_reserves(c->reserves, LEND_RESERVES_MAX, &c->reserve_count, data, len);
}

static const char *first_read(struct chain_reading *r, const struct rpc_answers *as)
{
    struct lend_answers answers;

    if (!calls_read(&answers, r, as))
        return "no answer to the calls";
    if (!block_is_new(r->at, &answers))
        return "its block is old";
    for (size_t i = 0; lenders[i] != NULL; i++)
        if (!lenders[i]->found(r->at, &answers))
            return r->at->why != NULL ? r->at->why : lenders[i]->protocol;
    return !r->all || list_read(r->at, &as->items[1]) ? NULL : "no list of reserves";
}

static const char *second_read(struct chain_reading *r, const struct rpc_answers *as)
{
    struct lend_answers answers;

    if (!calls_read(&answers, r, as))
        return "no answer to the calls";
    for (size_t i = 0; lenders[i] != NULL; i++)
        if (!lenders[i]->read(r->at, &answers))
            return lenders[i]->protocol;
    for (size_t k = 0; k < r->at->owner_count; k++) {
        r->at->owner = &r->at->owners[k];
        for (size_t i = 0; lenders[i] != NULL; i++)
            if (!lenders[i]->read_owner(r->at, &answers))
                return lenders[i]->protocol;
    }
    if (!block_read(r->at, &answers))
        return "no block";
    return r->at->block < r->since ? BEHIND : NULL;
}

/* The block of the second round's answers. */
static bool block_of_answers(uint64_t *out, const struct node_query *q, struct arena *a)
{
    const struct chain_reading *r = q->owner;
    struct lend_answers answers;
    struct u256 word;

    (void)a;
    return calls_read(&answers, r, &q->answers) && multicall_word(&word, &answers.results, r->calls - 1) &&
           u256_to_u64(out, word);
}

/* ---- a round ---- */

typedef void ask_fn(struct chain_reading *r);
typedef const char *read_fn(struct chain_reading *r, const struct rpc_answers *as);

/* Runs one round for all chains that can still be read. */
static void round_run(const struct ctx *ctx, struct arena *a, struct chain_reading *list, size_t count,
                      ask_fn *ask, read_fn *read)
{
    struct node_query *queries = ARENA_ARRAY(a, struct node_query, count);
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        if (list[i].why != NULL)
            continue;
        ask(&list[i]);
        queries[n++] = (struct node_query){ .chain = list[i].at->chain,
                                            .batch = &list[i].batch,
                                            .owner = &list[i],
                                            .since = ask == second_ask ? list[i].since : 0,
                                            .block_of = block_of_answers };
    }
    node_ask_all(ctx, queries, n, LEND_DEADLINE_MS / 2, a);
    for (size_t i = 0; i < n; i++) {
        struct chain_reading *r = queries[i].owner;

        r->why = queries[i].answered ? read(r, &queries[i].answers) : NO_ANSWER;
        if (queries[i].answered)
            rpc_answers_free(&queries[i].answers);
        buf_free(&r->body);
    }
}

/* Without a database those that the operator lists are left. */
static void listings_add(struct lend_chain *c, struct db *db)
{
    struct lend_listing *list = ARENA_ARRAY(c->arena, struct lend_listing, LEND_MORPHO_MAX);
    int n = contract_of(c->chain, &morpho_blue) != NULL
                ? lend_listings_of(db, c->arena, c->chain->id, LEND_MORPHO_MAX, list)
                : 0;

    if (n > 0)
        lend_morpho_add_listings(c, list, (size_t)n);
}

static void reading_begin(struct chain_reading *r, const struct ctx *ctx, struct arena *a,
                          const struct chain *c, const struct evm_addr *owner)
{
    r->at = ARENA_NEW(a, struct lend_chain);
    r->at->chain = c;
    r->at->arena = a;
    r->at->owners = owner;
    r->at->owner_count = owner != NULL ? 1 : 0;
    r->all = true;
    r->why = lend_morpho_ids(r->at, ctx->conf) ? NULL : "the settings";
    if (r->why == NULL && ctx->conf->lend_morpho_api[0] != '\0')
        listings_add(r->at, ctx->db);
}

/* The newest blocks that agents were told of. */
static void since_read(const struct ctx *ctx, struct arena *a, const struct evm_addr *owner,
                       struct chain_reading *list, size_t count)
{
    char address[EVM_ADDR_TEXT_LEN + 1];
    struct account_blocks blocks;
    bool known;

    evm_addr_text(address, *owner);
    known = changes_blocks(ctx, a, address, &blocks);
    for (size_t i = 0; i < count; i++) {
        list[i].since = changes_block_of(&blocks, list[i].at->chain);
        if (!known)
            list[i].why = "the database";
    }
}

static void book_add(struct lend_book *out, struct arena *a, const struct lend_chain *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!c->markets[i].listed)
            continue;
        out->markets = arena_grow(a, out->markets, out->count, sizeof *out->markets);
        out->markets[out->count++] = c->markets[i];
    }
    for (size_t i = 0; i < c->position_count; i++) {
        out->positions = arena_grow(a, out->positions, out->position_count, sizeof *out->positions);
        out->positions[out->position_count++] = c->positions[i];
    }
    for (size_t i = 0; i < c->account_count; i++) {
        out->accounts = arena_grow(a, out->accounts, out->account_count, sizeof *out->accounts);
        out->accounts[out->account_count++] = c->accounts[i];
    }
}

static void reading_end(const struct chain_reading *r, struct lend_book *out, struct arena *a)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    snprintf(about, sizeof about, "chain=%s", r->at->chain->key);
    if (r->why == NULL) {
        book_add(out, a, r->at);
        return;
    }
    log_repeated("lending_read_failed", about, "msg=\"lending markets of a chain cannot be read\" why=\"%s\"",
                 r->why);
    out->unread[out->unread_count++] = r->at->chain;
}

void lend_read_chains(const struct ctx *ctx, struct arena *a, const struct chain *const *list, size_t count,
                      const struct evm_addr *owner, struct lend_book *out)
{
    struct chain_reading *readings = ARENA_ARRAY(a, struct chain_reading, count);

    *out = (struct lend_book){ .unread = ARENA_ARRAY(a, const struct chain *, count) };
    for (size_t i = 0; i < count; i++)
        reading_begin(&readings[i], ctx, a, list[i], owner);
    if (owner != NULL)
        since_read(ctx, a, owner, readings, count);
    round_run(ctx, a, readings, count, first_ask, first_read);
    round_run(ctx, a, readings, count, second_ask, second_read);
    for (size_t i = 0; i < count; i++)
        reading_end(&readings[i], out, a);
}

/* ---- some owners ---- */

static void scope_begin(struct chain_reading *r, struct arena *a, const struct chain *c,
                        const struct lend_scope *scope)
{
    r->at = ARENA_NEW(a, struct lend_chain);
    r->at->chain = c;
    r->at->arena = a;
    r->at->owners = scope->owners;
    r->at->owner_count = scope->owner_count;
    r->all = scope->reserves == NULL;
    r->why = scope->reserve_count > LEND_RESERVES_MAX || scope->market_count > LEND_MORPHO_MAX
                 ? "too many markets"
                 : NULL;
    if (r->why != NULL)
        return;
    for (size_t i = 0; !r->all && i < scope->reserve_count; i++)
        r->at->reserves[r->at->reserve_count++] = scope->reserves[i];
    for (size_t i = 0; i < scope->market_count; i++)
        memcpy(r->at->morpho[r->at->morpho_count++].id, scope->markets[i], HASH_LEN);
}

enum lookup lend_read_scope(const struct ctx *ctx, struct arena *a, const struct chain *c,
                            const struct lend_scope *scope, struct lend_book *out)
{
    struct chain_reading *r = ARENA_NEW(a, struct chain_reading);

    *out = (struct lend_book){ .unread = ARENA_ARRAY(a, const struct chain *, 1) };
    scope_begin(r, a, c, scope);
    round_run(ctx, a, r, 1, first_ask, first_read);
    round_run(ctx, a, r, 1, second_ask, second_read);
    reading_end(r, out, a);
    out->block = r->at->block;
    if (r->why == NULL)
        return LOOKUP_FOUND;
    return r->why == NO_ANSWER ? LOOKUP_ERROR : LOOKUP_NONE;
}
