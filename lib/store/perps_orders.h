/* Orders for perpetuals: one row for each, and one for what stands behind it. */
#ifndef STORE_PERPS_ORDERS_H
#define STORE_PERPS_ORDERS_H

#include "model/list_filter.h"
#include "model/page.h"
#include "model/perps_order.h"
#include "store/db.h"

/* ---- inside the execute transaction ---- */

/* An order, which may stand behind another one, and what stands behind it: `n` in all. Pending, or waiting
 * for an approval as their status says. Sets the id of the first. */
enum { PERPS_ORDERS_AT_ONCE = 1 + PERPS_CHILDREN_MAX };
bool perps_orders_add(struct db *db, struct perps_order *list, unsigned n);
/* Those of the agent's execution that waited for an approval are signed now. UNCHANGED if they do not wait.
 */
enum db_update perps_orders_begin(struct db *db, uint64_t agent_id, uint64_t execution_id);

/* ---- reading; texts in the arena ---- */

/* The agent's order, by its id; agent_id 0: any agent's. LOOKUP_NONE also if it waits for an approval. */
enum lookup perps_orders_get(struct db *db, struct arena *a, uint64_t agent_id,
                             const uint8_t cloid[static PERPS_CLOID_LEN], struct perps_order *out);
/* The order of an execution, without what stands behind it. */
enum lookup perps_orders_of_execution(struct db *db, struct arena *a, uint64_t execution_id,
                                      struct perps_order *out);
/* The triggers of an order, at most PERPS_CHILDREN_MAX. Returns how many. The database is not asked for an
 * order that shows none. */
int perps_orders_behind(struct db *db, struct arena *a, const struct perps_order *o, struct perps_order *out);

struct perps_filter {
    enum order_status status; /* 0: any that is shown */
    const char *asset;        /* NULL: any */
    struct list_period created;
};
bool perps_filter_is_open(const struct perps_filter *f); /* to all that are shown */
/* A page of the agent's orders, newest first, with what lists show of them; of those that are open also what
 * rests behind an order that no longer does. Returns how many it has. */
int perps_orders_page(struct db *db, struct arena *a, uint64_t agent_id, const struct perps_filter *f,
                      const struct page *p, struct perps_order *out);
/* Counts those that pass; how many are shown in all, the agent's row has. */
bool perps_orders_count(struct db *db, uint64_t agent_id, const struct perps_filter *f, uint64_t *total);

/* ---- their outcome, inside a transaction, in addition to store/order_states.h ---- */

/* Records the result of a poll, `now`, for the order as it was read. Only members that a poll can show are
 * written. UNCHANGED: it is not as it was. */
enum db_update perps_orders_record(struct db *db, const struct perps_order *was,
                                   const struct perps_order *now);

/* Those behind the execution's order that were `from` are `to`: the order shows it. */
bool perps_orders_children_moved(struct db *db, uint64_t execution_id, enum order_status from,
                                 enum order_status to);

/* ---- following ---- */

/* Those of the wallet that are not final and were signed, by execution, orders before what stands behind
 * them. Returns how many. */
int perps_orders_followed(struct db *db, struct arena *a, uint64_t wallet_id, struct perps_order **out);

#endif
