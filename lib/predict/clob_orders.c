#include "predict/clob_orders.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json_numbers.h"
#include "base/safe_text.h"
#include "codec/hex.h"
#include "codec/query_string.h"
#include "model/amount.h"

enum {
    ROWS_MAX = 5000,
    CURSOR_MAX = 200,
    DECIMAL_MAX = 48,
    TRADE_ID_MAX = 80,
    UNIT = 1000000,
    CLOCKS_APART_S = 300
};
#define LAST_PAGE "LTE="

/* ---- members ---- */

/* Numbers come as JSON strings, and are strings once they are read (base/json_numbers.h). */
static const char *row_text(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text != NULL ? text : "";
}

/* Rounded down; false for what is none. */
static bool read_decimal(struct u256 *out, const json_t *row, const char *name, uint8_t places)
{
    const char *text = row_text(row, name);
    struct amount amount;

    if (strlen(text) > DECIMAL_MAX || !json_numbers_plain(text) || !amount_of_number(&amount, text, places))
        return false;
    *out = amount.raw;
    return true;
}

/* False for what does not fit a signed number of 64 bits, too. */
static bool read_units(uint64_t *out, const json_t *row, const char *name)
{
    struct u256 raw;

    return read_decimal(&raw, row, name, ORDER_UNIT_PLACES) && u256_to_u64(out, raw) && *out <= INT64_MAX;
}

static bool read_hash(uint8_t out[static HASH_LEN], const json_t *row, const char *name)
{
    size_t n;

    return hex_decode_0x(out, HASH_LEN, &n, row_text(row, name)) && n == HASH_LEN;
}

static bool read_seconds(int64_t *ms, const json_t *row, const char *name)
{
    const char *text = row_text(row, name);
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > 11 || text[digits] != '\0')
        return false;
    *ms = strtoll(text, NULL, 10) * 1000;
    return true;
}

/* A name of ours for the venue's, which may have a prefix and is written in any case. */
struct word {
    const char *text;
    int value;
};

/* By its first word: some have a sentence behind it, as in "CANCELED_order couldn't be fully filled". */
static int word_value(const struct word *words, const char *prefix, const char *text)
{
    size_t n;

    if (strncasecmp(text, prefix, strlen(prefix)) == 0)
        text += strlen(prefix);
    n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    while (words->text != NULL && (strncasecmp(words->text, text, n) != 0 || words->text[n] != '\0'))
        words++;
    return words->value;
}

static const struct word order_words[] = {
    { "LIVE", CLOB_LIVE },       { "DELAYED", CLOB_LIVE },
    { "UNMATCHED", CLOB_LIVE },  { "MATCHED", CLOB_MATCHED },
    { "FILLED", CLOB_MATCHED },  { "CANCELED", CLOB_ENDED },
    { "CANCELLED", CLOB_ENDED }, { "EXPIRED", CLOB_ENDED },
    { "INVALID", CLOB_ENDED },   { NULL, 0 },
};

static const struct word trade_words[] = {
    { "MATCHED", FILL_MATCHED },     { "RETRYING", FILL_MATCHED }, { "MINED", FILL_MINED },
    { "CONFIRMED", FILL_CONFIRMED }, { "FAILED", FILL_FAILED },    { NULL, 0 },
};

/* ---- pages ---- */

/* A cursor is sent back as it came, in a URL. */
static bool cursor_fine(const char *text)
{
    return text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_")] ==
               '\0' &&
           strlen(text) <= CURSOR_MAX;
}

/* The rows of a page, and the next one's cursor; NULL when it is none. */
static const json_t *page_rows(struct arena *a, const json_t *doc, struct clob_page *out)
{
    const json_t *rows = json_object_get(doc, "data");
    const char *next = row_text(doc, "next_cursor");

    *out = (struct clob_page){ .count = 0 };
    if (!json_is_array(rows) || json_array_size(rows) > ROWS_MAX || !cursor_fine(next))
        return NULL;
    if (*next != '\0' && strcmp(next, LAST_PAGE) != 0)
        out->next = arena_strdup(a, next);
    return rows;
}

/* ---- orders ---- */

static bool read_price(uint32_t *out, const json_t *row)
{
    uint64_t price;

    if (!read_units(&price, row, "price") || price == 0 || price >= UNIT ||
        price % (UNIT / ORDER_PRICE_ONE) != 0)
        return false;
    *out = (uint32_t)(price / (UNIT / ORDER_PRICE_ONE));
    return true;
}

static bool read_terms(struct clob_order *o, const json_t *row)
{
    return u256_parse(&o->token, row_text(row, "asset_id")) && read_price(&o->price, row) &&
           order_side_parse(&o->side, row_text(row, "side")) &&
           order_type_parse(&o->type, row_text(row, "order_type")) &&
           read_seconds(&o->created_ms, row, "created_at") && o->created_ms > 0 &&
           read_seconds(&o->expires_ms, row, "expiration");
}

static bool row_says_nothing(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);

    return json_is_string(value) && json_string_length(value) == 0;
}

static bool read_order(struct clob_order *o, const json_t *row)
{
    int status = word_value(order_words, "ORDER_STATUS_", row_text(row, "status"));

    *o = (struct clob_order){ .status = (enum clob_order_status)status };
    o->has_terms = read_terms(o, row);
    return status != 0 && read_hash(o->hash, row, "id") && read_units(&o->size, row, "original_size") &&
           (row_says_nothing(row, "size_matched") || read_units(&o->matched, row, "size_matched"));
}

bool clob_read_orders(struct arena *a, const struct buf *answer, struct clob_page *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *rows = page_rows(a, doc, out), *row;
    bool ok = rows != NULL;
    size_t i;

    out->orders = ARENA_ARRAY(a, struct clob_order, json_array_size(rows) + 1);
    json_array_foreach(rows, i, row) out->count += read_order(&out->orders[out->count], row);
    json_decref(doc);
    return ok;
}

/* Whether it is empty, or "null", with blanks around it. */
static bool answer_says_nothing(const struct buf *answer)
{
    json_t *doc = json_loadb(buf_text(answer), answer->len, JSON_DECODE_ANY, NULL);
    bool nothing = json_is_null(doc) || strspn(buf_text(answer), " \t\r\n") == answer->len;

    json_decref(doc);
    return nothing;
}

bool clob_read_order(const struct buf *answer, struct clob_order *out, bool *known)
{
    json_t *doc = NULL;
    bool ok;

    *known = !answer_says_nothing(answer);
    if (!*known)
        return true;
    doc = json_read_texts(answer->data, answer->len);
    ok = read_order(out, doc);
    json_decref(doc);
    return ok;
}

/* ---- cancels ---- */

static bool list_has(const json_t *list, const char *id)
{
    const json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        if (json_is_string(item) && strcasecmp(json_string_value(item), id) == 0)
            return true;
    }
    return false;
}

/* "already canceled or matched" and the like. */
static bool reason_is_definite(const char *why)
{
    return why != NULL && (strcasestr(why, "matched") != NULL || strcasestr(why, "cancel") != NULL ||
                           strcasestr(why, "not found") != NULL);
}

enum clob_cancel clob_read_cancel(struct arena *a, const struct buf *answer,
                                  const uint8_t hash[static HASH_LEN])
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const char *id = order_id_text(a, hash);
    enum clob_cancel said = CLOB_CANCEL_UNSAID;

    if (list_has(json_object_get(doc, "canceled"), id))
        said = CLOB_CANCELLED;
    else if (reason_is_definite(json_string_value(json_object_get(json_object_get(doc, "not_canceled"), id))))
        said = CLOB_OVER_BEFORE;
    json_decref(doc);
    return said;
}

/* ---- trades ---- */

char *clob_trades_query(struct arena *a, const char *market, const char *maker, int64_t since_ms,
                        const char *cursor)
{
    return arena_printf(a, "%s%s%s%safter=%" PRId64 "&next_cursor=%s", market != NULL ? "market=" : "",
                        market != NULL ? market : "", market != NULL ? "&" : "",
                        maker != NULL ? arena_printf(a, "maker_address=%s&", maker) : "",
                        since_ms / 1000 - CLOCKS_APART_S, query_escape(a, cursor));
}

/* Reads the members of a trade's row that apply to all its orders. */
static bool read_trade(struct fill *f, struct arena *a, const json_t *row)
{
    const char *id = row_text(row, "id");
    int state = word_value(trade_words, "TRADE_STATUS_", row_text(row, "status"));

    *f = (struct fill){ .state = (enum fill_state)state };
    if (state == 0 || *id == '\0' || strlen(id) > TRADE_ID_MAX || !safe_text_ok(id) ||
        !read_seconds(&f->at_ms, row, "match_time"))
        return false;
    f->trade = arena_strdup(a, id);
    f->has_tx = read_hash(f->tx_hash, row, "transaction_hash");
    return true;
}

/* Prices of trades are quotients of what was paid, with many places. */
#define QUOTIENT_ONE UINT64_C(1000000000000000000)
enum { QUOTIENT_PLACES = 18 };

/* Sets price and paid. */
static bool read_worth(struct fill *f, const json_t *row)
{
    const uint64_t tick = QUOTIENT_ONE / ORDER_PRICE_ONE;
    struct u256 paid, quotient;
    uint64_t price;

    if (!read_decimal(&quotient, row, "price", QUOTIENT_PLACES) || !u256_to_u64(&price, quotient) ||
        price > QUOTIENT_ONE ||
        !u256_muldiv(&paid, quotient, u256_from_u64(f->size), u256_from_u64(QUOTIENT_ONE)))
        return false;
    f->price = (uint32_t)((price + tick / 2) / tick);
    return u256_to_u64(&f->paid, paid);
}

/* A taker's fee is not in the row: it has "0" for the rate. */
static bool read_part(struct clob_fill *f, const struct fill *trade, const json_t *row, bool maker)
{
    f->fill = *trade;
    f->fill.maker = maker;
    return read_hash(f->order, row, maker ? "order_id" : "taker_order_id") &&
           read_units(&f->fill.size, row, maker ? "matched_amount" : "size") && f->fill.size != 0 &&
           read_worth(&f->fill, row);
}

static void page_add_fill(struct arena *a, struct clob_page *page, const struct fill *trade,
                          const json_t *row, bool maker)
{
    struct clob_fill f;

    if (!read_part(&f, trade, row, maker))
        return;
    page->fills = arena_grow(a, page->fills, page->count, sizeof f);
    page->fills[page->count++] = f;
}

bool clob_read_trades(struct arena *a, const struct buf *answer, struct clob_page *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *rows = page_rows(a, doc, out), *row, *maker;
    bool ok = rows != NULL;
    struct fill trade;
    size_t i, j;

    json_array_foreach(rows, i, row)
    {
        if (!read_trade(&trade, a, row))
            continue;
        page_add_fill(a, out, &trade, row, false);
        json_array_foreach(json_object_get(row, "maker_orders"), j, maker)
            page_add_fill(a, out, &trade, maker, true);
    }
    json_decref(doc);
    return ok;
}
