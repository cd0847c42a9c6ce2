/* The common part of the rows under /v1/operator. */
#ifndef API_OPERATOR_CALL_H
#define API_OPERATOR_CALL_H

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "base/params.h"

enum { OPERATOR_REASON_MAX = 200, OPERATOR_SHOWN = 50 };

/* ---- acts ---- */

struct operator_act_in {
    const char *reason;
    const char *to; /* what something is changed to; NULL in acts that say so by themselves */
};

/* The act of one POST. `change` or `turn` does it, and returns the obstacle; NULL: it is done. */
struct operator_act {
    const char *name;   /* in the audit log, as agentctl calls it */
    const char *target; /* what it is done to; NULL: what the path names */
    /* Returns the obstacle to recording it; NULL: there never is one. */
    const char *(*known)(const struct ctx *ctx, struct arena *a, const char *target);
    const char *(*change)(const struct ctx *ctx, struct arena *a, const char *target, const char *to);
    const char *(*turn)(const struct ctx *ctx, struct arena *a, const char *target, bool on);
    bool on;
    const struct err *missing; /* there is no such target; NULL: there always is */
    handler_fn *answer;        /* shows the target; NULL: the answer is `done` */
    const char *done;
};

/* The handler of them all: the row's act is written down under the name of the call's token, and done. */
struct reply *operator_act(struct api_call *c, const void *in);

/* clang-format off */
#define PARAM_REASON \
    { "reason", P_TEXT, INTO(struct operator_act_in, reason), .required = true, .absent = &E_REASON, .min = 1, \
      .max = OPERATOR_REASON_MAX, .check = param_line_fault, \
      .about = "Why: a line for the audit log", .example = "asked for by mail" }
/* clang-format on */
extern const struct param operator_act_params[];

/* The obstacle that lib/operator reports, NULL: none, as an error; `missing` where there is no such
 * object. */
const struct err *operator_call_err(struct api_call *c, const char *problem, const struct err *missing);

/* ---- rows ---- */

#define OPERATOR_ROW(of)                                                                                     \
    .auth = AUTH_OPERATOR, .limit = LIMIT_NONE, .denied = &E_TOKEN, .internal = &E_INTERNAL, .tag = of,      \
    .status = 200
/* `table` fills a struct operator_act_in. */
#define OPERATOR_ACT(what, table)                                                                            \
    .method = POST, .handler = operator_act, .act = &(what), TAKES(table, struct operator_act_in)

/* ---- answers ---- */

extern const struct schema operator_done_schema;
/* The number of items that a list shows. */
/* clang-format off */
#define PARAM_SHOWN(type) \
    { "limit", P_WHOLE, INTO(type, limit), .number = OPERATOR_SHOWN, .min = 1, .max = PAGE_MAX, .bad = &E_LIMIT, \
      .about = "The most that are listed" }
#define PARAM_OF_AGENT(type) \
    { "agent", P_TEXT, INTO(type, agent), .max = PARAM_NAME_MAX, .about = "The id of one; default: of all" }
/* clang-format on */

#endif
