#include "chain/solana/instruction.c"

#include "base/test.h"

/* Accounts 0 to 15 are 1 to 16 in their first byte; programs and other known ones follow. */
enum { SYSTEM = 16, TOKEN, TOKEN_2022, ASSOCIATED, COMPUTE, MEMO, JUPITER, RELAY, STRANGER };

static const struct solana_accounts *all(void)
{
    static struct solana_accounts a;
    const struct solana_addr *known[] = { &SOLANA_SYSTEM,         &SOLANA_TOKEN,
                                          &SOLANA_TOKEN_2022,     &SOLANA_ASSOCIATED_TOKEN,
                                          &SOLANA_COMPUTE_BUDGET, &SOLANA_MEMO,
                                          &SOLANA_JUPITER,        &SOLANA_RELAY_DEPOSITORY,
                                          &SOLANA_LOOKUP_TABLES };

    for (uint8_t i = 0; i < SYSTEM; i++)
        a.keys[i] = (struct solana_addr){ { (uint8_t)(i + 1) } };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        a.keys[SYSTEM + i] = *known[i];
    a.count = a.own = STRANGER + 1;
    return &a;
}

static struct solana_step step(uint8_t program, const char *accounts, size_t n, const void *data, size_t len)
{
    const struct solana_instruction in = { program, (const uint8_t *)accounts, n, data, len };
    struct solana_step out;

    solana_step_read(&out, &in, all());
    return out;
}

#define STEP_OF(program, accounts, data) step(program, accounts, sizeof accounts - 1, data, sizeof data - 1)

static bool is(const struct solana_addr *a, unsigned place)
{
    return a == &all()->keys[place];
}

static void compute_budget(void)
{
    struct solana_step s = STEP_OF(COMPUTE, "", "\2\xc0\x5c\x15\0");

    CHECK(s.act == SOLANA_COMPUTE_LIMIT && s.amount == 1400000);
    s = STEP_OF(COMPUTE, "", "\3\xe8\3\0\0\0\0\0\0");
    CHECK(s.act == SOLANA_COMPUTE_PRICE && s.amount == 1000);
    CHECK(STEP_OF(COMPUTE, "", "\4\1\0\0\0").act == SOLANA_DATA_LIMIT);
    CHECK(STEP_OF(COMPUTE, "", "\3\xe8\3\0\0").act == SOLANA_OTHER);
    CHECK(STEP_OF(COMPUTE, "", "").act == SOLANA_OTHER);
    CHECK(STEP_OF(COMPUTE, "\1", "\4\1\0\0\0").act == SOLANA_OTHER);
    CHECK(STEP_OF(COMPUTE, "", "\1\1\0\0\0").act == SOLANA_OTHER);
}

static void payments(void)
{
    struct solana_step s = STEP_OF(SYSTEM, "\1\2", "\2\0\0\0\5\0\0\0\0\0\0\1");

    CHECK(s.act == SOLANA_PAY && is(s.owner, 1) && is(s.destination, 2) && s.amount == 0x0100000000000005);
    /* Another instruction, another account, a byte more. */
    CHECK(STEP_OF(SYSTEM, "\1\2", "\1\0\0\0\5\0\0\0\0\0\0\1").act == SOLANA_OTHER);
    CHECK(STEP_OF(SYSTEM, "\1\2\3", "\2\0\0\0\5\0\0\0\0\0\0\1").act == SOLANA_OTHER);
    CHECK(STEP_OF(SYSTEM, "\1\2", "\2\0\0\0\5\0\0\0\0\0\0\1\0").act == SOLANA_OTHER);
}

static void token_accounts(void)
{
    struct solana_step s = STEP_OF(ASSOCIATED, "\1\2\3\4\x10\x12", "\1");

    CHECK(s.act == SOLANA_OPEN && is(s.source, 1) && is(s.destination, 2) && is(s.owner, 3) && is(s.buy, 4));
    CHECK(is(s.token_program, TOKEN_2022));
    CHECK(STEP_OF(ASSOCIATED, "\1\2\3\4\x10\x12", "\0").act == SOLANA_OTHER);
    CHECK(STEP_OF(ASSOCIATED, "\1\2\3\4\x10\x18", "\1").act == SOLANA_OTHER);
    CHECK(STEP_OF(ASSOCIATED, "\1\2\3\4\5\x11", "\1").act == SOLANA_OTHER);
    s = STEP_OF(TOKEN, "\1\2\3", "\x09");
    CHECK(s.act == SOLANA_CLOSE && is(s.source, 1) && is(s.destination, 2) && is(s.owner, 3));
    s = STEP_OF(TOKEN, "\1", "\x11");
    CHECK(s.act == SOLANA_SYNC && is(s.destination, 1));
}

static void token_transfers(void)
{
    struct solana_step s = STEP_OF(TOKEN_2022, "\1\2\3\4", "\x0c\5\0\0\0\0\0\0\1\6");

    CHECK(s.act == SOLANA_TRANSFER && is(s.source, 1) && is(s.sell, 2) && is(s.destination, 3) &&
          is(s.owner, 4));
    CHECK(is(s.token_program, TOKEN_2022) && s.amount == 0x0100000000000005);
    /* The form without mint and decimals, one signed by several owners, a byte less. */
    CHECK(STEP_OF(TOKEN, "\1\3\4", "\3\5\0\0\0\0\0\0\1").act == SOLANA_OTHER);
    CHECK(STEP_OF(TOKEN, "\1\2\3\4\5", "\x0c\5\0\0\0\0\0\0\1\6").act == SOLANA_OTHER);
    CHECK(STEP_OF(TOKEN, "\1\2\3\4", "\x0c\5\0\0\0\0\0\0\1").act == SOLANA_OTHER);
}

/* Other transfers, approvals and new authorities, of both programs, in every length. */
static void other_token_instructions(void)
{
    enum { TRANSFER_CHECKED = 12, ITS_LEN = 10 };
    static const uint8_t data[40] = { 0 };
    uint8_t other[40];

    for (uint8_t which = 0; which < 60; which++) {
        memcpy(other, data, sizeof other);
        other[0] = which;
        for (size_t len = 2; len < sizeof other; len++) {
            CHECK(step(TOKEN, "\1\2\3", 3, other, len).act == SOLANA_OTHER);
            CHECK((step(TOKEN_2022, "\1\2\3\4", 4, other, len).act == SOLANA_OTHER) !=
                  (which == TRANSFER_CHECKED && len == ITS_LEN));
        }
    }
}

static void notes_and_unknown_orders(void)
{
    CHECK(STEP_OF(MEMO, "", "hello").act == SOLANA_NOTE);
    CHECK(STEP_OF(MEMO, "\1", "hello").act == SOLANA_OTHER);
    CHECK(STEP_OF(STRANGER, "\1", "hello").act == SOLANA_OTHER);
}

/* ---- Jupiter ---- */

#define ROUTE_V2 "\xbb\x64\xfa\xcc\x31\xc4\xaf\x14"
/* in 1000000, quoted 3000007, slippage 300, fee 10, surplus 0, then the route */
#define NUMBERS_V2 "\x40\x42\x0f\0\0\0\0\0\xc7\xc6\x2d\0\0\0\0\0\x2c\1\x0a\0\0\0\1\2\3\4"
/* wallet, source, destination, mints, programs, other destination, events, program */
#define ACCOUNTS_V2 "\0\1\2\3\4\x11\x12\x16\x05\x16"

static void route_v2(void)
{
    struct solana_step s = STEP_OF(JUPITER, ACCOUNTS_V2, ROUTE_V2 NUMBERS_V2);

    CHECK(s.act == SOLANA_SWAP && is(s.owner, 0) && is(s.source, 1) && is(s.destination, 2));
    CHECK(is(s.sell, 3) && is(s.buy, 4));
    CHECK(is(s.token_program, TOKEN_2022) && is(s.sell_program, TOKEN));
    /* 3000007 * 9700 / 10000 = 2910006, and of that 9990 / 10000 */
    CHECK(s.amount == 1000000 && s.minimum == 2907095);
    /* The output for another owner; for the wallet's own account; another program after it. */
    CHECK(STEP_OF(JUPITER, "\0\1\2\3\4\x11\x12\x06\x05\x16", ROUTE_V2 NUMBERS_V2).act == SOLANA_OTHER);
    CHECK(STEP_OF(JUPITER, "\0\1\2\3\4\x11\x12\x02\x05\x16", ROUTE_V2 NUMBERS_V2).act == SOLANA_SWAP);
    CHECK(STEP_OF(JUPITER, "\0\1\2\3\4\x11\x12\x16\x05\x18", ROUTE_V2 NUMBERS_V2).act == SOLANA_OTHER);
    CHECK(STEP_OF(JUPITER, "\0\1\2", ROUTE_V2 NUMBERS_V2).act == SOLANA_OTHER);
}

static void route_v1(void)
{
    static const char data[] = "\xe5\x17\xcb\x97\x7a\xe3\xad\x2a"
                               "\1\0\0\0\7\x64\0\1"
                               "\x40\x42\x0f\0\0\0\0\0\xc7\xc6\x2d\0\0\0\0\0\x2c\1\0";
    struct solana_step s = STEP_OF(JUPITER, "\x11\0\1\2\x16\4\x16\x05\x16", data);

    CHECK(s.act == SOLANA_SWAP && is(s.owner, 0) && is(s.source, 1) && is(s.destination, 2) && is(s.buy, 4));
    CHECK(s.sell == NULL && s.amount == 1000000 && s.minimum == 2910006);
}

/* Exact output, and amounts that are read on the chain. */
static void other_routes(void)
{
    static const char *const selectors[] = {
        "\xd0\x33\xef\x97\x7b\x2b\xed\x5c", "\xb0\xd1\x69\xa8\x9a\x7d\x45\x3e",
        "\x9d\x8a\xb8\x52\x15\xf4\xf3\x24", "\x35\x60\xe5\xca\xd8\xbb\xfa\x18",
        "\x96\x56\x47\x74\xa7\x5d\x0e\x68", "\xe6\x79\x8f\x50\x77\x9f\x6a\xaa"
    };

    for (size_t i = 0; i < sizeof selectors / sizeof selectors[0]; i++) {
        char data[SELECTOR_LEN + sizeof NUMBERS_V2 - 1];

        memcpy(data, selectors[i], SELECTOR_LEN);
        memcpy(data + SELECTOR_LEN, NUMBERS_V2, sizeof NUMBERS_V2 - 1);
        CHECK(step(JUPITER, ACCOUNTS_V2, sizeof ACCOUNTS_V2 - 1, data, sizeof data).act == SOLANA_OTHER);
    }
    CHECK(step(JUPITER, ACCOUNTS_V2, sizeof ACCOUNTS_V2 - 1, ROUTE_V2, SELECTOR_LEN).act == SOLANA_OTHER);
}

static void minimums(void)
{
    CHECK(jupiter_minimum(UINT64_MAX, 0, 0) == UINT64_MAX);
    CHECK(jupiter_minimum(UINT64_MAX, 10000, 0) == 0);
    CHECK(jupiter_minimum(100, 10001, 0) == 0);
    CHECK(jupiter_minimum(100, 0, 10001) == 0);
    CHECK(jupiter_minimum(9999, 1, 0) == 9998);
}

/* ---- Relay ---- */

#define ORDER  "12345678901234567890123456789012"
#define AMOUNT "\x40\x42\x0f\0\0\0\0\0"

static void deposits(void)
{
    struct solana_step s = STEP_OF(RELAY, "\5\0\0\6\x10", "\x0d\x9e\x0d\xdf\x5f\xd5\x1c\x06" AMOUNT ORDER);

    CHECK(s.act == SOLANA_DEPOSIT && is(s.owner, 0) && s.sell == NULL && s.amount == 1000000);
    CHECK(memcmp(s.order, ORDER, HASH_LEN) == 0);
    /* For another owner's account, and with a byte more. */
    CHECK(STEP_OF(RELAY, "\5\0\1\6\x10", "\x0d\x9e\x0d\xdf\x5f\xd5\x1c\x06" AMOUNT ORDER).act ==
          SOLANA_OTHER);
    CHECK(STEP_OF(RELAY, "\5\0\0\6\x10", "\x0d\x9e\x0d\xdf\x5f\xd5\x1c\x06" AMOUNT ORDER "3").act ==
          SOLANA_OTHER);
    s = STEP_OF(RELAY, "\5\0\0\6\3\1\7\x11\x13\x10", "\x0b\x9c\x60\xda\x27\xa3\xb4\x13" AMOUNT ORDER);
    CHECK(s.act == SOLANA_DEPOSIT && is(s.sell, 3) && is(s.source, 1) && is(s.token_program, TOKEN));
    CHECK(STEP_OF(RELAY, "\5\0\0\6\3\1\7\x18\x13\x10", "\x0b\x9c\x60\xda\x27\xa3\xb4\x13" AMOUNT ORDER).act ==
          SOLANA_OTHER);
}

TEST_MAIN(TEST(compute_budget), TEST(payments), TEST(token_accounts), TEST(token_transfers),
          TEST(other_token_instructions), TEST(notes_and_unknown_orders), TEST(route_v2), TEST(route_v1),
          TEST(other_routes), TEST(minimums), TEST(deposits))
