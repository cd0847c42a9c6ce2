#include "base/test.h"
#include "policy/decide.c"

static struct arena *a;

static const char *const ETHEREUM_USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
static const char *const NO_ADDRESS = "0x0000000000000000000000000000000000000000";

static bool rule_read(struct policy_rule *r, enum policy_type type, const char *text)
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

    CHECK(amount_scaled(&v, u256_from_u64(1), 6) && u256_cmp(v, u256_from_u64(1000000000000)) == 0);
    CHECK(amount_scaled(&v, u256_from_u64(7), 18) && u256_cmp(v, u256_from_u64(7)) == 0);
    CHECK(amount_scaled(&v, u256_from_u64(2000), 21) && u256_cmp(v, u256_from_u64(2)) == 0);
    CHECK(amount_scaled(&v, u256_from_u64(2001), 21) && u256_cmp(v, u256_from_u64(3)) == 0);
    memset(&max, 0xff, sizeof max);
    CHECK(!amount_scaled(&v, max, 17));
}

static struct outlay outlay_of_usdc(uint64_t units)
{
    return (struct outlay){ .from = token_on(1, "USDC", ETHEREUM_USDC, 6),
                            .to = token_on(8453, "ETH", NO_ADDRESS, 18),
                            .amount_in = u256_from_u64(units * 1000000) };
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
    struct evaluation ev = { .spends = spends, .count = 4, .now_ms = 12000, .has_spends = true };
    struct policy_rule r;
    struct u256 sum;

    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"timeWindowSeconds\":10}"));
    CHECK(spends_sum(&sum, &ev, &r.limit, 0) && u256_cmp(sum, u256_from_u64(1110)) == 0);
    CHECK(spends_sum(&sum, &ev, &r.limit, 2001) && u256_cmp(sum, u256_from_u64(1100)) == 0);
    ev.now_ms = 19001;
    CHECK(spends_sum(&sum, &ev, &r.limit, 0) && u256_is_zero(sum));
    spends[3].has_usd = false;
    CHECK(spends_sum(&sum, &ev, &r.limit, 0));
    ev.now_ms = 19000;
    CHECK(!spends_sum(&sum, &ev, &r.limit, 0));
}

static void a_limit_is_reached_and_not_passed(void)
{
    struct outlay o = outlay_of_usdc(100);
    struct evaluation ev = { .arena = a, .outlay = &o };
    struct policy_rule r;
    bool valued;

    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmount\":\"100\",\"token\":\"USDC\"}"));
    CHECK(limit_check(&ev, &r.limit, 0, &valued) == NULL && valued);
    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmount\":\"99.999999\",\"token\":\"USDC\"}"));
    CHECK(limit_check(&ev, &r.limit, 0, &valued) != NULL && valued);
    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmount\":\"1\",\"token\":\"USDT\"}"));
    CHECK(limit_check(&ev, &r.limit, 0, &valued) == NULL && valued);
    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1000000\"}"));
    CHECK(limit_check(&ev, &r.limit, 0, &valued) != NULL && !valued);
}

/* One that is not valued is not a matter of approval either. */
static void verdicts(void)
{
    struct outlay o = outlay_of_usdc(100);
    struct evaluation ev = { .arena = a, .outlay = &o };
    struct policy p = { .type = POLICY_APPROVAL, .params = "{\"maxAmount\":\"1\",\"token\":\"USDC\"}" };
    const struct err *why;

    CHECK(policy_verdict_of(&ev, &p, &why) == POLICY_ASKS);
    o.approved = true;
    CHECK(policy_verdict_of(&ev, &p, &why) == POLICY_ALLOWS);
    p.params = "{\"maxAmountUsd\":\"1000\"}";
    CHECK(policy_verdict_of(&ev, &p, &why) == POLICY_REFUSES && why->status == 403);
    p.type = POLICY_SPENDING;
    p.params = "{\"maxAmount\":\"1\",\"token\":\"USDC\"}";
    CHECK(policy_verdict_of(&ev, &p, &why) == POLICY_REFUSES && strstr(why->hint, "spending_limit") != NULL);
    p.params = "{\"maxAmount\":\"1\"";
    CHECK(policy_verdict_of(&ev, &p, &why) == POLICY_REFUSES && strstr(why->hint, "cannot be read") != NULL);
    p.params = NULL;
    CHECK(policy_verdict_of(&ev, &p, &why) == POLICY_REFUSES);
    p.type = (enum policy_type)0;
    CHECK(policy_verdict_of(&ev, &p, &why) == POLICY_REFUSES);
}

/* Both sides, and every recipient. */
static void a_whitelist_covers_everything(void)
{
    static const char *const recipients[] = { "0x7777777777777777777777777777777777777777",
                                              "0x00000000000000000000000000000000000000AB", NULL };
    static const struct {
        const char *params;
        bool allowed;
    } cases[] = {
        { "{\"allowedChains\":[\"ethereum\",\"base\"]}", true },
        { "{\"allowedChains\":[\"ethereum\"]}", false },
        { "{\"allowedChains\":[\"base\"]}", false },
        { "{\"allowedTokens\":[\"eth\",\"USDC\"]}", true },
        { "{\"allowedTokens\":[\"USDC\"]}", false },
        { "{\"allowedTokens\":[\"ETH\"]}", false },
        { "{\"allowedAddresses\":[\"0x7777777777777777777777777777777777777777\"]}", false },
        { "{\"allowedAddresses\":[\"0x00000000000000000000000000000000000000ab\"]}", false },
        { "{\"allowedAddresses\":[\"0x00000000000000000000000000000000000000ab\","
          "\"0x7777777777777777777777777777777777777777\"]}",
          true },
    };
    struct outlay o = outlay_of_usdc(1);
    struct policy_rule r;

    o.recipients = recipients;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(rule_read(&r, POLICY_WHITELIST, cases[i].params));
        CHECK((lists_check(&o, &r.lists) == NULL) == cases[i].allowed);
    }
}

/* What has no price cannot be shown to be within a limit in dollars. */
static void fees_and_slippage_are_bounded(void)
{
    struct outlay o = outlay_of_usdc(1);
    struct policy_rule r;

    o.slippage.value = 10000;
    o.fees = u256_from_u64(1000);
    CHECK(rule_read(&r, POLICY_EXECUTION, "{\"maxSlippage\":0.01,\"maxGasWei\":\"1000\"}"));
    CHECK(bounds_check(&o, &r.bounds) == NULL);
    o.fees = u256_from_u64(1001);
    CHECK(strstr(bounds_check(&o, &r.bounds), "maxGasWei") != NULL);
    o.slippage.value = 10001;
    CHECK(strstr(bounds_check(&o, &r.bounds), "maxSlippage") != NULL);
    CHECK(rule_read(&r, POLICY_EXECUTION, "{\"maxGasUsd\":\"1\"}"));
    CHECK(strstr(bounds_check(&o, &r.bounds), "cannot be valued") != NULL);
    o.worth.has_gas_usd = true;
    CHECK(bounds_check(&o, &r.bounds) == NULL);
    o.worth.gas_usd = u256_from_u64(1000000000000000001);
    CHECK(strstr(bounds_check(&o, &r.bounds), "maxGasUsd") != NULL);
}

static void decide_test_start(void)
{
    a = arena_new();
}

static void decide_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(decide_test_start), TEST(a_symbol_is_the_tables), TEST(tokens_are_scaled_up_never_down),
          TEST(sums_of_a_window), TEST(a_limit_is_reached_and_not_passed),
          TEST(a_whitelist_covers_everything), TEST(fees_and_slippage_are_bounded), TEST(verdicts),
          TEST(decide_test_end))
