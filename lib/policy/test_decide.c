#include "base/test.h"
#include "policy/decide.c"

static struct arena *a;

static const char *const ETHEREUM_USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

static bool read(struct policy_rule *r, enum policy_type type, const char *text)
{
    struct param_faults faults = { NULL, NULL };
    json_t *params = json_loads(text, 0, NULL);
    bool ok = policy_read(r, type, params, a, &faults);

    params_faults_free(&faults);
    json_decref(params);
    return ok;
}

static struct token_ref token_on(uint64_t chain, const char *symbol, const char *address, uint8_t decimals)
{
    struct token_ref t = { .chain_id = chain, .decimals = decimals };

    (void)snprintf(t.symbol, sizeof t.symbol, "%s", symbol);
    (void)snprintf(t.address, sizeof t.address, "%s", address);
    return t;
}

/* Anybody can call a contract USDC: by symbol only the table's own counts. */
static void a_symbol_is_the_tables(void)
{
    const struct token_ref real = token_on(1, "USDC", ETHEREUM_USDC, 6);
    const struct token_ref fake = token_on(1, "USDC", "0x7777777777777777777777777777777777777777", 6);

    CHECK(token_is(&real, "USDC") && token_is(&real, "usdc"));
    CHECK(!token_is(&real, "USDT") && !token_is(&fake, "USDC"));
    CHECK(token_is(&real, "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"));
    CHECK(token_is(&fake, "0x7777777777777777777777777777777777777777") && !token_is(&fake, ETHEREUM_USDC));
}

static void tokens_are_scaled_up_never_down(void)
{
    struct u256 v, max;

    CHECK(scaled(&v, u256_from_u64(1), 6) && u256_cmp(v, u256_from_u64(1000000000000)) == 0);
    CHECK(scaled(&v, u256_from_u64(7), 18) && u256_cmp(v, u256_from_u64(7)) == 0);
    CHECK(scaled(&v, u256_from_u64(2000), 21) && u256_cmp(v, u256_from_u64(2)) == 0);
    CHECK(scaled(&v, u256_from_u64(2001), 21) && u256_cmp(v, u256_from_u64(3)) == 0);
    memset(&max, 0xff, sizeof max);
    CHECK(!scaled(&v, max, 17));
}

static struct spend spend_of(int64_t at_ms, uint64_t usd)
{
    return (struct spend){ .at_ms = at_ms, .has_usd = usd != 0, .usd = u256_from_u64(usd) };
}

/* The window slides; what was before the policy does not count; what was not valued allows no sum. */
static void sums_of_a_window(void)
{
    struct spend spends[] = { spend_of(1000, 1), spend_of(2000, 10), spend_of(2001, 100),
                              spend_of(9000, 1000) };
    struct deciding d = { .spends = spends, .count = 4, .now_ms = 12000, .has_spends = true };
    struct policy_rule r;
    struct u256 sum;

    CHECK(read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"timeWindowSeconds\":10}"));
    CHECK(sum_of(&sum, &d, &r, 0) && u256_cmp(sum, u256_from_u64(1110)) == 0);
    CHECK(sum_of(&sum, &d, &r, 2001) && u256_cmp(sum, u256_from_u64(1100)) == 0);
    d.now_ms = 19001;
    CHECK(sum_of(&sum, &d, &r, 0) && u256_is_zero(sum));
    spends[3].has_usd = false;
    CHECK(sum_of(&sum, &d, &r, 0));
    d.now_ms = 19000;
    CHECK(!sum_of(&sum, &d, &r, 0));
}

static void a_limit_is_reached_and_not_passed(void)
{
    const struct quote q = { .from = token_on(1, "USDC", ETHEREUM_USDC, 6),
                             .amount_in = u256_from_u64(100000000) };
    struct policy_case c = { .quote = &q };
    struct deciding d = { .arena = a, .c = &c };
    struct policy_rule r;
    bool valued;

    CHECK(read(&r, POLICY_SPENDING, "{\"maxAmount\":\"100\",\"token\":\"USDC\"}"));
    CHECK(check_limit(&d, &r, 0, &valued) == NULL && valued);
    CHECK(read(&r, POLICY_SPENDING, "{\"maxAmount\":\"99.999999\",\"token\":\"USDC\"}"));
    CHECK(check_limit(&d, &r, 0, &valued) != NULL && valued);
    CHECK(read(&r, POLICY_SPENDING, "{\"maxAmount\":\"1\",\"token\":\"USDT\"}"));
    CHECK(check_limit(&d, &r, 0, &valued) == NULL && valued);
    CHECK(read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1000000\"}"));
    CHECK(check_limit(&d, &r, 0, &valued) != NULL && !valued);
}

/* One that is not valued is not a matter of approval either. */
static void judgements(void)
{
    const struct quote q = { .from = token_on(1, "USDC", ETHEREUM_USDC, 6),
                             .amount_in = u256_from_u64(100000000) };
    struct policy_case c = { .quote = &q };
    struct deciding d = { .arena = a, .c = &c };
    struct policy p = { .type = POLICY_APPROVAL, .params = "{\"maxAmount\":\"1\",\"token\":\"USDC\"}" };
    const struct err *why;

    CHECK(judge(&d, &p, &why) == POLICY_ASKS);
    c.approved = true;
    CHECK(judge(&d, &p, &why) == POLICY_ALLOWS);
    p.params = "{\"maxAmountUsd\":\"1000\"}";
    CHECK(judge(&d, &p, &why) == POLICY_REFUSES && why->status == 403);
    p.type = POLICY_SPENDING;
    p.params = "{\"maxAmount\":\"1\",\"token\":\"USDC\"}";
    CHECK(judge(&d, &p, &why) == POLICY_REFUSES && strstr(why->hint, "spending_limit") != NULL);
    p.params = "{\"maxAmount\":\"1\"";
    CHECK(judge(&d, &p, &why) == POLICY_REFUSES && strstr(why->hint, "cannot be read") != NULL);
    p.params = NULL;
    CHECK(judge(&d, &p, &why) == POLICY_REFUSES);
    p.type = (enum policy_type)0;
    CHECK(judge(&d, &p, &why) == POLICY_REFUSES);
}

static void start(void)
{
    a = arena_new();
}

static void end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(start), TEST(a_symbol_is_the_tables), TEST(tokens_are_scaled_up_never_down),
          TEST(sums_of_a_window), TEST(a_limit_is_reached_and_not_passed), TEST(judgements), TEST(end))
