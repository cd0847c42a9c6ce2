/* An approval as agents see it. Who is told about it is declared in policy/approval.h. */
#ifndef NOTIFY_APPROVALS_H
#define NOTIFY_APPROVALS_H

#include <jansson.h>

#include "model/approval.h"

/* As GET /approvals and events show it. New reference. */
json_t *approval_view(const struct approval *ap);

#endif
