#include "predict/kept.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "codec/uuid.h"
#include "store/upstream_answers.h"

enum { WAIT_FIRST_MS = 5, WAIT_MOST_MS = 80, LEASE_MS = PREDICT_DEADLINE_MS + 1000 };

static void wait_ms(unsigned ms)
{
    struct timespec t = { .tv_nsec = (long)ms * 1000000 };

    nanosleep(&t, NULL);
}

static const struct err *answer_make(const struct ctx *ctx, struct arena *a, kept_fn *make, const void *what,
                                     const char **text)
{
    struct json_writer *w = ARENA_NEW(a, struct json_writer);
    const struct err *e;

    jw_init(w, a, UPSTREAM_ANSWER_MAX);
    jw_object(w, NULL);
    e = make(ctx, w, what);
    jw_end(w);
    if (e != NULL)
        return e;
    *text = jw_finish(w);
    return *text != NULL ? NULL : &E_INTERNAL;
}

/* The answer counts even if it cannot be kept. */
static const struct err *answer_keep(const struct ctx *ctx, struct arena *a,
                                     const uint8_t question[static HASH_LEN], const struct uuid *asker,
                                     kept_fn *make, const void *what, const char **text)
{
    const struct err *e = answer_make(ctx, a, make, what, text);

    if (e == NULL)
        (void)upstream_answers_put(ctx->db, question, asker, *text, strlen(*text));
    else
        (void)upstream_answers_drop(ctx->db, question, asker);
    return e;
}

const struct err *kept_answer(const struct ctx *ctx, struct arena *a, const char *question, unsigned life_ms,
                              kept_fn *make, const void *what, const char **text)
{
    int64_t until = clock_mono_ms() + PREDICT_DEADLINE_MS;
    const struct uuid asker = uuid_random();
    uint8_t hash[HASH_LEN];

    sha256(hash, question, strlen(question));
    for (unsigned pause = WAIT_FIRST_MS; clock_mono_ms() < until;) {
        switch (upstream_answers_take(ctx->db, a, hash, life_ms, LEASE_MS, &asker, text)) {
        case ANSWER_KEPT:
            return NULL;
        case ANSWER_MINE:
            return answer_keep(ctx, a, hash, &asker, make, what, text);
        case ANSWER_FAILED:
            return &E_INTERNAL;
        case ANSWER_ASKED:
            break;
        }
        wait_ms(pause);
        pause = pause * 2 < WAIT_MOST_MS ? pause * 2 : WAIT_MOST_MS;
    }
    return &E_UPSTREAM;
}

const char *kept_last(const struct ctx *ctx, struct arena *a, const char *question, int64_t *now_ms)
{
    uint8_t hash[HASH_LEN];
    const char *text;

    sha256(hash, question, strlen(question));
    return upstream_answers_last(ctx->db, a, hash, &text, now_ms) == FOUND_ONE ? text : NULL;
}

bool kept_note(struct db *db, const char *question, const char *text)
{
    uint8_t hash[HASH_LEN];

    sha256(hash, question, strlen(question));
    return upstream_answers_note(db, hash, text, strlen(text));
}
