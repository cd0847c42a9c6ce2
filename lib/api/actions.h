/* Handlers of the endpoints that start actions (exec/action.h) and show them: a row says by `begins` or
 * `shows` which action it is of, and all else follows from the action's row. */
#ifndef API_ACTIONS_H
#define API_ACTIONS_H

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/schemas.h"
#include "base/params.h"
#include "exec/action.h"

/* Starts one of the endpoint's kind; `asked` is the action's own struct. */
struct reply *action_place(struct api_call *c, const void *asked);
struct reply *action_show(struct api_call *c, const void *in);
struct reply *action_list(struct api_call *c, const void *in);
/* struct endpoint.begins. */
uint64_t action_begun(const struct api_call *c, enum exec_kind_id kind, const json_t *answer);

/* What action_list takes. */
struct action_list_in {
    const char *status, *type;
    struct list_terms terms;
    uint64_t limit, offset;
};
#define PARAM_LISTED_STATUS                                                                                  \
    {                                                                                                        \
        "status", P_TEXT, INTO(struct action_list_in, status),                                               \
            .choices = listed_statuses, .bad = &E_STATUS_FILTER,                                             \
            .about = "submitted, pending, completed or failed"                                               \
    }
extern const struct param action_page_params[]; /* all but type */

/* Of one action alone. */
extern const char *const action_statuses[];

/* Fields of an action's schema that say how it stands. */
#define ACTION_STANDING(about_status, about_hash)                                                            \
    { "status", CHOICE(action_statuses, "completed"), about_status },                                        \
        { "tx_hash", HEX(A_HASH), about_hash, MAY_BE_NULL },                                                 \
        { "created_at", TIME(A_TIME), "When it was accepted" },                                              \
        { "completed_at", TIME(LATER), "When it completed or failed", MAY_BE_NULL },                         \
    {                                                                                                        \
        "error", TEXT("null"), "Why it failed, in words", MAY_BE_NULL                                        \
    }

#endif
