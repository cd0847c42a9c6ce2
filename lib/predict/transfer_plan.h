/* Transfers on their way to a commit: what each kind's plan is made from, and the plan. */
#ifndef PREDICT_TRANSFER_PLAN_H
#define PREDICT_TRANSFER_PLAN_H

#include "predict/predict_transfer.h"

struct transfer {
    struct action_op op;
    const struct transfer_asked *asked;
    struct predict_account account;
    struct trading_wallet trading; /* as it was seen ... */
    int64_t seen_ms;               /* ... then, by the database's clock */
    /* The kind's: */
    struct execution terms;
    struct u256 amount;         /* smallest units of dollars */
    struct trading_batch batch; /* the requests' */
};

/* Each fills in plan and terms; the plan's chain, wallet and deadline are set. NULL, or why not. */
const struct err *deposit_plan(struct transfer *t);
const struct err *withdrawal_plan(struct transfer *t);
const struct err *redemption_plan(struct transfer *t);

/* The collateral, and the dollars that it is made of. */
struct token_ref transfer_collateral(void);
struct token_ref transfer_dollar(void);

/* Appends a call of the wallet's own: the step that the plan is for. It spends so much of `token` through
 * `spender`; both may be NULL. Frees `data`. */
void transfer_step(struct transfer *t, const char *to, struct buf *data, const char *token,
                   const char *spender);
/* Appends calls by which so much collateral of the trading wallet becomes the managed wallet's dollars. */
void transfer_unwrap(struct transfer *t, struct u256 amount);
/* Appends that the venue is told to look at the collateral again, which the amount leaves or comes to. The
 * transfer ends without waiting for that. */
void transfer_tell(struct transfer *t, bool leaves);

#endif
