/* Polls of executions by Solana's nodes: how far their transactions have come, whether one can never come any
 * more, and the arrived amounts. The functions are as exec/chain_ops.h says. */
#ifndef EXEC_SOLANA_SOLANA_POLL_H
#define EXEC_SOLANA_SOLANA_POLL_H

#include "exec/chain_ops.h"

bool solana_poll_begin(const struct ctx *ctx, struct arena *a, struct chain_batch *s, struct call *call);
void solana_poll_end(const struct ctx *ctx, struct arena *a, struct chain_batch *s);
/* A transaction that no node shows, and whose hash no block takes, after the last block that could is final,
 * has expired: so says a second poll of two nodes, each by itself. Where there is one alone it has to say so
 * after ten minutes. */
void solana_poll_closely(const struct ctx *ctx, struct arena *a, struct tracked *w);
/* The same bytes again, for as long as a block may take them. Nothing is ever signed a second time. */
void solana_repair(const struct ctx *ctx, struct arena *a, struct tracked *w);
bool solana_arrived(struct u256 *out, const struct tracked *w, unsigned i);
bool solana_changes(struct account_change *out, const struct tracked *w, unsigned i);
void solana_poll_free(struct chain_batch *s);
void solana_place(const struct ctx *ctx, struct arena *a, const struct chain *c, struct unplaced_list *list);
bool solana_follow_end(struct db *db, const struct tracked *w);

/* The newest slot that is confirmed. */
enum lookup solana_newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                uint64_t *block);

#endif
