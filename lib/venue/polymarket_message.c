#include "venue/polymarket_message.h"

#include <string.h>

#include "codec/packet.h"

static void put_address(struct buf *out, struct evm_addr a)
{
    buf_add(out, a.bytes, EVM_ADDR_LEN);
}

static bool take_evm_addr(struct packet *in, struct evm_addr *a)
{
    return packet_take(in, a->bytes, EVM_ADDR_LEN);
}

static void put_u64(struct buf *out, struct u256 v)
{
    uint8_t word[U256_BYTES];

    u256_to_be(word, v);
    buf_add(out, word, sizeof word);
}

static bool take_number(struct packet *in, struct u256 *v)
{
    uint8_t word[U256_BYTES];

    if (!packet_take(in, word, sizeof word))
        return false;
    *v = u256_from_be(word);
    return true;
}

/* ---- writing ---- */

static void put_order(struct buf *out, const struct polymarket_message *m)
{
    const struct polymarket_order *o = &m->order;

    buf_addc(out, (uint8_t)m->exchange);
    packet_put_u64(out, o->salt);
    put_address(out, o->maker);
    put_address(out, o->signer);
    put_u64(out, o->token);
    put_u64(out, o->maker_amount);
    put_u64(out, o->taker_amount);
    buf_addc(out, (uint8_t)o->side);
    buf_addc(out, o->signature_type);
    packet_put_u64(out, o->timestamp);
    buf_add(out, o->metadata, HASH_LEN);
    buf_add(out, o->builder, HASH_LEN);
}

static void put_batch(struct buf *out, const struct polymarket_batch *b)
{
    put_address(out, b->wallet);
    packet_put_u64(out, b->nonce);
    packet_put_u64(out, b->deadline);
    if (b->count > POLYMARKET_CALLS_MAX)
        out->overflow = true;
    buf_addc(out, (uint8_t)b->count);
    for (size_t i = 0; i < b->count; i++) {
        put_address(out, b->calls[i].target);
        put_u64(out, b->calls[i].value);
        packet_put_bytes(out, b->calls[i].data, b->calls[i].len, POLYMARKET_CALL_MAX);
    }
}

void polymarket_message_write(struct buf *out, const struct polymarket_message *m)
{
    buf_addc(out, (uint8_t)m->kind);
    switch (m->kind) {
    case POLYMARKET_ORDER:
        put_order(out, m);
        break;
    case POLYMARKET_AUTH:
        packet_put_u64(out, m->auth_timestamp);
        packet_put_u64(out, m->auth_nonce);
        break;
    case POLYMARKET_BATCH:
        put_batch(out, &m->batch);
        break;
    }
}

/* ---- reading ---- */

static bool take_order(struct packet *in, struct polymarket_message *m)
{
    struct polymarket_order *o = &m->order;
    uint8_t exchange, side;

    if (!packet_take_u8(in, &exchange) || exchange > POLYMARKET_V3 || !packet_take_u64(in, &o->salt) ||
        !take_evm_addr(in, &o->maker) || !take_evm_addr(in, &o->signer) || !take_number(in, &o->token) ||
        !take_number(in, &o->maker_amount) || !take_number(in, &o->taker_amount) ||
        !packet_take_u8(in, &side) || side > POLYMARKET_SELL || !packet_take_u8(in, &o->signature_type))
        return false;
    m->exchange = (enum polymarket_exchange)exchange;
    o->side = (enum polymarket_side)side;
    return packet_take_u64(in, &o->timestamp) && packet_take(in, o->metadata, HASH_LEN) &&
           packet_take(in, o->builder, HASH_LEN);
}

static bool take_call(struct packet *in, struct polymarket_call *c)
{
    return take_evm_addr(in, &c->target) && take_number(in, &c->value) &&
           packet_take_bytes(in, &c->data, &c->len, POLYMARKET_CALL_MAX);
}

static bool take_batch(struct packet *in, struct polymarket_message *m)
{
    struct polymarket_batch *b = &m->batch;
    uint8_t count;

    if (!take_evm_addr(in, &b->wallet) || !packet_take_u64(in, &b->nonce) ||
        !packet_take_u64(in, &b->deadline) || !packet_take_u8(in, &count) || count == 0 ||
        count > POLYMARKET_CALLS_MAX)
        return false;
    for (b->count = 0; b->count < count; b->count++)
        if (!take_call(in, &m->calls[b->count]))
            return false;
    b->calls = m->calls;
    return true;
}

static bool take_message(struct packet *in, struct polymarket_message *m)
{
    uint8_t kind;

    if (!packet_take_u8(in, &kind))
        return false;
    m->kind = (enum polymarket_message_kind)kind;
    switch (kind) {
    case POLYMARKET_ORDER:
        return take_order(in, m);
    case POLYMARKET_AUTH:
        return packet_take_u64(in, &m->auth_timestamp) && packet_take_u64(in, &m->auth_nonce);
    case POLYMARKET_BATCH:
        return take_batch(in, m);
    default:
        return false;
    }
}

bool polymarket_message_read(struct polymarket_message *out, const uint8_t *p, size_t n)
{
    struct packet in = { p, n };

    memset(out, 0, sizeof *out);
    return take_message(&in, out) && in.left == 0;
}

void polymarket_message_digest(uint8_t out[static HASH_LEN], const struct polymarket_message *m,
                               struct evm_addr key)
{
    switch (m->kind) {
    case POLYMARKET_ORDER:
        polymarket_order_digest(out, m->exchange, &m->order);
        break;
    case POLYMARKET_AUTH:
        polymarket_auth_digest(out, key, m->auth_timestamp, m->auth_nonce);
        break;
    case POLYMARKET_BATCH:
        polymarket_batch_digest(out, &m->batch);
        break;
    }
}
