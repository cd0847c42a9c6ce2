#include "predict/predict_order_view.h"

#include <string.h>

#include "model/amount.h"

static void number_write(struct json_writer *w, const char *key, struct u256 raw, uint8_t places)
{
    const char *text = amount_text(w->arena, (struct amount){ .raw = raw, .decimals = places });
    json_t *tree = w->tree != NULL ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;

    jw_raw(w, key, text, strlen(text), tree);
    json_decref(tree);
}

/* Collateral for a share, over all that is matched; 0 before anything is. Neither of both exceeds 64 bits. */
static struct u256 average_price(const struct order *o)
{
    struct u256 average = U256_ZERO;

    if (o->matched == 0 ||
        !u256_muldiv(&average, u256_from_u64(o->paid), u256_from_u64(1000000), u256_from_u64(o->matched)))
        return U256_ZERO;
    return average;
}

/* One transaction may settle several trades of it. */
static bool tx_is_new(const struct fill *fills, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (fills[j].has_tx && memcmp(fills[j].tx_hash, fills[i].tx_hash, HASH_LEN) == 0)
            return false;
    return true;
}

static struct u256 fees_sum(const struct fill *fills, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        if (fills[i].state != FILL_FAILED)
            sum += fills[i].fee;
    return u256_from_u64(sum);
}

void order_view(struct json_writer *w, const struct order *o, const struct fill *fills, size_t n)
{
    char token[U256_DECIMAL_LEN + 1];

    u256_decimal(token, o->token);
    jw_string(w, "id", order_id_text(w->arena, o->hash));
    jw_string(w, "tokenId", token);
    jw_string(w, "side", order_side_text(o->side));
    number_write(w, "price", u256_from_u64(o->price), ORDER_PRICE_PLACES);
    number_write(w, "size", u256_from_u64(o->size), ORDER_SIZE_PLACES);
    jw_string(w, "status", order_status_text(o->status));
    number_write(w, "filled", u256_from_u64(o->matched), ORDER_UNIT_PLACES);
    number_write(w, "averagePrice", average_price(o), ORDER_UNIT_PLACES);
    number_write(w, "fee", fees_sum(fills, n), ORDER_UNIT_PLACES);
    if (order_spends(o)) {
        number_write(w, "spent", u256_from_u64(o->paid), ORDER_UNIT_PLACES);
        number_write(w, "shares", u256_from_u64(o->matched), ORDER_UNIT_PLACES);
    }
    jw_string(w, "market", o->market);
    jw_string(w, "outcome", o->outcome);
    jw_string(w, "type", order_type_text(o->type));
    jw_time(w, "expiration", o->expires_ms);
    jw_array(w, "tx_hashes");
    for (size_t i = 0; i < n; i++)
        if (fills[i].has_tx && tx_is_new(fills, i))
            jw_string(w, NULL, order_id_text(w->arena, fills[i].tx_hash));
    jw_end(w);
    jw_string_if(w, "error", o->error_message);
    jw_true_if(w, "cancelRequested", o->cancel_requested_ms != 0 && order_is_open(o->status));
    jw_time(w, "created_at", o->created_ms);
    jw_time(w, "updated_at", o->updated_ms);
}
