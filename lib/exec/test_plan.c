#include "base/test.h"
#include "exec/plan.c"

static bool verdict_is(const struct plan *p, const struct chain_state *st, const struct err *want)
{
    struct arena *a = arena_new();
    const struct err *e = plan_verdict(a, p, st);
    bool is = e == want || err_is(e, want);

    arena_free(a);
    return is;
}

static void verdicts_of_plans(void)
{
    static const struct {
        bool tried, price_moved;
        uint64_t arrives;
        const struct err *want;
    } rows[] = {
        { true, false, 900, NULL },
        { true, false, 1000, NULL },
        { true, false, 899, &E_PRICE_MOVED },
        { true, false, 0, &E_PRICE_MOVED },
        { false, true, 0, &E_PRICE_MOVED },
        { false, false, 0, &E_WOULD_REVERT },
        { false, false, 1000, &E_WOULD_REVERT }, /* what did not run to its end brings nothing */
    };
    const struct plan p = { .arrives = { .amount = u256_from_u64(900) } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct chain_state st = { .tried = rows[i].tried,
                                  .price_moved = rows[i].price_moved,
                                  .arrives = u256_from_u64(rows[i].arrives) };

        CHECK(verdict_is(&p, &st, rows[i].want));
        st.unverified = true; /* the chain itself keeps the minimum */
        CHECK(verdict_is(&p, &st, NULL));
    }
}

/* Nothing arrives on the chain where it was tried. */
static void verdicts_of_bridges(void)
{
    static const struct plan_bridge bridge = { .bridge_provider = "lifi" };
    static const struct {
        uint64_t leaves;
        const struct err *want;
    } rows[] = { { 700, NULL }, { 699, &E_WOULD_REVERT }, { 701, &E_WOULD_REVERT }, { 0, &E_WOULD_REVERT } };
    const struct plan p = { .leaves = { .amount = u256_from_u64(700) },
                            .arrives = { .amount = u256_from_u64(900) },
                            .bridge = &bridge };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct chain_state st = { .tried = true, .leaves = u256_from_u64(rows[i].leaves) };

        CHECK(verdict_is(&p, &st, rows[i].want));
    }
}

static void recipients_of_a_plan(void)
{
    struct arena *a = arena_new();
    const struct plan p = {
        .steps = { { .kind = TX_APPROVAL, .to = "token", .token = "token", .spender = "router" },
                   { .kind = TX_SPEND, .to = "router", .token = "token", .spender = "permit" },
                   { .kind = TX_SPEND, .to = "coin", .token = "coin" },
                   { .kind = TX_SPEND, .to = "friend" } },
        .count = 4,
        .requests = { { .order = "cancel" }, { .to = "exchange" } },
        .request_count = 2
    };
    const char *const *list = plan_recipients(a, &p);

    CHECK_STR(list[0], "router"); /* the approval's token itself gets nothing */
    CHECK_STR(list[1], "router");
    CHECK_STR(list[2], "permit");
    CHECK_STR(list[3], "coin");
    CHECK_STR(list[4], "friend");
    CHECK_STR(list[5], "exchange");
    CHECK(list[6] == NULL);
    arena_free(a);
}

TEST_MAIN(TEST(verdicts_of_plans), TEST(verdicts_of_bridges), TEST(recipients_of_a_plan))
