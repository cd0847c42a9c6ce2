#include "predict/order_body.h"

#include <inttypes.h>

#include "codec/hex.h"

static void body_hex(struct buf *out, const void *bytes, size_t n)
{
    char text[2 * POLYMARKET_SIGNATURE_MAX + 1];

    hex_encode(text, bytes, n);
    buf_addf(out, "\"0x%s\"", text);
}

static void body_u256(struct buf *out, const char *name, struct u256 n)
{
    char text[U256_DECIMAL_LEN + 1];

    u256_decimal(text, n);
    buf_addf(out, ",\"%s\":\"%s\"", name, text);
}

static void body_addr(struct buf *out, const char *name, struct evm_addr at)
{
    char text[EVM_ADDR_TEXT_LEN + 1];

    evm_addr_text(text, at);
    buf_addf(out, ",\"%s\":\"%s\"", name, text);
}

static void body_order(struct buf *out, const struct order_body *b)
{
    const struct polymarket_order *o = b->order;

    buf_addf(out, "{\"salt\":%" PRIu64, o->salt);
    body_addr(out, "maker", o->maker);
    body_addr(out, "signer", o->signer);
    body_u256(out, "tokenId", o->token);
    body_u256(out, "makerAmount", o->maker_amount);
    body_u256(out, "takerAmount", o->taker_amount);
    buf_addf(out, ",\"side\":\"%s\",\"signatureType\":%u", o->side == POLYMARKET_BUY ? "BUY" : "SELL",
             (unsigned)o->signature_type);
    buf_addf(out, ",\"timestamp\":\"%" PRIu64 "\",\"expiration\":\"%" PRIu64 "\",\"metadata\":", o->timestamp,
             b->expiration);
    body_hex(out, o->metadata, sizeof o->metadata);
    buf_adds(out, ",\"builder\":");
    body_hex(out, o->builder, sizeof o->builder);
    buf_adds(out, ",\"signature\":");
    body_hex(out, b->signature->data, b->signature->len);
    buf_adds(out, "}");
}

void order_body_write(struct buf *out, const struct order_body *b)
{
    buf_addf(out, "{\"deferExec\":false,\"postOnly\":%s,\"order\":", b->post_only ? "true" : "false");
    body_order(out, b);
    buf_addf(out, ",\"owner\":\"%s\",\"orderType\":\"%s\"}", b->owner, order_type_text(b->type));
}

char *order_cancel_body(struct arena *a, const uint8_t hash[static HASH_LEN])
{
    return arena_printf(a, "{\"orderID\":\"%s\"}", order_id_text(a, hash));
}
