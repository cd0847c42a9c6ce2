#include "perps/order_read.h"

#include <stdio.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/params.h"
#include "base/safe_text.h"
#include "codec/hash.h"
#include "perps/number.h"
#include "perps/universe.h"

static const char *text_in(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text != NULL ? text : "";
}

/* ---- numbers ---- */

static bool units_in(struct arena *a, const json_t *row, const char *name, uint64_t *out)
{
    const char *number = perps_number(a, row, name);
    struct amount v;

    return number != NULL && perps_amount(&v, number) && u256_to_u64(out, v.raw) && *out <= INT64_MAX;
}

static bool signed_in(struct arena *a, const json_t *row, const char *name, uint8_t places, int64_t *out)
{
    const char *number = perps_signed(a, row, name);
    bool minus = number != NULL && *number == '-';
    struct amount v;
    uint64_t n;

    if (number == NULL || amount_parse(&v, number + minus, places) != AMOUNT_FINE ||
        !u256_to_u64(&n, v.raw) || n > INT64_MAX)
        return false;
    *out = minus ? -(int64_t)n : (int64_t)n;
    return true;
}

static bool whole_in(const json_t *row, const char *name, uint64_t *out)
{
    return params_whole(out, text_in(row, name)) && *out <= INT64_MAX;
}

static bool side_in(const json_t *row, bool *sells)
{
    const char *side = text_in(row, "side");

    *sells = strcmp(side, "A") == 0;
    return *sells || strcmp(side, "B") == 0;
}

static bool asset_in(struct arena *a, const json_t *row, const char **out)
{
    const char *asset = text_in(row, "coin");

    *out = perps_is_name(asset) ? arena_strdup(a, asset) : NULL;
    return *out != NULL;
}

/* A row without a cloid, or with another form of one, is not ours. */
static void cloid_in(const json_t *row, uint8_t out[static PERPS_CLOID_LEN])
{
    if (!perps_cloid_parse(out, text_in(row, "cloid")))
        memset(out, 0, PERPS_CLOID_LEN);
}

/* ---- why it says no ---- */

struct refusal {
    const char *begin; /* of its words, or of the word by which orderStatus has it */
    const struct err *err;
};

static const struct refusal refusals[] = {
    { "Price must be divisible by tick size", &E_PERPS_PRICE },
    { "tickRejected", &E_PERPS_PRICE },
    { "Order must have minimum value", &E_PERPS_MIN_VALUE },
    { "minTradeNtlRejected", &E_PERPS_MIN_VALUE },
    { "Insufficient margin", &E_PERPS_MARGIN },
    { "perpMarginRejected", &E_PERPS_MARGIN },
    { "insufficientSpotBalanceRejected", &E_PERPS_MARGIN },
    { "Not enough margin", &E_PERPS_MARGIN },
    { "Insufficient balance", &E_BALANCE },
    { "Insufficient USDC or HYPE balance for token transfer gas", &E_BALANCE },
    { "Reduce only order would increase position", &E_PERPS_NOTHING_REDUCED },
    { "reduceOnlyRejected", &E_PERPS_NOTHING_REDUCED },
    { "Post only order would have immediately matched", &E_PERPS_POST_ONLY },
    { "badAloPxRejected", &E_PERPS_POST_ONLY },
    { "Order could not immediately match", &E_NO_LIQUIDITY },
    { "No liquidity available", &E_NO_LIQUIDITY },
    { "iocCancelRejected", &E_NO_LIQUIDITY },
    { "marketOrderNoLiquidityRejected", &E_NO_LIQUIDITY },
    { "Invalid TP/SL price", &E_PERPS_TRIGGER },
    { "badTriggerPxRejected", &E_PERPS_TRIGGER },
    { "Order price", &E_PERPS_FAR },
    { "oracleRejected", &E_PERPS_FAR },
    { "Order would increase open interest", &E_PERPS_CAP },
    { "positionIncreaseAtOpenInterestCapRejected", &E_PERPS_CAP },
    { "positionFlipAtOpenInterestCapRejected", &E_PERPS_CAP },
    { "tooAggressiveAtOpenInterestCapRejected", &E_PERPS_CAP },
    { "Order rejected due to price more aggressive than oracle while at open interest cap", &E_PERPS_CAP },
    { "openInterestIncreaseRejected", &E_PERPS_CAP },
    { "Order would cause position to exceed margin tier limit", &E_PERPS_CAP },
    { "perpMaxPositionRejected", &E_PERPS_CAP },
    { "Too many open orders", &E_PERPS_TOO_MANY },
    { "tooManyOpenOrdersRejected", &E_PERPS_TOO_MANY },
    { "Trading is halted", &E_MARKET_PAUSED },
    { "Cannot switch leverage type", &E_PERPS_MODE },
    { "Invalid leverage value", &E_PERPS_LEVERAGE_REFUSED },
};

static const struct err *refusal_of(const char *words)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (strncmp(words, refusals[i].begin, strlen(refusals[i].begin)) == 0)
            return refusals[i].err;
    return &E_PERPS_REFUSED;
}

/* ---- orders ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static enum perps_order_state state_of(const char *word)
{
    if (strcmp(word, "filled") == 0)
        return PERPS_FILLED;
    if (ends_with(word, "Rejected") || strcmp(word, "rejected") == 0)
        return PERPS_REJECTED;
    if (ends_with(word, "anceled") || strcmp(word, "scheduledCancel") == 0 ||
        strcmp(word, "internalCancel") == 0)
        return PERPS_CANCELLED;
    return PERPS_RESTS;
}

static bool seen_read(struct arena *a, const json_t *row, struct perps_seen *out)
{
    *out = (struct perps_seen){ .state = PERPS_RESTS };
    cloid_in(row, out->cloid);
    return asset_in(a, row, &out->asset) && side_in(row, &out->sells) && whole_in(row, "oid", &out->oid) &&
           units_in(a, row, "origSz", &out->size) && units_in(a, row, "sz", &out->left) &&
           out->left <= out->size;
}

static bool status_read(struct arena *a, const json_t *doc, struct perps_seen *out)
{
    const json_t *order = json_object_get(doc, "order");
    const char *word = text_in(order, "status");

    if (*word == '\0' || !seen_read(a, json_object_get(order, "order"), out))
        return false;
    out->state = state_of(word);
    if (out->state == PERPS_REJECTED)
        out->why = refusal_of(word);
    if (out->state == PERPS_FILLED)
        out->left = 0;
    return true;
}

bool perps_read_status(struct arena *a, const struct buf *answer, struct perps_seen *out, bool *known)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const char *status = text_in(doc, "status");
    bool ok = strcmp(status, "unknownOid") == 0;

    *known = strcmp(status, "order") == 0;
    if (*known)
        ok = status_read(a, doc, out);
    json_decref(doc);
    return ok;
}

/* Reads a row, whose market has a name of the venue's own. */
typedef bool row_fn(struct arena *a, const json_t *row, void *out);

/* `holder` is the member that has the market; NULL: the row itself. */
static bool is_foreign(const json_t *row, const char *holder)
{
    return !perps_is_name(text_in(holder == NULL ? row : json_object_get(row, holder), "coin"));
}

/* False, and nothing read, where the answer is no list. Each row that is read has a place of `size` bytes. */
static bool rows_read(struct arena *a, const struct buf *answer, size_t size, const char *holder,
                      row_fn *read, void **out, size_t *n, struct perps_page *page)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok = json_is_array(doc) && json_array_size(doc) <= PERPS_ROWS_MAX;
    uint64_t last = 0;
    char *at;

    *n = 0;
    *page = (struct perps_page){ .rows = ok ? json_array_size(doc) : 0 };
    *out = at = arena_alloc(a, (page->rows + 1) * size);
    for (size_t i = 0; i < page->rows; i++) {
        const json_t *row = json_array_get(doc, i);

        if (is_foreign(row, holder))
            continue;
        if (read(a, row, at + *n * size))
            (*n)++;
        else
            page->senseless++;
    }
    if (page->rows > 0 && whole_in(json_array_get(doc, page->rows - 1), "time", &last))
        page->last_ms = (int64_t)last;
    json_decref(doc);
    return ok;
}

static bool open_row(struct arena *a, const json_t *row, void *out)
{
    return seen_read(a, row, out);
}

bool perps_read_open(struct arena *a, const struct buf *answer, struct perps_seen **out, size_t *n,
                     struct perps_page *page)
{
    void *rows;
    bool ok = rows_read(a, answer, sizeof **out, NULL, open_row, &rows, n, page);

    *out = rows;
    return ok;
}

/* ---- the past ---- */

/* A recorded trade may lack its number: then it is what it says of itself. */
static uint64_t trade_number(const json_t *row, const struct perps_fill *f)
{
    uint8_t digest[HASH_LEN];
    uint64_t n = 0;
    struct buf text = BUF_INIT(512);

    if (whole_in(row, "tid", &n) && n != 0)
        return n;
    buf_addf(&text, "%s %llu %llu %llu %lld", text_in(row, "hash"), (unsigned long long)f->oid,
             (unsigned long long)f->price, (unsigned long long)f->size, (long long)f->at_ms);
    sha256(digest, text.data, text.len);
    buf_free(&text);
    for (size_t i = 0; i < sizeof n; i++)
        n = n << 8 | digest[i];
    return n;
}

static bool fill_row(struct arena *a, const json_t *row, void *out)
{
    struct perps_fill *f = out;
    const char *asset;
    uint64_t at;

    *f = (struct perps_fill){ .liquidation = json_is_object(json_object_get(row, "liquidation")) };
    cloid_in(row, f->cloid);
    if (!asset_in(a, row, &asset) || !side_in(row, &f->sells) || !whole_in(row, "oid", &f->oid) ||
        !whole_in(row, "time", &at) || !units_in(a, row, "px", &f->price) ||
        !units_in(a, row, "sz", &f->size) || !signed_in(a, row, "fee", PERPS_PLACES, &f->fee) ||
        !signed_in(a, row, "closedPnl", PERPS_PLACES, &f->gain))
        return false;
    (void)snprintf(f->asset, sizeof f->asset, "%s", asset);
    f->at_ms = (int64_t)at;
    f->trade = trade_number(row, f);
    return f->size != 0 && f->price != 0;
}

bool perps_read_fills(struct arena *a, const struct buf *answer, struct perps_fill **out, size_t *n,
                      struct perps_page *page)
{
    void *rows;
    bool ok = rows_read(a, answer, sizeof **out, NULL, fill_row, &rows, n, page);

    *out = rows;
    return ok;
}

static bool payment_row(struct arena *a, const json_t *row, void *out)
{
    const json_t *delta = json_object_get(row, "delta");
    struct perps_payment *p = out;
    const char *asset;
    uint64_t at;

    *p = (struct perps_payment){ .at_ms = 0 };
    if (!asset_in(a, delta, &asset) || !whole_in(row, "time", &at) ||
        !signed_in(a, delta, "fundingRate", PERPS_SHARE_PLACES, &p->rate) ||
        !signed_in(a, delta, "szi", PERPS_PLACES, &p->size) ||
        !signed_in(a, delta, "usdc", PERPS_PLACES, &p->amount))
        return false;
    (void)snprintf(p->asset, sizeof p->asset, "%s", asset);
    p->at_ms = (int64_t)at;
    return true;
}

bool perps_read_payments(struct arena *a, const struct buf *answer, struct perps_payment **out, size_t *n,
                         struct perps_page *page)
{
    void *rows;
    bool ok = rows_read(a, answer, sizeof **out, "delta", payment_row, &rows, n, page);

    *out = rows;
    return ok;
}

/* ---- actions ---- */

static void said_no(struct arena *a, struct perps_reply *out, const char *words)
{
    out->text = safe_text_copy(a, words);
    if (strncmp(words, "Order was never placed", strlen("Order was never placed")) == 0) {
        out->answer = PERPS_REPLY_GONE;
        return;
    }
    out->answer = PERPS_REPLY_REFUSED;
    out->why = refusal_of(words);
}

/* A request that is refused as a whole. Words that are not known prove nothing: the same bytes are sent
 * again, or are over with their time. */
static void said_err(struct arena *a, struct perps_reply *out, const char *words)
{
    out->text = safe_text_copy(a, words);
    if (strncmp(words, "Invalid nonce: duplicate nonce", strlen("Invalid nonce: duplicate nonce")) == 0)
        out->answer = PERPS_REPLY_ARRIVED;
    else if (strncmp(words, "User or API Wallet", strlen("User or API Wallet")) == 0 ||
             strncmp(words, "Must deposit before", strlen("Must deposit before")) == 0)
        out->answer = PERPS_REPLY_UNKNOWN_SIGNER;
    else if (strncmp(words, "Extra agent", strlen("Extra agent")) == 0 ||
             strncmp(words, "Too many extra agents", strlen("Too many extra agents")) == 0)
        said_no(a, out, words);
    else if (refusal_of(words) != &E_PERPS_REFUSED)
        said_no(a, out, words);
}

/* The statuses of what was asked for in one action: the first one is the order's, and one fault is all of
 * theirs. */
static void said_statuses(struct arena *a, struct perps_reply *out, const json_t *statuses)
{
    const json_t *first = json_array_get(statuses, 0), *row;
    size_t i;

    json_array_foreach(statuses, i, row)
    {
        const char *wrong = json_string_value(json_object_get(row, "error"));

        if (wrong != NULL) {
            said_no(a, out, wrong);
            return;
        }
    }
    out->traded = json_is_object(json_object_get(first, "filled"));
    if (out->traded || json_is_object(json_object_get(first, "resting")) || json_is_string(first))
        out->answer = PERPS_REPLY_DONE;
}

static void said_ok(struct arena *a, struct perps_reply *out, const json_t *response)
{
    const json_t *data = json_object_get(response, "data"), *statuses = json_object_get(data, "statuses");
    const char *wrong = json_string_value(json_object_get(json_object_get(data, "status"), "error"));

    if (wrong != NULL)
        said_no(a, out, wrong);
    else if (json_is_array(statuses))
        said_statuses(a, out, statuses);
    else if (strcmp(text_in(response, "type"), "default") == 0)
        out->answer = PERPS_REPLY_DONE;
}

void perps_read_reply(struct arena *a, const struct buf *answer, struct perps_reply *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *response = json_object_get(doc, "response");
    const char *status = text_in(doc, "status");

    *out = (struct perps_reply){ .answer = PERPS_REPLY_NONE, .text = "" };
    if (strcmp(status, "ok") == 0)
        said_ok(a, out, response);
    else if (strcmp(status, "err") == 0 && json_is_string(response))
        said_err(a, out, json_string_value(response));
    json_decref(doc);
}
