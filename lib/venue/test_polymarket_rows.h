/* For tests: rows of tests/vectors/polymarket.json as what they are of. A missing member fails the test. */
#ifndef VENUE_TEST_POLYMARKET_ROWS_H
#define VENUE_TEST_POLYMARKET_ROWS_H

#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#define TEST_VECTORS "tests/vectors/polymarket.json"
#include "codec/test_vectors.h"
#include "venue/polymarket_message.h"

static inline struct evm_addr row_addr(const json_t *row, const char *name)
{
    return evm_addr_or_zero(test_text(row, name));
}

static inline struct u256 row_u256(const json_t *row, const char *name)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse(&v, test_text(row, name)));
    return v;
}

static inline void row_hash(uint8_t out[static HASH_LEN], const json_t *row, const char *name)
{
    size_t n;
    const uint8_t *bytes = test_bytes(row, name, &n);

    CHECK(n == HASH_LEN);
    memcpy(out, bytes, HASH_LEN);
}

/* "12.345" with two places: 1234. What is finer is cut off. */
static inline uint64_t scaled_text(const char *text, size_t places)
{
    uint64_t v = 0;

    for (; *text != '\0' && *text != '.'; text++)
        v = v * 10 + (uint64_t)(*text - '0');
    text += *text == '.';
    for (; places > 0; places--)
        v = v * 10 + (uint64_t)(*text != '\0' ? *text++ - '0' : 0);
    return v;
}

static inline uint64_t scaled(const json_t *number, size_t places)
{
    char *text = json_dumps(number, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    uint64_t v = scaled_text(text, places);

    free(text);
    return v;
}

/* Reads the members of an order itself. */
static inline struct polymarket_order row_order(const json_t *text)
{
    struct polymarket_order o = { .salt = strtoull(test_text(text, "salt"), NULL, 10),
                                  .maker = row_addr(text, "maker"),
                                  .signer = row_addr(text, "signer"),
                                  .token = row_u256(text, "tokenId"),
                                  .maker_amount = row_u256(text, "makerAmount"),
                                  .taker_amount = row_u256(text, "takerAmount"),
                                  .timestamp = strtoull(test_text(text, "timestamp"), NULL, 10) };

    o.side = json_integer_value(json_object_get(text, "side")) == 0 ? POLYMARKET_BUY : POLYMARKET_SELL;
    o.signature_type = (uint8_t)json_integer_value(json_object_get(text, "signatureType"));
    row_hash(o.metadata, text, "metadata");
    row_hash(o.builder, text, "builder");
    return o;
}

static inline enum polymarket_exchange row_exchange(const json_t *row)
{
    if (json_integer_value(json_object_get(row, "exchange_version")) == 3)
        return POLYMARKET_V3;
    return json_is_true(json_object_get(row, "neg_risk")) ? POLYMARKET_NEG_RISK : POLYMARKET_V2;
}

/* Those of the test network are in there to be told apart. */
static inline bool row_is_of_polygon(const json_t *row)
{
    return json_integer_value(json_object_get(row, "chain_id")) == POLYMARKET_CHAIN_ID;
}

static inline struct polymarket_call row_call(const json_t *row)
{
    struct polymarket_call c = { .target = row_addr(row, "target"), .value = row_u256(row, "value") };

    c.data = test_bytes(row, "data", &c.len);
    return c;
}

/* Its calls go to `calls`. */
static inline struct polymarket_batch row_batch(const json_t *row,
                                                struct polymarket_call calls[static POLYMARKET_CALLS_MAX])
{
    const json_t *call, *list = json_object_get(row, "calls");
    struct polymarket_batch b = { .wallet = row_addr(row, "wallet"),
                                  .nonce = strtoull(test_text(row, "nonce"), NULL, 10),
                                  .deadline = strtoull(test_text(row, "deadline"), NULL, 10),
                                  .calls = calls };
    size_t i;

    CHECK(json_array_size(list) <= POLYMARKET_CALLS_MAX);
    json_array_foreach(list, i, call) calls[b.count++] = row_call(call);
    return b;
}

#endif
