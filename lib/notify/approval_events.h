/* An approval as agents see it. Who is told about it is declared in policy/approval_decision.h. */
#ifndef NOTIFY_APPROVAL_EVENTS_H
#define NOTIFY_APPROVAL_EVENTS_H

#include "base/json_writer.h"
#include "model/approval.h"

/* Writes its members as GET /approvals and events show them. */
void approval_view(struct json_writer *w, const struct approval *ap);

#endif
