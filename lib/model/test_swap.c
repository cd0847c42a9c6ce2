#include "base/test.h"
#include "model/swap.c"

/* Every pair of states: '+' where the swap may go from the row's to the column's. */
static void the_whole_table_of_moves(void)
{
    static const char *const table[SWAP_EXPIRED + 1] = {
        /*                     psPCFE */
        [SWAP_PENDING] = "-+++++",    /* accepted by a node, in a block, done; its approval lapsed */
        [SWAP_SUBMITTED] = "--+++-",  /* in a block, done */
        [SWAP_PROCESSING] = "-+-++-", /* its block was reorganised away, done */
        [SWAP_COMPLETED] = "--+---",  /* only after a reorganisation */
        [SWAP_FAILED] = "--++--",     /* likewise; a correction */
        [SWAP_EXPIRED] = "------",    /* nothing was ever signed */
    };

    for (enum swap_status from = SWAP_PENDING; from <= SWAP_EXPIRED; from++)
        for (enum swap_status to = SWAP_PENDING; to <= SWAP_EXPIRED; to++) {
            bool want = table[from][to - SWAP_PENDING] == '+';

            CHECK(swap_may_move(from, to) == want);
            if (swap_may_move(from, to) != want)
                fprintf(stderr, "%s to %s\n", swap_status_text(from), swap_status_text(to));
        }
}

static void texts_and_how_lists_know_them(void)
{
    static const struct {
        enum swap_status status;
        const char *text, *listed;
        bool filter;
    } rows[] = {
        { SWAP_PENDING, "pending", "pending", true },
        { SWAP_SUBMITTED, "submitted", "submitted", true },
        { SWAP_PROCESSING, "processing", "pending", false },
        { SWAP_COMPLETED, "completed", "completed", true },
        { SWAP_FAILED, "failed", "failed", true },
        { SWAP_EXPIRED, "expired", "failed", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum swap_status parsed = (enum swap_status)0;

        CHECK_STR(swap_status_text(rows[i].status), rows[i].text);
        CHECK_STR(swap_status_text(swap_listed(rows[i].status)), rows[i].listed);
        CHECK(swap_listed_parse(&parsed, rows[i].text) == rows[i].filter);
        CHECK(parsed == (rows[i].filter ? rows[i].status : (enum swap_status)0));
    }
}

static void what_is_no_filter(void)
{
    static const char *const bad[] = { "", "Pending", " pending", "pending ", "pend", "done", "1", "all" };
    enum swap_status s;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!swap_listed_parse(&s, bad[i]));
}

static void kinds_of_transactions(void)
{
    CHECK_STR(tx_kind_text(TX_APPROVAL), "approval");
    CHECK_STR(tx_kind_text(TX_SWAP), "swap");
    CHECK_STR(tx_kind_text(TX_CANCEL), "cancel");
    CHECK_STR(tx_kind_text(TX_BRIDGE_IN), "bridge_in");
    CHECK_STR(tx_kind_text(TX_BRIDGE_OUT), "bridge_out");
}

TEST_MAIN(TEST(the_whole_table_of_moves), TEST(texts_and_how_lists_know_them), TEST(what_is_no_filter),
          TEST(kinds_of_transactions))
