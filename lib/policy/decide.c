#include "policy/decide.h"

#include "policy/rule.h"
#include "store/policies.h"

static const struct err *policy_refusal(struct arena *a, const struct policy *p, const char *what)
{
    struct err *e = arena_memdup(a, &E_POLICY, sizeof E_POLICY);
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->id);
    e->hint = arena_printf(a, "Policy %s (%s%s): %s", id, policy_type_text(p->type),
                           p->by_operator ? ", the operator's" : "", what);
    return e;
}

static enum policy_verdict policy_verdict_of(struct policy_case *c, const struct policy *p,
                                             const struct err **why)
{
    const char *what = "it cannot be read: the operator must replace it";
    enum policy_verdict v = POLICY_REFUSES;
    struct policy_rule r;

    c->policy = p;
    if (policy_read_stored(&r, p, c->arena))
        v = r.type->decide(c, r.terms, &what);
    if (v == POLICY_ASKS || v == POLICY_REFUSES)
        *why = policy_refusal(c->arena, p, what);
    return v;
}

enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct spend_facts *o,
                                  const struct err **why)
{
    struct policy_case c = { .db = db, .arena = a, .spend_facts = o };
    enum policy_verdict all = POLICY_FREE;
    struct policy *list;
    int n = policies_list(db, a, o->agent_id, o->wallet_id, &list);

    if (n < 0)
        return POLICY_BROKEN;
    for (int i = 0; i < n; i++) {
        const struct err *e = NULL;
        enum policy_verdict one = policy_verdict_of(&c, &list[i], &e);

        if (one == POLICY_BROKEN)
            return one;
        if (one > all)
            *why = e;
        all = one > all ? one : all;
    }
    return all;
}

bool policy_count_spend(struct db *db, const struct spend_facts *o, uint64_t execution_id)
{
    const struct spend_new s = {
        .execution_id = execution_id,
        .agent_id = o->agent_id,
        .wallet_id = o->wallet_id,
        .usd = o->worth.has_usd ? &o->worth.usd : NULL,
        .ether = o->worth.has_ether ? &o->worth.ether : NULL,
        .margin = o->asset != NULL,
    };

    return spends_add(db, &s);
}
