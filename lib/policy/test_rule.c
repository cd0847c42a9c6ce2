#include "base/test.h"
#include "policy/rule.c"

static void types_have_their_names(void)
{
    enum policy_type t;

    for (unsigned i = 0; policy_types[i] != NULL; i++) {
        CHECK(policy_type_parse(&t, policy_types[i]) && t == (enum policy_type)(i + 1));
        CHECK_STR(policy_type_text(t), policy_types[i]);
    }
    CHECK(!policy_type_parse(&t, "limit") && !policy_type_parse(&t, ""));
    CHECK_STR(policy_type_text((enum policy_type)9), "unknown");
}

/* The first fault, "" when there is none. */
static const char *fault_of(struct policy_rule *r, enum policy_type type, const char *text)
{
    static char first[200];
    struct param_faults faults = { NULL, NULL };
    struct arena *a = arena_new();
    json_t *params = json_loads(text, 0, NULL), *what;
    const char *name;

    first[0] = '\0';
    CHECK(policy_read(r, type, params, NULL, a, &faults) == (faults.first == NULL));
    json_object_foreach(faults.fields, name, what)
    {
        if (first[0] == '\0')
            (void)snprintf(first, sizeof first, "%s %s", name, json_string_value(what));
    }
    params_faults_free(&faults);
    json_decref(params);
    arena_free(a);
    return first;
}

static void members_belong_to_one_kind_of_rule(void)
{
    for (const struct param *const *table = policy_members; *table != NULL; table++)
        for (const struct param *p = *table; p->name != NULL; p++) {
            unsigned n = 0;

            for (size_t t = POLICY_SPENDING; t <= POLICY_EXECUTION; t++)
                n += t != POLICY_APPROVAL && member_belongs(rows[t], p->name);
            CHECK(n == 1);
            CHECK(member_belongs(&approval_limit, p->name) == member_belongs(&spending_limit, p->name));
        }
    CHECK(member_belongs(&spending_limit, "timeWindowSeconds") &&
          member_belongs(&whitelist, "allowedTokens") && member_belongs(&execution_limit, "maxGasUsd"));
    CHECK(!member_belongs(&spending_limit, "maxamountusd") && !member_belongs(&spending_limit, ""));
}

static void faults_name_their_member(void)
{
    static const struct {
        enum policy_type type;
        const char *params, *fault; /* how it begins; "": none */
    } cases[] = {
        { POLICY_SPENDING, "{\"maxAmountUsd\":\"1\"}", "" },
        { POLICY_SPENDING, "{}", "params must have exactly one of" },
        { POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"maxAmountWei\":\"1\"}",
          "params must have exactly one" },
        { POLICY_SPENDING, "{\"maxAmount\":\"1\"}", "params.token token and maxAmount" },
        { POLICY_SPENDING, "{\"maxAmountUsd\":\"1\",\"token\":\"USDC\"}", "params.maxAmount token and" },
        { POLICY_SPENDING, "{\"maxAmountUsd\":\"0.0000000000000000001\"}", "params.maxAmountUsd must have" },
        { POLICY_APPROVAL, "{\"maxAmountWei\":\"0\"}", "params.maxAmountWei must be" },
        { POLICY_WHITELIST, "{\"allowedChains\":[\"base\"]}", "" },
        { POLICY_WHITELIST, "{\"maxAmountUsd\":\"1\"}", "params.maxAmountUsd is no member of a whitelist" },
        { POLICY_WHITELIST, "{}", "params must have one of" },
        { POLICY_EXECUTION, "{\"maxSlippage\":0.01}", "" },
        { POLICY_EXECUTION, "{\"maxSlippage\":1}", "params must have one of" },
        { POLICY_EXECUTION, "{\"maxGasWei\":\"1.5\"}", "params.maxGasWei must be" },
    };
    struct policy_rule r;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *fault = fault_of(&r, cases[i].type, cases[i].params), *expected = cases[i].fault;

        CHECK(expected[0] == '\0' ? fault[0] == '\0' : strncmp(fault, expected, strlen(expected)) == 0);
    }
}

static void params_are_kept_in_one_form(void)
{
    static const struct {
        enum policy_type type;
        const char *given, *kept;
    } cases[] = {
        { POLICY_SPENDING, "{\"maxAmount\":\"01.50\",\"token\":\"usdc\"}",
          "{\"maxAmount\":\"1.5\",\"token\":\"usdc\"}" },
        { POLICY_WHITELIST, "{\"allowedChains\":[\"eth\",\"BASE\"]}",
          "{\"allowedChains\":[\"ethereum\",\"base\"]}" },
        { POLICY_WHITELIST, "{\"allowedTokens\":[\"usdc\"]}", "{\"allowedTokens\":[\"usdc\"]}" },
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct param_faults faults = { NULL, NULL };
        json_t *params = json_loads(cases[i].given, 0, NULL);
        struct policy_rule r;

        CHECK(policy_read(&r, cases[i].type, params, NULL, a, &faults));
        CHECK_STR(policy_params_text(a, &r, params), cases[i].kept);
        json_decref(params);
    }
    arena_free(a);
}

TEST_MAIN(TEST(types_have_their_names), TEST(members_belong_to_one_kind_of_rule),
          TEST(faults_name_their_member), TEST(params_are_kept_in_one_form))
