#include "policy/rule.h"

#include <string.h>

#include "base/json_writer.h"
#include "policy/members.h"

#define NAME(number, name) #name,
#define ROW(number, name)  [number] = &(name),

const char *const policy_types[] = { POLICY_TYPES(NAME) NULL };
static const struct policy_type_row *const rows[] = { POLICY_TYPES(ROW) };

/* Approval limits have those of spending limits. */
const struct param *const policy_members[] = { spending_limit_members, whitelist_members,
                                               execution_limit_members, NULL };

static const struct policy_type_row *type_row(enum policy_type t)
{
    return (size_t)t < sizeof rows / sizeof rows[0] ? rows[t] : NULL;
}

bool policy_type_parse(enum policy_type *out, const char *text)
{
    for (unsigned i = 0; policy_types[i] != NULL; i++) {
        *out = (enum policy_type)(i + POLICY_SPENDING);
        if (strcmp(policy_types[i], text) == 0)
            return true;
    }
    return false;
}

const char *policy_type_text(enum policy_type t)
{
    return type_row(t) != NULL ? policy_types[t - POLICY_SPENDING] : "unknown";
}

static bool member_belongs(const struct policy_type_row *type, const char *name)
{
    const struct param *p = type->members;

    while (p->name != NULL && strcmp(p->name, name) != 0)
        p++;
    return p->name != NULL;
}

static void members_read(struct policy_reading *r, const struct policy_rule *rule, const json_t *params)
{
    struct param_faults faults = { NULL, NULL };
    const char *name;
    json_t *what;

    params_read(rule->type->members, params, false, NULL, rule->terms, r->arena, &faults);
    json_object_foreach(faults.fields, name, what)
    {
        policy_fault(r, name, json_string_value(what));
    }
    params_faults_free(&faults);
}

bool policy_read(struct policy_rule *out, enum policy_type type, const json_t *params,
                 const struct conf *conf, struct arena *a, struct param_faults *faults)
{
    struct policy_reading r = { a, conf, faults };

    out->type = rows[type];
    out->terms = arena_alloc(a, out->type->size);
    /* A limit that is misspelt would be none: nothing is ignored here. */
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)params, name, value)
    {
        if (!member_belongs(rows[type], name))
            policy_fault(&r, name, arena_printf(r.arena, "is no member of a %s", policy_type_text(type)));
    }
    members_read(&r, out, params);
    if (faults->first == NULL)
        out->type->check(&r, out->terms);
    return faults->first == NULL;
}

char *policy_params_text(struct arena *a, const struct policy_rule *r, json_t *params)
{
    for (const struct param *p = r->type->members; p->name != NULL; p++) {
        const char *given = json_string_value(json_object_get(params, p->name));
        struct amount v;

        if (p->kind == P_AMOUNT && given != NULL && amount_parse(&v, given, RATE_PLACES) == AMOUNT_FINE)
            json_object_set_new(params, p->name, json_string(amount_text(a, v)));
    }
    if (r->type->normalize != NULL)
        r->type->normalize(params);
    return jw_text_of(a, params, 0);
}

bool policy_read_stored(struct policy_rule *out, const struct policy *p, struct arena *a)
{
    struct param_faults faults = { NULL, NULL };
    json_t *params = p->params != NULL ? json_loads(p->params, 0, NULL) : NULL;
    bool ok = type_row(p->type) != NULL && json_is_object(params) &&
              policy_read(out, p->type, params, NULL, a, &faults);

    params_faults_free(&faults);
    json_decref(params);
    return ok;
}

void policy_view(struct json_writer *w, const struct policy *p)
{
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->id);
    jw_string(w, "id", id);
    jw_string(w, "policyId", id);
    jw_string(w, "type", policy_type_text(p->type));
    jw_stored(w, "params", p->params);
    jw_string_or_null(w, "wallet_address", p->wallet_address[0] != '\0' ? p->wallet_address : NULL);
    jw_string(w, "set_by", p->by_operator ? "operator" : "agent");
    jw_time(w, "created_at", p->created_ms);
    if (p->ends_ms != 0) { /* the change that is scheduled */
        jw_object(w, "pending");
        jw_string(w, "change", "delete");
        jw_time(w, "effective_at", p->ends_ms);
        jw_end(w);
    }
}
