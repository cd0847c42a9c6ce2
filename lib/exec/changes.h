/* Changes of accounts by our own transactions, for the time in which nodes do not show them yet. Changes that
 * an agent was told of are stored by account and block (store/account_changes.h). A read of an account asks
 * for that block: a node that has not come so far is asked once more, as its name may stand for several, and
 * then the next one; if none has, the changes stored above the block of the answer are added to it. */
#ifndef EXEC_CHANGES_H
#define EXEC_CHANGES_H

#include "base/arena.h"
#include "chain/chains.h"
#include "exec/plan.h"
#include "exec/tracked.h"
#include "service/ctx.h"
#include "store/account_changes.h"

/* The place of the token in it, made where there is none; NULL: there is no room. */
struct token_change *change_of(struct account_change *c, const char *token);

/* Inside the transaction that records the poll of an execution: `moves` says that its status does, and `ends`
 * that its bridge has paid. */
bool changes_record(struct db *db, struct arena *a, const struct tracked *w, bool moves, bool ends);

/* ---- reading ---- */

/* The newest block of the chain that reads of any of the accounts have to know; 0: any will do. */
struct account_blocks {
    struct account_block *list;
    unsigned count;
};
/* False: the database failed. */
bool changes_blocks(const struct ctx *ctx, struct arena *a, const char *address, struct account_blocks *out);
uint64_t changes_block_of(const struct account_blocks *b, const struct chain *c);

/* Changes to add to a node's answer about an account at a block. */
struct changes {
    struct account_change *list;
    unsigned count;
};
/* The stored ones, the newest of which is in the block `newest`, or CHANGES_ANY, and those of other sources.
 * False: by how much it has changed since is not known. */
#define CHANGES_ANY UINT64_MAX
bool changes_since(const struct ctx *ctx, struct arena *a, const char *address, const struct chain *c,
                   uint64_t newest, uint64_t block, struct changes *out);

/* A source of changes that are by no transaction of ours, such as a venue that settles trades with what
 * wallets hold: appends those that a node does not show at the block. False: they are not known. */
typedef bool changes_source(const struct ctx *ctx, struct arena *a, const char *address,
                            const struct chain *c, uint64_t block, struct changes *out);
/* NULL behind the last. The engine lies below the markets: registry/changes_sources.c defines it. */
extern changes_source *const changes_sources[];
/* `token` NULL: the coin. False: what is shown and what is kept do not go together. */
bool changes_lay(const struct changes *c, const char *token, struct u256 *balance);

/* After the answer of nodes that are behind: pauses, and says whether they are asked again; for three seconds
 * in all from the first call on, before which *until_ms is 0. */
bool changes_await(int64_t *until_ms);

/* The block that a read of the plan's wallet has to know. False: the database failed. */
bool changes_block_for(const struct ctx *ctx, struct arena *a, const struct plan *p, uint64_t *block);
/* If *st is of an older block, adds the stored changes to its balances, so that it counts as of that block,
 * or of the last one up to which all is known. The refusal that nodes are behind, if the answer and the
 * stored changes contradict. */
const struct err *changes_lay_state(const struct ctx *ctx, struct arena *a, const struct plan *p,
                                    uint64_t block, struct chain_state *st);
/* Calls changes_await if *st is of an older block, or `e` is that refusal, and the missing blocks may have
 * decided the simulation: a market's simulation may always have had another result. False: nodes are not
 * asked again. */
bool changes_await_state(int64_t *until_ms, struct arena *a, const struct plan *p, const struct err *e,
                         const struct chain_state *st);

#endif
