#include "exec/changes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "chain/address.h"
#include "chain/tokens.h"
#include "chain/unavailable.h"
#include "exec/chain_ops.h"

enum { AWAIT_MS = 3000, AWAIT_POLL_MS = 300 };

static const char COIN[] = "";

/* Those of the EVM are the same in any case. */
static bool is_token(const struct token_change *t, const char *token)
{
    return *t->token == '\0' || *token == '\0' ? *t->token == *token : address_same(t->token, token);
}

struct token_change *change_of(struct account_change *c, const char *token)
{
    for (unsigned i = 0; i < c->count; i++)
        if (is_token(&c->tokens[i], token))
            return &c->tokens[i];
    if (c->count == ACCOUNT_TOKENS_MAX)
        return NULL;
    c->tokens[c->count] = (struct token_change){ .left = U256_ZERO };
    (void)snprintf(c->tokens[c->count].token, sizeof c->tokens[c->count].token, "%s", token);
    return &c->tokens[c->count++];
}

/* ---- recording ---- */

/* Changes on which two nodes agree, where there are two, are known; of others only the block is stored. */
static bool transaction_record(struct db *db, struct arena *a, const struct tracked *w, unsigned i)
{
    struct account_change c = { .execution_id = w->execution->id,
                                .transaction_id = w->txs[i].effect.id,
                                .chain_id = w->chain->id,
                                .address = w->wallet.ref.address,
                                .block = w->observations[i].block };

    c.known = w->observations[i].confirmed && chain_ops_of(w->chain)->changes(&c, w, i);
    return account_changes_put(db, a, &c);
}

/* On the far chain, or, of a refund, on the wallet's own. */
static bool payment_record(struct db *db, struct arena *a, const struct tracked *w)
{
    const struct bridge *b = &w->bridge_observation.next;
    const struct token_ref *t = b->arrived.chain_id != 0 ? &b->arrived : &w->execution->to;
    const struct chain *chain = chain_by_id(b->out_chain_id);
    struct account_change c = { .execution_id = w->execution->id,
                                .chain_id = b->out_chain_id,
                                .address = w->bridge->recipient,
                                .block = b->out_block,
                                .known = !u256_is_zero(b->arrived_amount) && t->chain_id == b->out_chain_id };
    const struct token *listed = token_known(t);
    struct token_change *its;

    if (b->out_block == 0 || chain_ops_of(chain) == NULL)
        return true;
    if (b->state == BRIDGE_REFUNDED)
        c.address = w->wallet.ref.address;
    its = change_of(&c, listed != NULL && token_is_native(listed) ? COIN : t->address);
    if (its != NULL)
        its->came = b->arrived_amount;
    return account_changes_put(db, a, &c);
}

/* The change that a venue has made on the chain of the bought token: the amount, if the request reports
 * it. */
static bool brought_record(struct db *db, struct arena *a, const struct tracked *w)
{
    const struct token_ref *t = &w->execution->to;
    struct account_change c = { .execution_id = w->execution->id,
                                .chain_id = t->chain_id,
                                .address = w->wallet.ref.address };
    struct token_change *its = change_of(&c, t->address);

    for (unsigned i = 0; its != NULL && i < w->request_count; i++)
        if (w->request_observations[i].block != 0) {
            c.block = w->request_observations[i].block;
            c.known = w->request_observations[i].has_brought;
            its->came = w->request_observations[i].brought;
        }
    return c.block == 0 || account_changes_put(db, a, &c);
}

static bool block_is_new(const struct tracked *w, unsigned i)
{
    return w->observations[i].block != w->txs[i].block_number;
}

bool changes_record(struct db *db, struct arena *a, const struct tracked *w, bool moves, bool ends)
{
    unsigned count = w->chain != NULL ? w->count : 0;
    bool gone = moves && w->execution->status == EXEC_COMPLETED;

    for (unsigned i = 0; i < count; i++)
        gone = gone || (w->observations[i].block == 0 && w->txs[i].block_number != 0);
    if (gone && !account_changes_remove(db, w->execution->id))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (w->observations[i].block != 0 && (moves || gone || block_is_new(w, i)) &&
            !transaction_record(db, a, w, i))
            return false;
    if (!brought_record(db, a, w))
        return false;
    return !ends || w->bridge == NULL || !w->bridge_observation.due || payment_record(db, a, w);
}

/* ---- reading ---- */

bool changes_blocks(const struct ctx *ctx, struct arena *a, const char *address, struct account_blocks *out)
{
    int n;

    out->list = ARENA_ARRAY(a, struct account_block, chains_count);
    n = account_changes_newest(ctx->db, address, out->list, (unsigned)chains_count);
    out->count = n < 0 ? 0 : (unsigned)n;
    return n >= 0;
}

uint64_t changes_block_of(const struct account_blocks *b, const struct chain *c)
{
    for (unsigned i = 0; i < b->count; i++)
        if (b->list[i].chain_id == c->id)
            return b->list[i].block;
    return 0;
}

/* False: the database failed. */
static bool changes_read(const struct ctx *ctx, struct arena *a, const char *address, const struct chain *c,
                         uint64_t block, struct changes *out)
{
    int n = account_changes_above(ctx->db, a, address, c->id, block, &out->list);

    out->count = n < 0 ? 0 : (unsigned)n;
    return n >= 0;
}

static bool changes_by_others(const struct ctx *ctx, struct arena *a, const char *address,
                              const struct chain *c, uint64_t block, struct changes *out)
{
    bool known = true;

    for (size_t i = 0; changes_sources[i] != NULL; i++)
        known = changes_sources[i](ctx, a, address, c, block, out) && known;
    return known;
}

bool changes_since(const struct ctx *ctx, struct arena *a, const char *address, const struct chain *c,
                   uint64_t newest, uint64_t block, struct changes *out)
{
    bool known;

    *out = (struct changes){ .count = 0 };
    known = newest <= block || changes_read(ctx, a, address, c, block, out);
    for (unsigned i = 0; i < out->count; i++)
        known = known && out->list[i].known;
    return known && changes_by_others(ctx, a, address, c, block, out);
}

bool changes_lay(const struct changes *c, const char *token, struct u256 *balance)
{
    struct u256 left = U256_ZERO;

    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->list[i].count; k++) {
            const struct token_change *t = &c->list[i].tokens[k];

            if (is_token(t, token != NULL ? token : COIN) &&
                (!u256_add(balance, *balance, t->came) || !u256_add(&left, left, t->left)))
                return false;
        }
    return u256_sub(balance, *balance, left);
}

bool changes_block_for(const struct ctx *ctx, struct arena *a, const struct plan *p, uint64_t *block)
{
    struct account_blocks blocks;
    bool known = changes_blocks(ctx, a, p->wallet, &blocks);

    *block = known ? changes_block_of(&blocks, p->chain) : 0;
    return known;
}

/* From what is not known on nothing is laid: it is reserved for, as long as it has not settled. Returns the
 * block that the rest is of. */
static uint64_t known_part(struct changes *c, uint64_t block)
{
    for (unsigned i = 0; i < c->count; i++)
        if (!c->list[i].known) {
            c->count = i;
            return c->list[i].block - 1;
        }
    return block;
}

const struct err *changes_lay_state(const struct ctx *ctx, struct arena *a, const struct plan *p,
                                    uint64_t block, struct chain_state *st)
{
    struct changes changes = { .count = 0 };

    st->tried_at = st->block;
    if (st->block < block) {
        if (!changes_read(ctx, a, p->wallet, p->chain, st->block, &changes))
            return &E_INTERNAL;
        st->behind = changes.count > 0;
        st->block = known_part(&changes, block);
    }
    if (!changes_by_others(ctx, a, p->wallet, p->chain, st->tried_at, &changes))
        return chain_behind(a, p->chain);
    st->behind = st->behind || changes.count > 0;
    return changes_lay(&changes, NULL, &st->native_balance) &&
                   (p->leaves.native || changes_lay(&changes, p->leaves.token.address, &st->token_balance))
               ? NULL
               : chain_behind(a, p->chain);
}

bool changes_await(int64_t *until_ms)
{
    int64_t now = clock_mono_ms();

    if (*until_ms == 0)
        *until_ms = now + AWAIT_MS;
    return now < *until_ms && usleep(AWAIT_POLL_MS * 1000) == 0;
}

bool changes_await_state(int64_t *until_ms, struct arena *a, const struct plan *p, const struct err *e,
                         const struct chain_state *st)
{
    bool decides =
        e != NULL ? err_is(e, &E_BEHIND) : st->behind && (p->after != NULL || plan_verdict(a, p, st) != NULL);

    return decides && changes_await(until_ms);
}
