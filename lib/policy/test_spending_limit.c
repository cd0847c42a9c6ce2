#include "base/test.h"
#include "policy/spending_limit.c"
#include "policy/test_rules.h"

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

static struct spend spend_of(int64_t at_ms, uint64_t usd)
{
    return (struct spend){
        .at_ms = at_ms, .has_usd = usd != 0, .usd = u256_from_u64(usd), .part = 1, .whole = 1
    };
}

/* The window slides; what was before the policy does not count; what was not valued allows no sum. */
static void sums_of_a_window(void)
{
    struct spend spends[] = { spend_of(1000, 1), spend_of(2000, 10), spend_of(2001, 100),
                              spend_of(9000, 1000) };
    struct policy p = { .created_ms = 0 };
    struct policy_case c = {
        .policy = &p, .spends = spends, .count = 4, .now_ms = 12000, .has_spends = true
    };
    struct policy_rule r;
    struct u256 sum;

    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"timeWindowSeconds\":10}"));
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(1110)) == 0);
    p.created_ms = 2001;
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(1100)) == 0);
    p.created_ms = 0;
    c.now_ms = 19001;
    CHECK(spends_sum(&sum, &c, r.terms) && u256_is_zero(sum));
    spends[3].has_usd = false;
    CHECK(spends_sum(&sum, &c, r.terms));
    c.now_ms = 19000;
    CHECK(!spends_sum(&sum, &c, r.terms));
}

/* The part that an order gives back does not count, and half a unit counts as one. */
static void parts_of_a_sum(void)
{
    struct spend spends[] = { spend_of(1000, 100), spend_of(1000, 100), spend_of(1000, 101) };
    const struct policy p = { .created_ms = 0 };
    struct policy_case c = { .policy = &p, .spends = spends, .count = 3, .now_ms = 1000, .has_spends = true };
    struct policy_rule r;
    struct u256 sum;

    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"timeWindowSeconds\":10}"));
    spends[1].part = 0;
    spends[1].whole = 2000;
    spends[2].part = 1000;
    spends[2].whole = 2000;
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(151)) == 0);
    spends[2].part = 2001; /* a fill cannot exceed the order */
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(201)) == 0);
    memset(&spends[2].usd, 0xff, sizeof spends[2].usd);
    spends[2].part = 1999;
    CHECK(!spends_sum(&sum, &c, r.terms)); /* too large to tell */
}

/* The use that owners are shown: in the limit's own unit, and none where a spend cannot be valued. */
static void use_of_a_window(void)
{
    struct spend spends[] = { spend_of(1000, 250), spend_of(2000, 1) };
    const struct policy p = { .created_ms = 0 };
    struct policy_case c = {
        .arena = a, .policy = &p, .spends = spends, .count = 2, .now_ms = 3000, .has_spends = true
    };
    struct policy_rule r;
    struct policy_use use = { NULL, NULL, NULL, NULL };

    CHECK(rule_read(&r, POLICY_APPROVAL, "{\"maxAmountUsd\":\"1000\"}") && !r.type->windowed(r.terms));
    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1000\",\"timeWindowSeconds\":10}"));
    CHECK(r.type->windowed(r.terms) && r.type->use(&c, r.terms, &use));
    CHECK_STR(use.used, "0.000000000000000251");
    CHECK_STR(use.limit, "1000");
    CHECK_STR(use.unit, "USD");
    spends[1].has_usd = false;
    CHECK(r.type->use(&c, r.terms, &use) && use.used == NULL);
    CHECK(
        rule_read(&r, POLICY_SPENDING, "{\"maxAmount\":\"5\",\"token\":\"USDC\",\"timeWindowSeconds\":10}"));
    spends[0].from = token_on(1, "USDC", ETHEREUM_USDC, 6);
    spends[0].amount_in = u256_from_u64(2500000);
    CHECK(r.type->use(&c, r.terms, &use));
    CHECK_STR(use.used, "2.5");
    CHECK_STR(use.unit, "USDC");
}

static enum policy_verdict verdict(enum policy_type type, const char *params, const struct spend_facts *o)
{
    const struct policy p = { .type = type };
    struct policy_case c = { .arena = a, .spend_facts = o, .policy = &p };
    struct policy_rule r;
    const char *why = NULL;
    enum policy_verdict v;

    CHECK(rule_read(&r, type, params));
    v = r.type->decide(&c, r.terms, &why);
    CHECK(v == POLICY_ALLOWS || why != NULL);
    return v;
}

/* A spend without a value cannot be approved either. */
static void a_limit_is_reached_and_not_passed(void)
{
    static const struct {
        const char *params;
        enum policy_verdict spending, approval;
    } cases[] = {
        { "{\"maxAmount\":\"100\",\"token\":\"USDC\"}", POLICY_ALLOWS, POLICY_ALLOWS },
        { "{\"maxAmount\":\"99.999999\",\"token\":\"USDC\"}", POLICY_REFUSES, POLICY_ASKS },
        { "{\"maxAmount\":\"1\",\"token\":\"USDT\"}", POLICY_ALLOWS, POLICY_ALLOWS },
        { "{\"maxAmountUsd\":\"1000000\"}", POLICY_REFUSES, POLICY_REFUSES },
    };
    struct spend_facts o = spend_facts_of_usdc(100);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(verdict(POLICY_SPENDING, cases[i].params, &o) == cases[i].spending);
        CHECK(verdict(POLICY_APPROVAL, cases[i].params, &o) == cases[i].approval);
    }
}

static void an_unknown_amount_passes_no_limit_of_it(void)
{
    struct spend_facts o = spend_facts_of_usdc(100);

    o.amount_unknown = true;
    CHECK(verdict(POLICY_SPENDING, "{\"maxAmount\":\"100\",\"token\":\"USDC\"}", &o) == POLICY_REFUSES);
    CHECK(verdict(POLICY_APPROVAL, "{\"maxAmount\":\"100\",\"token\":\"USDC\"}", &o) == POLICY_REFUSES);
    CHECK(verdict(POLICY_SPENDING, "{\"maxAmount\":\"1\",\"token\":\"USDT\"}", &o) == POLICY_ALLOWS);
}

static void an_approval_allows_what_would_be_asked(void)
{
    struct spend_facts o = spend_facts_of_usdc(100);

    o.approved = true;
    CHECK(verdict(POLICY_APPROVAL, "{\"maxAmount\":\"1\",\"token\":\"USDC\"}", &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_SPENDING, "{\"maxAmount\":\"1\",\"token\":\"USDC\"}", &o) == POLICY_REFUSES);
    CHECK(verdict(POLICY_APPROVAL, "{\"maxAmountUsd\":\"1000000\"}", &o) == POLICY_REFUSES);
}

/* Two spends of ten dollars each, the second of which is a loan. */
static void loans_count_for_loans_alone(void)
{
    struct spend spends[2] = { { .at_ms = 5000, .has_usd = true, .part = 1, .whole = 1 },
                               { .at_ms = 6000, .has_usd = true, .part = 1, .whole = 1, .borrowed = true } };
    const struct policy p = { .created_ms = 1000 };
    struct spend_facts o = spend_facts_of_usdc(1);
    struct policy_case c = { .arena = a,
                             .policy = &p,
                             .spend_facts = &o,
                             .has_spends = true,
                             .spends = spends,
                             .count = 2,
                             .now_ms = 9000 };
    struct policy_rule r;
    struct u256 sum;

    spends[0].usd = spends[1].usd = u256_from_u64(10);
    CHECK(rule_read(&r, POLICY_APPROVAL, "{\"maxAmountUsd\":\"1\",\"timeWindowSeconds\":60}"));
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(10)) == 0);
    o.borrowed = true;
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(20)) == 0);
    spends[1].has_usd = false;
    CHECK(!spends_sum(&sum, &c, r.terms));
    o.borrowed = false; /* a loan of unknown worth does not matter */
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(10)) == 0);
}

/* The operator is asked for it; it is no spending, and nothing that could not be valued. */
static void loans_are_no_spending(void)
{
    struct spend_facts o = spend_facts_of_usdc(100);

    o.borrowed = true;
    CHECK(verdict(POLICY_SPENDING, "{\"maxAmount\":\"1\",\"token\":\"USDC\"}", &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_SPENDING, "{\"maxAmountUsd\":\"1\"}", &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_APPROVAL, "{\"maxAmount\":\"100\",\"token\":\"USDC\"}", &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_APPROVAL, "{\"maxAmount\":\"99\",\"token\":\"USDC\"}", &o) == POLICY_ASKS);
    CHECK(verdict(POLICY_APPROVAL, "{\"maxAmountUsd\":\"1\"}", &o) == POLICY_REFUSES);
    o.approved = true;
    CHECK(verdict(POLICY_APPROVAL, "{\"maxAmount\":\"99\",\"token\":\"USDC\"}", &o) == POLICY_ALLOWS);
}

/* Margin has left the wallet before: only limits of that venue count it, and they nothing else. Approval
 * limits look at it either way. */
static void margin_counts_where_the_venue_is_named(void)
{
    static const char perps[] = "{\"maxAmountUsd\":\"500\",\"venue\":\"perps\"}",
                      less[] = "{\"maxAmountUsd\":\"499\",\"venue\":\"perps\"}",
                      any[] = "{\"maxAmountUsd\":\"1\"}",
                      token[] = "{\"maxAmount\":\"1\",\"token\":\"USDC\"}",
                      window[] = "{\"maxAmountUsd\":\"499\",\"timeWindowSeconds\":60}";
    struct spend_facts o = spend_facts_of_margin(500), usdc = spend_facts_of_usdc(100);

    CHECK(verdict(POLICY_SPENDING, perps, &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_APPROVAL, perps, &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_SPENDING, less, &o) == POLICY_REFUSES);
    CHECK(verdict(POLICY_APPROVAL, less, &o) == POLICY_ASKS);
    CHECK(verdict(POLICY_SPENDING, any, &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_APPROVAL, any, &o) == POLICY_ASKS);
    CHECK(verdict(POLICY_APPROVAL, window, &o) == POLICY_ASKS); /* no sum is read: there is no database */
    CHECK(verdict(POLICY_SPENDING, token, &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_APPROVAL, token, &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_SPENDING, perps, &usdc) == POLICY_ALLOWS); /* not valued, and not asked */
    o.approved = true;
    CHECK(verdict(POLICY_APPROVAL, less, &o) == POLICY_ALLOWS);
    CHECK(verdict(POLICY_SPENDING, less, &o) == POLICY_REFUSES);
    o.worth.has_usd = false;
    CHECK(verdict(POLICY_SPENDING, perps, &o) == POLICY_REFUSES);
    CHECK(verdict(POLICY_APPROVAL, perps, &o) == POLICY_REFUSES);
}

static void sums_keep_margin_apart(void)
{
    struct spend spends[] = { spend_of(1000, 1), spend_of(1000, 10), spend_of(1000, 100) };
    const struct policy p = { .created_ms = 0 };
    struct policy_case c = { .policy = &p, .spends = spends, .count = 3, .now_ms = 1000, .has_spends = true };
    struct policy_rule r;
    struct u256 sum;

    spends[1].margin = true;
    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"timeWindowSeconds\":10}"));
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(101)) == 0);
    spends[1].has_usd = false; /* no matter: it is margin */
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(101)) == 0);
    CHECK(rule_read(&r, POLICY_SPENDING,
                    "{\"maxAmountUsd\":\"1\",\"timeWindowSeconds\":10,\"venue\":\"perps\"}"));
    CHECK(!spends_sum(&sum, &c, r.terms));
    spends[1].has_usd = true;
    CHECK(spends_sum(&sum, &c, r.terms) && u256_cmp(sum, u256_from_u64(10)) == 0);
}

static void a_venue_is_one_that_has_margin(void)
{
    struct policy_rule r;

    CHECK(rule_read(&r, POLICY_SPENDING, "{\"maxAmountWei\":\"1\",\"venue\":\"perps\"}"));
    CHECK(!rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"venue\":\"lend\"}"));
    CHECK(!rule_read(&r, POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"venue\":\"\"}"));
    CHECK(!rule_read(&r, POLICY_APPROVAL, "{\"maxAmount\":\"1\",\"token\":\"USDC\",\"venue\":\"perps\"}"));
}

TEST_MAIN(TEST(rules_test_start), TEST(tokens_are_scaled_up_never_down), TEST(sums_of_a_window),
          TEST(parts_of_a_sum), TEST(use_of_a_window), TEST(an_unknown_amount_passes_no_limit_of_it),
          TEST(a_limit_is_reached_and_not_passed), TEST(an_approval_allows_what_would_be_asked),
          TEST(loans_count_for_loans_alone), TEST(loans_are_no_spending),
          TEST(margin_counts_where_the_venue_is_named), TEST(sums_keep_margin_apart),
          TEST(a_venue_is_one_that_has_margin), TEST(rules_test_end))
