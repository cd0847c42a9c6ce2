/* The choice of the accounts whose orders are looked at next: accounts at a venue, in that venue's table of
 * accounts. One is due as long as it has something that is followed, such as an order that is not final. A
 * claim moves its time to the end of the lease; another process that wants an earlier poll sets another time
 * meanwhile, which stays when the claim ends. */
#ifndef STORE_ORDER_LEASES_H
#define STORE_ORDER_LEASES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/order.h"
#include "store/db.h"

/* Inside the transaction that places or cancels an order: its account, which is there, is due in `ms`, unless
 * it is sooner anyway. */
bool order_leases_due(struct db *db, enum order_venue venue, uint64_t wallet_id, unsigned ms);

/* Claims up to `max` due accounts, those that have waited longest first. Returns how many. */
int64_t order_leases_claim(struct db *db, enum order_venue venue, const struct uuid *owner, unsigned lease_s,
                           unsigned max);
/* Ends the claim on one of them, which is due again in `ms`; 0: it has nothing left to look at. */
bool order_leases_release(struct db *db, enum order_venue venue, const struct uuid *owner, uint64_t wallet_id,
                          unsigned ms);

/* By how many seconds the account that has waited longest is overdue, of all venues'; -1 when the database
 * failed. */
int64_t order_leases_overdue(struct db *db);
/* How many of them are due: up to SQL_QUEUE_MOST at each venue; -1: the database failed. */
int64_t order_leases_waiting(struct db *db);

#endif
