#include "exec/solana/solana_payments.c"

#include "chain/solana/test_accounts.h"

#define ME    "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
#define OTHER "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
#define USDC  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define COIN  "So11111111111111111111111111111111111111112"
#define ZERO  "11111111111111111111111111111111"

#define HELD(place, owner, mint, amount)                                                                     \
    "{\"accountIndex\":" place ",\"mint\":\"" mint "\",\"owner\":\"" owner                                   \
    "\",\"uiTokenAmount\":{\"amount\":\"" amount "\",\"decimals\":6}}"
#define TX(keys, found, coins_before, coins_after, before, after)                                            \
    "{\"meta\":{\"err\":null,\"loadedAddresses\":{\"readonly\":[],\"writable\":[" found                      \
    "]},\"preBalances\":[" coins_before "],\"postBalances\":[" coins_after "],\"preTokenBalances\":[" before \
    "],\"postTokenBalances\":[" after "]},\"slot\":77,\"transaction\":{\"message\":{\"accountKeys\":[" keys  \
    "]}}}"
#define PAID(before, after)  TX("\"" OTHER "\"", "", "9", "8", before, after)
#define COINS(before, after) TX("\"" OTHER "\",\"" ME "\"", "", "9," before, "8," after, "", "")

static const struct solana_status done = { .known = true, .slot = 77, .succeeded = true, .confirmed = true };

static struct payment payment_of(struct arena *a, const struct solana_status *s, uint64_t slot,
                                 const char *json)
{
    struct payment p = { .recipient = ME, .seen_block = 77 };
    struct rpc_answers answers;

    payment_read(&p, a, s, slot, answer_of(&answers, a, json));
    rpc_answers_free(&answers);
    return p;
}

static void payments_are_read_from_balance_changes(void)
{
    static const struct {
        const char *json;
        bool known;
        unsigned count;
        int place; /* of the first */
        const char *token;
        uint64_t amount;
    } rows[] = {
        { PAID("", HELD("2", ME, USDC, "42")), true, 1, 2, USDC, 42 },
        { PAID(HELD("2", ME, USDC, "40"), HELD("2", ME, USDC, "42")), true, 1, 2, USDC, 2 },
        { PAID(HELD("2", ME, USDC, "42"), HELD("2", ME, USDC, "42")), true, 0, 0, "", 0 },
        { PAID("", HELD("2", OTHER, USDC, "42")), true, 0, 0, "", 0 },
        /* what was another's account is no payment of what lay in it */
        { PAID(HELD("2", OTHER, USDC, "42"), HELD("2", ME, USDC, "42")), true, 0, 0, "", 0 },
        /* moved from one account of the recipient's to another, and out of one that is closed */
        { PAID(HELD("1", ME, USDC, "42"), HELD("1", ME, USDC, "0") "," HELD("2", ME, USDC, "42")), true, 0, 0,
          "", 0 },
        { PAID(HELD("1", ME, USDC, "42"), HELD("2", ME, USDC, "42")), true, 0, 0, "", 0 },
        { PAID(HELD("1", ME, COIN, "5"), HELD("2", ME, USDC, "42")), true, 1, 2, USDC, 42 },
        /* the wrapped form is a token, and no coin */
        { PAID("", HELD("2", ME, COIN, "42")), true, 1, 2, COIN, 42 },
        { COINS("7", "107"), true, 1, ARRIVAL_COIN, ZERO, 100 },
        { COINS("107", "7"), true, 0, 0, "", 0 },
        { TX("\"" OTHER "\"", "\"" ME "\"", "9,7", "8,9", "", ""), true, 1, ARRIVAL_COIN, ZERO, 2 },
        /* not told */
        { TX("\"" ME "\"", "", "", "9", "", ""), false, 0, 0, "", 0 },
        { PAID("", HELD("2", ME, USDC, "18446744073709551616")), false, 0, 0, "", 0 },
        { PAID("", "{\"accountIndex\":2}"), false, 0, 0, "", 0 },
        { "null", false, 0, 0, "", 0 },
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct payment p = payment_of(a, &done, 99, rows[i].json);
        struct address_bytes token;

        if (p.known != rows[i].known || p.count != rows[i].count)
            fprintf(stderr, "row %zu: %d %u\n", i, p.known, p.count);
        CHECK(p.known == rows[i].known && p.count == rows[i].count && p.block == 77);
        if (p.count == 0)
            continue;
        solana_address_bytes(&token, rows[i].token);
        CHECK(p.arrivals[0].log_index == rows[i].place && !p.arrivals[0].of_block &&
              address_bytes_equal(&p.arrivals[0].token, &token) &&
              u256_cmp(p.arrivals[0].amount, u256_from_u64(rows[i].amount)) == 0);
    }
    arena_free(a);
}

static void commitment_confirms_and_settles_payments(void)
{
    struct arena *a = arena_new();
    struct solana_status s = done;
    struct payment p = payment_of(a, &s, 99, COINS("1", "2"));

    CHECK(p.confirmed && !p.settled && p.succeeded);
    s.finalized = true;
    p = payment_of(a, &s, 99, COINS("1", "2"));
    CHECK(p.settled);
    s.confirmed = s.finalized = false; /* a fork may still take it away, and nothing is read */
    p = payment_of(a, &s, 99, "null");
    CHECK(p.known && p.block == 77 && !p.confirmed && p.count == 0);
    s = done;
    s.succeeded = false;
    p = payment_of(a, &s, 99, "null");
    CHECK(p.known && !p.succeeded && p.count == 0);
    s = (struct solana_status){ .known = false }; /* by a node that is behind, and by one that is not */
    p = payment_of(a, &s, 76, "null");
    CHECK(!p.known);
    p = payment_of(a, &s, 77, "null");
    CHECK(p.known && p.block == 0);
    arena_free(a);
}

TEST_MAIN(TEST(payments_are_read_from_balance_changes), TEST(commitment_confirms_and_settles_payments))
