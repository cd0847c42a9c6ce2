#include "perps/depth.h"

#include <string.h>

#include "base/json_reader.h"
#include "perps/number.h"

enum { LEVELS_MAX = 100 };

static bool level_read(struct arena *a, struct perps_level *out, const json_t *row, const char *price,
                       const char *size)
{
    struct amount ignored;

    out->price = perps_number(a, row, price);
    out->size = perps_number(a, row, size);
    return perps_is_positive(out->price) && perps_is_positive(out->size) &&
           perps_amount(&ignored, out->price) && perps_amount(&ignored, out->size);
}

/* Less than, equal to or greater than 0, as the price is below, at or above the other one. */
static int price_compare(const struct perps_level *x, const struct perps_level *y)
{
    struct amount left, right;

    return perps_amount(&left, x->price) && perps_amount(&right, y->price) ? u256_cmp(left.raw, right.raw)
                                                                           : 0;
}

/* `better` is the sign of how a better price compares with a worse one. */
static bool side_read(struct arena *a, const json_t *list, const char *price, const char *size, int better,
                      struct perps_level **out, size_t *count)
{
    const json_t *row;
    size_t i;

    if (!json_is_array(list) || json_array_size(list) > LEVELS_MAX)
        return false;
    *out = ARENA_ARRAY(a, struct perps_level, json_array_size(list) + 1);
    *count = json_array_size(list);
    json_array_foreach(list, i, row)
    {
        struct perps_level *at = &(*out)[i];

        if (!level_read(a, at, row, price, size) || (i > 0 && price_compare(at - 1, at) * better <= 0))
            return false;
    }
    return true;
}

static bool depth_is_sound(const struct perps_depth *d)
{
    return d->bid_count == 0 || d->ask_count == 0 || price_compare(d->bids, d->asks) < 0;
}

static bool depth_read(struct arena *a, const json_t *bids, const json_t *asks, const char *price,
                       const char *size, struct perps_depth *out)
{
    *out = (struct perps_depth){ .bid_count = 0 };
    return side_read(a, bids, price, size, 1, &out->bids, &out->bid_count) &&
           side_read(a, asks, price, size, -1, &out->asks, &out->ask_count) && depth_is_sound(out);
}

bool perps_read_depth(struct arena *a, const struct buf *answer, const char *asset, struct perps_depth *out)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    const json_t *levels = json_object_get(doc, "levels");
    const char *coin = json_string_value(json_object_get(doc, "coin"));
    bool ok = coin != NULL && strcmp(coin, asset) == 0 && json_array_size(levels) == 2 &&
              depth_read(a, json_array_get(levels, 0), json_array_get(levels, 1), "px", "sz", out);

    json_decref(doc);
    return ok;
}

/* ---- its cost ---- */

bool perps_depth_cost(struct amount *out, const struct perps_level *side, size_t count, struct amount size)
{
    struct u256 left = size.raw;

    *out = (struct amount){ U256_ZERO, PERPS_WORTH_PLACES };
    for (size_t i = 0; i < count && !u256_is_zero(left); i++) {
        struct amount price, part;
        struct u256 cost;

        if (!perps_amount(&price, side[i].price) || !perps_amount(&part, side[i].size))
            return false;
        if (u256_cmp(part.raw, left) > 0)
            part.raw = left;
        left = u256_difference(left, part.raw);
        if (!u256_mul(&cost, price.raw, part.raw) || !u256_add(&out->raw, out->raw, cost))
            return false;
    }
    return u256_is_zero(left);
}

/* ---- as it is kept, and shown ---- */

static void side_write(struct json_writer *w, const char *key, const struct perps_level *side, size_t count)
{
    jw_array(w, key);
    for (size_t i = 0; i < count; i++) {
        jw_object(w, NULL);
        perps_number_write(w, "price", side[i].price);
        perps_number_write(w, "size", side[i].size);
        jw_end(w);
    }
    jw_end(w);
}

void perps_depth_write(struct json_writer *w, const struct perps_depth *d)
{
    side_write(w, "bids", d->bids, d->bid_count);
    side_write(w, "asks", d->asks, d->ask_count);
}

bool perps_depth_of(struct arena *a, const char *text, struct perps_depth *out)
{
    json_t *doc = json_read_texts(text, strlen(text));
    bool ok = depth_read(a, json_object_get(doc, "bids"), json_object_get(doc, "asks"), "price", "size", out);

    json_decref(doc);
    return ok;
}
