#include "predict/order_body.c"

#include <stdlib.h>

#include "base/test.h"
#define TEST_VECTORS "tests/vectors/polymarket.json"
#include "codec/test_vectors.h"

static struct evm_addr addr_of(const json_t *row, const char *name)
{
    return evm_addr_or_zero(test_text(row, name));
}

static struct u256 number_of(const json_t *row, const char *name)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse(&v, test_text(row, name)));
    return v;
}

static void hash_of(uint8_t out[static HASH_LEN], const json_t *row, const char *name)
{
    size_t n;
    const uint8_t *bytes = test_bytes(row, name, &n);

    CHECK(n == HASH_LEN);
    memcpy(out, bytes, HASH_LEN);
}

static struct polymarket_order order_of(const json_t *text)
{
    struct polymarket_order o = { .salt = strtoull(test_text(text, "salt"), NULL, 10),
                                  .maker = addr_of(text, "maker"),
                                  .signer = addr_of(text, "signer"),
                                  .token = number_of(text, "tokenId"),
                                  .maker_amount = number_of(text, "makerAmount"),
                                  .taker_amount = number_of(text, "takerAmount"),
                                  .timestamp = strtoull(test_text(text, "timestamp"), NULL, 10) };

    o.side = json_integer_value(json_object_get(text, "side")) == 0 ? POLYMARKET_BUY : POLYMARKET_SELL;
    o.signature_type = (uint8_t)json_integer_value(json_object_get(text, "signatureType"));
    hash_of(o.metadata, text, "metadata");
    hash_of(o.builder, text, "builder");
    return o;
}

/* Byte for byte what the venue's library sends. */
static void check_body(const json_t *row)
{
    const json_t *post = json_object_get(row, "post");
    const struct polymarket_order order = order_of(json_object_get(row, "order"));
    json_t *wanted = json_loads(test_text(post, "body"), 0, NULL);
    struct buf signature = BUF_INIT(POLYMARKET_SIGNATURE_MAX), got = BUF_INIT(ORDER_BODY_MAX);
    struct order_body b = { .order = &order, .signature = &signature, .owner = test_text(post, "api_key") };
    size_t n;
    const uint8_t *bytes = test_bytes(row, "signature", &n);

    buf_add(&signature, bytes, n);
    CHECK(order_type_parse(&b.type, json_string_value(json_object_get(wanted, "orderType"))));
    b.post_only = json_is_true(json_object_get(wanted, "postOnly"));
    b.expiration = strtoull(test_text(row, "expiration_unsigned"), NULL, 10);
    order_body_write(&got, &b);
    CHECK_STR(buf_text(&got), test_text(post, "body"));
    buf_free(&got);
    buf_free(&signature);
    json_decref(wanted);
}

static void bodies_are_those_of_the_venues_library(void)
{
    const json_t *row;
    size_t i;

    CHECK(json_array_size(test_section("orders")) == 43);
    json_array_foreach(test_section("orders"), i, row) check_body(row);
}

static void a_cancel(void)
{
    static const uint8_t hash[HASH_LEN] = { 0xab };
    struct arena *a = arena_new();

    CHECK_STR(order_cancel_body(a, hash),
              "{\"orderID\":\"0xab00000000000000000000000000000000000000000000000000000000000000\"}");
    arena_free(a);
}

TEST_MAIN(TEST(bodies_are_those_of_the_venues_library), TEST(a_cancel))
