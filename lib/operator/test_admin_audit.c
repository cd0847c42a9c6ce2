#include "base/test.h"

#define audit_write fake_write
#define db_transact fake_transact
#include "operator/admin_audit.c"

static struct arena *a;
static const struct ctx ctx;
static struct audit_act written;
static enum tx_result outcome = TX_DONE;

bool audit_write(struct db *db, const struct audit_act *act)
{
    (void)db;
    written = *act;
    return true;
}

enum tx_result db_transact(struct db *db, tx_fn *fn, void *arg)
{
    CHECK(fn(db, arg) == TX_COMMIT);
    return outcome;
}

static void audit_test_start(void)
{
    a = arena_new();
}

static void an_order_is_written_with_its_arguments(void)
{
    const char *const args[] = { "premium", "say \"so\"", NULL }, *const none[] = { NULL };
    struct operator_order order = { "tier", args, NULL, NULL };

    CHECK(operator_audit(&ctx, a, &order) == NULL);
    CHECK_STR(written.by, "operator");
    CHECK(written.token == NULL && written.reason == NULL);
    CHECK_STR(written.act, "tier");
    CHECK_STR(written.detail, "[\"premium\",\"say \\\"so\\\"\"]");
    order = (struct operator_order){ "tier", none, "why", "anna" };
    CHECK(operator_audit(&ctx, a, &order) == NULL);
    CHECK_STR(written.detail, "[]");
    CHECK_STR(written.token, "anna");
    CHECK_STR(written.reason, "why");
    outcome = TX_UNKNOWN;
    CHECK_STR(operator_audit(&ctx, a, &order), OPERATOR_DATABASE_FAILED);
    outcome = TX_DONE;
}

/* A deleted agent leaves nothing but digests; a line holds what it is given, and is UTF-8. */
static void ids_and_long_texts_are_digests(void)
{
    static char longest[ARGUMENT_MAX + 1], longer[ARGUMENT_MAX + 2];
    const char *const args[] = { "6ba7b810-9dad-41d1-80b4-00c04fd430c8", longest, longer, "\xff", NULL };
    const struct operator_order order = { "sweep", args, NULL, NULL };
    json_t *detail;

    memset(longest, 'x', ARGUMENT_MAX);
    memset(longer, 'x', ARGUMENT_MAX + 1);
    CHECK(operator_audit(&ctx, a, &order) == NULL);
    CHECK(strstr(written.detail, "6ba7b810") == NULL);
    detail = json_loads(written.detail, 0, NULL);
    CHECK(json_array_size(detail) == 4);
    for (size_t i = 0; i < 4; i++)
        CHECK(json_string_length(json_array_get(detail, i)) == (i == 1 ? ARGUMENT_MAX : AUDIT_DIGEST_LEN));
    json_decref(detail);
}

static void audit_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(audit_test_start), TEST(an_order_is_written_with_its_arguments),
          TEST(ids_and_long_texts_are_digests), TEST(audit_test_end))
