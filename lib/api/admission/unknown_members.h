/* Unknown members of a request are ignored, except for typing errors: a client that means "chain" and writes
 * "chian" would trade on another chain. So would one that uses another service's name for a member. */
#ifndef API_ADMISSION_UNKNOWN_MEMBERS_H
#define API_ADMISSION_UNKNOWN_MEMBERS_H

#include "base/params.h"

/* Notes a fault for each member of `object` that no operation knows, and that is a near miss of a member of
 * the table `known` (NULL: empty) which `object` lacks, or its name elsewhere. */
void unknown_members_check(const struct param *known, const json_t *object, struct arena *a,
                           struct param_faults *faults);

#endif
