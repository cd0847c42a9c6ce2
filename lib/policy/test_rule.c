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
    CHECK(policy_read(r, type, params, a, &faults) == (faults.first == NULL));
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
    static const enum policy_type types[] = { POLICY_SPENDING, POLICY_WHITELIST, POLICY_EXECUTION };

    for (const struct param *p = policy_params; p->name != NULL; p++) {
        unsigned n = 0;

        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            n += member_belongs(types[i], p->name);
        CHECK(n == 1);
        CHECK(member_belongs(POLICY_APPROVAL, p->name) == member_belongs(POLICY_SPENDING, p->name));
    }
    CHECK(member_belongs(POLICY_SPENDING, "timeWindowSeconds") &&
          member_belongs(POLICY_WHITELIST, "allowedTokens") && member_belongs(POLICY_EXECUTION, "maxGasUsd"));
    CHECK(!member_belongs(POLICY_SPENDING, "maxamountusd") && !member_belongs(POLICY_SPENDING, ""));
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
    struct arena *a = arena_new();
    json_t *params = json_loads("{\"maxAmount\":\"01.50\",\"allowedChains\":[\"eth\",\"BASE\"]}", 0, NULL);

    CHECK_STR(policy_params_text(a, params),
              "{\"maxAmount\":\"1.5\",\"allowedChains\":[\"ethereum\",\"base\"]}");
    json_decref(params);
    arena_free(a);
}

TEST_MAIN(TEST(types_have_their_names), TEST(members_belong_to_one_kind_of_rule),
          TEST(faults_name_their_member), TEST(params_are_kept_in_one_form))
