#include "perps/venue_ledger.c"

#include "base/test.h"

#define USER                    "0x52908400098527886e0f7030069857d2e4169ee7"
#define OTHER                   "0x1111111111111111111111111111111111111111"
#define SYSTEM_                 "0x2000000000000000000000000000000000000000"
#define ROW(time, id, delta)    "{\"time\":" #time ",\"hash\":\"0x" id "\",\"delta\":{" delta "}}"
#define DEPOSIT(time, id, usdc) ROW(time, id, "\"type\":\"deposit\",\"usdc\":\"" usdc "\"")
#define SEND(time, id, from, to, amount)                                                                     \
    ROW(time, id,                                                                                            \
        "\"type\":\"send\",\"user\":\"" from "\",\"destination\":\"" to                                      \
        "\",\"token\":\"USDC\",\"amount\":\"" amount "\",\"nonce\":77")
#define ACTIVATION(time, id)                                                                                 \
    ROW(time, id, "\"type\":\"accountActivationGas\",\"amount\":\"1.0\",\"token\":\"USDC\"")
#define WITHDRAWAL(time, id, nonce)                                                                          \
    ROW(time, id, "\"type\":\"withdraw\",\"usdc\":\"100.5\",\"nonce\":" #nonce ",\"fee\":\"1.0\"")

static struct arena *a;

static bool ledger_of(struct venue_ledger *out, const char *text)
{
    struct buf answer = { .data = (char *)(uintptr_t)text, .len = strlen(text) };
    struct evm_addr user;

    CHECK(evm_addr_read(&user, USER));
    return venue_ledger_read(a, &answer, &user, out);
}

static void rows_are_told_apart(void)
{
    struct venue_ledger l;

    a = arena_new();
    CHECK(ledger_of(
        &l,
        "[" DEPOSIT(10, "aa", "1000.0") "," ACTIVATION(11, "bb") "," SEND(
            12, "cc", SYSTEM_, USER,
            "999.7") "," SEND(13, "dd", USER, SYSTEM_,
                              "50.0") ","
                                      "" SEND(14, "ee", OTHER, USER, "9.0") "," WITHDRAWAL(
                                          15, "ff", 99) "," ROW(16, "00", "\"type\":\"vaultDeposit\"") "]"));
    CHECK(l.count == 6);
    CHECK(l.rows[0].what == LEDGER_CREDIT && l.rows[0].time_ms == 10);
    CHECK_STR(l.rows[0].id, "0xaa");
    CHECK(u256_cmp(l.rows[0].amount, u256_from_u64(1000000000)) == 0);
    CHECK(l.rows[1].what == LEDGER_ACTIVATION && l.rows[2].what == LEDGER_CREDIT);
    CHECK(l.rows[3].what == LEDGER_WITHDRAWAL && l.rows[3].nonce == 77);
    CHECK(l.rows[4].what == LEDGER_OTHER && l.rows[5].what == LEDGER_WITHDRAWAL);
    CHECK(venue_ledger_has(&l, 77) && venue_ledger_has(&l, 99) && !venue_ledger_has(&l, 10));
}

static void malformed_ledgers_are_refused(void)
{
    static const char *const wrong[] = {
        "",
        "{}",
        "null",
        "[" DEPOSIT(10, "aa", "-1.0") "]",
        "[" DEPOSIT(10, "aa", "1e3") "]",
        "[" DEPOSIT(10.5, "aa", "1.0") "]",
        "[" DEPOSIT(-1, "aa", "1.0") "]",
        "[" SEND(10, "aa", OTHER, SYSTEM_, "1.0") "]",
        "[" ROW(10, "aa", "\"type\":\"withdraw\",\"usdc\":\"1.0\"") "]",
        "[{\"time\":10,\"delta\":{\"type\":\"deposit\",\"usdc\":\"1.0\"}}]",
    };
    struct venue_ledger l;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!ledger_of(&l, wrong[i]));
    CHECK(ledger_of(&l, "[]") && l.count == 0);
    CHECK(ledger_of(&l, "[{},null,7," ROW(10, "aa", "\"usdc\":\"1.0\"") "," DEPOSIT(11, "bb", "2.0") "]"));
    CHECK(l.count == 1 && l.rows[0].what == LEDGER_CREDIT);
}

static struct ledger_wanted wanted_of(uint64_t most, uint64_t expected, uint64_t least,
                                      const char *const *taken)
{
    return (struct ledger_wanted){ .most = u256_from_u64(most),
                                   .expected = u256_from_u64(expected),
                                   .least = u256_from_u64(least),
                                   .since_ms = 10,
                                   .taken = taken };
}

/* A row of the expected amount comes first, then the largest; older ones, others', or those out of bounds do
 * not count. */
static void the_credit_of_a_deposit(void)
{
    static const char *const nobodys[] = { NULL }, *const others[] = { "0xcc", NULL };
    const struct ledger_wanted exact = wanted_of(70000000, 70000000, 70000000, nobodys),
                               around = wanted_of(80000000, 75000000, 69000000, nobodys),
                               rest = wanted_of(70000000, 70000000, 70000000, others);
    const struct ledger_row *row;
    struct venue_ledger l;
    struct u256 kept;

    CHECK(ledger_of(&l, "[" DEPOSIT(9, "aa", "70.0") "," DEPOSIT(10, "bb", "69.0") "," DEPOSIT(
                            11, "cc", "70.0") "," ACTIVATION(12, "dd") "," DEPOSIT(13, "ee", "70.0") "]"));
    row = venue_ledger_credit(&l, &exact, &kept);
    CHECK_STR(row->id, "0xcc");
    CHECK(u256_cmp(kept, u256_from_u64(69000000)) == 0);
    row = venue_ledger_credit(&l, &rest, &kept);
    CHECK_STR(row->id, "0xee");
    CHECK(u256_cmp(kept, u256_from_u64(70000000)) == 0);
    row = venue_ledger_credit(&l, &around, &kept);
    CHECK_STR(row->id, "0xcc");
    CHECK(ledger_of(&l, "[" DEPOSIT(10, "aa", "79.0") "," DEPOSIT(11, "bb", "75.0") "]"));
    row = venue_ledger_credit(&l, &around, &kept);
    CHECK_STR(row->id, "0xbb");
    CHECK(venue_ledger_credit(&l, &exact, &kept) == NULL);
    CHECK(ledger_of(&l, "[" ACTIVATION(10, "aa") "," DEPOSIT(10, "bb", "70.0") "]"));
    CHECK(venue_ledger_credit(&l, &exact, &kept) != NULL && u256_cmp(kept, u256_from_u64(69000000)) == 0);
    arena_free(a);
}

TEST_MAIN(TEST(rows_are_told_apart), TEST(malformed_ledgers_are_refused), TEST(the_credit_of_a_deposit))
