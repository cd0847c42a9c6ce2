#include "base/test.h"

#define operator_find_agent fake_find_agent
#define policies_end        fake_end
#define policies_get        fake_get
#define security_event_add  fake_event_add
#define db_transact         fake_transact
#include "operator/admin_policies.c"

static struct arena *a;
static const struct ctx ctx;
static enum tx_result outcome = TX_DONE;
static struct policy added;
static unsigned told;

const char *operator_find_agent(const struct ctx *c, struct arena *arena, const char *agent,
                                struct agent *out)
{
    (void)c;
    (void)arena;
    out->id = 5;
    return strcmp(agent, "five") == 0 ? NULL : "no such agent";
}

enum tx_result db_transact(struct db *db, tx_fn *fn, void *arg)
{
    if (fn == policy_end_tx) {
        enum tx_verdict verdict = fn(db, arg);

        return verdict == TX_COMMIT ? TX_DONE : verdict == TX_ROLLBACK ? TX_REFUSED : TX_BROKEN;
    }
    CHECK(fn == policy_add_tx);
    added = ((const struct policy_job *)arg)->policy;
    return outcome;
}

/* Each is there. */
enum lookup policies_get(struct db *db, struct arena *arena, uint64_t agent_id, const struct uuid *id,
                         struct policy *out)
{
    (void)db;
    (void)arena;
    CHECK(agent_id == 5);
    *out = (struct policy){ .id = *id, .type = POLICY_WHITELIST, .params = "{}" };
    return LOOKUP_FOUND;
}

bool security_event_add(const struct ctx *c, struct db *db, uint64_t agent_id, const char *type,
                        const char *body)
{
    (void)c;
    (void)db;
    CHECK(agent_id == 5 && strstr(body, "\"pending\"") != NULL);
    CHECK_STR(type, EVENT_POLICY_ENDING);
    told++;
    return true;
}

enum db_update policies_end(struct db *db, uint64_t agent_id, const struct uuid *id, unsigned after_s)
{
    (void)db;
    CHECK(agent_id == 5 && after_s == 0);
    return id->bytes[0] == 1 ? -1 : id->bytes[0] == 2;
}

static void policies_test_start(void)
{
    a = arena_new();
}

static void malformed_policies_are_refused(void)
{
    static const struct {
        const char *json, *problem; /* how it begins */
    } cases[] = {
        { "", "not {" },
        { "[]", "not {" },
        { "{\"type\":\"whitelist\"}", "not {" },
        { "{\"type\":\"none\",\"params\":{}}", "there is no type of policies none" },
        { "{\"type\":\"whitelist\",\"type\":\"whitelist\",\"params\":{\"allowedChains\":[\"base\"]}}",
          "not {" },
        { "{\"type\":\"whitelist\",\"params\":{}}", "params must have one of" },
        { "{\"type\":\"spending_limit\",\"params\":{\"maxAmountUSD\":\"1\"}}", "params.maxAmountUSD is no" },
        { "{\"type\":\"whitelist\",\"params\":{\"allowedChains\":[\"mars\"],\"allowedTokens\":[]}}",
          "params.allowedChains" },
    };
    struct uuid id;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *problem = operator_add_policy(&ctx, a, "five", cases[i].json, &id);

        CHECK(problem != NULL && strncmp(problem, cases[i].problem, strlen(cases[i].problem)) == 0);
    }
    CHECK(strstr(operator_add_policy(&ctx, a, "five", cases[7].json, &id), "; params.allowedTokens") != NULL);
    CHECK(added.agent_id == 0);
}

static void a_policy_is_the_operators_and_for_every_wallet(void)
{
    static const char json[] = "{\"type\":\"whitelist\",\"params\":{\"allowedChains\":[\"BASE\"]}}";
    struct uuid id;

    CHECK_STR(operator_add_policy(&ctx, a, "six", json, &id), "no such agent");
    CHECK(operator_add_policy(&ctx, a, "five", json, &id) == NULL);
    CHECK(added.by_operator && added.agent_id == 5 && added.wallet_id == 0);
    CHECK(added.type == POLICY_WHITELIST && memcmp(&added.id, &id, sizeof id) == 0);
    CHECK_STR(added.params, "{\"allowedChains\":[\"base\"]}");
    outcome = TX_UNKNOWN;
    CHECK_STR(operator_add_policy(&ctx, a, "five", json, &id), OPERATOR_DATABASE_FAILED);
}

static void a_policy_ends_at_once(void)
{
    CHECK(operator_end_policy(&ctx, a, "five", "02000000-0000-4000-8000-000000000000") == NULL);
    CHECK(told == 1);
    CHECK_STR(operator_end_policy(&ctx, a, "five", "03000000-0000-4000-8000-000000000000"),
              "no such policy: 03000000-0000-4000-8000-000000000000");
    CHECK_STR(operator_end_policy(&ctx, a, "five", "x"), "no such policy: x");
    CHECK_STR(operator_end_policy(&ctx, a, "six", "x"), "no such agent");
    CHECK_STR(operator_end_policy(&ctx, a, "five", "01000000-0000-4000-8000-000000000000"),
              OPERATOR_DATABASE_FAILED);
}

static void policies_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(policies_test_start), TEST(malformed_policies_are_refused),
          TEST(a_policy_is_the_operators_and_for_every_wallet), TEST(a_policy_ends_at_once),
          TEST(policies_test_end))
