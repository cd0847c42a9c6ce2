/* A policy's params: any bytes, read as each type. What is accepted has a limit in it, and is read alike when
 * it has been stored. */
#include <jansson.h>

#include "fuzz.h"
#include "policy/rule.h"

static bool limits(const struct policy_rule *r)
{
    switch (r->type) {
    case POLICY_SPENDING:
    case POLICY_APPROVAL:
        return !u256_is_zero(r->limit.cap) && (r->limit.max_amount != NULL) == (r->limit.token != NULL);
    case POLICY_WHITELIST:
        return r->lists.addresses != NULL || r->lists.chains != NULL || r->lists.tokens != NULL;
    case POLICY_EXECUTION:
        return r->bounds.max_slippage < PPM_ONE || !u256_is_zero(r->bounds.gas_wei) ||
               !u256_is_zero(r->bounds.gas_usd);
    }
    return false;
}

static void read_as(enum policy_type type, const json_t *params, struct arena *a)
{
    struct param_faults faults = { NULL, NULL };
    struct policy_rule rule, again;
    bool ok = policy_read(&rule, type, params, a, &faults);
    char *text = json_dumps(params, JSON_COMPACT);
    json_t *stored = text != NULL ? json_loads(text, 0, NULL) : NULL;

    MUST(ok == (faults.first == NULL));
    MUST(!ok || limits(&rule));
    params_faults_free(&faults);
    MUST(!ok ||
         (stored != NULL && policy_read(&again, type, stored, a, &faults) &&
          u256_cmp(rule.limit.cap, again.limit.cap) == 0 && rule.limit.window_s == again.limit.window_s));
    params_faults_free(&faults);
    json_decref(stored);
    free(text);
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
