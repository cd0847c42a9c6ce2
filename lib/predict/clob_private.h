/* Answers of Polymarket's exchange to its own customers, and those about a market that an order needs. Pure:
 * each reader is false when the answer is none. */
#ifndef PREDICT_CLOB_PRIVATE_H
#define PREDICT_CLOB_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"
#include "net/call.h"

/* ---- credentials ---- */

enum { CLOB_KEY_MAX = 64, CLOB_SECRET_MAX = 128, CLOB_PASSPHRASE_MAX = 128 };

/* Visible ASCII, so that it fits into a header; `secret` is base64url. */
struct clob_credentials {
    char key[CLOB_KEY_MAX + 1]; /* the owner of orders */
    char secret[CLOB_SECRET_MAX + 1];
    char passphrase[CLOB_PASSPHRASE_MAX + 1];
};

bool clob_credentials_fine(const struct clob_credentials *c);
bool clob_read_credentials(const struct buf *answer, struct clob_credentials *out);
/* POLY_SIGNATURE: base64url, with padding, of the HMAC-SHA-256 of what is sent. `body` may be NULL. False
 * when the secret is none. */
enum { CLOB_SIGNATURE_LEN = 44 };
bool clob_sign(char out[static CLOB_SIGNATURE_LEN + 1], const struct clob_credentials *c, int64_t timestamp,
               const char *method, const char *path, const char *body);

/* ---- the account ---- */

enum clob_asset { CLOB_COLLATERAL, CLOB_SHARES, CLOB_SHARES_V3 };

struct clob_balance {
    struct u256 balance, allowance; /* smallest units */
};

/* The query of /balance-allowance and of /balance-allowance/update; `token` is NULL for collateral. */
char *clob_balance_query(struct arena *a, enum clob_asset asset, const char *token, unsigned signature_type);
/* The allowance is that of `spender`, 0 where it has none. */
bool clob_read_balance(const struct buf *answer, struct evm_addr spender, struct clob_balance *out);
bool clob_read_closed_only(const struct buf *answer, bool *out);

/* ---- the exchange ---- */

bool clob_read_time(const struct buf *answer, int64_t *seconds);
bool clob_read_version(const struct buf *answer, unsigned *out);
/* The market's condition, "0x" and 64 digits, in the arena. */
bool clob_read_condition(struct arena *a, const struct buf *answer, const char **out);

/* Fees are what a taker pays: shares x rate x (p x (1 - p)) ^ exponent. */
enum { CLOB_RATE_ONE = 1000000000, CLOB_RATE_PLACES = 9, CLOB_EXPONENT_MAX = 4 };

struct clob_market {
    uint32_t tick;         /* in ten-thousandths of a dollar, as prices are */
    uint64_t min_size;     /* in hundredths of a share, as sizes are; rounded up */
    uint32_t fee_rate;     /* of CLOB_RATE_ONE, rounded up */
    uint32_t fee_exponent; /* rounded down, so that the fee is never less */
    bool neg_risk;
    bool paused; /* it says that it takes no orders */
};

bool clob_read_market(const struct buf *answer, struct clob_market *out);
/* The fee of taking so many millionths of a share at that price, in smallest units of collateral, rounded up.
 * False when it does not fit. */
MUST_CHECK bool clob_fee(uint64_t *out, const struct clob_market *m, uint32_t price, uint64_t shares);
/* The venue's fee for it: rounded to five decimals. 0 where it does not fit. */
uint64_t clob_fee_charged(const struct clob_market *m, uint32_t price, uint64_t shares);

/* ---- refusals ---- */

enum clob_fault {
    CLOB_FINE,         /* answered with success, as far as the status says */
    CLOB_LATER,        /* nothing is decided: no answer, busy, or stopped for all users */
    CLOB_UNAUTHORIZED, /* by credentials that it does not take, or the clock */
    CLOB_UNKNOWN,      /* it does not know what it was asked for */
    CLOB_DUPLICATED,   /* it has had this order before */
    CLOB_VERSION,      /* orders have another form by now */
    CLOB_REFUSED,      /* for good */
};

/* `err` is what an agent is told; E_TICK and E_MIN_SIZE are formats that want the market's own. `text` is the
 * venue's, for the log: safe to show, "" when there is none. */
struct clob_error {
    enum clob_fault fault;
    const struct err *err; /* NULL: CLOB_FINE */
    const char *text;
};

/* The error of a call. The venue changes its status by its text, so the text decides where it is known. */
void clob_error_read(struct arena *a, const struct call *c, struct clob_error *out);
/* The same of a text that appears in an answer with success, such as errorMsg; "" is CLOB_FINE. */
void clob_error_of_text(struct arena *a, const char *text, struct clob_error *out);

#endif
