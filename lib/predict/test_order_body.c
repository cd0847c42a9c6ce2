#include "predict/order_body.c"

#include <stdlib.h>

#include "venue/test_polymarket_rows.h"

/* Byte for byte what the venue's library sends. */
static void check_body(const json_t *row)
{
    const json_t *post = json_object_get(row, "post");
    const struct polymarket_order order = row_order(json_object_get(row, "order"));
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
