#include "base/test.h"
#include "policy/decide.c"
#include "policy/test_rules.h"

/* One that is not valued is not a matter of approval either. */
static void verdicts(void)
{
    struct spend_facts o = spend_facts_of_usdc(100);
    struct policy_case c = { .arena = a, .spend_facts = &o };
    struct policy p = { .type = POLICY_APPROVAL, .params = "{\"maxAmount\":\"1\",\"token\":\"USDC\"}" };
    const struct err *why;

    CHECK(policy_verdict_of(&c, &p, &why) == POLICY_ASKS);
    o.approved = true;
    CHECK(policy_verdict_of(&c, &p, &why) == POLICY_ALLOWS);
    p.params = "{\"maxAmountUsd\":\"1000\"}";
    CHECK(policy_verdict_of(&c, &p, &why) == POLICY_REFUSES && why->status == 403);
    p.type = POLICY_SPENDING;
    p.params = "{\"maxAmount\":\"1\",\"token\":\"USDC\"}";
    CHECK(policy_verdict_of(&c, &p, &why) == POLICY_REFUSES && strstr(why->hint, "spending_limit") != NULL);
    p.params = "{\"maxAmount\":\"1\"";
    CHECK(policy_verdict_of(&c, &p, &why) == POLICY_REFUSES && strstr(why->hint, "cannot be read") != NULL);
    p.params = NULL;
    CHECK(policy_verdict_of(&c, &p, &why) == POLICY_REFUSES);
    p.type = (enum policy_type)0;
    CHECK(policy_verdict_of(&c, &p, &why) == POLICY_REFUSES);
}

TEST_MAIN(TEST(rules_test_start), TEST(verdicts), TEST(rules_test_end))
