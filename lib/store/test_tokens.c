#include "store/test_store.h"
#include "store/tokens.h"

enum { GNOSIS = 100 };

static bool put(const char *address, const char *symbol, const char *name, unsigned place)
{
    struct token_row row = { .name = name, .place = place };

    row.ref = (struct token_ref){ .chain_id = GNOSIS, .decimals = 6 };
    (void)snprintf(row.ref.symbol, sizeof row.ref.symbol, "%s", symbol);
    (void)snprintf(row.ref.address, sizeof row.ref.address, "%s", address);
    return tokens_put(db, &row);
}

static void in_the_order_of_their_list(void)
{
    struct token_row *rows;

    CHECK(put("0xB", "TWO", "Second", 1) && put("0xA", "ONE", "First 100%", 0));
    CHECK(tokens_page(db, a, GNOSIS, NULL, 10, 0, &rows) == 2 && rows[1].place == 1);
    CHECK_STR(rows[0].ref.symbol, "ONE");
    CHECK_STR(rows[0].name, "First 100%");
    CHECK(rows[0].ref.decimals == 6 && rows[0].ref.chain_id == GNOSIS && !rows[0].checked);
    CHECK(tokens_page(db, a, GNOSIS, NULL, 10, 1, &rows) == 1);
    CHECK_STR(rows[0].ref.address, "0xB");
    CHECK(tokens_page(db, a, GNOSIS, NULL, 1, 0, &rows) == 1 &&
          tokens_page(db, a, 1, NULL, 1, 0, &rows) == 0);
}

static void searched(void)
{
    struct token_row *rows;

    CHECK(tokens_page(db, a, GNOSIS, "second", 10, 0, &rows) == 1);
    CHECK_STR(rows[0].ref.symbol, "TWO");
    CHECK(tokens_page(db, a, GNOSIS, "n", 10, 0, &rows) == 2 &&
          tokens_page(db, a, GNOSIS, "_", 10, 0, &rows) == 0);
    CHECK(tokens_page(db, a, GNOSIS, "%", 10, 0, &rows) == 1);
}

static void by_address_and_symbol(void)
{
    struct token_row row;

    CHECK(tokens_get(db, a, GNOSIS, "0xA", &row) == FOUND_ONE);
    CHECK_STR(row.ref.symbol, "ONE");
    CHECK(tokens_get(db, a, GNOSIS, "two", &row) == FOUND_ONE);
    CHECK_STR(row.ref.address, "0xB");
    CHECK(tokens_get(db, a, GNOSIS, "0xa", &row) == FOUND_NONE);
    CHECK(tokens_get(db, a, GNOSIS, "\xd0\xa1", &row) == FOUND_NONE &&
          tokens_get(db, a, 1, "ONE", &row) == FOUND_NONE);
}

static void what_is_not_renewed_goes(void)
{
    struct token_row row;
    int64_t now;

    CHECK(raw("UPDATE tokens SET renewed_at = UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE"));
    CHECK(db_clock_ms(db, &now) && put("0xB", "TOO", "Renamed", 0));
    CHECK(tokens_drop(db, 1, now) == 0 && tokens_drop(db, GNOSIS, now) == 1);
    CHECK(tokens_get(db, a, GNOSIS, "0xB", &row) == FOUND_ONE);
    CHECK_STR(row.name, "Renamed");
}

STORE_TEST_MAIN(TEST(in_the_order_of_their_list), TEST(searched), TEST(by_address_and_symbol),
                TEST(what_is_not_renewed_goes))
