/* Trades of wallets in perpetuals, and funding paid to them: as the venue reported it, once. */
#ifndef STORE_PERPS_FILLS_H
#define STORE_PERPS_FILLS_H

#include "base/arena.h"
#include "model/list_filter.h"
#include "model/page.h"
#include "model/perps_order.h"
#include "store/db.h"

/* Inside a transaction. UNCHANGED: it is there already. */
enum db_update perps_fills_put(struct db *db, const struct perps_fill *f);
enum db_update perps_payments_put(struct db *db, const struct perps_payment *p);

/* All that an order has traded. */
struct perps_traded {
    uint64_t oid, size, paid;
    int64_t fee;
};
bool perps_fills_of(struct db *db, uint64_t wallet_id, uint64_t oid, struct perps_traded *out);
/* The traded amounts of the wallet's followed orders. Returns how many, -1: the database failed. */
int perps_fills_of_followed(struct db *db, struct arena *a, uint64_t wallet_id, struct perps_traded **out);
/* The numbers of the wallet's trades since then, in no order. Returns how many, -1: the database failed. */
int perps_fills_known(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id, int64_t since_ms,
                      uint64_t **trades);

/* The trades of the wallet in the last minute, newest first; orders that have traded more than their known
 * trades come before all others. Returns how many, -1: the database failed. */
int perps_fills_lately(struct db *db, struct arena *a, uint64_t agent_id, uint64_t wallet_id,
                       struct perps_fill **out);
/* The sum of all that the wallet has traded of the asset, with these orders: below 0, it has sold more. False
 * when the database failed. */
bool perps_fills_sum(struct db *db, uint64_t wallet_id, const char *asset, int64_t *out);

struct perps_past {
    const char *asset; /* NULL: any */
    struct list_period period;
};
/* A page of the agent's, newest first, and how many the filter lets through. Returns how many the page has.
 */
int perps_fills_page(struct db *db, uint64_t agent_id, const struct perps_past *past, const struct page *p,
                     struct perps_fill *out, uint64_t *total);
int perps_payments_page(struct db *db, uint64_t agent_id, const struct perps_past *past, const struct page *p,
                        struct perps_payment *out, uint64_t *total);

#endif
