/* Public answers of a market, cached for a moment (store/upstream_answers.h): one worker asks it, the others
 * wait for its answer. */
#ifndef EXEC_KEPT_H
#define EXEC_KEPT_H

#include "base/err.h"
#include "base/json_writer.h"
#include "service/ctx.h"
#include "store/upstream_answers.h"

/* The source of answers. */
struct kept_source {
    unsigned deadline_ms; /* within which it answers, or is given up */
    unsigned lane;    /* net/bulkhead.h: of the worker that asks it, and of those that wait for the answer */
    const char *busy; /* the hint when too many do */
};

/* Asks the source and writes members of an answer into the object that is open. NULL, or why not: then
 * nothing is kept. */
typedef const struct err *kept_fn(const struct ctx *ctx, struct json_writer *w, const void *what);

/* A question to a source; `text` identifies it among all. */
struct kept_question {
    const struct kept_source *source;
    const char *text;
    unsigned life_ms; /* how old an answer may be */
    kept_fn *make;
    const void *what; /* make's own */
};

/* An answer that is young enough, or a new one; E_BUSY when too many wait for the source already. *text is an
 * object, in the arena. */
const struct err *kept_answer(const struct ctx *ctx, struct arena *a, const struct kept_question *q,
                              const char **text);
/* The same for questions that many requests ask at once: this process remembers an answer for up to a second,
 * and for no longer than it may be used. An answer that is noted otherwise meanwhile shows that much
 * later. */
const struct err *kept_answer_often(const struct ctx *ctx, struct arena *a, const struct kept_question *q,
                                    const char **text);
/* Replaces E_BUSY, from any source, by the last answer, if it is not older than that; otherwise returns e. */
const struct err *kept_while_busy(const struct ctx *ctx, struct arena *a, const struct kept_question *q,
                                  unsigned life_ms, const struct err *e, const char **text);

/* The last answers to several questions, which are read at once from the database; no source is asked. */
struct kept_last {
    struct upstream_last answers[UPSTREAM_LAST_MAX];
    unsigned count;
    int64_t now_ms; /* by the database's clock; 0: there is no answer at all */
};

void kept_last_add(struct kept_last *k, const char *question);
/* Unreadable answers are treated as missing. */
void kept_last_read(const struct ctx *ctx, struct arena *a, struct kept_last *k);
/* An answer of at most that age, which KEPT_EVER does not bound; NULL: there is none. */
#define KEPT_EVER INT64_MAX
const char *kept_last_text(const struct kept_last *k, const char *question, int64_t life_ms);

/* Notes an answer that was had otherwise, inside the caller's transaction. False when the database failed. */
bool kept_note(struct db *db, const char *question, const char *text);

#endif
