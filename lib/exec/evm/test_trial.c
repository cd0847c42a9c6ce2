#include "base/test.h"
#include "exec/evm/trial.c"

#include "chain/evm/rpc_class.h"

static struct arena *a;

#define WORD(last) "00000000000000000000000000000000000000000000000000000000" last
#define BALANCE(n) "{\"status\":\"0x1\",\"gasUsed\":\"0x5b93\",\"returnData\":\"0x" WORD(n) "\"}"
#define DONE       "{\"status\":\"0x1\",\"gasUsed\":\"0x186a0\",\"returnData\":\"0x\"}" /* 100,000 */
#define SAID(word) "{\"status\":\"0x1\",\"gasUsed\":\"0x186a0\",\"returnData\":\"0x" WORD(word) "\"}"
#define REVERTED                                                                                                                             \
    "{\"status\":\"0x0\",\"gasUsed\":\"0x5b93\",\"error\":{\"code\":3,\"message\":\"execution reverted\"},\"returnData\":\"0x08c379a0" WORD( \
        "00000020") WORD("00000002") "6e6f000000000000000000000000000000000000000000000000000000000000\"}"
/* What an override returns of one step, which used 7 of gas. */
#define OVERRIDDEN(word) "\"result\":\"0x" word WORD("00000007") "\""
#define LESS_FOUR        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc"
#define CALLS(list)      "\"result\":[{\"calls\":[" list "]}]"

/* An approval and a swap, without data. */
static const struct chain chain = { .gas_max = 30000000 };
static const struct plan plan = { .chain = &chain, .count = 2 }, one_step = { .chain = &chain, .count = 1 };

static struct trial read_form(unsigned form, const struct plan *p, const char *answer)
{
    struct buf body = BUF_INIT(16384);
    struct rpc_answers as;
    struct trial t;

    buf_addf(&body, "[{\"id\":0,%s}]", answer);
    CHECK(rpc_read(&as, a, &body, 1, evm_classify));
    as.items[0].form = form;
    t = trial_read(p, a, &as.items[0]);
    rpc_answers_free(&as);
    buf_free(&body);
    return t;
}

static void simulations(void)
{
    static const struct {
        const char *calls;
        enum trial_end end;
        uint64_t arrives;
    } rows[] = {
        { CALLS(BALANCE("00000005") "," DONE "," SAID("00000001") "," BALANCE("00000009")), TRIAL_RAN, 4 },
        { CALLS(BALANCE("00000009") "," DONE "," DONE "," BALANCE("00000005")), TRIAL_RAN, 0 },
        { CALLS(BALANCE("00000005") "," SAID("00000000") "," DONE "," BALANCE("00000009")), TRIAL_FAILED, 0 },
        { CALLS(BALANCE("00000005") "," DONE "," REVERTED "," BALANCE("00000005")), TRIAL_FAILED, 0 },
        { CALLS(BALANCE("00000005") "," DONE "," DONE), TRIAL_SILENT, 0 },
        { CALLS(REVERTED "," DONE "," DONE "," BALANCE("00000005")), TRIAL_SILENT, 0 },
        { CALLS(BALANCE("00000005") ",{}," DONE "," BALANCE("00000005")), TRIAL_SILENT, 0 },
        { CALLS(""), TRIAL_SILENT, 0 },
        { "\"result\":[]", TRIAL_SILENT, 0 },
        { "\"error\":{\"code\":-32000,\"message\":\"missing trie node\"}", TRIAL_SILENT, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct trial t = read_form(0, &plan, rows[i].calls);

        CHECK(t.end == rows[i].end && u256_cmp(t.arrives, u256_from_u64(rows[i].arrives)) == 0);
        /* 100,000 and what may come back, less what a transaction costs beforehand */
        if (t.end == TRIAL_RAN)
            CHECK(t.used[0] == 125000 - 21000 && t.used[1] == t.used[0]);
    }
    CHECK_STR(read_form(0, &plan, rows[3].calls).revert, "no");
}

/* By either form: how much the balance fell. */
static void bridges_take_exactly_their_input(void)
{
    static const struct plan_bridge bridge = { .carrier = "lifi" };
    static const struct plan deposit = { .chain = &chain, .count = 1, .bridge = &bridge };
    struct trial t = read_form(0, &deposit, CALLS(BALANCE("00000009") "," DONE "," BALANCE("00000005")));

    CHECK(t.end == TRIAL_RAN && u256_cmp(t.leaves, u256_from_u64(4)) == 0 && u256_is_zero(t.arrives));
    t = read_form(1, &deposit, OVERRIDDEN(LESS_FOUR));
    CHECK(t.end == TRIAL_RAN && u256_cmp(t.leaves, u256_from_u64(4)) == 0 && t.used[0] == 7);
    t = read_form(1, &deposit, OVERRIDDEN(WORD("00000004")));
    CHECK(t.end == TRIAL_RAN && u256_cmp(t.leaves, u256_from_u64(4)) > 0);
    /* What did not arrive is nothing, however little there was before. */
    t = read_form(1, &one_step, OVERRIDDEN(LESS_FOUR));
    CHECK(t.end == TRIAL_RAN && u256_is_zero(t.arrives));
    t = read_form(1, &one_step, OVERRIDDEN(WORD("00000004")));
    CHECK(t.end == TRIAL_RAN && u256_cmp(t.arrives, u256_from_u64(4)) == 0);
}

static void words_of_a_minimum_that_was_not_met(void)
{
    static const struct {
        const char *revert;
        bool price_moved;
    } rows[] = {
        { "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT", true },
        { "Too little received", true },
        { "Return amount is not enough", true },
        { "too little RECEIVED", true },
        { "UniswapV2Router: EXPIRED", false },
        { "STF", false },
        { "", false },
        { NULL, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(says_price_moved(rows[i].revert) == rows[i].price_moved);
}

static void estimates(void)
{
    struct trial t = read_form(2, &one_step, "\"result\":\"0x186a0\"");

    CHECK(t.end == TRIAL_UNVERIFIED && t.used[0] == 79000);
    t = read_form(2, &plan, "\"result\":\"0x186a0\""); /* of the approval: nothing is known of the swap */
    CHECK(t.end == TRIAL_UNVERIFIED && !t.has_gas);
    CHECK(read_form(2, &one_step, "\"result\":\"0xffffffffffff\"").end == TRIAL_SILENT);
    CHECK(read_form(2, &one_step, "\"error\":{\"code\":3,\"message\":\"execution reverted\"}").end ==
          TRIAL_FAILED);
}

static void trial_test_start(void)
{
    a = arena_new();
}

static void trial_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(trial_test_start), TEST(simulations), TEST(bridges_take_exactly_their_input),
          TEST(words_of_a_minimum_that_was_not_met), TEST(estimates), TEST(trial_test_end))
