/* What the rows under /v1/operator have in common. */
#ifndef API_OPERATOR_CALL_H
#define API_OPERATOR_CALL_H

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "base/params.h"

enum { OPERATOR_REASON_MAX = 200, OPERATOR_SHOWN = 50 };

/* ---- acts ---- */

struct operator_reason_in {
    const char *reason;
};

/* What is wrong with a reason, or NULL. */
const char *operator_reason_fault(const char *reason, const void *env);
/* clang-format off */
#define PARAM_REASON(type) \
    { "reason", P_TEXT, INTO(type, reason), .required = true, .absent = &E_REASON, .min = 1, \
      .max = OPERATOR_REASON_MAX, .check = operator_reason_fault, \
      .about = "Why: a line for the audit log", .example = "asked for by mail" }
/* clang-format on */
extern const struct param operator_reason_params[];

/* Writes an act down under the name of the call's token; `first` and `second` are its arguments, NULL where
 * there are none. NULL: it may be carried out. */
const struct err *operator_call_note(struct api_call *c, const char *act, const char *first,
                                     const char *second, const char *reason);
/* What lib/operator says stands against it, NULL: nothing, as an error; its `missing` where there is no such
 * thing. */
const struct err *operator_call_err(struct api_call *c, const char *problem, const struct err *missing);

/* ---- what they answer ---- */

extern const struct schema operator_done_schema;
/* {"success": true, "done": what} */
struct reply *operator_call_done(struct api_call *c, const char *what);

/* How many items a list shows. */
/* clang-format off */
#define PARAM_SHOWN(type) \
    { "limit", P_WHOLE, INTO(type, limit), .number = OPERATOR_SHOWN, .min = 1, .max = PAGE_MAX, .bad = &E_LIMIT, \
      .about = "The most that are listed" }
#define PARAM_OF_AGENT(type) \
    { "agent", P_TEXT, INTO(type, agent), .max = PARAM_NAME_MAX, .about = "The id of one; default: of all" }
/* clang-format on */

#endif
