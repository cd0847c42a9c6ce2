#include "base/test.h"
#include "model/execution.c"

/* Every pair of states: '+' where the swap may go from the row's to the column's. */
static void the_whole_table_of_moves(void)
{
    static const char *const table[EXEC_EXPIRED + 1] = {
        /*                     psPCFE */
        [EXEC_PENDING] = "-+++++",    /* accepted by a node, in a block, done; its approval lapsed */
        [EXEC_SUBMITTED] = "--+++-",  /* in a block, done */
        [EXEC_PROCESSING] = "-+-++-", /* its block was reorganised away, done */
        [EXEC_COMPLETED] = "--+---",  /* only after a reorganisation */
        [EXEC_FAILED] = "--++--",     /* likewise; a correction */
        [EXEC_EXPIRED] = "------",    /* nothing was ever signed */
    };

    for (enum exec_status from = EXEC_PENDING; from <= EXEC_EXPIRED; from++)
        for (enum exec_status to = EXEC_PENDING; to <= EXEC_EXPIRED; to++) {
            bool want = table[from][to - EXEC_PENDING] == '+';

            CHECK(exec_may_move(from, to) == want);
            if (exec_may_move(from, to) != want)
                fprintf(stderr, "%s to %s\n", exec_status_text(from), exec_status_text(to));
        }
}

static void texts_and_how_lists_know_them(void)
{
    static const struct {
        enum exec_status status;
        const char *text, *listed;
        bool filter;
    } rows[] = {
        { EXEC_PENDING, "pending", "pending", true },
        { EXEC_SUBMITTED, "submitted", "submitted", true },
        { EXEC_PROCESSING, "processing", "pending", false },
        { EXEC_COMPLETED, "completed", "completed", true },
        { EXEC_FAILED, "failed", "failed", true },
        { EXEC_EXPIRED, "expired", "failed", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum exec_status parsed = (enum exec_status)0;

        CHECK_STR(exec_status_text(rows[i].status), rows[i].text);
        CHECK_STR(exec_status_text(exec_listed(rows[i].status)), rows[i].listed);
        CHECK(exec_listed_parse(&parsed, rows[i].text) == rows[i].filter);
        CHECK(parsed == (rows[i].filter ? rows[i].status : (enum exec_status)0));
    }
}

static void unknown_filters_are_rejected(void)
{
    static const char *const bad[] = { "", "Pending", " pending", "pending ", "pend", "done", "1", "all" };
    enum exec_status s;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!exec_listed_parse(&s, bad[i]));
}

static void kinds_of_transactions(void)
{
    CHECK_STR(tx_kind_text(TX_APPROVAL), "approval");
    CHECK_STR(tx_kind_text(TX_SPEND), "swap");
    CHECK_STR(tx_kind_text(TX_CANCEL), "cancel");
    CHECK_STR(tx_kind_text(TX_BRIDGE_IN), "bridge_in");
    CHECK_STR(tx_kind_text(TX_BRIDGE_OUT), "bridge_out");
}

static void amounts_have_the_places_of_their_token(void)
{
    static const struct {
        const char *amount;
        const struct err *e;
        uint64_t units;
    } rows[] = { { "1", NULL, 1000000 },
                 { "0.000001", NULL, 1 },
                 { "0.0000001", &E_AMOUNT, 0 },
                 { "1.9999999", NULL, 1999999 },
                 { "84993.23079999999", NULL, 84993230799 },
                 { "0", &E_AMOUNT, 0 },
                 { "x", &E_AMOUNT, 0 },
                 { "1e3", &E_AMOUNT, 0 },
                 { "", &E_AMOUNT, 0 },
                 { "-1", &E_AMOUNT, 0 },
                 { "max", &E_AMOUNT, 0 } };
    const struct token_ref token = { .symbol = "USDC", .decimals = 6 };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct u256 units = U256_ZERO;
        const struct err *e = token_ref_amount(a, &token, rows[i].amount, &units);

        CHECK(rows[i].e == NULL ? e == NULL : err_is(e, rows[i].e));
        if (e == NULL)
            CHECK(u256_cmp(units, u256_from_u64(rows[i].units)) == 0);
        else
            CHECK_STR(e->field, "amount");
    }
    CHECK_STR(token_ref_amount(a, &token, "0.0000001", &(struct u256){ 0 })->hint,
              "It is less than the smallest unit of USDC, which has 6 decimals");
    arena_free(a);
}

TEST_MAIN(TEST(the_whole_table_of_moves), TEST(texts_and_how_lists_know_them),
          TEST(unknown_filters_are_rejected), TEST(kinds_of_transactions),
          TEST(amounts_have_the_places_of_their_token))
