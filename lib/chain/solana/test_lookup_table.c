#include "chain/solana/lookup_table.c"

#include "base/test.h"

static const struct solana_addr key = { { 5 } };

/* A table of addresses that are 1, 2, 3 … in their first byte. */
static size_t table_bytes(uint8_t *out, size_t addresses)
{
    memset(out, 0, HEADER_LEN + addresses * SOLANA_ADDR_LEN);
    out[0] = 1;
    memset(out + KIND_LEN, 0xff, CLOSING_LEN);
    for (size_t i = 0; i < addresses; i++)
        out[HEADER_LEN + i * SOLANA_ADDR_LEN] = (uint8_t)(i + 1);
    return HEADER_LEN + addresses * SOLANA_ADDR_LEN;
}

static void tables(void)
{
    uint8_t data[HEADER_LEN + 257 * SOLANA_ADDR_LEN];
    struct solana_table t;
    size_t n = table_bytes(data, 3);

    CHECK(solana_table_read(&t, &key, data, n) && t.count == 3 && t.addresses[2].bytes[0] == 3);
    CHECK(!solana_table_read(&t, &key, data, n - 1));
    CHECK(!solana_table_read(&t, &key, data, HEADER_LEN - 1));
    CHECK(!solana_table_read(&t, &key, data, 0));
    data[KIND_LEN] = 0; /* it is being closed */
    CHECK(!solana_table_read(&t, &key, data, n));
    n = table_bytes(data, 3);
    data[0] = 2;
    CHECK(!solana_table_read(&t, &key, data, n));
    CHECK(solana_table_read(&t, &key, data, table_bytes(data, 256)));
    CHECK(!solana_table_read(&t, &key, data, table_bytes(data, 257)));
}

/* Two keys, and of each of two tables one place to write to and one to read. */
static struct solana_tx looks_up(const struct solana_addr *keys, const uint8_t *places)
{
    struct solana_tx tx = { .keys = keys, .key_count = 2, .lookup_count = 2 };

    for (size_t i = 0; i < 2; i++)
        tx.lookups[i] = (struct solana_lookup){ .table = { { (uint8_t)(5 + i) } },
                                                .writable = places,
                                                .writable_count = 1,
                                                .readonly = places + 1,
                                                .readonly_count = 1 };
    return tx;
}

static void accounts(void)
{
    static const struct solana_addr keys[2] = { { { 11 } }, { { 12 } } };
    static const struct solana_addr first[2] = { { { 1 } }, { { 2 } } }, second[2] = { { { 3 } }, { { 4 } } };
    static const uint8_t places[] = { 0, 1 }, beyond[] = { 0, 2 };
    const struct solana_table both[] = { { { { 6 } }, second, 2 }, { { { 5 } }, first, 2 } };
    static const uint8_t want[] = { 11, 12, 1, 3, 2, 4 };
    struct solana_accounts out;
    struct solana_tx tx = looks_up(keys, places);

    CHECK(solana_accounts_of(&out, &tx, both, 2) && out.count == 6 && out.own == 2);
    for (size_t i = 0; i < 6; i++)
        CHECK(out.keys[i].bytes[0] == want[i]);
    CHECK(!solana_accounts_of(&out, &tx, both, 1));
    tx = looks_up(keys, beyond);
    CHECK(!solana_accounts_of(&out, &tx, both, 2));
}

TEST_MAIN(TEST(tables), TEST(accounts))
