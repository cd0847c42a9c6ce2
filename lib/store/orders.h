/* Orders on prediction markets: one row for each execution of that kind. */
#ifndef STORE_ORDERS_H
#define STORE_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/list_filter.h"
#include "model/order.h"
#include "model/page.h"
#include "store/db.h"

/* ---- inside the execute transaction; the agent's totals follow ---- */

/* Next to its execution: pending with its hash, or waiting without one. created_ms 0: now. */
bool orders_add(struct db *db, const struct order *o);
/* One that waited for an approval is signed now: it is pending, with this hash and the fee of now. UNCHANGED
 * if it does not wait. */
enum db_update orders_begin(struct db *db, const struct order *o);

/* The amounts that the wallet's orders may still take out of it, beyond its balances at `seen_ms` by the
 * database's clock. The wallet is locked. */
struct order_reservation {
    uint64_t collateral, shares;               /* of `token` */
    uint64_t coming_collateral, coming_shares; /* that trades have brought, beyond the same balances */
};
bool orders_reserved(struct db *db, uint64_t wallet_id, const struct u256 *token, int64_t seen_ms,
                     struct order_reservation *out);

/* ---- reading ---- */

/* By the hash of any of its requests. agent_id 0: any agent's. */
enum lookup orders_get(struct db *db, struct arena *a, uint64_t agent_id, const uint8_t hash[static HASH_LEN],
                       struct order *out);
enum lookup orders_of_execution(struct db *db, struct arena *a, uint64_t execution_id, struct order *out);

/* The statuses that a list shows: bits of 1 << status. */
enum {
    ORDERS_LISTED = 1 << ORDER_PENDING | 1 << ORDER_OPEN | 1 << ORDER_FILLED,
    ORDERS_ALL = ORDERS_LISTED | 1 << ORDER_CANCELLED | 1 << ORDER_REJECTED,
};
/* The agent's with these statuses (those, all, or a single one), newest first, each without what lists do
 * not show, such as agent, wallet, question and what has settled. Returns how many. */
int orders_page(struct db *db, struct arena *a, uint64_t agent_id, unsigned statuses, const struct page *p,
                struct order *out);
/* The same of those that a filter lets through, and how many there are: the agent's rows are read. */
struct order_filter {
    unsigned statuses;        /* those, all, or a single one */
    const char *market;       /* NULL: any */
    const struct u256 *token; /* NULL: any */
    struct list_period created;
};
int orders_filtered(struct db *db, struct arena *a, uint64_t agent_id, const struct order_filter *f,
                    const struct page *p, struct order *out, uint64_t *total);

/* Whether the agent has one that the venue may still fill. */
enum lookup orders_open(struct db *db, uint64_t agent_id);

/* ---- its outcome, inside a transaction, in addition to store/order_states.h ---- */

/* Another request was signed in place of the one that bears its hash. */
bool orders_renewed(struct db *db, uint64_t execution_id, const uint8_t hash[static HASH_LEN]);
/* ---- following ---- */

/* Those that are not final of all wallets whose accounts the owner has claimed (store/predict_accounts.h), by
 * wallet. Returns how many. */
int orders_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct order **out);
/* Inside a transaction: what a poll showed, `now`, of the order as it was read. Only status, matched, paid,
 * settled, final and missed are written. UNCHANGED: it is not as it was. */
enum db_update orders_record(struct db *db, const struct order *was, const struct order *now);
/* From now on the venue does not know it (`missed`), or does again; nothing changes if that is known. */
bool orders_missed(struct db *db, uint64_t execution_id, bool missed);

#endif
