/* What has lately moved collateral of a trading wallet, laid over what a node that is behind shows of it:
 * trades that have settled, and transfers that are completed. The venue tells the transaction of a trade,
 * which the node is asked for in the same batch; of a transfer the block of its own transaction is recorded,
 * and the wallet's nonce tells which batches it has carried out. A wallet that trades itself has what it
 * trades with among all that it holds: its trades are a source of changes (exec/changes.h). */
#ifndef PREDICT_COLLATERAL_LATELY_H
#define PREDICT_COLLATERAL_LATELY_H

#include "chain/rpc/rpc.h"
#include "exec/changes.h"
#include "predict/trading_wallet.h"
#include "store/account_changes.h"
#include "store/fills.h"

struct collateral_lately {
    uint64_t since;             /* the newest block of the chain in which a transfer is; 0: there is none */
    struct fill_settled *fills; /* of a contract */
    unsigned fill_count;
    struct transfer_row *transfers;
    unsigned transfer_count;
};

/* False: the database failed. */
bool collateral_lately_read(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                            struct collateral_lately *out);
/* Adds a question about each trade. */
void collateral_lately_ask(struct rpc_batch *b, const struct collateral_lately *l);

/* The block that `w` was read at, and where the answers about the trades begin. */
struct seen_at {
    uint64_t block;
    int64_t time_ms;
    const struct rpc_answer *trades;
};
/* Sets what *w shows to what it is by now: collateral, of a contract also its nonce and whom it allows what.
 * False: that is not known. */
bool collateral_lately_lay(const struct collateral_lately *l, const struct ctx *ctx, struct arena *a,
                           const struct seen_at *at, struct trading_wallet *w);

/* Trades of a wallet that trades itself. */
changes_source collateral_lately_changes;

#endif
