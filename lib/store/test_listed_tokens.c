#include "store/listed_tokens.h"
#include "store/test_store.h"

enum { GNOSIS = 100 };

static struct token_row *rows;

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
    CHECK(tokens_page(db, a, GNOSIS, "second", 10, 0, &rows) == 1);
    CHECK_STR(rows[0].ref.symbol, "TWO");
    CHECK(tokens_page(db, a, GNOSIS, "n", 10, 0, &rows) == 2 &&
          tokens_page(db, a, GNOSIS, "_", 10, 0, &rows) == 0);
    CHECK(tokens_page(db, a, GNOSIS, "%", 10, 0, &rows) == 1);
}

static int named(const char *text)
{
    return tokens_named(db, a, GNOSIS, text, 5, &rows);
}

static void by_address_and_symbol(void)
{
    CHECK(named("0xA") == 1);
    CHECK_STR(rows[0].ref.symbol, "ONE");
    CHECK(named("two") == 1);
    CHECK_STR(rows[0].ref.address, "0xB");
    CHECK(named("0xa") == 0 && named("\xd0\xa1") == 0);
    CHECK(tokens_named(db, a, 1, "ONE", 5, &rows) == 0);
    /* Several may have one symbol: in the order of their list. */
    CHECK(put("0xE", "two", "Another", 0));
    CHECK(named("TWO") == 2 && tokens_named(db, a, GNOSIS, "TWO", 1, &rows) == 1);
    CHECK_STR(rows[0].ref.address, "0xE");
    CHECK(named("0xB") == 1 && raw("DELETE FROM tokens WHERE address = '0xE'"));
}

/* The first word about them holds. */
static void decimals_are_kept_for_good(void)
{
    struct token_ref t = { .chain_id = GNOSIS, .address = "0xNew", .decimals = 18 };
    uint8_t kept = 0;

    CHECK(tokens_decimals_keep(db, &t, &kept) && kept == 18);
    t.decimals = 20;
    CHECK(tokens_decimals_keep(db, &t, &kept) && kept == 18);
    t.chain_id++;
    CHECK(tokens_decimals_keep(db, &t, &kept) && kept == 20);
}

/* Decimals are forgotten on this chain only, until they are reported again. */
static void decimals_are_forgotten_by_order(void)
{
    struct token_ref t = { .chain_id = GNOSIS, .address = "0xNew", .decimals = 20 };
    uint8_t kept = 0;
    int64_t since_ms = 0, now;

    CHECK(db_clock_ms(db, &now) && tokens_decimals_get(db, &t, &kept, &since_ms) == LOOKUP_FOUND);
    CHECK(kept == 18 && since_ms <= now && since_ms > now - 600000);
    CHECK(tokens_decimals_forget(db, &t) == UPDATED && tokens_decimals_forget(db, &t) == UNCHANGED);
    CHECK(tokens_decimals_get(db, &t, &kept, NULL) == LOOKUP_NONE);
    CHECK(tokens_decimals_keep(db, &t, &kept) && kept == 20);
    t.chain_id++;
    CHECK(tokens_decimals_get(db, &t, &kept, NULL) == LOOKUP_FOUND);
}

static void tokens_that_are_not_renewed_are_removed(void)
{
    int64_t now;

    CHECK(raw("UPDATE tokens SET renewed_at = UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE"));
    CHECK(db_clock_ms(db, &now) && put("0xB", "TOO", "Renamed", 0));
    CHECK(tokens_drop(db, 1, now) == 0 && tokens_drop(db, GNOSIS, now) == 1);
    CHECK(named("0xB") == 1);
    CHECK_STR(rows[0].name, "Renamed");
}

STORE_TEST_MAIN(TEST(in_the_order_of_their_list), TEST(searched), TEST(by_address_and_symbol),
                TEST(decimals_are_kept_for_good), TEST(decimals_are_forgotten_by_order),
                TEST(tokens_that_are_not_renewed_are_removed))
