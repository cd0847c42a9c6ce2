#include "base/test.h"
#include "policy/test_rules.h"
#include "policy/whitelist.c"

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
        { "{\"allowedVenues\":[\"predict\",\"swap\"]}", true },
        { "{\"allowedVenues\":[\"predict\",\"lend\",\"perps\"]}", false },
        { "{\"allowedVenues\":[\"swap\"],\"allowedChains\":[\"base\"]}", false },
    };
    struct spend_facts o = spend_facts_of_usdc(1);
    struct policy_case c = { .arena = a, .spend_facts = &o };
    struct policy_rule r;
    const char *why;

    o.recipients = recipients;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(rule_read(&r, POLICY_WHITELIST, cases[i].params));
        CHECK((lists_decide(&c, r.terms, &why) == POLICY_ALLOWS) == cases[i].allowed);
    }
}

/* An agent that cannot ask beforehand is told the addresses. */
static void addresses_that_are_missing_are_named(void)
{
    static const char *const recipients[] = { "0x7777777777777777777777777777777777777777",
                                              "0x00000000000000000000000000000000000000AB", NULL };
    struct spend_facts o = spend_facts_of_usdc(1);
    struct policy_case c = { .arena = a, .spend_facts = &o };
    struct policy_rule r;
    const char *why;

    o.recipients = recipients;
    CHECK(rule_read(&r, POLICY_WHITELIST,
                    "{\"allowedAddresses\":[\"0x7777777777777777777777777777777777777777\"]}"));
    CHECK(lists_decide(&c, r.terms, &why) == POLICY_REFUSES && strstr(why, "POST /swap shows") != NULL);
    o.name = "deposit";
    o.venue_class = "predict";
    CHECK(lists_decide(&c, r.terms, &why) == POLICY_REFUSES);
    CHECK_STR(
        why,
        "its allowedAddresses must include whom this deposit gives value or an allowance: 0x00000000000000000000000000000000000000AB");
}

/* They are on no chain, and of assets that need not be tokens. */
static void a_whitelist_names_assets(void)
{
    static const struct {
        const char *params;
        bool allowed;
    } cases[] = {
        { "{\"allowedVenues\":[\"perps\"]}", true },         { "{\"allowedVenues\":[\"swap\"]}", false },
        { "{\"allowedTokens\":[\"USDC\",\"eth\"]}", true },  { "{\"allowedTokens\":[\"WETH\"]}", false },
        { "{\"allowedTokens\":[\"BTC\",\"USDC\"]}", false }, { "{\"allowedChains\":[\"base\"]}", true },
    };
    static const char *const none[] = { NULL };
    struct spend_facts o = spend_facts_of_margin(1);
    struct policy_case c = { .arena = a, .spend_facts = &o };
    struct policy_rule r;
    const char *why;

    o.recipients = none;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(rule_read(&r, POLICY_WHITELIST, cases[i].params));
        CHECK((lists_decide(&c, r.terms, &why) == POLICY_ALLOWS) == cases[i].allowed);
    }
    CHECK(rule_read(&r, POLICY_WHITELIST, "{\"allowedTokens\":[\"BTC\"]}"));
    CHECK(lists_decide(&c, r.terms, &why) == POLICY_REFUSES);
    CHECK_STR(why, "its allowedTokens must include ETH");
}

/* A mistyped one would never match. */
static void assets_are_those_that_the_operator_lists(void)
{
    static const struct {
        const char *params;
        bool taken;
    } cases[] = {
        { "{\"allowedTokens\":[\"BTC\"]}", true },      { "{\"allowedTokens\":[\"doge\"]}", true },
        { "{\"allowedTokens\":[\"USDC\"]}", true },     { "{\"allowedTokens\":[\"DOG\"]}", false },
        { "{\"allowedTokens\":[\"BTCDOGE\"]}", false }, { "{\"allowedTokens\":[\"BTC-USD\"]}", false },
        { "{\"allowedTokens\":[\"\"]}", false },
    };
    const struct conf conf = { .perps_assets = " BTC  DOGE" };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct param_faults faults = { NULL, NULL };
        json_t *params = json_loads(cases[i].params, 0, NULL);
        struct policy_rule r;

        CHECK(policy_read(&r, POLICY_WHITELIST, params, &conf, a, &faults) == cases[i].taken);
        params_faults_free(&faults);
        json_decref(params);
    }
}

TEST_MAIN(TEST(rules_test_start), TEST(a_whitelist_covers_everything),
          TEST(addresses_that_are_missing_are_named), TEST(a_whitelist_names_assets),
          TEST(assets_are_those_that_the_operator_lists), TEST(rules_test_end))
