/* A policy's params: any bytes, read as each type. What is accepted limits something, and has one form in
 * which it is kept, which is accepted again and stays as it is. */
#include <string.h>

#include <jansson.h>

#include "fuzz.h"
#include "policy/rule.h"

/* A slippage of one is any. */
static bool limits_something(const json_t *params)
{
    const char *name;
    json_t *v;

    json_object_foreach((json_t *)params, name, v)
    {
        if (!json_is_null(v) && !(strcmp(name, "maxSlippage") == 0 && json_number_value(v) == 1))
            return true;
    }
    return false;
}

static void read_as(enum policy_type type, const json_t *given, struct arena *a)
{
    struct param_faults faults = { NULL, NULL };
    struct policy stored = { .type = type };
    struct policy_rule rule;
    json_t *params = json_deep_copy(given);
    bool ok = policy_read(&rule, type, params, NULL, a, &faults);

    MUST(ok == (faults.first == NULL));
    MUST(!ok || limits_something(params));
    if (ok) {
        stored.params = policy_params_text(a, &rule, params);
        MUST(policy_read_stored(&rule, &stored, a));
        MUST(strcmp(policy_params_text(a, &rule, params), stored.params) == 0);
    }
    params_faults_free(&faults);
    json_decref(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    json_t *params = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);

    for (int type = POLICY_SPENDING; json_is_object(params) && type <= POLICY_EXECUTION; type++)
        read_as((enum policy_type)type, params, a);
    json_decref(params);
    arena_free(a);
    return 0;
}
