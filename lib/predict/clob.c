#include "predict/clob.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_numbers.h"
#include "model/amount.h"

enum { LEVELS_MAX = 2000, DECIMAL_MAX = 48, PLACES = 18 };

char *clob_book_url(struct arena *a, const char *base, const char *token)
{
    return arena_printf(a, "%s/book?token_id=%s", base, token);
}

/* Against each other as the decimals that they are. */
static int decimal_cmp(const char *x, const char *y)
{
    struct amount a, b;

    if (!amount_of_number(&a, x, PLACES) || !amount_of_number(&b, y, PLACES))
        return 0;
    return u256_cmp(a.raw, b.raw);
}

static int by_price_down(const void *x, const void *y)
{
    return decimal_cmp(((const struct book_level *)y)->price, ((const struct book_level *)x)->price);
}

static int by_price_up(const void *x, const void *y)
{
    return decimal_cmp(((const struct book_level *)x)->price, ((const struct book_level *)y)->price);
}

/* The service sends the worst first; nothing relies on that. */
static bool read_side(struct arena *a, const json_t *list, struct book_level **out, size_t *count,
                      int (*order)(const void *, const void *))
{
    const json_t *row;
    size_t i;

    if (!json_is_array(list) || json_array_size(list) > LEVELS_MAX)
        return false;
    *out = ARENA_ARRAY(a, struct book_level, json_array_size(list) + 1);
    json_array_foreach(list, i, row)
    {
        struct book_level *level = &(*out)[(*count)++];

        level->price = json_numbers_member(a, row, "price", DECIMAL_MAX);
        level->size = json_numbers_member(a, row, "size", DECIMAL_MAX);
        if (level->price == NULL || level->size == NULL)
            return false;
    }
    qsort(*out, *count, sizeof **out, order);
    return true;
}

bool clob_read_book(struct arena *a, const struct buf *answer, struct book *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok;

    *out = (struct book){ .last_price = json_numbers_member(a, doc, "last_trade_price", DECIMAL_MAX),
                          .tick = json_numbers_member(a, doc, "tick_size", DECIMAL_MAX),
                          .min_size = json_numbers_member(a, doc, "min_order_size", DECIMAL_MAX) };
    ok = read_side(a, json_object_get(doc, "bids"), &out->bids, &out->bid_count, by_price_down) &&
         read_side(a, json_object_get(doc, "asks"), &out->asks, &out->ask_count, by_price_up);
    json_decref(doc);
    return ok;
}

/* No more than the dollar that a share may pay. */
static bool price_read(struct amount *out, const char *text)
{
    static const struct u256 most = { { 1000000000000000000ull } }; /* 10 to the power of PLACES */

    return text != NULL && amount_of_number(out, text, PLACES) && u256_cmp(out->raw, most) <= 0;
}

const char *book_midpoint(struct arena *a, const struct book *b)
{
    struct amount last, bid, ask, mid = { .decimals = PLACES + 1 };
    struct u256 sum;

    if (b->bid_count == 0 || b->ask_count == 0)
        return price_read(&last, b->last_price) ? b->last_price : NULL;
    if (!price_read(&bid, b->bids[0].price) || !price_read(&ask, b->asks[0].price) ||
        u256_cmp(bid.raw, ask.raw) > 0)
        return NULL;
    /* One place more, so that the half is exact: half of x is five times x a place further on. */
    if (!u256_add(&sum, bid.raw, ask.raw) || !u256_mul(&mid.raw, sum, u256_from_u64(5)))
        return NULL;
    return amount_text(a, mid);
}
