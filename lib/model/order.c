#include "model/order.h"

#include <string.h>
#include <strings.h>

#include "codec/hex.h"

/* In units: of money, of a share, and of its fourth decimal. */
enum { CENT = 10000, UNIT = 1000000, FOURTH_PLACE = 100 };

static const char *const sides[] = { [ORDER_BUY] = "BUY", [ORDER_SELL] = "SELL" };
static const char *const types[] = {
    [ORDER_GTC] = "GTC", [ORDER_GTD] = "GTD", [ORDER_FOK] = "FOK", [ORDER_FAK] = "FAK"
};
static const char *const statuses[] = {
    [ORDER_PENDING] = "pending",     [ORDER_OPEN] = "open",         [ORDER_FILLED] = "filled",
    [ORDER_CANCELLED] = "cancelled", [ORDER_REJECTED] = "rejected", [ORDER_WAITING] = "pending",
};

bool order_has_ended(enum order_status s)
{
    return s == ORDER_FILLED || s == ORDER_CANCELLED || s == ORDER_REJECTED;
}

bool order_is_open(enum order_status s)
{
    return s == ORDER_PENDING || s == ORDER_OPEN;
}

const char *order_side_text(enum order_side s)
{
    return sides[s];
}

const char *order_type_text(enum order_type t)
{
    return types[t];
}

const char *order_status_text(enum order_status s)
{
    return statuses[s];
}

bool order_side_parse(enum order_side *out, const char *text)
{
    for (enum order_side s = ORDER_BUY; s <= ORDER_SELL; s++)
        if (strcasecmp(text, sides[s]) == 0) {
            *out = s;
            return true;
        }
    return false;
}

bool order_type_parse(enum order_type *out, const char *text)
{
    for (enum order_type t = ORDER_GTC; t <= ORDER_FAK; t++)
        if (strcasecmp(text, types[t]) == 0) {
            *out = t;
            return true;
        }
    return false;
}

bool order_status_parse(enum order_status *out, const char *text)
{
    for (enum order_status s = ORDER_PENDING; s <= ORDER_REJECTED; s++)
        if (strcmp(text, statuses[s]) == 0) {
            *out = s;
            return true;
        }
    return false;
}

char *order_id_text(struct arena *a, const uint8_t hash[static HASH_LEN])
{
    char *text = arena_strdup(a, "0x0000000000000000000000000000000000000000000000000000000000000000");

    hex_encode(text + 2, hash, HASH_LEN);
    return text;
}

bool order_id_parse(uint8_t out[static HASH_LEN], const char *text)
{
    return strlen(text) == ORDER_ID_LEN && text[0] == '0' && text[1] == 'x' &&
           hex_decode(out, HASH_LEN, text + 2, ORDER_ID_LEN - 2);
}

bool order_spends(const struct order *o)
{
    return o->side == ORDER_BUY && (o->type == ORDER_FOK || o->type == ORDER_FAK);
}

uint64_t order_cost(const struct order *o)
{
    uint64_t cost = o->size * o->price;

    return order_spends(o) ? cost - cost % CENT : cost;
}

/* The shares for an amount of money, in whole cents, at the price, rounded down to the four decimals that the
 * venue takes. The dividend is split, so that it fits. */
static uint64_t shares_for(uint64_t cost, uint32_t price)
{
    uint64_t cents = cost / CENT;

    return price == 0 ? 0 : (cents / price * UNIT + cents % price * UNIT / price) * FOURTH_PLACE;
}

uint64_t order_shares(const struct order *o)
{
    return order_spends(o) ? shares_for(order_cost(o), o->price) : o->size * ORDER_SIZE_UNITS;
}

bool order_is_whole(const struct order *o, uint64_t matched, uint64_t paid)
{
    if (matched == 0)
        return false;
    if (order_spends(o))
        return paid + CENT > order_cost(o);
    return matched + ORDER_SIZE_UNITS > order_shares(o);
}

/* The part of `whole` that `part` is of `all`, rounded up. */
static uint64_t order_part(uint64_t whole, uint64_t part, uint64_t all)
{
    struct u256 q, rest;

    if (!u256_mul(&q, u256_from_u64(whole), u256_from_u64(part)) ||
        !u256_div(&q, &rest, q, u256_from_u64(all)) || !u256_to_u64(&whole, q))
        return whole;
    return whole + !u256_is_zero(rest);
}

static uint64_t less(uint64_t from, uint64_t what)
{
    return from > what ? from - what : 0;
}

/* Those of `shares` that the wallet's balance does not show yet. */
static uint64_t order_unsettled(const struct order *o, uint64_t shares, bool since_settled)
{
    return since_settled ? shares : less(shares, o->settled);
}

/* Shares that a trade has moved, or may still move. */
static uint64_t order_may_move(const struct order *o)
{
    return order_is_open(o->status) ? order_shares(o) : o->matched;
}

/* For an order that spends: money that a trade has moved, or may still move, and the balance does not show
 * yet. */
static uint64_t order_money(const struct order *o, bool since_settled)
{
    uint64_t whole = order_is_open(o->status) ? order_cost(o) : o->paid;

    if (since_settled || o->matched == 0)
        return whole;
    return less(whole, o->paid - order_part(o->paid, less(o->matched, o->settled), o->matched));
}

uint64_t order_holds(const struct order *o, bool since_settled)
{
    uint64_t part, all = order_spends(o) ? order_cost(o) : order_shares(o);

    if (o->status == ORDER_WAITING)
        return 0;
    part = order_spends(o) ? order_money(o, since_settled)
                           : order_unsettled(o, order_may_move(o), since_settled);
    if (o->side == ORDER_SELL || part == 0)
        return part;
    return order_part(order_cost(o), part, all) + order_part(o->fee_most, part, all);
}

uint64_t order_brings(const struct order *o, bool since_settled)
{
    uint64_t shares = order_unsettled(o, o->matched, since_settled);

    return o->side == ORDER_BUY ? shares : order_part(order_cost(o), shares, order_shares(o));
}
