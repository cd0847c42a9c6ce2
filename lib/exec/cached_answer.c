#include "exec/cached_answer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "codec/uuid.h"
#include "net/bulkhead.h"

enum { WAIT_FIRST_MS = 5, WAIT_MOST_MS = 80, LEASE_BEYOND_MS = 1000 };

/* A question, and who asks it here. */
struct cache_lookup {
    const struct cache_query *q;
    uint8_t hash[HASH_LEN];
    struct uuid asker;
    bool often;
};

static void wait_ms(unsigned ms)
{
    struct timespec t = { .tv_nsec = (long)ms * 1000000 };

    nanosleep(&t, NULL);
}

/* ---- answers that this process remembers ---- */

enum { REMEMBERED_MAX = 64, REMEMBERED_TEXT_MAX = 64 * 1024, REMEMBERED_MS = 1000 };

static struct remembered {
    uint8_t question[HASH_LEN];
    int64_t until_ms; /* monotonic */
    char *text;
} memory[REMEMBERED_MAX];

/* NULL: it has to be looked for. */
static const char *remembered(struct arena *a, const struct cache_lookup *k)
{
    int64_t now = clock_mono_ms();

    for (const struct remembered *r = memory; r < memory + REMEMBERED_MAX; r++)
        if (r->until_ms > now && memcmp(r->question, k->hash, sizeof k->hash) == 0)
            return arena_strdup(a, r->text);
    return NULL;
}

/* In the place of the same one, or of the one that is over first. */
static struct remembered *place_of(const struct cache_lookup *k)
{
    struct remembered *place = memory;

    for (struct remembered *r = memory; r < memory + REMEMBERED_MAX; r++) {
        if (memcmp(r->question, k->hash, sizeof k->hash) == 0)
            return r;
        if (r->until_ms < place->until_ms)
            place = r;
    }
    return place;
}

static void remember(const struct cache_lookup *k, const char *text, unsigned age_ms)
{
    struct remembered *r = place_of(k);
    unsigned left = age_ms < k->q->life_ms ? k->q->life_ms - age_ms : 0;

    if (strlen(text) > REMEMBERED_TEXT_MAX)
        return;
    free(r->text);
    *r = (struct remembered){ .text = strdup(text) };
    if (r->text == NULL)
        return;
    memcpy(r->question, k->hash, sizeof r->question);
    r->until_ms = clock_mono_ms() + (left < REMEMBERED_MS ? left : REMEMBERED_MS);
}

/* ---- one asks, the others wait ---- */

static const struct err *answer_make(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
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
static const struct err *answer_keep(const struct ctx *ctx, struct arena *a, const struct cache_lookup *k,
                                     const char **text)
{
    const struct err *e = answer_make(ctx, a, k->q, text);

    if (e == NULL)
        (void)upstream_cache_put(ctx->db, k->hash, &k->asker, *text, strlen(*text));
    else
        (void)upstream_cache_drop(ctx->db, k->hash, &k->asker);
    return e;
}

static enum upstream_answer answer_take(const struct ctx *ctx, struct arena *a, const struct cache_lookup *k,
                                        const char **text)
{
    unsigned age_ms;
    enum upstream_answer found =
        upstream_cache_take(ctx->db, a, k->hash, k->q->life_ms, k->q->source->deadline_ms + LEASE_BEYOND_MS,
                            &k->asker, text, &age_ms);

    if (found == ANSWER_CACHED && k->often)
        remember(k, *text, age_ms);
    return found;
}

/* For the answer to what another worker asks, or for that one's failing. */
static const struct err *answer_await(const struct ctx *ctx, struct arena *a, const struct cache_lookup *k,
                                      const char **text)
{
    int64_t until = clock_mono_ms() + k->q->source->deadline_ms;

    for (unsigned pause = WAIT_FIRST_MS; clock_mono_ms() < until;) {
        wait_ms(pause);
        pause = pause * 2 < WAIT_MOST_MS ? pause * 2 : WAIT_MOST_MS;
        switch (answer_take(ctx, a, k, text)) {
        case ANSWER_CACHED:
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

/* The worker that asks the source, and each that waits for its answer, occupies a place of the source's
 * lane. */
static const struct err *lane_take(const struct ctx *ctx, struct arena *a, const struct cache_source *s)
{
    return ctx->bulkhead == NULL || bulkhead_take_lane(ctx->bulkhead, s->lane)
               ? NULL
               : err_hint(a, &E_BUSY, s->busy);
}

static const struct err *answer_find(const struct ctx *ctx, struct arena *a, const struct cache_lookup *k,
                                     const char **text)
{
    enum upstream_answer found = answer_take(ctx, a, k, text);
    const struct err *e;

    if (found == ANSWER_CACHED || found == ANSWER_FAILED)
        return found == ANSWER_CACHED ? NULL : &E_INTERNAL;
    e = lane_take(ctx, a, k->q->source);
    if (e != NULL) {
        if (found == ANSWER_MINE)
            (void)upstream_cache_drop(ctx->db, k->hash, &k->asker);
        return e;
    }
    e = found == ANSWER_MINE ? answer_keep(ctx, a, k, text) : answer_await(ctx, a, k, text);
    if (ctx->bulkhead != NULL)
        bulkhead_give_lane(ctx->bulkhead, k->q->source->lane);
    return e;
}

static struct cache_lookup asking_of(const struct cache_query *q, bool often)
{
    struct cache_lookup k = { .q = q, .asker = uuid_random(), .often = often };

    sha256(k.hash, q->text, strlen(q->text));
    return k;
}

const struct err *cached_answer(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                const char **text)
{
    const struct cache_lookup k = asking_of(q, false);

    return answer_find(ctx, a, &k, text);
}

const struct err *cached_answer_often(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                      const char **text)
{
    const struct cache_lookup k = asking_of(q, true);

    *text = remembered(a, &k);
    return *text != NULL ? NULL : answer_find(ctx, a, &k, text);
}

void cached_answers_add(struct cached_answers *k, const char *question)
{
    struct upstream_last *l = &k->answers[k->count++];

    *l = (struct upstream_last){ .text = NULL };
    sha256(l->question, question, strlen(question));
}

void cached_answers_read(const struct ctx *ctx, struct arena *a, struct cached_answers *k)
{
    (void)upstream_cache_last(ctx->db, a, k->answers, k->count, &k->now_ms);
}

const char *cached_answers_text(const struct cached_answers *k, const char *question, int64_t life_ms)
{
    uint8_t hash[HASH_LEN];

    sha256(hash, question, strlen(question));
    for (const struct upstream_last *l = k->answers; l < k->answers + k->count; l++)
        if (memcmp(l->question, hash, sizeof hash) == 0)
            return k->now_ms - l->made_ms < life_ms ? l->text : NULL;
    return NULL;
}

const struct err *cached_while_busy(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                    unsigned life_ms, const struct err *e, const char **text)
{
    struct cached_answers last = { .count = 0 };
    const char *old;

    if (!err_is(e, &E_BUSY))
        return e;
    cached_answers_add(&last, q->text);
    cached_answers_read(ctx, a, &last);
    old = cached_answers_text(&last, q->text, life_ms);
    if (old == NULL)
        return e;
    *text = old;
    return NULL;
}

bool cached_answer_note(struct db *db, const char *question, const char *text)
{
    uint8_t hash[HASH_LEN];

    sha256(hash, question, strlen(question));
    return upstream_cache_note(db, hash, text, strlen(text));
}
