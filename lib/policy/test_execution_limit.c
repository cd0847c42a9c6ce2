#include "base/test.h"
#include "policy/execution_limit.c"
#include "policy/test_rules.h"

/* Why the params refuse the outlay, or "". */
static const char *refusal(const char *params, const struct outlay *o)
{
    struct policy_case c = { .arena = a, .outlay = o };
    struct policy_rule r;
    const char *why = "";

    CHECK(rule_read(&r, POLICY_EXECUTION, params));
    return bounds_decide(&c, r.terms, &why) == POLICY_ALLOWS ? "" : why;
}

/* What has no price cannot be shown to be within a limit in dollars. */
static void fees_and_slippage_are_bounded(void)
{
    static const char both[] = "{\"maxSlippage\":0.01,\"maxGasWei\":\"1000\"}",
                      dollar[] = "{\"maxGasUsd\":\"1\"}";
    struct outlay o = outlay_of_usdc(1);

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

TEST_MAIN(TEST(rules_test_start), TEST(fees_and_slippage_are_bounded), TEST(rules_test_end))
