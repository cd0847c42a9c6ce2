/* Shared by the files of A2A. Both versions of the protocol are served: the name of the method shows which
 * one a request uses. A task is one row, shown in the words of either.
 *
 *   a2a.c               the endpoint, the methods, errors     a2a_message.c  reads what a client sends
 *   a2a_send.c          a message becomes a task              a2a_tasks.c    get, list, cancel
 *   a2a_conversation.c  what a task's messages add up to      a2a_push.c     push notification configs
 *   a2a_view.c          a task as JSON */
#ifndef AGENTPROTO_A2A_H
#define AGENTPROTO_A2A_H

#include <jansson.h>

#include "api/admission/api_call.h"
#include "base/err.h"
#include "model/task.h"

struct a2a_call {
    struct api_call *api; /* the call that the request is */
    enum task_version version;
    const json_t *params;      /* an object */
    struct json_writer result; /* of a success */
};

/* Writes the result, one value, and returns true, or returns false with the error. */
typedef bool a2a_method_fn(struct a2a_call *c, const struct err **e);

a2a_method_fn a2a_send, a2a_get, a2a_list, a2a_cancel;
a2a_method_fn a2a_push_set, a2a_push_get, a2a_push_list, a2a_push_delete;
a2a_method_fn a2a_no_stream, a2a_no_extended_card;

/* The protocol's own errors. `code` is the reason in 1.0; in 0.3 an unsupported operation has another number.
 */
extern const struct err A2A_PARAMS, A2A_METHOD_UNKNOWN, A2A_TASK_NOT_FOUND, A2A_NOT_CANCELABLE,
    A2A_UNSUPPORTED, A2A_CONTENT_TYPE, A2A_VERSION;

/* Invalid params: which one, and what is wrong with it. */
const struct err *a2a_bad(struct arena *a, const char *field, const char *what);

/* The agent's task whose id the params have under `member`, where it is required. */
const struct err *a2a_find_task(struct a2a_call *c, const char *member, struct task *out);
/* historyLength of `object`: -1 when absent. */
const struct err *a2a_history(struct arena *a, const json_t *object, int *out);

struct a2a_show {
    int history;    /* number of its last messages; -1: all */
    bool artifacts; /* its result */
    json_t *answer; /* in place of the kept one, which has no secrets; borrowed, or NULL */
};

/* The task as JSON, in the arena; NULL when the database failed. */
const char *a2a_task_text(struct a2a_call *c, const struct task *t, const struct a2a_show *show);
/* Makes the task the result; in 0.3 with a copy of itself as its member `task`, where some clients look.
 * Returns false for NULL. */
bool a2a_task_result(struct a2a_call *c, const char *task);

#endif
