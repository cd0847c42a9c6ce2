#include "predict/credentials.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "codec/box.h"
#include "codec/hex.h"
#include "predict/message_sign.h"
#include "service/conf.h"
#include "store/predict_accounts.h"

enum { AUTH_DEADLINE_MS = 2500, CLOCK_DEADLINE_MS = 1000, ANSWER_MAX = 16 * 1024 };
enum { CLOCK_LIFE_MS = 3600 * 1000, CLOCK_APART_MAX_S = 3600 };

/* ---- the venue's clock ---- */

/* The seconds by which the venue's clock is ahead of ours, as this process has read it last. */
static struct {
    bool known;
    int64_t read_ms; /* monotonic */
    int64_t ahead_s;
} venue_clock;

int64_t clob_now(void)
{
    return clock_seconds() + venue_clock.ahead_s;
}

/* A clock that is far off is not believed. */
static void clock_set(int64_t seconds)
{
    int64_t ahead = seconds - clock_seconds();

    venue_clock.known = true;
    venue_clock.read_ms = clock_mono_ms();
    venue_clock.ahead_s = ahead >= -CLOCK_APART_MAX_S && ahead <= CLOCK_APART_MAX_S ? ahead : 0;
    if (ahead != venue_clock.ahead_s)
        log_repeated("venue_clock_wrong", "",
                     "msg=\"the prediction venue's clock makes no sense\" ahead_s=%" PRId64, ahead);
}

/* Without an answer ours stays. */
static void clock_read(const struct ctx *ctx, struct arena *a)
{
    struct call c;
    int64_t seconds;

    if (venue_clock.known && clock_mono_ms() - venue_clock.read_ms < CLOCK_LIFE_MS)
        return;
    call_init(&c, arena_printf(a, "%s/time", ctx->conf->predict_clob_url), ANSWER_MAX);
    call_use_lane(&c, ctx->bulkhead, BULKHEAD_EXCHANGE);
    (void)calls_run(ctx->net, &c, 1, CLOCK_DEADLINE_MS);
    if (c.result == CALL_ANSWERED && c.status == 200 && clob_read_time(&c.answer, &seconds))
        clock_set(seconds);
    call_free(&c);
}

/* ---- kept ---- */

enum { PLAIN_MAX = PREDICT_CREDENTIALS_MAX - BOX_OVERHEAD };

/* None of the three contains a line end. */
static bool credentials_parse(struct clob_credentials *out, char *text)
{
    char *secret = strchr(text, '\n'), *passphrase = secret == NULL ? NULL : strchr(secret + 1, '\n');

    memset(out, 0, sizeof *out);
    if (passphrase == NULL)
        return false;
    *secret++ = *passphrase++ = '\0';
    if (strlen(text) > CLOB_KEY_MAX || strlen(secret) > CLOB_SECRET_MAX ||
        strlen(passphrase) > CLOB_PASSPHRASE_MAX)
        return false;
    memcpy(out->key, text, strlen(text));
    memcpy(out->secret, secret, strlen(secret));
    memcpy(out->passphrase, passphrase, strlen(passphrase));
    return clob_credentials_fine(out);
}

/* Credentials sealed under another key count as none. */
static bool credentials_open(const struct ctx *ctx, const struct predict_account *p, const uint8_t *sealed,
                             size_t n, struct clob_credentials *out)
{
    char text[PLAIN_MAX + 1] = "";
    bool ok = box_open((uint8_t *)text, sealed, n, ctx->service_key) && credentials_parse(out, text);

    explicit_bzero(text, sizeof text);
    if (!ok)
        log_repeated("credentials_undecryptable", "",
                     "msg=\"credentials of the prediction venue cannot be opened\" wallet=%s",
                     p->wallet.ref.address);
    return ok;
}

bool credentials_stored(const struct ctx *ctx, const struct predict_account *p, struct clob_credentials *out)
{
    uint8_t sealed[PREDICT_CREDENTIALS_MAX];
    size_t n;

    return predict_accounts_credentials(ctx->db, p->wallet.id, sealed, &n) == LOOKUP_FOUND &&
           credentials_open(ctx, p, sealed, n, out);
}

static bool credentials_keep(const struct ctx *ctx, const struct predict_account *p,
                             const struct clob_credentials *c)
{
    uint8_t sealed[PREDICT_CREDENTIALS_MAX];
    char text[PLAIN_MAX + 1];
    int n = snprintf(text, sizeof text, "%s\n%s\n%s", c->key, c->secret, c->passphrase);
    bool ok = n > 0 && (size_t)n < sizeof text;

    if (ok)
        box_seal(sealed, (const uint8_t *)text, (size_t)n, ctx->service_key);
    explicit_bzero(text, sizeof text);
    return ok && predict_accounts_set_credentials(ctx->db, p->wallet.id, sealed, (size_t)n + BOX_OVERHEAD);
}

void credentials_rejected(const struct ctx *ctx, const struct predict_account *p)
{
    venue_clock.known = false;
    if (predict_accounts_reject_credentials(ctx->db, p->wallet.id) == UPDATED)
        log_repeated("credentials_refused", "",
                     "msg=\"the prediction venue does not take its credentials\" wallet=%s",
                     p->wallet.ref.address);
}

/* ---- derived or created ---- */

/* The headers of a request without credentials; in the arena. */
static bool auth_headers(const char *out[static CALL_MAX_HEADERS], const struct ctx *ctx, struct arena *a,
                         const struct predict_account *p)
{
    int64_t now = clob_now();
    const struct polymarket_message m = { .kind = POLYMARKET_AUTH, .auth_timestamp = (uint64_t)now };
    uint8_t sig[MESSAGE_SIGNATURE_LEN];
    char text[2 * MESSAGE_SIGNATURE_LEN + 1];

    if (!message_sign(sig, ctx, &p->wallet, &m))
        return false;
    hex_encode(text, sig, sizeof sig);
    out[0] = arena_printf(a, "POLY_ADDRESS: %s", p->wallet.ref.address);
    out[1] = arena_printf(a, "POLY_SIGNATURE: 0x%s", text);
    out[2] = arena_printf(a, "POLY_TIMESTAMP: %" PRId64, now);
    out[3] = "POLY_NONCE: 0";
    return true;
}

enum asked { ASKED_GOT, ASKED_REFUSED, ASKED_FAILED };

/* An answer without credentials is a refusal, and a silence is none. */
static enum asked auth_ask(const struct ctx *ctx, struct arena *a,
                           const char *headers[static CALL_MAX_HEADERS], const char *method, const char *path,
                           struct clob_credentials *out)
{
    enum asked asked = ASKED_FAILED;
    struct clob_error said;
    struct call c;

    call_init(&c, arena_printf(a, "%s%s", ctx->conf->predict_clob_url, path), ANSWER_MAX);
    call_use_lane(&c, ctx->bulkhead, BULKHEAD_EXCHANGE);
    c.method = method;
    memcpy(c.headers, headers, sizeof c.headers);
    (void)calls_run(ctx->net, &c, 1, AUTH_DEADLINE_MS);
    clob_error_read(a, &c, &said);
    if (said.fault == CLOB_FINE && clob_read_credentials(&c.answer, out))
        asked = ASKED_GOT;
    else if (said.fault != CLOB_LATER)
        asked = ASKED_REFUSED;
    if (asked != ASKED_GOT)
        log_repeated(
            "credentials_not_given", "",
            "msg=\"the prediction venue gives no credentials\" path=%s status=%d why=\"%s\" said=\"%s\"",
            path, c.status, c.why, said.text);
    if (c.answer.data != NULL)
        explicit_bzero(c.answer.data, c.answer.len);
    call_free(&c);
    return asked;
}

/* If another process was faster, it has created the same ones: they are derived then. */
static bool credentials_derive(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                               struct clob_credentials *out)
{
    static const char derive[] = "/auth/derive-api-key", create[] = "/auth/api-key";
    const char *headers[CALL_MAX_HEADERS] = { NULL };
    enum asked asked;

    if (!auth_headers(headers, ctx, a, p))
        return false;
    asked = auth_ask(ctx, a, headers, "GET", derive, out);
    if (asked == ASKED_REFUSED)
        asked = auth_ask(ctx, a, headers, "POST", create, out);
    if (asked == ASKED_REFUSED)
        asked = auth_ask(ctx, a, headers, "GET", derive, out);
    return asked == ASKED_GOT;
}

bool credentials_get(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                     struct clob_credentials *out)
{
    clock_read(ctx, a);
    if (credentials_stored(ctx, p, out))
        return true;
    return credentials_derive(ctx, a, p, out) && credentials_keep(ctx, p, out);
}

bool credentials_of(const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                    struct clob_credentials *out)
{
    clock_read(ctx, a);
    if (p->credentials_len > 0 && credentials_open(ctx, p, p->credentials, p->credentials_len, out))
        return true;
    return credentials_get(ctx, a, p, out);
}

/* ---- calls that bear them ---- */

bool clob_private(struct call *call, const struct ctx *ctx, struct arena *a, const struct predict_account *p,
                  const struct clob_credentials *c, const char *method, const char *path, const char *query,
                  const char *body)
{
    int64_t now = clob_now();
    char signature[CLOB_SIGNATURE_LEN + 1];

    if (!clob_sign(signature, c, now, method, path, body))
        return false;
    call_init(call,
              arena_printf(a, "%s%s%s%s", ctx->conf->predict_clob_url, path, query != NULL ? "?" : "",
                           query != NULL ? query : ""),
              MAX_UPSTREAM);
    call_use_lane(call, ctx->bulkhead, BULKHEAD_EXCHANGE);
    call->method = method;
    call->headers[0] = arena_printf(a, "POLY_ADDRESS: %s", p->wallet.ref.address);
    call->headers[1] = arena_printf(a, "POLY_SIGNATURE: %s", signature);
    call->headers[2] = arena_printf(a, "POLY_TIMESTAMP: %" PRId64, now);
    call->headers[3] = arena_printf(a, "POLY_API_KEY: %s", c->key);
    call->headers[4] = arena_printf(a, "POLY_PASSPHRASE: %s", c->passphrase);
    if (body != NULL)
        buf_adds(&call->body, body);
    return true;
}

bool clob_ask(struct call *call, const struct ctx *ctx, struct arena *a, const struct predict_account *p,
              const char *method, const char *path, const char *query, unsigned deadline_ms,
              struct clob_error *said)
{
    struct clob_credentials c;

    for (int i = 0;; i++) {
        if (!credentials_get(ctx, a, p, &c) || !clob_private(call, ctx, a, p, &c, method, path, query, NULL))
            return false;
        explicit_bzero(&c, sizeof c);
        (void)calls_run(ctx->net, call, 1, deadline_ms);
        clob_error_read(a, call, said);
        if (said->fault != CLOB_UNAUTHORIZED)
            return true;
        credentials_rejected(ctx, p);
        if (i > 0)
            return true;
        call_free(call);
    }
}
