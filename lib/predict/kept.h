/* What the catalogue and the books say, kept for a moment (store/upstream_answers.h): one worker asks the
 * venue, the others wait for its answer. */
#ifndef PREDICT_KEPT_H
#define PREDICT_KEPT_H

#include "base/err.h"
#include "base/json_writer.h"
#include "service/ctx.h"

enum { PREDICT_DEADLINE_MS = 5000 };

/* Asks the venue and writes members of an answer into the object that is open. NULL, or why not: then nothing
 * is kept. */
typedef const struct err *kept_fn(const struct ctx *ctx, struct json_writer *w, const void *what);

/* An answer of at most that age, or a new one of `make`; E_BUSY when too many wait for the venue already.
 * `question` identifies it among all. *text is an object, in the arena. */
const struct err *kept_answer(const struct ctx *ctx, struct arena *a, const char *question, unsigned life_ms,
                              kept_fn *make, const void *what, const char **text);
/* The last answer, however old, and into now_ms, unless it is NULL, what the database's clock says; NULL:
 * there is none any more. Asks nobody but the database. */
const char *kept_last(const struct ctx *ctx, struct arena *a, const char *question, int64_t *now_ms);
/* Notes an answer that was had otherwise, inside the caller's transaction. False when the database failed. */
bool kept_note(struct db *db, const char *question, const char *text);

#endif
