#include "policy/usage.h"

#include <string.h>

#include "policy/rule.h"
#include "store/wallets.h"

struct policy_usage {
    struct db *db;
    struct arena *arena;
    uint64_t agent_id;
    bool has_wallets;
    int count;
    struct wallet *wallets;
    struct spend_facts *spend_facts; /* of each, that name the wallet and nothing else */
    struct policy_case *cases;       /* of each: they keep what was spent */
};

struct policy_usage *policy_usage_new(struct db *db, struct arena *a, uint64_t agent_id)
{
    struct policy_usage *u = ARENA_NEW(a, struct policy_usage);

    u->db = db;
    u->arena = a;
    u->agent_id = agent_id;
    return u;
}

static bool usage_wallets(struct policy_usage *u)
{
    size_t n;

    if (u->has_wallets)
        return true;
    u->count = wallets_list(u->db, u->arena, u->agent_id, &u->wallets);
    if (u->count < 0)
        return false;
    n = (size_t)u->count;
    u->spend_facts = arena_alloc(u->arena, (n + 1) * sizeof *u->spend_facts);
    u->cases = arena_alloc(u->arena, (n + 1) * sizeof *u->cases);
    for (size_t i = 0; i < n; i++) {
        u->spend_facts[i] = (struct spend_facts){ .agent_id = u->agent_id, .wallet_id = u->wallets[i].id };
        u->cases[i] =
            (struct policy_case){ .db = u->db, .arena = u->arena, .spend_facts = &u->spend_facts[i] };
    }
    u->has_wallets = true;
    return true;
}

/* Whether the policy is the wallet's own, or its limit is touched. */
static bool use_is_shown(const struct policy *p, const struct policy_use *use)
{
    return p->wallet_id != 0 || use->used == NULL || strcmp(use->used, "0") != 0;
}

int policy_usage_of(struct policy_usage *u, const struct policy *p, struct policy_use **out)
{
    struct policy_rule r;
    int n = 0;

    *out = NULL;
    if (!policy_read_stored(&r, p, u->arena) || r.type->use == NULL || !r.type->windowed(r.terms))
        return POLICY_USE_NONE;
    if (!usage_wallets(u))
        return POLICY_USE_BROKEN;
    *out = arena_alloc(u->arena, ((size_t)u->count + 1) * sizeof **out);
    for (int i = 0; i < u->count; i++) {
        struct policy_use *use = &(*out)[n];

        if (p->wallet_id != 0 && p->wallet_id != u->wallets[i].id)
            continue;
        u->cases[i].policy = p;
        use->wallet = u->wallets[i].ref.address;
        if (!r.type->use(&u->cases[i], r.terms, use))
            return POLICY_USE_BROKEN;
        n += use_is_shown(p, use);
    }
    return n;
}
