#include "base/test.h"
#include "policy/execution_limit.c"
#include "policy/test_rules.h"

/* Why the params refuse the spend, or "". */
static const char *refusal(const char *params, const struct spend_facts *o)
{
    struct policy_case c = { .arena = a, .spend_facts = o };
    struct policy_rule r;
    const char *why = "";

    CHECK(rule_read(&r, POLICY_EXECUTION, params));
    return bounds_decide(&c, r.terms, &why) == POLICY_ALLOWS ? "" : why;
}

/* Fees without a price cannot be shown to be within a limit in dollars. */
static void fees_and_slippage_are_bounded(void)
{
    static const char both[] = "{\"maxSlippage\":0.01,\"maxGasWei\":\"1000\"}",
                      dollar[] = "{\"maxGasUsd\":\"1\"}";
    struct spend_facts o = spend_facts_of_usdc(1);

    o.slippage.value = 10000;
    o.fees = u256_from_u64(1000);
    CHECK_STR(refusal(both, &o), "");
    o.fees = u256_from_u64(1001);
    CHECK(strstr(refusal(both, &o), "maxGasWei") != NULL);
    o.slippage.value = 10001;
    CHECK(strstr(refusal(both, &o), "maxSlippage") != NULL);
    CHECK(strstr(refusal(dollar, &o), "cannot be valued") != NULL);
    o.worth.has_gas_usd = true;
    CHECK_STR(refusal(dollar, &o), "");
    o.worth.gas_usd = u256_from_u64(1000000000000000001);
    CHECK(strstr(refusal(dollar, &o), "maxGasUsd") != NULL);
}

/* The health factor has to be at least minHealthFactor, to the last place; a loan without debt, or one that
 * gets healthier, passes. */
static void loans_stay_healthy(void)
{
    static const char *const least[] = { "{\"minHealthFactor\":1.5}", "{\"minHealthFactor\":\"1.50\"}" };
    struct spend_facts o = spend_facts_of_usdc(1);

    for (size_t i = 0; i < sizeof least / sizeof least[0]; i++) {
        o.has_health = true;
        o.health_after = u256_from_u64(1500000000000000000);
        CHECK_STR(refusal(least[i], &o), "");
        o.health_after = u256_from_u64(1499999999999999999);
        CHECK_STR(refusal(least[i], &o), "the health factor would be 1.499999, below its minHealthFactor: "
                                         "lower the amount, or supply more collateral first");
        o.health_after = U256_ZERO;
        CHECK(refusal(least[i], &o)[0] != '\0');
        o.has_health = false;
        CHECK_STR(refusal(least[i], &o), "");
    }
    o.has_health = true;
    CHECK_STR(refusal("{\"maxSlippage\":0.01}", &o), "");
}

/* The fault of the params where the service itself keeps to `own`; "" for none. */
static const char *fault_beside(uint32_t own, const char *text)
{
    const struct conf conf = { .lend_min_health_factor = own };
    struct param_faults faults = { NULL, NULL };
    json_t *params = json_loads(text, 0, NULL);
    const char *what = "";
    struct policy_rule r;

    if (!policy_read(&r, POLICY_EXECUTION, params, &conf, a, &faults))
        what = arena_strdup(a, json_string_value(json_object_get(faults.fields, "params.minHealthFactor")));
    params_faults_free(&faults);
    json_decref(params);
    return what;
}

static void limits_below_the_services_own_are_refused(void)
{
    static const struct {
        const char *params, *fault;
    } cases[] = {
        { "{\"minHealthFactor\":1.050001}", "" },
        { "{\"minHealthFactor\":\"1.050001\"}", "" },
        { "{\"minHealthFactor\":2}", "" },
        { "{\"minHealthFactor\":\"1000\"}", "" },
        { "{\"minHealthFactor\":1.05}", "must be above 1.05, which holds for all" },
        { "{\"minHealthFactor\":\"1.05\"}", "must be above 1.05, which holds for all" },
        { "{\"minHealthFactor\":0.9}", "must be above 1.05, which holds for all" },
        { "{\"minHealthFactor\":\"1.0500001\"}", "must be a number up to 1000 with at most 6 places" },
        { "{\"minHealthFactor\":1.0500001}", "must be a number up to 1000 with at most 6 places" },
        { "{\"minHealthFactor\":\"1000.000001\"}", "must be a number up to 1000 with at most 6 places" },
        { "{\"minHealthFactor\":1e30}", "must be a number up to 1000 with at most 6 places" },
        { "{\"minHealthFactor\":0}", "must be a number up to 1000 with at most 6 places" },
        { "{\"minHealthFactor\":-2}", "must be a number up to 1000 with at most 6 places" },
        { "{\"minHealthFactor\":\"\"}", "must be a number up to 1000 with at most 6 places" },
        { "{\"minHealthFactor\":true}", "must be a number" },
    };
    struct policy_rule r;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_STR(fault_beside(1050000, cases[i].params), cases[i].fault);
    CHECK_STR(fault_beside(2000000, "{\"minHealthFactor\":2}"), "must be above 2, which holds for all");
    CHECK(rule_read(&r, POLICY_EXECUTION, "{\"minHealthFactor\":1.01}")); /* accepted before */
}

static void leverage_is_bounded(void)
{
    struct spend_facts o = spend_facts_of_margin(1);
    struct policy_rule r;

    CHECK_STR(refusal("{\"maxLeverage\":5}", &o), "");
    CHECK_STR(refusal("{\"maxLeverage\":4}", &o), "a leverage of 5 is above its maxLeverage of 4");
    CHECK_STR(refusal("{\"maxSlippage\":0.01}", &o), "");
    o.leverage = 0;
    CHECK_STR(refusal("{\"maxLeverage\":1}", &o), "");
    CHECK(!rule_read(&r, POLICY_EXECUTION, "{\"maxLeverage\":0}"));
    CHECK(!rule_read(&r, POLICY_EXECUTION, "{\"maxLeverage\":101}"));
    CHECK(!rule_read(&r, POLICY_EXECUTION, "{\"maxLeverage\":2.5}"));
    CHECK(!rule_read(&r, POLICY_EXECUTION, "{}"));
}

TEST_MAIN(TEST(rules_test_start), TEST(fees_and_slippage_are_bounded), TEST(loans_stay_healthy),
          TEST(limits_below_the_services_own_are_refused), TEST(leverage_is_bounded), TEST(rules_test_end))
