/* Push notification configs as rows. */
#ifndef AGENTPROTO_A2A_PUSH_H
#define AGENTPROTO_A2A_PUSH_H

#include "agentproto/a2a.h"
#include "agentproto/a2a_message.h"

/* Which addresses may be pushed to: the same as for webhooks. */
enum call_guard a2a_guard(const struct api_call *api);
/* The row of a config, with its secrets sealed; all in the arena. */
struct task_push a2a_push_row(struct a2a_call *c, const struct task *t, const struct a2a_push_config *config);

#endif
