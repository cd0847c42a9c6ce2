/* Public answers of a market, cached for a moment (store/upstream_cache.h): one worker asks it, the others
 * wait for its answer. */
#ifndef EXEC_CACHED_ANSWER_H
#define EXEC_CACHED_ANSWER_H

#include "base/err.h"
#include "base/json_writer.h"
#include "service/ctx.h"
#include "store/upstream_cache.h"

/* The source of answers. */
struct cache_source {
    unsigned deadline_ms; /* within which it answers, or is given up */
    unsigned lane;    /* net/bulkhead.h: of the worker that asks it, and of those that wait for the answer */
    const char *busy; /* the hint when too many do */
};

/* Asks the source and writes members of an answer into the object that is open. NULL, or why not: then
 * nothing is kept. */
typedef const struct err *cache_fill(const struct ctx *ctx, struct json_writer *w, const void *what);

/* A question to a source; `text` identifies it among all. */
struct cache_query {
    const struct cache_source *source;
    const char *text;
    unsigned life_ms; /* how old an answer may be */
    cache_fill *make;
    const void *what; /* make's own */
};

/* An answer that is young enough, or a new one; E_BUSY when too many wait for the source already. *text is an
 * object, in the arena. */
const struct err *cached_answer(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                const char **text);
/* The same for questions that many requests ask at once: this process remembers an answer for up to a second,
 * and for no longer than it may be used. An answer that is noted otherwise meanwhile shows that much
 * later. */
const struct err *cached_answer_often(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                      const char **text);
/* Replaces E_BUSY, from any source, by the last answer, if it is not older than that; otherwise returns e. */
const struct err *cached_while_busy(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                    unsigned life_ms, const struct err *e, const char **text);

/* The last answers to several questions, which are read at once from the database; no source is asked. */
struct cached_answers {
    struct upstream_last answers[UPSTREAM_LAST_MAX];
    unsigned count;
    int64_t now_ms; /* by the database's clock; 0: there is no answer at all */
};

void cached_answers_add(struct cached_answers *k, const char *question);
/* Unreadable answers are treated as missing. */
void cached_answers_read(const struct ctx *ctx, struct arena *a, struct cached_answers *k);
/* An answer of at most that age, which CACHED_EVER does not bound; NULL: there is none. */
#define CACHED_EVER INT64_MAX
const char *cached_answers_text(const struct cached_answers *k, const char *question, int64_t life_ms);

/* Stores an answer that came from elsewhere, inside the caller's transaction. False when the database failed.
 */
bool cached_answer_note(struct db *db, const char *question, const char *text);

#endif
