/* For tests: the rows of tests/vectors/aggregators.json, which are calls as ethers encodes them, each honest
 * or with one lie. */
#ifndef VENUE_TEST_AGGREGATOR_ROWS_H
#define VENUE_TEST_AGGREGATOR_ROWS_H

#include <string.h>

#include "base/test.h"
#define TEST_VECTORS "tests/vectors/aggregators.json"
#include "codec/test_vectors.h"
#include "venue/trade.h"

struct aggregator_row {
    const char *form, *kind;
    const char *lie; /* NULL: none */
    bool signer;     /* the signer alone cannot tell */
    struct evm_tx tx;
};

/* Then it pays a wallet there, which is `wallet_on_solana`. */
static inline bool row_to_solana(const struct aggregator_row *row)
{
    return strcmp(row->kind, "bridge to solana") == 0;
}

static inline struct u256 test_amount(const json_t *row, const char *name)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse(&v, test_text(row, name)));
    return v;
}

/* Makes the row's data from `honest`: with bytes put somewhere, or cut off. Exactly as long as it is, for a
 * sanitizer. */
static inline void row_data(struct evm_tx *tx, const json_t *row, const uint8_t *honest, size_t len)
{
    size_t at = (size_t)json_integer_value(json_object_get(row, "at")), n;
    const json_t *cut = json_object_get(row, "cut");
    const uint8_t *put = test_bytes(row, "put", &n);
    uint8_t *data;

    tx->data_len = cut != NULL ? (size_t)json_integer_value(cut) : at + n > len ? at + n : len;
    data = malloc(tx->data_len);
    CHECK(data != NULL);
    memcpy(data, honest, tx->data_len < len ? tx->data_len : len);
    if (n > 0)
        memcpy(data + at, put, n);
    tx->data = data;
}

static inline void aggregator_rows_each(void (*check)(const struct aggregator_row *row))
{
    const json_t *rows = test_section("rows"), *json;
    const uint8_t *honest = NULL;
    size_t len = 0, i;

    json_array_foreach(rows, i, json)
    {
        struct aggregator_row row = { .form = test_text(json, "form"), .kind = test_text(json, "kind") };
        size_t n;
        const uint8_t *whole = test_bytes(json, "data", &n);

        row.lie = json_string_value(json_object_get(json, "lie"));
        row.signer = json_is_true(json_object_get(json, "signer"));
        row.tx = (struct evm_tx){ .type = EVM_TX_FEE_MARKET, .gas_limit = 1 };
        row.tx.chain_id = (uint64_t)json_integer_value(json_object_get(json, "chain"));
        row.tx.to = evm_addr_or_zero(test_text(json, "to"));
        row.tx.value = test_amount(json, "value");
        if (row.lie == NULL) {
            honest = whole;
            len = n;
        }
        if (n > 0)
            row_data(&row.tx, json, whole, n);
        else
            row_data(&row.tx, json, honest, len);
        check(&row);
        free((void *)(uintptr_t)row.tx.data);
    }
    CHECK(i > 500);
}

#endif
