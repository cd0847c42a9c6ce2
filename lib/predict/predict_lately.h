/* Trades of a wallet's orders in the last minutes, added to the positions that the venue shows. Its list
 * follows the chain, minutes behind a match at times. A size that the holding had before the last of the
 * recorded trades is old; any other one is the venue's own word. */
#ifndef PREDICT_PREDICT_LATELY_H
#define PREDICT_PREDICT_LATELY_H

#include "base/arena.h"
#include "base/err.h"
#include "model/wallet.h"
#include "predict/data_api.h"
#include "service/ctx.h"

struct predict_lately; /* of one wallet, in the arena */

const struct err *predict_lately_read(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                      struct predict_lately **out);
/* Sets what is shown of a holding to what it is by now. False: it is gone. */
bool predict_lately_lay(struct predict_lately *l, struct arena *a, struct market_position *p);
/* After all that are shown: the next one that none of them was; false: there is no more. */
bool predict_lately_next(struct predict_lately *l, struct arena *a, struct market_position *out);

#endif
