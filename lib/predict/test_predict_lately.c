/* Positions as the venue's list shows them, and what the wallet has traded since; the database is a function
 * of the test's own. */
#include "base/test.h"

#define fills_lately trades_told
#define fills_sum    sum_told
#include "predict/predict_lately.c"

static struct arena *a;

/* Bought 20 at 0.4, then 5 more at 0.5, then sold 8, which comes first. */
static struct fill_lately trades[] = {
    { .sells = true, .size = 8000000, .price = 6000 },
    { .size = 5000000, .price = 5000 },
    { .size = 20000000, .price = 4000 },
};
static int64_t sum;

int trades_told(struct db *db, struct arena *arena, uint64_t agent_id, uint64_t wallet_id,
                struct fill_lately **out)
{
    (void)db, (void)arena, (void)agent_id, (void)wallet_id;
    for (size_t i = 0; i < sizeof trades / sizeof trades[0]; i++) {
        trades[i].token = u256_from_u64(77);
        trades[i].outcome = "Yes";
        trades[i].question = "Will it?";
    }
    *out = trades;
    return sizeof trades / sizeof trades[0];
}

bool sum_told(struct db *db, uint64_t wallet_id, const struct u256 *token, int64_t *out)
{
    (void)db, (void)wallet_id, (void)token;
    *out = sum;
    return true;
}

static struct predict_lately *read_lately(int64_t total)
{
    const struct wallet w = { .id = 1 };
    const struct ctx ctx = { .db = NULL };
    struct predict_lately *l;

    sum = total;
    CHECK(predict_lately_read(&ctx, a, &w, &l) == NULL);
    return l;
}

/* Sizes that the holding had before are laid over; any other stays. */
static void recent_fills_are_added_to_shown_positions(void)
{
    static const struct {
        const char *token, *size, *want; /* NULL: it is gone */
        int64_t sum;
    } rows[] = {
        { "77", "17", "17", 17000000 },   { "77", "25", "17", 17000000 },
        { "77", "20.0", "17", 17000000 }, { "77", "25.000001", "25.000001", 17000000 },
        { "77", "16", "16", 17000000 },   { "78", "25", "25", 17000000 },
        { "77", "8", NULL, 0 },           { "77", "no", "no", 17000000 },
        { "no", "25", "25", 17000000 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct market_position p = { .token = rows[i].token, .size = rows[i].size, .average_price = "0.3" };

        CHECK(predict_lately_lay(read_lately(rows[i].sum), a, &p) == (rows[i].want != NULL));
        if (rows[i].want != NULL)
            CHECK_STR(p.size, rows[i].want);
        CHECK_STR(p.average_price, "0.3");
    }
}

static void recent_fills_become_positions(void)
{
    struct market_position p = { .token = "77", .size = "17" };
    struct predict_lately *l = read_lately(17000000);

    CHECK(predict_lately_next(l, a, &p) && !predict_lately_next(l, a, &p));
    CHECK_STR(p.token, "77");
    CHECK_STR(p.size, "17");
    CHECK_STR(p.average_price, "0.42");
    CHECK_STR(p.price, "0.6");
    CHECK_STR(p.outcome, "Yes");
    CHECK(strlen(p.condition) == 66);
    l = read_lately(17000000);
    CHECK(predict_lately_lay(l, a, &p) && !predict_lately_next(l, a, &p)); /* it was */
    CHECK(!predict_lately_next(read_lately(0), a, &p));                    /* all is sold */
    CHECK(!predict_lately_next(read_lately(30000000), a, &p));             /* it never was 0 */
}

int main(void)
{
    static const struct test_case cases[] = { TEST(recent_fills_are_added_to_shown_positions),
                                              TEST(recent_fills_become_positions) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(a);
    return failed;
}
