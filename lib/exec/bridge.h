/* Bridges under observation: what their bridge providers are asked, their state on the chains, and what is
 * recorded. A bridge provider's word moves nothing where a node of ours can show the payment: it says only
 * where to look. */
#ifndef EXEC_BRIDGE_H
#define EXEC_BRIDGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/db_update.h"
#include "exec/tracked.h"
#include "net/call.h"
#include "service/ctx.h"
#include "store/db.h"

/* How long a bridge provider's answer has to stay the same before it counts alone, or its contradiction
 * raises an alarm. */
enum { BRIDGE_PATIENCE_MS = 3600 * 1000 };

/* ---- looking ---- */

struct bridge_question {
    struct tracked *tracked;
    struct bridge_in in;
    struct call *call;
};

/* Makes the calls to the bridge providers of those whose turn it is, w[0] to w[n - 1]; both arrays have a
 * place for each tracked execution. How many. */
unsigned bridges_ask(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n,
                     struct call *calls, struct bridge_question *out);
/* Reads the calls, which have been run, and frees them. A bridge provider that says nothing leaves what was
 * known. */
void bridges_read(struct arena *a, const struct bridge_question *q, unsigned n);
/* Then asks the chains, all at once, about what the bridge providers have named. */
void bridges_poll(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n);

/* ---- consequences of the observations ---- */

/* Whether it has been paid, or paid back: bridge_observation.next.state says which. Pure. */
enum bridge_delivery bridge_delivery_of(const struct tracked *w);
/* Its bridge provider has said for long enough what it says now. Pure. */
bool bridge_is_patient(const struct tracked *w);
/* Nothing is delivered, as its bridge provider has said for long enough: it failed, or paid back less than it
 * had taken. What comes later is not excluded. Pure. */
bool bridge_fails(const struct tracked *w);
/* The verdict is known: completes what will be recorded. */
void bridge_judged(struct tracked *w, enum bridge_delivery delivery);
/* Inside a transaction, for a bridge whose turn it was. UNCHANGED: another process was faster, or another
 * bridge has claimed the proof. */
enum db_update bridge_record(struct db *db, const struct tracked *w);
/* Runs in the same transaction after its agent's row is written, so that no other process claims for that
 * agent: checks that the payments of a block are still divided as they were seen. UNCHANGED: look again. */
enum db_update bridge_recheck(struct db *db, struct arena *a, const struct tracked *w);

#endif
