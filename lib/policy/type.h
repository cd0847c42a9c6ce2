/* A type of policy is one file and one row of POLICY_TYPES: its members, how they are read, what they decide
 * over the facts of a spend. */
#ifndef POLICY_TYPE_H
#define POLICY_TYPE_H

#include "base/arena.h"
#include "base/params.h"
#include "model/policy.h"
#include "policy/decide.h"
#include "policy/spend_facts.h"
#include "policy/value.h"
#include "service/conf.h"
#include "store/db.h"

/* Number as it is stored; name as requests and answers have it. */
#define POLICY_TYPES(TYPE)                                                                                   \
    TYPE(POLICY_SPENDING, spending_limit)                                                                    \
    TYPE(POLICY_APPROVAL, approval_limit)                                                                    \
    TYPE(POLICY_WHITELIST, whitelist)                                                                        \
    TYPE(POLICY_EXECUTION, execution_limit)

/* A policy's params while they are read. */
struct policy_reading {
    struct arena *arena;
    const struct conf *conf; /* whose own limits theirs have to go beyond; NULL: they were accepted before */
    struct param_faults *faults;
};

/* A policy while it decides about a spend. */
struct policy_case {
    struct db *db;
    struct arena *arena;
    const struct spend_facts *spend_facts;
    const struct policy *policy;
    /* of the wallet; read once, when the first window needs them */
    bool has_spends;
    struct spend *spends;
    int count;
    int64_t now_ms;
};

struct policy_use;

/* `terms` is the type's own struct, which its members are read into. */
struct policy_type_row {
    const struct param *members; /* others are refused */
    size_t size;                 /* of the struct */
    /* Checks the members together, each being right for itself; reports by policy_fault. */
    void (*check)(struct policy_reading *r, void *terms);
    /* Writes members in the one form in which they are kept, amounts aside. NULL: as they are given. */
    void (*normalize)(json_t *params);
    /* Adds the figures of the spend's worth that decide() needs. NULL: none. */
    void (*need)(struct worth_needed *w, const void *terms);
    /* POLICY_BROKEN, or what the policy says; *why unless it allows. */
    enum policy_verdict (*decide)(struct policy_case *c, const void *terms, const char **why);
    /* Whether it sums up over a window, and what the wallet has used of it (policy/usage.h), but for whose
     * wallet; false when the database failed. NULL: it is no limit. */
    bool (*windowed)(const void *terms);
    bool (*use)(struct policy_case *c, const void *terms, struct policy_use *out);
};

#define POLICY_TYPE_DECLARE(number, name) extern const struct policy_type_row name;
POLICY_TYPES(POLICY_TYPE_DECLARE)
#undef POLICY_TYPE_DECLARE

extern const struct param spending_limit_members[], whitelist_members[], execution_limit_members[];

#endif
