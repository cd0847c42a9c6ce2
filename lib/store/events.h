/* The transactional outbox webhook_events, and its kept totals; store/claim.h says what is sent next. */
#ifndef STORE_EVENTS_H
#define STORE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/event.h"
#include "model/list_filter.h"
#include "model/page.h"
#include "store/db.h"

/* Writes an event of the agent when it has a callback, inside the caller's transaction; no callback: no row,
 * and still true. `body` is what will be sent; the event's id must already be in use inside it or irrelevant
 * to it. */
bool events_add(struct db *db, uint64_t agent_id, const char *type, const char *body);

/* The same for up to EVENTS_AT_ONCE events, in this order. */
enum { EVENTS_AT_ONCE = 16 };
struct event_draft {
    uint64_t agent_id;
    const char *type;
    const char *body;
};
bool events_add_all(struct db *db, const struct event_draft *drafts, size_t n);

/* An event about what keeps the agent's money safe: its addresses, policies, keys and callbacks, and its end.
 */
struct security_event {
    const char *type;
    const char *body;
    unsigned delay_s; /* withdrawal_delay */
};
/* Writes it for each callback of store/callbacks.h, even if a stolen key has set the present one, inside the
 * caller's transaction. Neither a removed callback nor a deleted agent ends these. */
bool events_add_security(struct db *db, uint64_t agent_id, const struct security_event *e);
/* The same for these `n`. */
struct callback;
bool events_add_told(struct db *db, uint64_t agent_id, const struct security_event *e,
                     const struct callback *told, int n);

/* Writes a push notification: to the URL and with the headers that the client asked for. Inside the
 * transaction that moves its task. */
bool events_add_push(struct db *db, uint64_t agent_id, uint64_t push_seq, const char *body);

struct event_result {
    const struct uuid *owner; /* of the claim: one place for all of its events */
    uint64_t seq;
    uint64_t agent_id;
    const char *type;
    enum event_status status; /* DELIVERED, FAILED, or PENDING for another try */
    int response_status;      /* 0: no answer */
    const char *error;        /* NULL on success */
    int64_t next_ms;          /* when to try again, for PENDING */
    int64_t at_ms;            /* when it ended */
    unsigned took_ms;
    const char *answered_url; /* of a delivery: a callback that had not answered yet; NULL: it had */
};
/* Records the outcomes of events claimed by store/claim.h (attempts + 1) and moves the totals, in one
 * transaction. An event whose lease was lost to another owner is left alone. */
bool events_record(struct db *db, const struct event_result *results, size_t n);

/* By how many seconds the longest waiting event is overdue. */
int64_t events_overdue(struct db *db);

/* The sealed secrets of e->agent_id, as a claim has them. */
enum lookup events_secrets(struct db *db, struct event *e);
/* Lists an event that was sent once, in a request, with its outcome; it is not sent again. Of the agent's
 * ended events the oldest beyond `keep` are removed. */
bool events_add_ended(struct db *db, const struct event *e, const struct event_result *r, uint64_t keep);

/* Removes up to `max` events of one agent that have ended and are 30 days old. Returns how many. */
int64_t events_expire(struct db *db, uint64_t max);
/* Agents with more than `least` ended events, in the arena. Returns how many. */
struct event_crowd {
    uint64_t agent_id;
    const char *tier;
    uint64_t ended;
};
int events_crowded(struct db *db, struct arena *a, uint64_t least, struct event_crowd **out);
/* Removes the `max` oldest of the agent's ended events. Returns how many. */
int64_t events_trim(struct db *db, uint64_t agent_id, uint64_t max);

/* An event of the agent with all that is shown of it. */
enum lookup events_get(struct db *db, struct arena *a, uint64_t agent_id, struct uuid id, struct event *out);
/* Due again from now on, to the agent's present callback (a push and a security event to their own URL), with
 * as many tries and pauses as at first; all of its attempts are counted. Inside the caller's transaction.
 * UNCHANGED if there is no such event or no callback. */
enum db_update events_redeliver(struct db *db, uint64_t agent_id, struct uuid id);

/* The same for all failed events of the agent that were created at this time or later, and how many. Inside
 * the caller's transaction. UNCHANGED if there is no callback. */
enum db_update events_recover(struct db *db, uint64_t agent_id, int64_t since_ms, uint64_t *recovered);

/* Every pending event of the agent fails but security events: those for its callback, which was removed, and
 * the pushes too where the agent is. Inside the caller's transaction. */
bool events_fail_pending(struct db *db, uint64_t agent_id, bool pushes, const char *why);

struct event_filter {
    enum event_status status; /* 0: any */
    const char *type;         /* NULL: any */
    struct list_period created;
};
/* A page, newest first (without bodies), and the total that the filter matches. Returns how many. */
int events_page(struct db *db, struct arena *a, uint64_t agent_id, const struct event_filter *f,
                const struct page *p, struct event *out, uint64_t *total);

#endif
