#include "predict/clob_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json_numbers.h"
#include "base/safe_text.h"
#include "codec/base64.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "codec/u256_member.h"
#include "model/amount.h"
#include "venue/polymarket_order.h"

/* Fees are charged in hundred-thousandths of a dollar. */
enum { FEE_STEP = 10 };
enum { DECIMAL_MAX = 48, PLACES_MOST = 36, REFUSAL_TEXT_MAX = 300, TOO_MANY = 429 };

static json_t *answer_load(const struct buf *answer)
{
    return json_read_texts(answer->data, answer->len);
}

/* Loads an answer whose numbers are not texts. */
static json_t *answer_load_texts(const struct buf *answer)
{
    return answer->len == 0 ? NULL : json_loadb(answer->data, answer->len, 0, NULL);
}

static const char *member_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* ---- credentials ---- */

static bool fits_into_header(const char *text)
{
    size_t n = 0;

    while (text[n] > ' ' && text[n] < 0x7f)
        n++;
    return n > 0 && text[n] == '\0';
}

/* Padding may be missing. False for what is no base64. */
static bool secret_decode(uint8_t out[static CLOB_SECRET_MAX], size_t *n, const char *text)
{
    char padded[CLOB_SECRET_MAX + 4];
    size_t len = strlen(text);

    if (len == 0 || len > CLOB_SECRET_MAX)
        return false;
    for (size_t i = 0; i < len; i++)
        padded[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
    while (len % 4 != 0)
        padded[len++] = '=';
    return base64_decode(out, CLOB_SECRET_MAX, n, padded, len) && *n > 0;
}

bool clob_credentials_fine(const struct clob_credentials *c)
{
    uint8_t secret[CLOB_SECRET_MAX];
    size_t n;
    bool fine =
        fits_into_header(c->key) && fits_into_header(c->passphrase) && secret_decode(secret, &n, c->secret);

    explicit_bzero(secret, sizeof secret);
    return fine;
}

static bool member_copy(char *out, size_t size, const json_t *object, const char *name)
{
    const char *text = member_text(object, name);

    if (text == NULL || strlen(text) >= size)
        return false;
    memcpy(out, text, strlen(text) + 1);
    return true;
}

bool clob_read_credentials(const struct buf *answer, struct clob_credentials *out)
{
    json_t *doc = answer_load_texts(answer);
    bool ok;

    memset(out, 0, sizeof *out);
    ok = member_copy(out->key, sizeof out->key, doc, "apiKey") &&
         member_copy(out->secret, sizeof out->secret, doc, "secret") &&
         member_copy(out->passphrase, sizeof out->passphrase, doc, "passphrase") &&
         clob_credentials_fine(out);
    json_decref(doc);
    return ok;
}

bool clob_sign(char out[static CLOB_SIGNATURE_LEN + 1], const struct clob_credentials *c, int64_t timestamp,
               const char *method, const char *path, const char *body)
{
    struct buf message = BUF_INIT(MAX_UPSTREAM);
    uint8_t secret[CLOB_SECRET_MAX], mac[HASH_LEN];
    size_t n;
    bool ok = secret_decode(secret, &n, c->secret);

    buf_addf(&message, "%" PRId64 "%s%s", timestamp, method, path);
    if (body != NULL)
        buf_adds(&message, body);
    ok = ok && !message.overflow;
    if (ok) {
        hmac_sha256(mac, secret, n, message.data, message.len);
        base64url_encode(out, mac, sizeof mac);
        memcpy(out + CLOB_SIGNATURE_LEN - 1, "=", 2);
    }
    buf_free(&message);
    explicit_bzero(secret, sizeof secret);
    return ok;
}

/* ---- the account ---- */

char *clob_balance_query(struct arena *a, enum clob_asset asset, const char *token, unsigned signature_type)
{
    static const char *const names[] = {
        [CLOB_COLLATERAL] = "COLLATERAL", [CLOB_SHARES] = "CONDITIONAL", [CLOB_SHARES_V3] = "CONDITIONAL-V2"
    };

    return arena_printf(a, "asset_type=%s%s%s&signature_type=%u", names[asset],
                        token != NULL ? "&token_id=" : "", token != NULL ? token : "", signature_type);
}

bool clob_read_balance(const struct buf *answer, struct evm_addr spender, struct clob_balance *out)
{
    json_t *doc = answer_load(answer), *allowances = json_object_get(doc, "allowances");
    bool ok = u256_member(&out->balance, doc, "balance");
    struct evm_addr whose;
    const char *name;
    json_t *value;

    out->allowance = U256_ZERO;
    json_object_foreach(allowances, name, value)
    {
        if (evm_addr_read(&whose, name) && evm_addr_eq(whose, spender))
            ok = ok && u256_member(&out->allowance, allowances, name);
    }
    json_decref(doc);
    return ok;
}

bool clob_read_closed_only(const struct buf *answer, bool *out)
{
    json_t *doc = answer_load(answer);
    const json_t *value = json_object_get(doc, "closed_only");
    bool ok = json_is_boolean(value);

    *out = json_is_true(value);
    json_decref(doc);
    return ok;
}

/* ---- the exchange ---- */

static bool number_u64(uint64_t *out, const char *text)
{
    struct u256 n;

    return text != NULL && u256_parse(&n, text) && u256_to_u64(out, n);
}

bool clob_read_time(const struct buf *answer, int64_t *seconds)
{
    char text[24];
    uint64_t n;

    if (answer->len == 0 || answer->len >= sizeof text)
        return false;
    memcpy(text, answer->data, answer->len);
    text[answer->len] = '\0';
    text[strcspn(text, " \t\r\n")] = '\0';
    if (!number_u64(&n, text) || n > INT64_MAX)
        return false;
    *seconds = (int64_t)n;
    return true;
}

bool clob_read_version(const struct buf *answer, unsigned *out)
{
    json_t *doc = answer_load(answer);
    uint64_t n = 0;
    bool ok = number_u64(&n, member_text(doc, "version")) && n > 0 && n <= UINT16_MAX;

    *out = (unsigned)n;
    json_decref(doc);
    return ok;
}

bool clob_read_condition(struct arena *a, const struct buf *answer, const char **out)
{
    json_t *doc = answer_load(answer);
    const char *text = member_text(doc, "condition_id");
    uint8_t bytes[HASH_LEN];
    size_t n;
    bool ok = text != NULL && hex_decode_0x(bytes, sizeof bytes, &n, text) && n == HASH_LEN;

    if (ok)
        *out = arena_strdup(a, text);
    json_decref(doc);
    return ok;
}

/* A decimal in units of 10^-places: exactly where `exact`, else rounded up. */
static bool decimal_scaled(uint64_t *out, const char *text, uint8_t places, bool exact)
{
    struct amount fine, coarse;
    struct u256 scale = u256_from_u64(1), back;

    if (text == NULL || !amount_of_number(&fine, text, PLACES_MOST) ||
        !amount_of_number(&coarse, text, places) || !u256_to_u64(out, coarse.raw))
        return false;
    for (unsigned i = places; i < PLACES_MOST; i++)
        if (!u256_mul(&scale, scale, u256_from_u64(10)))
            return false;
    if (!u256_mul(&back, coarse.raw, scale))
        return false;
    if (u256_cmp(back, fine.raw) == 0)
        return true;
    *out += !exact;
    return !exact && *out != 0;
}

/* A market without a schedule has no fees. */
static bool read_fees(struct clob_market *m, const json_t *doc)
{
    const json_t *fees = json_object_get(doc, "fd");
    const char *rate = member_text(fees, "r"), *exponent = member_text(fees, "e");
    struct amount whole = { .decimals = 0 };
    uint64_t r = 0, e = 0;

    if (fees == NULL || json_is_null(fees) || rate == NULL)
        return fees == NULL || json_is_null(fees) || json_is_object(fees);
    if (!decimal_scaled(&r, rate, CLOB_RATE_PLACES, false) || r > CLOB_RATE_ONE || exponent == NULL ||
        !amount_of_number(&whole, exponent, 0))
        return false;
    if (!u256_to_u64(&e, whole.raw) || e > CLOB_EXPONENT_MAX)
        e = CLOB_EXPONENT_MAX;
    m->fee_rate = (uint32_t)r;
    m->fee_exponent = (uint32_t)e;
    return true;
}

bool clob_read_market(const struct buf *answer, struct clob_market *out)
{
    json_t *doc = answer_load(answer);
    uint64_t tick = 0;
    bool ok;

    *out = (struct clob_market){ .neg_risk = json_is_true(json_object_get(doc, "nr")),
                                 .paused = json_is_false(json_object_get(doc, "ao")) };
    ok = decimal_scaled(&tick, member_text(doc, "mts"), POLYMARKET_PRICE_PLACES, true) && tick > 0 &&
         tick < POLYMARKET_PRICE_ONE &&
         decimal_scaled(&out->min_size, member_text(doc, "mos"), POLYMARKET_SIZE_PLACES, false) &&
         read_fees(out, doc);
    out->tick = (uint32_t)tick;
    json_decref(doc);
    return ok;
}

/* shares x rate / 10^9 x (price x (10^4 - price) / 10^8) ^ exponent, in one division: the whole units, and
 * whether there is more. */
static bool fee_units(uint64_t *out, bool *more, const struct clob_market *m, uint32_t price, uint64_t shares)
{
    const uint64_t square = (uint64_t)POLYMARKET_PRICE_ONE * POLYMARKET_PRICE_ONE;
    struct u256 up = u256_from_u64(shares), down = u256_from_u64(CLOB_RATE_ONE), fee, rest;

    if (price > POLYMARKET_PRICE_ONE || !u256_mul(&up, up, u256_from_u64(m->fee_rate)))
        return false;
    for (uint32_t i = 0; i < m->fee_exponent; i++)
        if (!u256_mul(&up, up, u256_from_u64((uint64_t)price * (POLYMARKET_PRICE_ONE - price))) ||
            !u256_mul(&down, down, u256_from_u64(square)))
            return false;
    if (!u256_div(&fee, &rest, up, down) || !u256_to_u64(out, fee))
        return false;
    *more = !u256_is_zero(rest);
    return true;
}

bool clob_fee(uint64_t *out, const struct clob_market *m, uint32_t price, uint64_t shares)
{
    bool more;

    if (!fee_units(out, &more, m, price, shares))
        return false;
    *out += more;
    return !more || *out != 0;
}

uint64_t clob_fee_charged(const struct clob_market *m, uint32_t price, uint64_t shares)
{
    uint64_t fee;
    bool more;

    if (!fee_units(&fee, &more, m, price, shares) || fee > UINT64_MAX - FEE_STEP)
        return 0;
    return (fee + FEE_STEP / 2) / FEE_STEP * FEE_STEP;
}

/* ---- refusals ---- */

/* The beginnings of what it says, in any case; "*" is anything. The first that fits counts. */
static const struct refusal {
    const char *text;
    enum clob_fault fault;
    const struct err *err;
} refusals[] = {
    { "order_version_mismatch", CLOB_VERSION, &E_PREDICT_ORDER_FAILED },
    { "order * is invalid. Duplicated", CLOB_DUPLICATED, &E_PREDICT_ORDER_FAILED },
    { "order * is invalid. Price * breaks minimum tick size", CLOB_REFUSED, &E_TICK },
    { "order * is invalid. Size * lower than the minimum", CLOB_REFUSED, &E_MIN_SIZE },
    { "invalid amount for a marketable", CLOB_REFUSED, &E_LEAST_AT_ONCE },
    { "invalid amounts", CLOB_REFUSED, &E_PREDICT_ORDER_AMOUNTS },
    { "*not enough balance", CLOB_REFUSED, &E_ALLOWANCE },
    { "*invalid expiration", CLOB_REFUSED, &E_EXPIRATION },
    { "*invalid post-only order", CLOB_REFUSED, &E_WOULD_MATCH },
    { "order couldn't be fully filled", CLOB_REFUSED, &E_NO_MATCH },
    { "no orders found to match", CLOB_REFUSED, &E_NO_MATCH },
    { "the order owner has to be", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
    { "the order signer address has to be", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
    { "*address banned", CLOB_REFUSED, &E_NOT_PERMITTED },
    { "*closed only mode", CLOB_REFUSED, &E_NOT_PERMITTED },
    { "*maker address not allowed", CLOB_REFUSED, &E_NOT_PERMITTED },
    { "Trading restricted in your region", CLOB_REFUSED, &E_NOT_PERMITTED },
    { "the market is not yet ready", CLOB_REFUSED, &E_MARKET_PAUSED },
    { "*market is closed", CLOB_REFUSED, &E_MARKET_PAUSED },
    { "*not accepting orders", CLOB_REFUSED, &E_MARKET_PAUSED },
    { "No orderbook exists", CLOB_REFUSED, &E_MARKET_NOT_FOUND },
    { "market not found", CLOB_REFUSED, &E_MARKET_NOT_FOUND },
    { "*orderbook * does not exist", CLOB_REFUSED, &E_MARKET_NOT_FOUND },
    { "Invalid token id", CLOB_REFUSED, &E_TOKEN_ID },
    { "Invalid order payload", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
    { "Invalid orderID", CLOB_UNKNOWN, &E_PREDICT_ORDER_FAILED },
    { "Invalid side", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
    { "Trading is currently", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
    { "*post_only_mode", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
    { "*matching engine", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
    { "order match delayed", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
    { "Too Many Requests", CLOB_LATER, &E_PREDICT_ORDER_FAILED },
    { "Unauthorized", CLOB_UNAUTHORIZED, &E_PREDICT_ORDER_FAILED },
    { "Invalid api key", CLOB_UNAUTHORIZED, &E_PREDICT_ORDER_FAILED },
    { "Invalid L1 Request headers", CLOB_UNAUTHORIZED, &E_PREDICT_ORDER_FAILED },
    { "order * is invalid", CLOB_REFUSED, &E_PREDICT_ORDER_FAILED },
};

static bool piece_fits(const char *text, const char *piece, size_t n)
{
    return strncasecmp(text, piece, n) == 0;
}

/* Whether the text begins as the pattern says. */
static bool refusal_fits(const char *text, const char *pattern)
{
    bool anywhere = false;

    while (*pattern != '\0') {
        size_t n = strcspn(pattern, "*");

        while (anywhere && *text != '\0' && !piece_fits(text, pattern, n))
            text++;
        if (!piece_fits(text, pattern, n))
            return false;
        text += n;
        pattern += n;
        anywhere = *pattern == '*';
        pattern += anywhere;
    }
    return true;
}

static const struct refusal *refusal_of(const char *text)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (refusal_fits(text, refusals[i].text))
            return &refusals[i];
    return NULL;
}

void clob_error_of_text(struct arena *a, const char *text, struct clob_error *out)
{
    const struct refusal *r = refusal_of(text);

    *out = (struct clob_error){ .fault = CLOB_REFUSED, .err = &E_PREDICT_ORDER_FAILED, .text = "" };
    if (*text == '\0')
        *out = (struct clob_error){ .fault = CLOB_FINE, .text = "" };
    else
        out->text = safe_text_copy(a, arena_strndup(a, text, strnlen(text, REFUSAL_TEXT_MAX)));
    if (r != NULL) {
        out->fault = r->fault;
        out->err = r->err;
    }
}

static enum clob_fault fault_of_status(int status)
{
    if (status >= 500 || status == 425 || status == TOO_MANY || status == 408 || status < 400)
        return CLOB_LATER;
    return status == 401 ? CLOB_UNAUTHORIZED : status == 404 ? CLOB_UNKNOWN : CLOB_REFUSED;
}

void clob_error_read(struct arena *a, const struct call *c, struct clob_error *out)
{
    const char *text;
    json_t *doc;

    *out = (struct clob_error){ .fault = CLOB_LATER, .err = &E_PREDICT_ORDER_FAILED, .text = "" };
    if (c->result != CALL_ANSWERED)
        return;
    if (c->status >= 200 && c->status < 300) {
        *out = (struct clob_error){ .fault = CLOB_FINE, .text = "" };
        return;
    }
    doc = answer_load_texts(&c->answer);
    text = member_text(doc, "error");
    if (text != NULL && *text != '\0') { /* else the answer is not the exchange's */
        clob_error_of_text(a, text, out);
        if (refusal_of(text) == NULL || c->status == TOO_MANY) /* which says nothing of the order */
            out->fault = fault_of_status(c->status);
        if (c->status == 403 && out->err == &E_PREDICT_ORDER_FAILED)
            out->err = &E_NOT_PERMITTED;
    }
    json_decref(doc);
}
