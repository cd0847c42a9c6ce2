/* A member that a call does not know is refused, never dropped: a client that means "chain" and writes
 * "chian", or knows a stop loss as "sl", would get another trade than it asked for. */
#ifndef API_ADMISSION_UNKNOWN_MEMBERS_H
#define API_ADMISSION_UNKNOWN_MEMBERS_H

#include "base/params.h"

/* Which of the unknown members. */
enum unknown_kind {
    UNKNOWN_NEAR,  /* those that resemble a member which `object` lacks, or are its name elsewhere */
    UNKNOWN_OTHER, /* the rest */
};

/* Notes a fault for each such member of `object`, and of the objects in it whose members are declared.
 * `known` are the tables of the members that the call takes, ending with NULL. */
void unknown_members_check(const struct param *const *known, const json_t *object, enum unknown_kind kind,
                           struct arena *a, struct param_faults *faults);

/* "Known here: from_token, to_token", of these tables, in the arena. */
const char *unknown_members_hint(struct arena *a, const struct param *const *known);

/* The names of the members of `object` itself that no table has, as a list of the caller's. */
json_t *unknown_members_list(const struct param *const *known, const json_t *object, struct arena *a);

/* Notes that a call which is asked by its body has this parameter in its query string. */
void unknown_query_refuse(const struct param *const *known, const char *name, struct arena *a,
                          struct param_faults *faults);

#endif
