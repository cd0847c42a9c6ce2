/* Signed requests under observation: what their venues are asked, what is sent, and what is recorded of them.
 * Requests of one execution go out one after another, each once everything before it has been carried out:
 * the transactions are confirmed, the requests are filled. */
#ifndef EXEC_VENUE_REQUEST_H
#define EXEC_VENUE_REQUEST_H

#include <stdbool.h>

#include "base/arena.h"
#include "exec/tracked.h"
#include "net/call.h"
#include "service/ctx.h"
#include "store/db.h"

/* ---- looking ---- */

enum { REQUEST_QUESTIONS = 2 }; /* about each */

struct request_question {
    struct tracked *tracked;
    unsigned i; /* of its requests */
    bool proof; /* of others than the venue */
    struct call *call;
};

/* Makes the calls about each request that may still change, w[0] to w[n - 1]; both arrays have a place for
 * each question about every request. How many. */
unsigned requests_ask(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n,
                      struct call *calls, struct request_question *out);
/* Reads the calls, which have been run, and frees them. A venue that says nothing leaves what was known. */
void requests_read(struct arena *a, const struct request_question *q, unsigned n);

/* ---- sending ---- */

/* While a venue takes nothing, the request that waits for it, and those behind it, live longer. */
void requests_hold(const struct ctx *ctx, struct arena *a, struct tracked *w);

/* Sends the requests of `w` whose time it is and records the replies; their observations are set to what
 * those prove. `first`: none of them can have been sent before, so a refusal is final; otherwise it may be
 * about bytes that arrived twice. What has ended by its first sending is recorded by request_record. */
void requests_send(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned deadline_ms,
                   bool first);

/* Cancels, at venues that know no expiry, what is not sent any more and was never taken. */
void requests_cancel(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned deadline_ms);

/* ---- consequences of the observations ---- */

/* The state that requests[i] has from now on. What the venue has said for good stays, and what it does not
 * know any more is not undone. Only a request that it never took, and that it refuses from now on, is lost:
 * its expiry is over for certain, or it was cancelled, and the venue has said twice that it does not know it;
 * or it waits for a transaction that has failed for good. Pure. */
enum effect_state request_state(const struct tracked *w, unsigned i);
/* It did what was asked for. Pure. */
bool request_is_filled(const struct tracked *w, unsigned i);
/* Whether there is anything to record of it. Pure. */
bool request_is_news(const struct tracked *w, unsigned i);
/* Inside a transaction. UNCHANGED: another process has recorded something else. */
enum db_update request_record(struct db *db, const struct tracked *w, unsigned i);

#endif
