/* The API credentials with which a wallet makes private calls to Polymarket's exchange (its L2 keys), and the
 * calls that bear them. They follow from the wallet's signature: lost ones are derived again, the same for
 * all processes. They are stored sealed under the service key (codec/box.h). */
#ifndef PREDICT_CREDENTIALS_H
#define PREDICT_CREDENTIALS_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/predict_account.h"
#include "net/call.h"
#include "predict/clob_private.h"
#include "service/ctx.h"

/* Those that are kept. Without any call: false where there are none. */
bool credentials_stored(const struct ctx *ctx, const struct predict_account *p, struct clob_credentials *out);
/* Those that are kept, else derived, else created; asks the venue then, so never inside a database
 * transaction. False when the signer or the venue is away or refuses (logged). */
bool credentials_get(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                     struct clob_credentials *out);
/* The same right after the account was read, with its credentials. */
bool credentials_of(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                    struct clob_credentials *out);
/* The venue answered 401: they are derived again at the next need, at most once a minute, and the venue's
 * clock is read again. */
void credentials_rejected(const struct ctx *ctx, const struct predict_account *p);

/* A call of the exchange in the account's name: URL, headers, method and body; the caller runs and frees it.
 * `path` begins with "/"; `query` and `body` may be NULL. The same bytes of a body are sent as were signed.
 * Texts are borrowed until the call has ended. False, and nothing to free, for credentials that are none. */
bool clob_private(struct call *call, const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                  const struct clob_credentials *c, const char *method, const char *path, const char *query,
                  const char *body);

/* Runs such a call without a body, after a 401 once more with what credentials_get then says. *said tells how
 * it ended. False, and nothing to free, where there are no credentials. */
bool clob_ask(struct call *call, const struct ctx *ctx, struct arena *a, const struct predict_account *p,
              const char *method, const char *path, const char *query, unsigned deadline_ms,
              struct clob_error *said);

/* Now by the venue's clock, in seconds. */
int64_t clob_now(void);

#endif
