#include "venue/hyperliquid_message.h"

#include <string.h>

#include "codec/packet.h"

/* ---- writing ---- */

static void put_order(struct buf *out, const struct hyperliquid_order *o)
{
    packet_put_u32(out, o->asset);
    buf_addc(out, o->buy);
    buf_addc(out, o->reduce_only);
    packet_put_u64(out, o->price);
    packet_put_u64(out, o->size);
    buf_addc(out, (uint8_t)o->kind);
    if (hyperliquid_is_trigger(o)) {
        packet_put_u64(out, o->trigger_price);
        buf_addc(out, o->trigger_is_market);
    }
    buf_addc(out, o->has_cloid);
    if (o->has_cloid)
        buf_add(out, o->cloid, sizeof o->cloid);
}

static void put_cancels(struct buf *out, const struct hyperliquid_action *a)
{
    buf_addc(out, (uint8_t)a->count);
    for (size_t i = 0; i < a->count; i++) {
        packet_put_u32(out, a->cancels[i].asset);
        buf_add(out, a->cancels[i].cloid, sizeof a->cancels[i].cloid);
    }
}

static void put_transfer(struct buf *out, const struct hyperliquid_action *a)
{
    const struct hyperliquid_transfer *t = &a->transfer;

    packet_put_u64(out, t->amount);
    if (a->kind == HYPERLIQUID_CLASS_TRANSFER) {
        buf_addc(out, t->to_perp);
        return;
    }
    buf_add(out, t->recipient.bytes, EVM_ADDR_LEN);
    if (a->kind == HYPERLIQUID_WITHDRAW)
        return;
    buf_addc(out, t->from_spot);
    packet_put_u32(out, t->domain);
    packet_put_u64(out, t->gas_limit);
}

void hyperliquid_message_write(struct buf *out, const struct hyperliquid_action *a)
{
    buf_addc(out, (uint8_t)a->kind);
    buf_addc(out, a->testnet);
    packet_put_u64(out, a->nonce);
    if (hyperliquid_is_trading(a->kind))
        packet_put_u64(out, a->expires_after);
    switch (a->kind) {
    case HYPERLIQUID_ORDER:
        buf_addc(out, (uint8_t)a->grouping);
        buf_addc(out, (uint8_t)a->count);
        for (size_t i = 0; i < a->count; i++)
            put_order(out, &a->orders[i]);
        break;
    case HYPERLIQUID_CANCEL:
        put_cancels(out, a);
        break;
    case HYPERLIQUID_LEVERAGE:
        packet_put_u32(out, a->leverage.asset);
        buf_addc(out, a->leverage.cross);
        packet_put_u32(out, a->leverage.leverage);
        break;
    case HYPERLIQUID_SCHEDULE:
        packet_put_u64(out, a->schedule);
        break;
    case HYPERLIQUID_NOOP:
        break;
    case HYPERLIQUID_APPROVE:
        buf_add(out, a->approval.key.bytes, EVM_ADDR_LEN);
        packet_put_bytes(out, a->approval.name, strlen(a->approval.name), HYPERLIQUID_NAME_MAX);
        packet_put_u64(out, a->approval.valid_until);
        break;
    case HYPERLIQUID_WITHDRAW:
    case HYPERLIQUID_CLASS_TRANSFER:
    case HYPERLIQUID_SEND:
        put_transfer(out, a);
        break;
    }
}

/* ---- reading ---- */

static bool take_bool(struct packet *in, bool *v)
{
    uint8_t byte;

    if (!packet_take_u8(in, &byte) || byte > 1)
        return false;
    *v = byte == 1;
    return true;
}

static bool take_trigger(struct packet *in, struct hyperliquid_order *o)
{
    return !hyperliquid_is_trigger(o) ||
           (packet_take_u64(in, &o->trigger_price) && take_bool(in, &o->trigger_is_market));
}

static bool take_order(struct packet *in, struct hyperliquid_order *o)
{
    uint8_t kind;

    if (!packet_take_u32(in, &o->asset) || !take_bool(in, &o->buy) || !take_bool(in, &o->reduce_only) ||
        !packet_take_u64(in, &o->price) || !packet_take_u64(in, &o->size) || !packet_take_u8(in, &kind) ||
        kind > HYPERLIQUID_STOP_LOSS)
        return false;
    o->kind = (enum hyperliquid_order_kind)kind;
    return take_trigger(in, o) && take_bool(in, &o->has_cloid) &&
           (!o->has_cloid || packet_take(in, o->cloid, sizeof o->cloid));
}

static bool take_count(struct packet *in, size_t *count)
{
    uint8_t n;

    if (!packet_take_u8(in, &n))
        return false;
    *count = n;
    return n > 0 && n <= HYPERLIQUID_ORDERS_MAX;
}

static bool take_orders(struct packet *in, struct hyperliquid_action *a)
{
    uint8_t grouping;

    if (!packet_take_u8(in, &grouping) || grouping > HYPERLIQUID_OF_A_POSITION || !take_count(in, &a->count))
        return false;
    a->grouping = (enum hyperliquid_grouping)grouping;
    for (size_t i = 0; i < a->count; i++)
        if (!take_order(in, &a->orders[i]))
            return false;
    return true;
}

static bool take_cancels(struct packet *in, struct hyperliquid_action *a)
{
    if (!take_count(in, &a->count))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!packet_take_u32(in, &a->cancels[i].asset) ||
            !packet_take(in, a->cancels[i].cloid, sizeof a->cancels[i].cloid))
            return false;
    return true;
}

static bool take_name(struct packet *in, char out[static HYPERLIQUID_NAME_MAX + 1])
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";
    const uint8_t *p;
    size_t n;

    if (!packet_take_bytes(in, &p, &n, HYPERLIQUID_NAME_MAX))
        return false;
    memcpy(out, p, n); /* zeroed, which terminates it */
    return strspn(out, allowed) == n;
}

static bool take_transfer(struct packet *in, struct hyperliquid_action *a)
{
    struct hyperliquid_transfer *t = &a->transfer;

    if (!packet_take_u64(in, &t->amount))
        return false;
    if (a->kind == HYPERLIQUID_CLASS_TRANSFER)
        return take_bool(in, &t->to_perp);
    if (!packet_take(in, t->recipient.bytes, EVM_ADDR_LEN))
        return false;
    return a->kind == HYPERLIQUID_WITHDRAW ||
           (take_bool(in, &t->from_spot) && packet_take_u32(in, &t->domain) &&
            packet_take_u64(in, &t->gas_limit));
}

static bool take_members(struct packet *in, struct hyperliquid_action *a)
{
    switch (a->kind) {
    case HYPERLIQUID_ORDER:
        return take_orders(in, a);
    case HYPERLIQUID_CANCEL:
        return take_cancels(in, a);
    case HYPERLIQUID_LEVERAGE:
        return packet_take_u32(in, &a->leverage.asset) && take_bool(in, &a->leverage.cross) &&
               packet_take_u32(in, &a->leverage.leverage);
    case HYPERLIQUID_SCHEDULE:
        return packet_take_u64(in, &a->schedule);
    case HYPERLIQUID_NOOP:
        return true;
    case HYPERLIQUID_APPROVE:
        return packet_take(in, a->approval.key.bytes, EVM_ADDR_LEN) && take_name(in, a->approval.name) &&
               packet_take_u64(in, &a->approval.valid_until);
    case HYPERLIQUID_WITHDRAW:
    case HYPERLIQUID_CLASS_TRANSFER:
    case HYPERLIQUID_SEND:
        return take_transfer(in, a);
    }
    return false;
}

bool hyperliquid_message_read(struct hyperliquid_action *out, const uint8_t *p, size_t n)
{
    struct packet in = { p, n };
    uint8_t kind;

    memset(out, 0, sizeof *out);
    if (!packet_take_u8(&in, &kind) || kind < HYPERLIQUID_ORDER || kind > HYPERLIQUID_SEND ||
        !take_bool(&in, &out->testnet) || !packet_take_u64(&in, &out->nonce))
        return false;
    out->kind = (enum hyperliquid_kind)kind;
    return (!hyperliquid_is_trading(out->kind) || packet_take_u64(&in, &out->expires_after)) &&
           take_members(&in, out) && in.left == 0;
}
