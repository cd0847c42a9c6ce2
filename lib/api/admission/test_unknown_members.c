#include "api/admission/unknown_members.c"
#include "base/json_writer.h"
#include "base/test.h"

#include "api/endpoint/endpoint.h"

static struct arena *a;

static bool any_row_takes(const char *name)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        for (const struct param *p = (*ep)->params; p != NULL && p->name != NULL; p++)
            if (strcmp(p->name, name) == 0 || (p->of != NULL && param_named(p->of, name) != NULL))
                return true;
    return strcmp(name, "idempotency_key") == 0;
}

/* A name that no call takes any more would be refused too. */
static void foreign_names_map_to_existing_members(void)
{
    for (const struct foreign_name *f = foreign_names; f->ours != NULL; f++) {
        for (const char *const *ours = f->ours; *ours != NULL; ours++)
            CHECK(any_row_takes(*ours));
        for (const char *const *said = f->theirs; *said != NULL; said++)
            for (const char *const *again = said + 1; *again != NULL; again++)
                CHECK(!names_alike(*said, *again));
    }
}

static const struct param inner[] = { { .name = "maxAmountUsd" }, { .name = "token" }, { .name = NULL } };
static const struct param *const inners[] = { inner, NULL };
static const struct param members[] = {
    { .name = "from_token", .required = true },
    { .name = "amount", .required = true },
    { .name = "chain" },
    { .name = "size" },
    { .name = "stopLoss" },
    { .name = "params", .kind = P_OBJECT, .of = inners },
    { .name = "metadata", .kind = P_OBJECT },
    { .name = NULL },
};

static void unknown_members_are_refused_with_a_hint(void)
{
    static const char whole[] = "Known here: from_token, amount, chain, size, stopLoss, params, metadata";
    static const struct {
        const char *object, *near, *other; /* the fields with their faults; NULL: none */
    } rows[] = {
        { "{}", NULL, NULL },
        { "{\"from_token\":1,\"amount\":2,\"chain\":3,\"size\":4,\"stopLoss\":5,\"params\":{\"token\":1},\"metadata\":{\"x\":1}}",
          NULL, NULL },
        { "{\"chian\":1,\"zzzz\":1}", "{\"chian\":\"did you mean 'chain'?\"}",
          "{\"zzzz\":\"is not known here\"}" },
        { "{\"sl\":1,\"network\":1}",
          "{\"sl\":\"did you mean 'stopLoss'?\",\"network\":\"did you mean 'chain'?\"}", NULL },
        { "{\"stop_loss_usd\":1}", "{\"stop_loss_usd\":\"did you mean 'stopLoss'?\"}", NULL },
        { "{\"fromToken\":1}",
          "{\"from_token\":\"is required\",\"fromToken\":\"did you mean 'from_token'?\"}", NULL },
        /* A member that is given is not suggested. */
        { "{\"chain\":1,\"network\":2}", NULL, "{\"network\":\"is not known here\"}" },
        { "{\"chain\":null,\"network\":2}", "{\"network\":\"did you mean 'chain'?\"}", NULL },
        { "{\"qty\":1}", "{\"qty\":\"did you mean 'size'?\"}", NULL },
        { "{\"qty\":1,\"size\":1}", "{\"qty\":\"did you mean 'amount'?\"}", NULL },
        { "{\"params\":{\"max_usd\":1,\"zzzz\":1}}", "{\"params.max_usd\":\"did you mean 'maxAmountUsd'?\"}",
          "{\"params.zzzz\":\"is not known here\"}" },
        { "{\"metadata\":{\"chian\":1}}", NULL, NULL },
        { "{\"params\":[{\"zzzz\":1}]}", NULL, NULL },
    };
    static const struct param *const known[] = { members, NULL };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *object = json_loads(rows[i].object, 0, NULL);
        const char *const want[] = { [UNKNOWN_NEAR] = rows[i].near, [UNKNOWN_OTHER] = rows[i].other };

        for (unsigned kind = UNKNOWN_NEAR; kind <= UNKNOWN_OTHER; kind++) {
            struct param_faults faults = { NULL, NULL };

            unknown_members_check(known, object, kind, a, &faults);
            CHECK((faults.first != NULL) == (want[kind] != NULL));
            if (faults.fields != NULL && want[kind] != NULL)
                CHECK_STR(jw_text_of(a, faults.fields, 0), want[kind]);
            if (faults.first != NULL && strstr(want[kind], "params.") == NULL)
                CHECK(strstr(faults.first->hint, whole) != NULL);
            params_faults_free(&faults);
        }
        json_decref(object);
    }
}

/* The advice in place of a member. */
static void advice(void)
{
    static const struct param *const known[] = { members, NULL };
    json_t *object = json_pack("{s:b, s:s}", "dryRun", 1, "idempotencyKey", "k");
    struct param_faults faults = { NULL, NULL };

    unknown_members_check(known, object, UNKNOWN_NEAR, a, &faults);
    CHECK(strstr(json_string_value(json_object_get(faults.fields, "dryRun")), "/swap/simulate") != NULL);
    CHECK(strstr(json_string_value(json_object_get(faults.fields, "idempotencyKey")), "Idempotency-Key") !=
          NULL);
    CHECK(strstr(faults.first->hint, "Known here: from_token") != NULL);
    params_faults_free(&faults);
    json_decref(object);
}

/* A call that has the member is not told that it has not. */
static void another_word_for_what_is_given(void)
{
    static const struct param runs[] = { { .name = "dry_run", .kind = P_FLAG }, { .name = NULL } };
    static const struct param *const known[] = { runs, NULL };
    json_t *object = json_pack("{s:b, s:b}", "dry_run", 0, "dryRun", 1);
    struct param_faults faults = { NULL, NULL };

    unknown_members_check(known, object, UNKNOWN_NEAR, a, &faults);
    CHECK_STR(json_string_value(json_object_get(faults.fields, "dryRun")), "is said by 'dry_run' here");
    params_faults_free(&faults);
    json_decref(object);
}

/* Each is named, however many there are; a secret is not repeated. */
static void many_at_once(void)
{
    static const struct param *const known[] = { members, NULL }, *const nothing[] = { NULL };
    json_t *object = json_object(), *list;
    struct param_faults faults = { NULL, NULL };

    for (int i = 0; i < 2 * COMPARED_MAX; i++)
        json_object_set_new(object, arena_printf(a, "chian%d", i), json_true());
    json_object_set_new(object, "svc_sk_0123456789012345678901234567890123456789012", json_true());
    unknown_members_check(known, object, UNKNOWN_NEAR, a, &faults);
    unknown_members_check(known, object, UNKNOWN_OTHER, a, &faults);
    CHECK(json_object_size(faults.fields) == 2 * COMPARED_MAX + 1);
    CHECK(strstr(jw_text_of(a, faults.fields, 0), "svc_sk_0") == NULL);
    params_faults_free(&faults);
    list = unknown_members_list(nothing, object, a);
    CHECK(json_array_size(list) == json_object_size(object));
    json_decref(list);
    json_decref(object);
}

static void start(void)
{
    a = arena_new();
}

static void end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(start), TEST(foreign_names_map_to_existing_members),
          TEST(unknown_members_are_refused_with_a_hint), TEST(advice), TEST(another_word_for_what_is_given),
          TEST(many_at_once), TEST(end))
