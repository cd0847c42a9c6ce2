/* Stops one agent or all of them from trading, and bans one from everything. */
#ifndef OPERATOR_HALTS_H
#define OPERATOR_HALTS_H

#include <stdbool.h>

#include "operator/operator.h"

#define OPERATOR_ALL "all" /* in the place of an agent, where trading is stopped or resumed */

/* Nothing is signed for the agent any more when this returns, nor can its key change what concerns its
 * safety. An agent that is stopped by itself stays so when all are resumed, and all do while an older
 * database is not reconciled. */
const char *operator_set_stop(const struct ctx *ctx, struct arena *a, const char *agent, bool stop);
/* Every call with its key is refused. Independent of the stop. */
const char *operator_set_ban(const struct ctx *ctx, struct arena *a, const char *agent, bool ban);

#endif
