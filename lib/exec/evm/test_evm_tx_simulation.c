#include "base/test.h"
#include "exec/evm/evm_tx_simulation.c"

#include "chain/evm/evm_rpc_class.h"

static struct arena *a;

#define ME         "0x1111111111111111111111111111111111111111"
#define COIN       "0x0000000000000000000000000000000000000000"
#define SOLD       "0x0000000000000000000000000000000000001001"
#define BOUGHT     "0x0000000000000000000000000000000000001002"
#define ROUTER     "0x0000000000000000000000000000000000001004"

#define WORD(last) "00000000000000000000000000000000000000000000000000000000" last
#define DONE_JSON  "{\"status\":\"0x1\",\"gasUsed\":\"0x186a0\",\"returnData\":\"0x\"}" /* 100,000 */
#define SAID(word) "{\"status\":\"0x1\",\"gasUsed\":\"0x186a0\",\"returnData\":\"0x" WORD(word) "\"}"
#define REVERTED                                                                                                                             \
    "{\"status\":\"0x0\",\"gasUsed\":\"0x5b93\",\"error\":{\"code\":3,\"message\":\"execution reverted\"},\"returnData\":\"0x08c379a0" WORD( \
        "00000020") WORD("00000002") "6e6f000000000000000000000000000000000000000000000000000000000000\"}"

static const struct chain chain = { .key = "test", .gas_max = 30000000 };

/* An approval and a swap of 7 of a token for 3 at least of another, without data; next to them a third one.
 */
static struct plan plan_of(const char *sold)
{
    struct plan p = { .chain = &chain,
                      .wallet = ME,
                      .count = 2,
                      .spend = 1,
                      .leaves = { .amount = { { 7 } } },
                      .arrives = { .amount = { { 3 } } },
                      .others = { { .bytes = { 0x0a }, .len = EVM_ADDR_LEN } },
                      .other_count = 1 };

    snprintf(p.leaves.token.address, sizeof p.leaves.token.address, "%s", sold);
    snprintf(p.arrives.token.address, sizeof p.arrives.token.address, "%s", BOUGHT);
    p.steps[0] = (struct step){ .kind = TX_APPROVAL, .to = sold, .token = sold, .spender = ROUTER };
    p.steps[1] = (struct step){ .kind = TX_SPEND, .to = ROUTER, .token = sold, .spender = ROUTER };
    return p;
}

/* Coin, the bought token, the sold token, the allowance, the other token. */
enum { WORDS = 5 };

/* Multicall3's result of `n` words; one that is NONE has failed. */
enum { NONE = -1 };

static void reading_write(struct buf *out, const int *words, unsigned n)
{
    unsigned at = n * ABI_WORD;

    abi_u64(out, ABI_WORD);
    abi_u64(out, n);
    for (unsigned i = 0; i < n; i++) {
        abi_u64(out, at);
        at += (words[i] == NONE ? 3U : 4U) * ABI_WORD;
    }
    for (unsigned i = 0; i < n; i++) {
        abi_u64(out, words[i] != NONE);
        abi_u64(out, (uint64_t)(2 * ABI_WORD));
        abi_u64(out, words[i] != NONE ? ABI_WORD : 0);
        if (words[i] != NONE)
            abi_u64(out, (uint64_t)words[i]);
    }
}

static const char *reading_call(const int *words, unsigned n)
{
    struct buf bytes = BUF_INIT(8192);
    const char *text;
    char *hex;

    reading_write(&bytes, words, n);
    hex = bytes_hex(bytes.data, bytes.len);
    text = arena_printf(a, "{\"status\":\"0x1\",\"gasUsed\":\"0x5b93\",\"returnData\":\"0x%s\"}", hex);
    free(hex);
    buf_free(&bytes);
    return text;
}

/* The two readings around the calls. */
static const char *simulated(const int *before, const char *calls, const int *after, unsigned n)
{
    return arena_printf(a, "\"result\":[{\"calls\":[%s,%s,%s]}]", reading_call(before, n), calls,
                        reading_call(after, n));
}

/* The result of the override's code, each call of which used 7 of gas. */
static const char *overridden(const int *before, const int *after, unsigned n)
{
    struct buf out = BUF_INIT(16384), one = BUF_INIT(8192);
    const int *const both[] = { before, after };
    size_t room = n * ROW_BYTES + 2 * ABI_WORD + (n > WORDS ? PLAN_AFTER_MAX : 0);
    size_t lengths[2];
    const char *text;
    char *hex;

    for (unsigned i = 0; i < SIM_MAX_CALLS; i++)
        abi_u64(&out, 7);
    for (unsigned i = 0; i < 2; i++) {
        buf_reset(&one);
        reading_write(&one, both[i], n);
        abi_u64(&out, lengths[i] = one.len);
    }
    for (unsigned i = 0; i < 2; i++) {
        reading_write(&out, both[i], n);
        for (size_t at = lengths[i]; at < room; at++)
            buf_addc(&out, 0);
    }
    hex = bytes_hex(out.data, out.len);
    text = arena_printf(a, "\"result\":\"0x%s\"", hex);
    free(hex);
    buf_free(&out);
    buf_free(&one);
    return text;
}

static struct tx_simulation read_form(unsigned form, const struct plan *p, const char *answer)
{
    struct buf body = BUF_INIT(65536);
    struct rpc_answers as;
    struct tx_simulation t;

    buf_addf(&body, "[{\"id\":0,%s}]", answer);
    CHECK(rpc_read(&as, a, &body, 1, evm_classify));
    as.items[0].form = form;
    t = tx_simulation_read(p, a, &as.items[0]);
    rpc_answers_free(&as);
    buf_free(&body);
    return t;
}

static const int had[WORDS] = { 100, 5, 50, 0, 20 };
static const int traded[WORDS] = { 100, 9, 43, 0, 20 };

static void simulations(void)
{
    const char *const whole = simulated(had, DONE_JSON "," SAID("00000001"), traded, WORDS);
    const struct {
        const char *answer;
        enum tx_simulation_end end;
        uint64_t arrives;
    } rows[] = {
        { whole, TX_SIMULATION_RAN, 4 },
        { simulated(had, DONE_JSON "," DONE_JSON, had, WORDS), TX_SIMULATION_RAN, 0 },
        { simulated(had, SAID("00000000") "," DONE_JSON, traded, WORDS), TX_SIMULATION_FAILED, 0 },
        { simulated(had, DONE_JSON "," REVERTED, had, WORDS), TX_SIMULATION_FAILED, 0 },
        { simulated(had, DONE_JSON, traded, WORDS), TX_SIMULATION_UNAVAILABLE, 0 },
        { simulated(had, "{}," DONE_JSON, traded, WORDS), TX_SIMULATION_UNAVAILABLE, 0 },
        { simulated((const int[]){ NONE, NONE, NONE, NONE, NONE }, DONE_JSON "," DONE_JSON, traded, WORDS),
          TX_SIMULATION_UNAVAILABLE, 0 },
        { simulated(had, DONE_JSON "," DONE_JSON, traded, 1), TX_SIMULATION_UNAVAILABLE, 0 },
        { "\"result\":[{\"calls\":[" REVERTED "," DONE_JSON "," DONE_JSON "," REVERTED "]}]",
          TX_SIMULATION_UNAVAILABLE, 0 },
        { "\"result\":[{\"calls\":[]}]", TX_SIMULATION_UNAVAILABLE, 0 },
        { "\"result\":[]", TX_SIMULATION_UNAVAILABLE, 0 },
        { "\"error\":{\"code\":-32000,\"message\":\"missing trie node\"}", TX_SIMULATION_UNAVAILABLE, 0 },
    };
    struct plan p = plan_of(SOLD);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tx_simulation t = read_form(0, &p, rows[i].answer);

        CHECK(t.end == rows[i].end && u256_cmp(t.arrives, u256_from_u64(rows[i].arrives)) == 0);
        /* 100,000 and what may come back, less what a transaction costs beforehand */
        if (t.end == TX_SIMULATION_RAN)
            CHECK(t.used[0] == 125000 - 21000 && t.used[1] == t.used[0]);
    }
    CHECK_STR(read_form(0, &p, rows[3].answer).revert, "no");
}

static bool reverted_with(const struct tx_simulation *t, uint32_t selector)
{
    return t->end == TX_SIMULATION_FAILED && t->revert == NULL && t->revert_len == ABI_SELECTOR &&
           abi_get_selector(t->revert_data) == selector;
}

/* The bytes of errors that are no text reach the market's reader. */
static void bytes_of_a_revert(void)
{
    static const int words[] = { 100, 5, 50, 0, 20 };
    static const char refused[] =
        "{\"status\":\"0x0\",\"gasUsed\":\"0x5b93\",\"error\":{\"code\":3},\"returnData\":\"0x911ceb81\"}";
    static const char error[] =
        "\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x911ceb81\"}";
    struct plan p = plan_of(SOLD);
    struct tx_simulation t =
        read_form(0, &p, simulated(words, arena_printf(a, "%s,%s", DONE_JSON, refused), words, 5));

    CHECK(reverted_with(&t, 0x911ceb81));
    t = read_form(1, &p, error);
    CHECK(reverted_with(&t, 0x911ceb81));
    t = read_form(2, &p, error);
    CHECK(reverted_with(&t, 0x911ceb81));
    t = read_form(0, &p, simulated(words, DONE_JSON "," SAID("00000000"), words, 5)); /* returned false */
    CHECK(t.end == TX_SIMULATION_FAILED && t.revert_data == NULL);
}

/* One row more, whose word is read behind the steps; without it the simulation has not told all. */
static void readings_after_the_steps_are_returned(void)
{
    static const uint8_t question[] = { 1, 2, 3 };
    static const int before[] = { 100, 5, 50, 0, 20, 7 }, after[] = { 100, 9, 43, 0, 20, 8 },
                     amount_unknown[] = { 100, 9, 43, 0, 20, NONE }, taken[] = { 100, 9, 43, 0, 19, 8 };
    struct plan p = plan_of(SOLD);
    struct tx_simulation t;

    p.after = question;
    p.after_len = sizeof question;
    for (unsigned form = 0; form < 2; form++) {
        t = read_form(form, &p,
                      form == 0 ? simulated(before, DONE_JSON "," DONE_JSON, after, 6)
                                : overridden(before, after, 6));
        CHECK(t.end == TX_SIMULATION_RAN && u256_cmp(t.arrives, u256_from_u64(4)) == 0);
        CHECK(t.after_len == ABI_WORD && t.after[ABI_WORD - 1] == 8);
    }
    CHECK(read_form(0, &p, simulated(before, DONE_JSON "," DONE_JSON, amount_unknown, 6)).end ==
          TX_SIMULATION_UNAVAILABLE);
    CHECK(read_form(0, &p, simulated(before, DONE_JSON "," DONE_JSON, taken, 6)).end == TX_SIMULATION_FAILED);
    t = read_form(0, &p, "\"error\":{\"code\":-32601,\"message\":\"the method does not exist\"}");
    CHECK(t.end == TX_SIMULATION_FAILED && strstr(t.revert, "no node") != NULL);
    p.after = NULL;
    CHECK(read_form(0, &p, simulated(before, DONE_JSON "," DONE_JSON, after, 5)).after == NULL);
}

/* By either form. */
static void tx_simulations_with_losses_or_allowances_fail(void)
{
    static const struct {
        int before[WORDS], after[WORDS];
        const char *why; /* NULL: nothing is wrong */
    } rows[] = {
        { { 100, 5, 50, 0, 20 }, { 100, 9, 43, 0, 20 }, NULL },
        { { 100, 5, 50, 4, 20 }, { 130, 9, 44, 0, 29 }, NULL },
        { { 100, 5, 50, 0, NONE }, { 100, 9, 43, 0, 20 }, NULL },
        { { 100, 5, 50, 0, 0 }, { 100, 9, 43, 0, NONE }, NULL },
        { { 100, 5, 50, 0, 20 }, { 99, 9, 43, 0, 20 }, "it takes more of the chain's coin than it says" },
        { { 100, 5, 50, 0, 20 }, { 100, 9, 42, 0, 20 }, "it takes more of what is sold than it says" },
        { { 100, 5, NONE, 0, 20 }, { 100, 9, 43, 0, 20 }, "it takes more of what is sold than it says" },
        { { 100, 5, 50, 0, 20 }, { 100, 9, 43, 1, 20 }, "it leaves an allowance" },
        { { 100, 5, 50, 0, 20 }, { 100, 9, 43, NONE, 20 }, "it leaves an allowance" },
        { { 100, 5, 50, 0, 20 }, { 100, 9, 43, 0, 19 }, "it takes another token" },
        { { 100, 5, 50, 0, 20 }, { 100, 9, 43, 0, NONE }, "it takes another token" },
    };
    struct plan p = plan_of(SOLD);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *forms[] = { simulated(rows[i].before, DONE_JSON "," DONE_JSON, rows[i].after, WORDS),
                                overridden(rows[i].before, rows[i].after, WORDS) };

        for (unsigned form = 0; form < 2; form++) {
            struct tx_simulation t = read_form(form, &p, forms[form]);

            CHECK(t.end == (rows[i].why == NULL ? TX_SIMULATION_RAN : TX_SIMULATION_FAILED));
            if (rows[i].why != NULL)
                CHECK_STR(t.revert, rows[i].why);
            else
                CHECK(u256_cmp(t.arrives, u256_from_u64(4)) == 0);
        }
    }
}

/* The steps carry the coin that is sold as their value, so it needs no allowance. */
static void coins_are_sold_by_value(void)
{
    static const int before[] = { 100, 5, 20 }, after[] = { 93, 9, 20 }, more[] = { 92, 9, 20 };
    struct plan p = plan_of(COIN);

    p.count = 1;
    p.spend = 0;
    p.leaves.native = true;
    p.steps[0] = (struct step){ .kind = TX_SPEND, .to = ROUTER, .value = { { 7 } } };
    CHECK(read_form(0, &p, simulated(before, DONE_JSON, after, 3)).end == TX_SIMULATION_RAN);
    CHECK(read_form(0, &p, simulated(before, DONE_JSON, more, 3)).end == TX_SIMULATION_FAILED);
    CHECK(read_form(1, &p, overridden(before, after, 3)).end == TX_SIMULATION_RAN);
    CHECK(read_form(1, &p, overridden(before, more, 3)).end == TX_SIMULATION_FAILED);
}

/* By either form: how much the balance fell. */
static void bridges_take_exactly_their_input(void)
{
    static const struct plan_bridge bridge = { .bridge_provider = "lifi" };
    static const int before[] = { 100, 50, 0, 20 }, after[] = { 100, 43, 0, 20 }, less[] = { 100, 44, 0, 20 },
                     more[] = { 100, 42, 0, 20 };
    struct plan p = plan_of(SOLD);
    struct tx_simulation t;

    p.bridge = &bridge;
    t = read_form(0, &p, simulated(before, DONE_JSON "," DONE_JSON, after, 4));
    CHECK(t.end == TX_SIMULATION_RAN && u256_cmp(t.leaves, u256_from_u64(7)) == 0 && u256_is_zero(t.arrives));
    t = read_form(1, &p, overridden(before, after, 4));
    CHECK(t.end == TX_SIMULATION_RAN && u256_cmp(t.leaves, u256_from_u64(7)) == 0 && t.used[0] == 7);
    t = read_form(1, &p, overridden(before, less, 4));
    CHECK(t.end == TX_SIMULATION_RAN && u256_cmp(t.leaves, u256_from_u64(6)) == 0);
    CHECK(read_form(1, &p, overridden(before, more, 4)).end == TX_SIMULATION_FAILED);
    p.recipient = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"; /* on a chain of another family */
    t = read_form(1, &p, overridden(before, after, 4));
    CHECK(t.end == TX_SIMULATION_RAN && u256_cmp(t.leaves, u256_from_u64(7)) == 0);
}

/* Calldata of others is not carried out without a simulation. */
static void nodes_that_cannot_try(void)
{
    const struct rpc_answer lacks = { .class = RPC_LACKS };
    struct plan p = plan_of(SOLD);

    CHECK(tx_simulation_read(&p, a, &lacks).end == TX_SIMULATION_UNAVAILABLE);
    p.by_others = true;
    CHECK(tx_simulation_read(&p, a, &lacks).end == TX_SIMULATION_FAILED);
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
    const struct plan plan = { .chain = &chain, .count = 2 }, one_step = { .chain = &chain, .count = 1 };
    struct tx_simulation t = read_form(2, &one_step, "\"result\":\"0x186a0\"");

    CHECK(t.end == TX_SIMULATION_UNVERIFIED && t.used[0] == 79000);
    t = read_form(2, &plan, "\"result\":\"0x186a0\""); /* of the approval: nothing is known of the swap */
    CHECK(t.end == TX_SIMULATION_UNVERIFIED && !t.has_gas);
    CHECK(read_form(2, &one_step, "\"result\":\"0xffffffffffff\"").end == TX_SIMULATION_ABSURD);
    CHECK(read_form(2, &one_step, "\"error\":{\"code\":3,\"message\":\"execution reverted\"}").end ==
          TX_SIMULATION_FAILED);
}

static void tx_simulation_test_start(void)
{
    a = arena_new();
}

static void tx_simulation_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(tx_simulation_test_start), TEST(simulations), TEST(bytes_of_a_revert),
          TEST(readings_after_the_steps_are_returned), TEST(tx_simulations_with_losses_or_allowances_fail),
          TEST(coins_are_sold_by_value), TEST(bridges_take_exactly_their_input), TEST(nodes_that_cannot_try),
          TEST(words_of_a_minimum_that_was_not_met), TEST(estimates), TEST(tx_simulation_test_end))
