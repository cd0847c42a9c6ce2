#include "exec/kept.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "codec/uuid.h"
#include "net/slots.h"

enum { WAIT_FIRST_MS = 5, WAIT_MOST_MS = 80, LEASE_BEYOND_MS = 1000 };

/* A question, and who asks it here. */
struct kept_asking {
    const struct kept_question *q;
    uint8_t hash[HASH_LEN];
    struct uuid asker;
};

static void wait_ms(unsigned ms)
{
    struct timespec t = { .tv_nsec = (long)ms * 1000000 };

    nanosleep(&t, NULL);
}

static const struct err *answer_make(const struct ctx *ctx, struct arena *a, const struct kept_question *q,
                                     const char **text)
{
    struct json_writer *w = ARENA_NEW(a, struct json_writer);
    const struct err *e;

    jw_init(w, a, UPSTREAM_ANSWER_MAX);
    jw_object(w, NULL);
    e = q->make(ctx, w, q->what);
    jw_end(w);
    if (e != NULL)
        return e;
    *text = jw_finish(w);
    return *text != NULL ? NULL : &E_INTERNAL;
}

/* The answer counts even if it cannot be kept. */
static const struct err *answer_keep(const struct ctx *ctx, struct arena *a, const struct kept_asking *k,
                                     const char **text)
{
    const struct err *e = answer_make(ctx, a, k->q, text);

    if (e == NULL)
        (void)upstream_answers_put(ctx->db, k->hash, &k->asker, *text, strlen(*text));
    else
        (void)upstream_answers_drop(ctx->db, k->hash, &k->asker);
    return e;
}

static enum upstream_answer answer_take(const struct ctx *ctx, struct arena *a, const struct kept_asking *k,
                                        const char **text)
{
    return upstream_answers_take(ctx->db, a, k->hash, k->q->life_ms,
                                 k->q->source->deadline_ms + LEASE_BEYOND_MS, &k->asker, text);
}

/* For the answer to what another worker asks, or for that one's failing. */
static const struct err *answer_await(const struct ctx *ctx, struct arena *a, const struct kept_asking *k,
                                      const char **text)
{
    int64_t until = clock_mono_ms() + k->q->source->deadline_ms;

    for (unsigned pause = WAIT_FIRST_MS; clock_mono_ms() < until;) {
        wait_ms(pause);
        pause = pause * 2 < WAIT_MOST_MS ? pause * 2 : WAIT_MOST_MS;
        switch (answer_take(ctx, a, k, text)) {
        case ANSWER_KEPT:
            return NULL;
        case ANSWER_MINE:
            return answer_keep(ctx, a, k, text);
        case ANSWER_FAILED:
            return &E_INTERNAL;
        case ANSWER_ASKED:
            break;
        }
    }
    return &E_UPSTREAM;
}

/* Whoever asks, and whoever waits for that one, waits for the source. */
static const struct err *lane_take(const struct ctx *ctx, struct arena *a, const struct kept_source *s)
{
    return ctx->slots == NULL || slots_take_lane(ctx->slots, s->lane) ? NULL : err_hint(a, &E_BUSY, s->busy);
}

static void lane_give(const struct ctx *ctx, const struct kept_source *s)
{
    if (ctx->slots != NULL)
        slots_give_lane(ctx->slots, s->lane);
}

const struct err *kept_answer(const struct ctx *ctx, struct arena *a, const struct kept_question *q,
                              const char **text)
{
    struct kept_asking k = { .q = q, .asker = uuid_random() };
    enum upstream_answer found;
    const struct err *e;

    sha256(k.hash, q->text, strlen(q->text));
    found = answer_take(ctx, a, &k, text);
    if (found == ANSWER_KEPT || found == ANSWER_FAILED)
        return found == ANSWER_KEPT ? NULL : &E_INTERNAL;
    e = lane_take(ctx, a, q->source);
    if (e != NULL) {
        if (found == ANSWER_MINE)
            (void)upstream_answers_drop(ctx->db, k.hash, &k.asker);
        return e;
    }
    e = found == ANSWER_MINE ? answer_keep(ctx, a, &k, text) : answer_await(ctx, a, &k, text);
    lane_give(ctx, q->source);
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
