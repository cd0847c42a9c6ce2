#include "venue/polymarket_order.c"

#include <stdlib.h>

#include "venue/test_polymarket_rows.h"

/* The signature is the vector's: what stands around it is what is compared. */
static void check_signature(const json_t *row, enum polymarket_exchange e, const struct polymarket_order *o)
{
    struct buf got = BUF_INIT(POLYMARKET_SIGNATURE_MAX);
    size_t n;
    const uint8_t *want = test_bytes(row, "signature", &n);

    polymarket_order_signature(&got, e, o, want);
    CHECK(got.len == n && memcmp(got.data, want, n) == 0);
    buf_free(&got);
}

static void check_order(const json_t *row)
{
    const json_t *envelope = json_object_get(row, "typed_data_sign");
    enum polymarket_exchange e = row_exchange(row);
    struct polymarket_order o = row_order(json_object_get(row, "order"));
    uint8_t hash[HASH_LEN];

    polymarket_order_hash(hash, e, &o);
    CHECK_STR(test_hex(hash, HASH_LEN), test_text(row, "digest"));
    polymarket_order_digest(hash, e, &o);
    CHECK_STR(test_hex(hash, HASH_LEN),
              envelope != NULL ? test_text(envelope, "inner_digest") : test_text(row, "digest"));
    check_signature(row, e, &o);
}

/* Those of the test network have another hash: there is no such chain here. */
static void orders_hash_as_the_venue_has_it(void)
{
    const json_t *row;
    size_t i, tried = 0;

    json_array_foreach(test_section("orders"), i, row)
    {
        struct polymarket_order o = row_order(json_object_get(row, "order"));
        uint8_t hash[HASH_LEN];

        if (row_is_of_polygon(row)) {
            check_order(row);
            tried++;
            continue;
        }
        polymarket_order_hash(hash, row_exchange(row), &o);
        CHECK(strcmp(test_hex(hash, HASH_LEN), test_text(row, "digest")) != 0);
    }
    CHECK(tried == 42);
}

static void another_member_is_another_hash(void)
{
    const json_t *row = json_array_get(test_section("reject"), 3);
    struct polymarket_order o = row_order(json_object_get(row, "order"));
    uint8_t hash[HASH_LEN];

    polymarket_order_hash(hash, POLYMARKET_V2, &o);
    CHECK_STR(test_hex(hash, HASH_LEN), test_text(row, "digest"));
}

static void exchanges_are_listed(void)
{
    const json_t *contracts = json_object_get(
        json_object_get(json_object_get(test_member("constants"), "contracts"), "137"), "exchangeV2");
    char text[EVM_ADDR_TEXT_LEN + 1];

    evm_addr_text(text, polymarket_exchange_addr(POLYMARKET_V2));
    CHECK_STR(text, json_string_value(contracts));
    CHECK_STR(polymarket_exchange_name(POLYMARKET_NEG_RISK), "neg_risk");
}

/* ---- prices and sizes ---- */

static uint32_t tick_of(const json_t *row)
{
    return (uint32_t)scaled_text(test_text(row, "tick_size"), POLYMARKET_PRICE_PLACES);
}

static void prices_between_a_tick_and_the_rest(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("price_range"), i, row)
    {
        uint32_t price = (uint32_t)scaled(json_object_get(row, "price"), POLYMARKET_PRICE_PLACES);
        uint32_t tick = tick_of(row);

        /* The venue's library looks at the range alone; the venue wants whole ticks too. */
        CHECK(polymarket_price_fits(price, tick) ==
              (json_is_true(json_object_get(row, "in_range")) && price % tick == 0));
    }
    CHECK(i > 0);
    CHECK(!polymarket_price_fits(5000, 0) && !polymarket_price_fits(0, POLYMARKET_PRICE_ONE));
}

/* ---- credentials ---- */

static void keys_prove_themselves(void)
{
    const json_t *row;
    size_t i, tried = 0;

    json_array_foreach(test_section("clob_auth"), i, row)
    {
        uint8_t digest[HASH_LEN];

        if (!row_is_of_polygon(row))
            continue;
        polymarket_auth_digest(digest, row_addr(row, "address"),
                               (uint64_t)json_integer_value(json_object_get(row, "timestamp")),
                               (uint64_t)json_integer_value(json_object_get(row, "nonce")));
        CHECK_STR(test_hex(digest, HASH_LEN), test_text(row, "digest"));
        tried++;
    }
    CHECK(tried > 0);
}

TEST_MAIN(TEST(orders_hash_as_the_venue_has_it), TEST(another_member_is_another_hash),
          TEST(exchanges_are_listed), TEST(prices_between_a_tick_and_the_rest), TEST(keys_prove_themselves))
