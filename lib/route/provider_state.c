#include "route/provider_state.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/gcra.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/shared_file.h"
#include "codec/rand.h"
#include "net/breaker.h"
#include "net/bulkhead.h"
#include "net/refusals.h"
#include "route/provider_service.h"

enum {
    SECOND_MS = 1000,
    PAUSE_MAX_S = 2 * 60 * 60, /* the longest window that a service is known to have */
    DOUBLINGS_MAX = 6,
    PATIENCE_MS = 500, /* a provider that had less time than this is not blamed */
    CHECK_REPORTS = 3,
    ASKERS = 64,
    CHECK_REPORTS_MS = 10 * 60 * 1000,
};

/* An agent that asks, and what it has taken of its share; 0: free. */
struct asker {
    _Atomic uint64_t agent;
    _Atomic int64_t paid_us;
};

/* Times are monotonic. */
struct provider_state {
    _Atomic int64_t paid_us; /* base/gcra.h */
    struct asker askers[ASKERS];
    _Atomic int64_t paused_until_ms;
    _Atomic unsigned pauses; /* in a row for which it did not say how long */
    struct breaker breaker;
    _Atomic int64_t found_ms[CHECK_REPORTS]; /* the latest ones */
    _Atomic int64_t suspect_until_ms;
    struct refusals refusals; /* an offer is a good answer, a plan that is what was offered good content */
    _Atomic uint64_t asked, answered, took_ms, check_reports;
    struct provider_counts kept; /* in the database; only the holder of the file's lock writes them */
};

struct provider_states {
    uint64_t layout;
    struct provider_state of[PROVIDERS_MAX + 1]; /* in the order of the table; the last one is of unknown
                                                    providers */
};

static struct provider_states *states;
static int states_fd = -1; /* holds the lock; -1: the memory has no file */

/* ---- the memory ---- */

/* Whether a file is of use: places end with the table. */
static uint64_t states_layout(void)
{
    struct buf text = BUF_INIT(1024);
    uint64_t layout;

    buf_addf(&text, "%zu", sizeof *states);
    for (const char *const *key = provider_keys(); *key != NULL; key++)
        buf_addf(&text, " %s", *key);
    layout = shared_file_layout(buf_text(&text));
    buf_free(&text);
    return layout;
}

static void states_keep_alone(void)
{
    void *p = mmap(NULL, sizeof *states, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    states = p;
}

void provider_states_share(const char *file)
{
    if (states != NULL)
        return;
    states = shared_file_map_beside(file, ".providers", sizeof *states, states_layout(), &states_fd);
    if (states != NULL)
        return;
    states_fd = -1;
    log_warn(
        "providers_not_shared",
        "msg=\"the state of providers is not shared with other processes\" file=%s.providers reason=\"%s\"",
        file, strerror(errno));
    states_keep_alone();
}

static struct provider_state *state_of(const struct provider *p)
{
    if (states == NULL)
        states_keep_alone();
    return &states->of[provider_place(p)];
}

/* ---- asking ---- */

static bool units_take(_Atomic int64_t *paid_us, struct rate_limit rate, int64_t now_ms)
{
    int64_t paid = atomic_load(paid_us), next;
    bool allowed;

    do {
        next = paid;
        allowed = gcra_take(&next, now_ms * 1000, rate).allowed;
    } while (allowed && !atomic_compare_exchange_weak(paid_us, &paid, next));
    return allowed;
}

/* The agent's own place, or that of the one who has asked least of late. */
static struct asker *asker_of(struct provider_state *s, uint64_t agent)
{
    struct asker *least = s->askers;

    for (struct asker *each = s->askers; each < s->askers + ASKERS; each++) {
        if (atomic_load(&each->agent) == agent)
            return each;
        if (atomic_load(&each->paid_us) < atomic_load(&least->paid_us))
            least = each;
    }
    atomic_store(&least->agent, agent);
    atomic_store(&least->paid_us, 0);
    return least;
}

/* At most half of a rate is one agent's, so that there is something left for the next. */
static struct rate_limit rate_of_one(struct rate_limit rate)
{
    if (rate.units > 1)
        rate.units /= 2;
    else
        rate.window_s *= 2;
    return rate;
}

/* `agent` is 0 in jobs, which ask for all. What is left is looked at first: a question that the provider's
 * rate does not allow costs the agent nothing. */
static bool state_take(struct provider_state *s, struct rate_limit rate, uint64_t agent, int64_t now_ms)
{
    if (agent != 0 && rate.units != 0 &&
        (!gcra_peek(atomic_load(&s->paid_us), now_ms * 1000, rate).allowed ||
         !units_take(&asker_of(s, agent)->paid_us, rate_of_one(rate), now_ms)))
        return false;
    return units_take(&s->paid_us, rate, now_ms);
}

/* But for its rate. */
static enum provider_health state_at(const struct provider_state *s, int64_t now_ms)
{
    if (now_ms < atomic_load(&s->suspect_until_ms))
        return PROVIDER_SUSPECT;
    if (now_ms < atomic_load(&s->paused_until_ms))
        return PROVIDER_PAUSED;
    return breaker_would_admit(&s->breaker, now_ms) ? PROVIDER_READY : PROVIDER_FAILING;
}

enum provider_health provider_admits(const struct ctx *ctx, const struct provider *p)
{
    struct provider_state *s = state_of(p);
    int64_t now_ms = clock_mono_ms();
    enum provider_health health = state_at(s, now_ms);

    if (p->service == NULL)
        return PROVIDER_READY;
    if (ctx->asks_known) {
        (void)state_take(s, provider_rate(ctx, p), 0, now_ms);
        return PROVIDER_READY;
    }
    if (!refusals_admit(&s->refusals, now_ms))
        return PROVIDER_REFUSED;
    if (health != PROVIDER_READY)
        return health;
    if (!state_take(s, provider_rate(ctx, p), bulkhead_agent(ctx->bulkhead), now_ms))
        return PROVIDER_SPENT;
    return breaker_admits(&s->breaker, now_ms) ? PROVIDER_READY : PROVIDER_FAILING;
}

enum provider_health provider_health(const struct ctx *ctx, const struct provider *p)
{
    const struct provider_state *s = state_of(p);
    int64_t now_ms = clock_mono_ms();
    enum provider_health health = state_at(s, now_ms);

    if (p->service == NULL)
        return PROVIDER_READY;
    if (refusals_stand(&s->refusals))
        return PROVIDER_REFUSED;
    if (health != PROVIDER_READY)
        return health;
    return gcra_peek(atomic_load(&s->paid_us), now_ms * 1000, provider_rate(ctx, p)).allowed ? PROVIDER_READY
                                                                                             : PROVIDER_SPENT;
}

/* ---- its outcome ---- */

static void state_pause(struct provider_state *s, int64_t pause_ms)
{
    int64_t until = clock_mono_ms() + pause_ms, before = atomic_load(&s->paused_until_ms);

    while (before < until && !atomic_compare_exchange_weak(&s->paused_until_ms, &before, until)) {
    }
}

/* As long as the service says; else twice as long each time, and no two hosts come back at once. Answers of
 * questions that were in progress together count once. */
static void state_limit(struct provider_state *s, const struct call *call)
{
    int64_t told_s = call->retry_after_s >= 0 ? call->retry_after_s : call->quota_reset_s;
    unsigned n;

    if (told_s >= 0) {
        state_pause(s, (told_s < PAUSE_MAX_S ? told_s : PAUSE_MAX_S) * SECOND_MS);
        return;
    }
    if (clock_mono_ms() < atomic_load(&s->paused_until_ms))
        return;
    n = atomic_fetch_add(&s->pauses, 1);
    state_pause(s, ((int64_t)SECOND_MS << (n < DOUBLINGS_MAX ? n : DOUBLINGS_MAX)) + rand_below(SECOND_MS));
}

static void state_tell(struct provider_state *s, const struct call *call, enum ask_end end)
{
    bool silent = end == ASK_UNAVAILABLE || end == ASK_TIMEOUT;

    if (end == ASK_TIMEOUT && call->took_ms < PATIENCE_MS)
        return;
    breaker_tell(&s->breaker, !silent, clock_mono_ms());
    if (end == ASK_RATE_LIMITED)
        state_limit(s, call);
    else if (!silent)
        atomic_store(&s->pauses, 0);
    if (end != ASK_RATE_LIMITED && call->quota_left == 0 && call->quota_reset_s > 0)
        state_limit(s, call);
}

/* The kind of refusal of an answer; NULL: none. */
static const char *refusal_kind(const struct call *call, enum ask_end end)
{
    if (call->fault == FAULT_TOO_LARGE)
        return "unreadable";
    if (call->result != CALL_ANSWERED || call->status == 429)
        return NULL;
    if (end == ASK_REFUSED)
        return call_refuses_us(call) ? "status" : NULL;
    if (end != ASK_UNAVAILABLE)
        return NULL;
    return call->status >= 500 ? "server" : "unreadable";
}

/* An offer to any question shows that the provider serves us. */
static void state_refusals(const struct provider *p, struct provider_state *s, const struct call *call,
                           enum ask_end end)
{
    const char *kind = refusal_kind(call, end);

    if (end == ASK_OFFERED)
        refusals_serve(&s->refusals, REFUSED_ANSWERS);
    if (kind == NULL)
        return;
    refusals_add(&s->refusals, clock_mono_ms());
    metric_add(METRIC("provider_refusals_total", p->key, kind), 1);
}

void provider_tell(const struct provider *p, const struct call *call, enum ask_end end)
{
    struct provider_state *s = state_of(p);

    if (call->result == CALL_HELD)
        return;
    atomic_fetch_add(&s->asked, 1);
    atomic_fetch_add(&s->answered, end != ASK_UNAVAILABLE && end != ASK_TIMEOUT && end != ASK_RATE_LIMITED);
    atomic_fetch_add(&s->took_ms, call->took_ms);
    if (p->service != NULL) {
        state_tell(s, call, end);
        state_refusals(p, s, call, end);
    }
}

void provider_found_lying(const struct provider *p)
{
    struct provider_state *s = state_of(p);
    uint64_t n = atomic_fetch_add(&s->check_reports, 1);
    int64_t now_ms = clock_mono_ms(), first_ms;

    atomic_store(&s->found_ms[n % CHECK_REPORTS], now_ms);
    first_ms = atomic_load(&s->found_ms[(n + 1) % CHECK_REPORTS]);
    if (n + 1 >= CHECK_REPORTS && now_ms - first_ms < CHECK_REPORTS_MS)
        atomic_store(&s->suspect_until_ms, now_ms + CHECK_REPORTS_MS);
    refusals_add_broken(&s->refusals);
    metric_add(METRIC("provider_refusals_total", p->key, "plan"), 1);
}

void provider_kept_promise(const struct provider *p)
{
    refusals_serve(&state_of(p)->refusals, REFUSED_CONTENT);
}

/* ---- providers that refuse this service ---- */

bool provider_is_in_doubt(const struct provider *p)
{
    return p->service != NULL && refusals_in_doubt(&state_of(p)->refusals, clock_mono_ms());
}

void provider_serves_us(const struct provider *p)
{
    struct refusals *r = &state_of(p)->refusals;

    if (refusals_stand(r))
        log_info("provider_serves", "msg=\"provider serves us again\" provider=%s", p->key);
    refusals_serve(r, REFUSED_ANSWERS);
    refusals_serve(r, REFUSED_CONTENT);
}

void provider_keeps_refusing(const struct provider *p, const char *said)
{
    if (refusals_confirm(&state_of(p)->refusals, clock_mono_ms()))
        log_error("provider_refused", "msg=\"provider refuses us\" provider=%s said=\"%s\"", p->key, said);
}

struct provider_counts provider_counts(const struct provider *p)
{
    const struct provider_state *s = state_of(p);

    return (struct provider_counts){
        .asked = atomic_load(&s->asked),
        .answered = atomic_load(&s->answered),
        .took_ms = atomic_load(&s->took_ms),
        .check_reports = atomic_load(&s->check_reports),
    };
}

bool provider_counts_new(const struct provider *p, struct provider_counts *more)
{
    const struct provider_counts *kept = &state_of(p)->kept;

    if (states_fd >= 0 && flock(states_fd, LOCK_EX | LOCK_NB) != 0)
        return false;
    *more = provider_counts(p);
    more->asked -= kept->asked;
    more->answered -= kept->answered;
    more->took_ms -= kept->took_ms;
    more->check_reports -= kept->check_reports;
    return more->asked > 0 || more->check_reports > 0;
}

void provider_counts_kept(const struct provider *p, const struct provider_counts *more)
{
    struct provider_counts *kept = &state_of(p)->kept;

    kept->asked += more->asked;
    kept->answered += more->answered;
    kept->took_ms += more->took_ms;
    kept->check_reports += more->check_reports;
}
