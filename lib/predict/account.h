/* Accounts at the prediction venue: who holds what a wallet trades there. */
#ifndef PREDICT_ACCOUNT_H
#define PREDICT_ACCOUNT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/lookup.h"
#include "chain/evm/evm_addr.h"
#include "model/predict_account.h"
#include "service/ctx.h"
#include "venue/polymarket_order.h"

/* The market's name among places where wallets hold something (store/wallets.h). */
#define PREDICT_PLACE "predict"

/* Whether the operator has switched trading on, with all that it needs. */
bool predict_is_configured(const struct ctx *ctx);

/* The agent's wallet and its account, in one statement; kind 0: it has none yet. NULL, or as wallet_need. */
const struct err *account_find(const struct ctx *ctx, uint64_t agent_id, const char *address,
                               struct predict_account *out);
/* The wallet's account; the first time it is made, which asks the chain where its deposit wallet is. NULL, or
 * E_PREDICT_NOT_CONFIGURED, E_UPSTREAM when nodes did not answer or differ, E_INTERNAL. */
const struct err *account_open(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                               struct predict_account *out);

/* The wallet's deposit wallet as a wallet at its address: to see what it holds, not to sign. LOOKUP_NONE: it
 * has none. */
enum lookup account_deposit_wallet(struct db *db, const struct wallet *w, struct wallet *out);

/* The trading address: the deposit wallet's, or the wallet's own. */
struct evm_addr account_trading(const struct predict_account *p);
/* The signature type of its orders. */
enum polymarket_signature account_signature_type(const struct predict_account *p);
/* "deposit", "eoa" */
const char *account_kind_name(enum predict_account_kind kind);

#endif
