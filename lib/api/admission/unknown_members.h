/* Members that nobody knows are ignored, but for typing errors: who means "chain" and writes "chian" would
 * trade on another chain. */
#ifndef API_ADMISSION_UNKNOWN_MEMBERS_H
#define API_ADMISSION_UNKNOWN_MEMBERS_H

#include "base/params.h"

/* Notes a fault for each member of `object` that is neither in `known` (a table; NULL: empty) nor a member of
 * any call, and a near miss of one in `known` that `object` lacks. */
void unknown_members_check(const struct param *known, const json_t *object, struct arena *a,
                           struct param_faults *faults);

#endif
