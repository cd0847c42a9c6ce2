/* The rule of a policy: its params, read from a request or from the database and checked alike. */
#ifndef POLICY_RULE_H
#define POLICY_RULE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/params.h"
#include "model/policy.h"
#include "policy/type.h"

enum { POLICY_PARAMS_MAX = 3072 /* so that a line of the audit log holds it */ };

extern const char *const policy_types[];           /* as requests name them, ending with NULL */
extern const struct param *const policy_members[]; /* of params, of every type; ending with NULL */

bool policy_type_parse(enum policy_type *out, const char *text);
const char *policy_type_text(enum policy_type t);

struct policy_rule {
    const struct policy_type_row *type;
    void *terms; /* the type's own struct, in the arena */
};

/* Reads params (borrowed); faults are named "params.…". False when there are some. */
bool policy_read(struct policy_rule *out, enum policy_type type, const json_t *params,
                 const struct conf *conf, struct arena *a, struct param_faults *faults);
/* The same of what is stored, checked again, but not against settings, which may have changed. */
bool policy_read_stored(struct policy_rule *out, const struct policy *p, struct arena *a);

/* Params that were read as `r` without a fault, as they are kept and shown: chains by their keys, amounts
 * without needless digits. Changes them; the text is in the arena. */
char *policy_params_text(struct arena *a, const struct policy_rule *r, json_t *params);

/* The members of a policy, as the API and events show it. */
void policy_view(struct json_writer *w, const struct policy *p);

#endif
