/* Records the results of a poll of orders: the order, its fills, the event for its agent, and the part that
 * policies count. */
#ifndef PREDICT_ORDER_RECORD_H
#define PREDICT_ORDER_RECORD_H

#include "base/arena.h"
#include "predict/predict_account_poll.h"
#include "store/db.h"

/* Records it for all of them, where anything is new. Some are recorded in one transaction, and each in its
 * own where that fails. An order that another process has changed since it was read is left as it is. Returns
 * false when something could not be recorded. */
bool order_polls_record(struct db *db, struct arena *a, const struct order_poll *polls, unsigned n);

#endif
