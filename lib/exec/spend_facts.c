#include "exec/spend_facts.h"

#include "exec/chain_ops.h"
#include "exec/kind.h"
#include "policy/value.h"

static struct u256 amount_looked_at(enum kind_policies policies, const struct plan *p)
{
    switch (policies) {
    case POLICIES_COUNT:
        return p->leaves.amount;
    case POLICIES_DEBT:
        return p->arrives.amount;
    case POLICIES_WATCH:
    case POLICIES_NONE:
        break;
    }
    return U256_ZERO;
}

bool spend_facts_of_plan(struct spend_facts *o, struct arena *a, const struct plan *p,
                         const struct chain_state *st)
{
    const struct exec_kind *kind = exec_kind_of(o->kind);
    struct u256 value;

    o->name = kind->name;
    o->venue_class = kind->venue_class;
    o->borrowed = kind->policies == POLICIES_DEBT;
    o->from = o->borrowed ? p->arrives.token : p->leaves.token;
    o->to = o->borrowed ? p->leaves.token : p->arrives.token;
    o->amount_in = amount_looked_at(kind->policies, p);
    o->amount_out = kind->policies == POLICIES_COUNT ? p->arrives.amount : U256_ZERO;
    o->amount_unknown = kind->policies == POLICIES_COUNT && p->leaves_unknown;
    o->recipients = plan_recipients(a, p);
    o->fees = U256_ZERO;
    return p->count == 0 || chain_ops_of(p->chain)->cost(p, st, &value, &o->fees);
}

enum policy_verdict spend_facts_estimate(const struct ctx *ctx, struct arena *a, struct spend_facts *o,
                                         const struct plan *p, const struct chain_state *st,
                                         const struct err **why)
{
    if (!spend_facts_of_plan(o, a, p, st) || !policy_value(ctx, a, o))
        return POLICY_BROKEN;
    return policy_decide(ctx->db, a, o, why);
}
