#include "predict/kept.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "codec/uuid.h"
#include "net/slots.h"

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

/* For the answer to what another worker asks, or for that one's failing. */
static const struct err *answer_await(const struct ctx *ctx, struct arena *a,
                                      const uint8_t question[static HASH_LEN], unsigned life_ms,
                                      const struct uuid *asker, kept_fn *make, const void *what,
                                      const char **text)
{
    int64_t until = clock_mono_ms() + PREDICT_DEADLINE_MS;

    for (unsigned pause = WAIT_FIRST_MS; clock_mono_ms() < until;) {
        wait_ms(pause);
        pause = pause * 2 < WAIT_MOST_MS ? pause * 2 : WAIT_MOST_MS;
        switch (upstream_answers_take(ctx->db, a, question, life_ms, LEASE_MS, asker, text)) {
        case ANSWER_KEPT:
            return NULL;
        case ANSWER_MINE:
            return answer_keep(ctx, a, question, asker, make, what, text);
        case ANSWER_FAILED:
            return &E_INTERNAL;
        case ANSWER_ASKED:
            break;
        }
    }
    return &E_UPSTREAM;
}

/* Whoever asks, and whoever waits for that one, waits for the venue. */
static const struct err *lane_take(const struct ctx *ctx, struct arena *a)
{
    return ctx->slots == NULL || slots_take_lane(ctx->slots, SLOTS_MARKETS)
               ? NULL
               : err_hint(a, &E_BUSY,
                          "Too many calls are waiting for the prediction venue: try again in a second");
}

static void lane_give(const struct ctx *ctx)
{
    if (ctx->slots != NULL)
        slots_give_lane(ctx->slots, SLOTS_MARKETS);
}

const struct err *kept_answer(const struct ctx *ctx, struct arena *a, const char *question, unsigned life_ms,
                              kept_fn *make, const void *what, const char **text)
{
    const struct uuid asker = uuid_random();
    uint8_t hash[HASH_LEN];
    enum upstream_answer found;
    const struct err *e;

    sha256(hash, question, strlen(question));
    found = upstream_answers_take(ctx->db, a, hash, life_ms, LEASE_MS, &asker, text);
    if (found == ANSWER_KEPT || found == ANSWER_FAILED)
        return found == ANSWER_KEPT ? NULL : &E_INTERNAL;
    e = lane_take(ctx, a);
    if (e != NULL) {
        if (found == ANSWER_MINE)
            (void)upstream_answers_drop(ctx->db, hash, &asker);
        return e;
    }
    e = found == ANSWER_MINE ? answer_keep(ctx, a, hash, &asker, make, what, text)
                             : answer_await(ctx, a, hash, life_ms, &asker, make, what, text);
    lane_give(ctx);
    return e;
}

void kept_last_add(struct kept_last *k, const char *question)
{
    struct upstream_last *l = &k->answers[k->count++];

    *l = (struct upstream_last){ .text = NULL };
    sha256(l->question, question, strlen(question));
}

void kept_last_read(const struct ctx *ctx, struct arena *a, struct kept_last *k)
{
    (void)upstream_answers_last(ctx->db, a, k->answers, k->count, &k->now_ms);
}

const char *kept_last_text(const struct kept_last *k, const char *question, int64_t life_ms)
{
    uint8_t hash[HASH_LEN];

    sha256(hash, question, strlen(question));
    for (const struct upstream_last *l = k->answers; l < k->answers + k->count; l++)
        if (memcmp(l->question, hash, sizeof hash) == 0)
            return k->now_ms - l->made_ms < life_ms ? l->text : NULL;
    return NULL;
}

bool kept_note(struct db *db, const char *question, const char *text)
{
    uint8_t hash[HASH_LEN];

    sha256(hash, question, strlen(question));
    return upstream_answers_note(db, hash, text, strlen(text));
}
