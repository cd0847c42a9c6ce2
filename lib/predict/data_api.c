#include "predict/data_api.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json_numbers.h"
#include "base/safe_text.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "model/amount.h"

enum { TRADES_MAX = 500, DECIMAL_MAX = 48, TOKEN_MAX = 78 };

char *data_trades_url(struct arena *a, const char *base, const char *condition, uint64_t limit)
{
    return arena_printf(a, "%s/trades?market=%s&limit=%llu&offset=0&takerOnly=true", base, condition,
                        (unsigned long long)limit);
}

/* "0x" and 64 digits; NULL when it is something else. */
static const char *hash_of(struct arena *a, const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));
    uint8_t bytes[HASH_LEN];
    size_t n;

    return text != NULL && hex_decode_0x(bytes, sizeof bytes, &n, text) && n == HASH_LEN
               ? arena_strdup(a, text)
               : NULL;
}

static const char *side_of(const json_t *row)
{
    const char *text = json_string_value(json_object_get(row, "side"));

    if (text == NULL)
        return NULL;
    return strcmp(text, "BUY") == 0 ? "BUY" : strcmp(text, "SELL") == 0 ? "SELL" : NULL;
}

static bool read_trade(struct market_trade *t, struct arena *a, const json_t *row)
{
    const char *outcome = json_string_value(json_object_get(row, "outcome"));
    const char *seconds = json_numbers_member(a, row, "timestamp", 12);

    *t = (struct market_trade){ .side = side_of(row),
                                .price = json_numbers_member(a, row, "price", DECIMAL_MAX),
                                .size = json_numbers_member(a, row, "size", DECIMAL_MAX),
                                .outcome = outcome == NULL ? NULL : safe_text_copy(a, outcome),
                                .token = json_numbers_member(a, row, "asset", TOKEN_MAX),
                                .tx_hash = hash_of(a, row, "transactionHash") };
    if (seconds == NULL || t->side == NULL || t->price == NULL || t->size == NULL || t->token == NULL ||
        t->tx_hash == NULL)
        return false;
    t->time_ms = strtoll(seconds, NULL, 10) * 1000;
    return true;
}

static int by_time_down(const void *x, const void *y)
{
    const struct market_trade *a = x, *b = y;

    if (a->time_ms != b->time_ms)
        return a->time_ms < b->time_ms ? 1 : -1;
    return strcmp(a->tx_hash, b->tx_hash);
}

/* A transaction may settle several trades. */
static void set_ids(struct arena *a, struct market_trade *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned before = 0;

        for (size_t j = 0; j < i; j++)
            before += strcmp(list[j].tx_hash, list[i].tx_hash) == 0;
        list[i].id = before == 0 ? list[i].tx_hash : arena_printf(a, "%s-%u", list[i].tx_hash, before);
    }
}

bool data_read_trades(struct arena *a, const struct buf *answer, uint64_t max, struct market_trade **out,
                      size_t *count)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    size_t n = json_array_size(doc), i;
    bool ok = json_is_array(doc);

    n = n < TRADES_MAX ? n : TRADES_MAX;
    *out = ARENA_ARRAY(a, struct market_trade, n + 1);
    *count = 0;
    for (i = 0; i < n; i++)
        *count += read_trade(&(*out)[*count], a, json_array_get(doc, i));
    json_decref(doc);
    qsort(*out, *count, sizeof **out, by_time_down);
    set_ids(a, *out, *count);
    *count = *count < max ? *count : (size_t)max;
    return ok;
}

/* ---- positions ---- */

enum { PROFIT_PLACES = 6 };

char *data_positions_url(struct arena *a, const char *base, const char *user, unsigned offset)
{
    /* Without a threshold small ones would be left out. */
    return arena_printf(a, "%s/positions?user=%s&sizeThreshold=0&limit=%d&offset=%u", base, user,
                        POSITIONS_PAGE, offset);
}

/* A number of any sign and exponent as a plain decimal, rounded towards zero; NULL when it is none. */
static const char *number_of(struct arena *a, const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));
    struct amount amount;
    bool minus;

    if (text == NULL || strlen(text) > DECIMAL_MAX)
        return NULL;
    minus = *text == '-';
    if (!amount_of_number(&amount, text + minus, PROFIT_PLACES))
        return NULL;
    return arena_printf(a, "%s%s", minus && !amount_is_zero(amount) ? "-" : "", amount_text(a, amount));
}

static const char *position_text(struct arena *a, const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text == NULL ? NULL : safe_text_copy(a, text);
}

static bool decimal_is_zero(const char *text)
{
    return text[strspn(text, "0.")] == '\0';
}

static bool read_position(struct market_position *p, struct arena *a, const json_t *row, const char *user)
{
    const char *holder = json_string_value(json_object_get(row, "proxyWallet"));

    *p = (struct market_position){ .token = json_numbers_member(a, row, "asset", TOKEN_MAX),
                                   .condition = hash_of(a, row, "conditionId"),
                                   .size = json_numbers_member(a, row, "size", DECIMAL_MAX),
                                   .average_price = number_of(a, row, "avgPrice"),
                                   .price = number_of(a, row, "curPrice"),
                                   .realized_profit = number_of(a, row, "realizedPnl"),
                                   .unrealized_profit = number_of(a, row, "cashPnl"),
                                   .question = position_text(a, row, "title"),
                                   .outcome = position_text(a, row, "outcome") };
    return holder != NULL && strcasecmp(holder, user) == 0 && p->size != NULL && !decimal_is_zero(p->size) &&
           p->token != NULL && p->condition != NULL && p->average_price != NULL && p->price != NULL;
}

bool data_read_positions(struct arena *a, const struct buf *answer, const char *user,
                         struct market_position **out, size_t *count, size_t *rows)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok = json_is_array(doc) && json_array_size(doc) <= POSITIONS_PAGE;

    *rows = ok ? json_array_size(doc) : 0;
    *out = ARENA_ARRAY(a, struct market_position, *rows + 1);
    *count = 0;
    for (size_t i = 0; i < *rows; i++)
        *count += read_position(&(*out)[*count], a, json_array_get(doc, i), user);
    json_decref(doc);
    return ok;
}
