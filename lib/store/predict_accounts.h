/* Accounts of wallets at the prediction venue: one for each wallet that has traded there. */
#ifndef STORE_PREDICT_ACCOUNTS_H
#define STORE_PREDICT_ACCOUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/predict_account.h"
#include "store/db.h"

enum lookup predict_accounts_get(struct db *db, const struct wallet *w, struct predict_account *out);
/* The same, and reads its wallet. */
enum lookup predict_accounts_of_wallet(struct db *db, uint64_t wallet_id, struct predict_account *out);
/* The agent's wallet at that address, or its oldest one where that is NULL, as wallets_pick does, and its
 * account; kind 0: it has none. */
enum lookup predict_accounts_pick(struct db *db, uint64_t agent_id, const char *address,
                                  struct predict_account *out);
/* Kind, form and trading address never change. UNCHANGED: the wallet has one already, or no key any more. */
enum db_update predict_accounts_add(struct db *db, const struct predict_account *p);

/* As they are sealed; *n bytes. LOOKUP_NONE: there are none, or the venue does not take them any more. */
enum lookup predict_accounts_credentials(struct db *db, uint64_t wallet_id,
                                         uint8_t out[static PREDICT_CREDENTIALS_MAX], size_t *n);
bool predict_accounts_set_credentials(struct db *db, uint64_t wallet_id, const uint8_t *sealed, size_t n);
/* The venue does not take them any more. UNCHANGED: they are less than a minute old, or that is known. */
enum db_update predict_accounts_reject_credentials(struct db *db, uint64_t wallet_id);

/* Stores the venue's last answer. */
bool predict_accounts_set_closed_only(struct db *db, uint64_t wallet_id, bool closed_only);
/* Whether the venue said of one within the hour that it may only close positions. */
enum lookup predict_accounts_closed_only(struct db *db);

/* ---- leases of accounts whose orders are polled: store/order_leases.h ---- */

/* An older database is in place: all that the venue has given credentials are due, and sought for orders that
 * are not known, until a claim ends for good. Returns how many. */
int64_t predict_accounts_resync(struct db *db);
/* The accounts that the owner has claimed, by wallet, without those whose wallet is gone. Returns how
 * many. */
int predict_accounts_claimed(struct db *db, struct arena *a, const struct uuid *owner,
                             struct predict_account **out);

#endif
