/* The terms of a call: what it asks for, as text that is the same for the same intention. The ids of what
 * expires, quotes and approvals, are no terms. */
#ifndef API_ADMISSION_TERMS_H
#define API_ADMISSION_TERMS_H

#include "api/admission/api_call.h"
#include "base/json_writer.h"

/* struct endpoint.terms: those of a row whose parameters say all that is asked for. NULL when an approval_id
 * is in their place. */
const char *terms_of_members(struct api_call *c, const void *in);

/* For rows whose terms are more than their parameters: writes those that were given or have a default, but
 * for quote_id, approval_id and the names in `but`, which ends with NULL. */
void terms_write(struct json_writer *w, const struct api_call *c, const void *in, const char *const *but);

/* A sentence, by its words: the same in capitals and without, with other blanks and other zeros of its
 * numbers. In the arena. */
const char *terms_sentence(struct arena *a, const char *said);

/* The place of the row's parameter of that name in `in`, a P_TEXT; NULL: it has none. */
const char **terms_text_at(const struct api_call *c, void *in, const char *name);

enum { TERMS_BYTES = 64 * 1024 };

#endif
