/* Pieces of JSON that several handlers write. */
#ifndef API_VIEW_H
#define API_VIEW_H

#include "api/admission/api_call.h"
#include "base/err.h"
#include "base/json_writer.h"
#include "exec/commit.h"
#include "exec/simulation.h"
#include "model/execution.h"
#include "model/page.h"

enum { CALLBACKS_WAIT_S = 3600 }; /* of E_CALLBACK_CHANGES */

/* Writes an amount given in the token's smallest units. */
void view_amount(struct json_writer *w, const char *key, struct u256 raw, const struct token_ref *t);

/* Writes that the work waits for the operator's approval: the members of AWAITING (api/endpoint/schemas.h).
 */
void view_awaiting(struct json_writer *w, const struct commit_result *r);

/* The members "checks", and "warnings" with the details of those that warn. */
void view_checks(struct json_writer *w, const struct check *list, size_t count);

/* The members of an object that was written before, and may have been kept: as they stand there, so that
 * numbers keep their digits. */
struct reply *view_cached(struct api_call *c, const struct err *e, const char *text);

/* The member "pagination". */
void view_pagination(struct json_writer *w, uint64_t total, const struct page *p, uint64_t shown);

#endif
