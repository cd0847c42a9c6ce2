#include "webhook/drain.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/log.h"
#include "codec/rand.h"
#include "codec/uuid.h"
#include "net/call.h"
#include "net/url.h"
#include "service/conf.h"
#include "store/claim.h"
#include "store/events.h"
#include "webhook/deliver.h"
#include "webhook/share.h"

enum {
    SLOW_IN_FLIGHT = DRAIN_IN_FLIGHT / 2,
    SLOW_HELD_MAX = DRAIN_HELD_MAX / 2, /* of all slow agents together */
    SLOW_MS = 1500,
    SHARES = 1024,

    CLAIM_MAX = 160,  /* a claim stays below 10 ms */
    CLAIMS_MAX = 128, /* in progress */
    /* With more in flight, windows hold back all that waits: there is no use in claiming. */
    CLAIM_BELOW = DRAIN_IN_FLIGHT * 9 / 10,
    LEASE_MS = 30 * 1000,
    START_WITHIN_MS = 15 * 1000, /* of the claim, so that the lease covers time-out and recording */

    RECORD_MAX = 160, /* in one transaction */
    RECORD_WITHIN_MS = 50,
    RETRY_RECORD_MS = 500,
    WAIT_MS = 250,
};

struct drain_claim {
    struct uuid owner;
    int64_t at_ms;
    unsigned held; /* 0: free */
};

struct drain_item {
    struct delivery delivery;
    struct drain_claim *claim;
    struct share *share;
    struct drain_item *next;
    int64_t started_ms;
    bool slow;  /* counted among the slow agents' places */
    bool tardy; /* in flight for longer than SLOW_MS, and its share knows */
};

struct queue {
    struct drain_item *first;
    struct drain_item **tail;
    unsigned n;
};

struct drain {
    const struct ctx *ctx;
    bool (*stopping)(void);
    struct arena *arena; /* what one claim reads; a step is too long for the job's own */
    enum call_guard guard;
    struct drain_claim claims[CLAIMS_MAX];
    struct queue waiting, flying, ended;
    unsigned held, slow_held, slow_flying;
    int64_t next_claim_ms;
    int64_t record_ms; /* when to record what has ended */
    bool more_soon;    /* something will be due before the next step would look for it */
    bool recording_fails;
    unsigned delivered, retried, failed, lapsed;
};

static struct share shares[SHARES]; /* kept between steps */

/* Agents whose ids meet in one entry share it. */
static struct share *share_of(uint64_t agent_id)
{
    return &shares[agent_id % SHARES];
}

/* ---- queues ---- */

static void queue_push(struct queue *q, struct drain_item *it)
{
    it->next = NULL;
    *q->tail = it;
    q->tail = &it->next;
    q->n++;
}

/* Takes out the item that *at points to. */
static struct drain_item *queue_take(struct queue *q, struct drain_item **at)
{
    struct drain_item *it = *at;

    *at = it->next;
    if (q->tail == &it->next)
        q->tail = at;
    q->n--;
    return it;
}

static void queue_init(struct queue *q)
{
    *q = (struct queue){ .tail = &q->first };
}

/* ---- claiming ---- */

static struct drain_claim *claim_unused(struct drain *d)
{
    for (size_t i = 0; i < CLAIMS_MAX; i++)
        if (d->claims[i].held == 0)
            return &d->claims[i];
    return NULL;
}

/* The number of the agent's events that may be held. */
static unsigned share_for_claim(void *arg, uint64_t agent_id)
{
    const struct drain *d = arg;
    const struct share *share = share_of(agent_id);

    return share_is_slow(share) && d->slow_held >= SLOW_HELD_MAX ? 0 : share_stock(share);
}

static void item_hold(struct drain *d, struct drain_claim *c, const struct event *e)
{
    struct share *share = share_of(e->agent_id);
    struct drain_item *it = calloc(1, sizeof *it);

    if (it == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    share_meet(share, e);
    delivery_init(&it->delivery, e, d->guard);
    it->claim = c;
    it->share = share;
    c->held++;
    share->held++;
    d->held++;
    queue_push(&d->waiting, it);
}

/* It is recorded, released, or left to its lease. */
static void item_drop(struct drain *d, struct drain_item *it)
{
    it->claim->held--;
    it->share->held--;
    d->held--;
    delivery_free(&it->delivery);
    free(it);
}

static bool claim_allowed(const struct drain *d, int64_t now)
{
    return !d->stopping() && !d->recording_fails && now >= d->next_claim_ms && d->flying.n < CLAIM_BELOW &&
           d->held + CLAIM_MAX <= DRAIN_HELD_MAX;
}

static void claim_due(struct drain *d, int64_t now)
{
    struct drain_claim *c = claim_unused(d);
    struct claim_in in = { .lease_ms = LEASE_MS, .share = share_for_claim, .share_arg = d, .max = CLAIM_MAX };
    struct event *events;
    int64_t wait_ms = DRAIN_POLL_MS;
    int n;

    if (c == NULL)
        return;
    d->slow_held = 0;
    for (size_t i = 0; i < SHARES; i++)
        if (share_is_slow(&shares[i]))
            d->slow_held += shares[i].held;
    *c = (struct drain_claim){ .owner = uuid_random(), .at_ms = now };
    in.owner = &c->owner;
    events = ARENA_ARRAY(d->arena, struct event, CLAIM_MAX);
    n = STEP("drain.claim", events_claim(d->ctx->db, d->arena, &in, events, &wait_ms), -1);
    if (n < 0)
        log_repeated("events_not_claimed", "", "msg=\"events not claimed\"");
    for (int i = 0; i < n; i++)
        item_hold(d, c, &events[i]);
    arena_reset(d->arena);
    d->more_soon = n >= 0 && wait_ms < DRAIN_POLL_MS;
    d->next_claim_ms = now + (d->more_soon ? wait_ms : DRAIN_POLL_MS);
}

/* ---- sending ---- */

static void item_end(struct drain *d, struct drain_item *it)
{
    if (d->ended.n == 0)
        d->record_ms = clock_mono_ms() + RECORD_WITHIN_MS;
    queue_push(&d->ended, it);
}

static void item_send(struct drain *d, struct drain_item *it, int64_t now)
{
    if (FAULT("drain.post.before") || !delivery_sign(&it->delivery, d->ctx->service_key)) {
        item_end(d, it);
        return;
    }
    it->started_ms = now;
    it->slow = share_is_slow(it->share);
    it->share->flying++;
    d->slow_flying += it->slow;
    it->delivery.call.owner = it;
    queue_push(&d->flying, it);
    net_start(d->ctx->net, &it->delivery.call);
}

static bool item_may_send(const struct drain *d, const struct drain_item *it)
{
    if (it->share->flying >= it->share->window)
        return false;
    return !share_is_slow(it->share) || d->slow_flying < SLOW_IN_FLIGHT;
}

/* Too old to end within its lease, or more than its agent may keep waiting here. */
static bool item_is_surplus(const struct drain_item *it, int64_t now)
{
    return now - it->claim->at_ms > START_WITHIN_MS || it->share->held > share_stock(it->share);
}

static void send_waiting(struct drain *d, int64_t now)
{
    struct drain_item **at = &d->waiting.first;

    if (d->stopping() || d->recording_fails)
        return;
    while (*at != NULL && d->flying.n < DRAIN_IN_FLIGHT) {
        if (item_is_surplus(*at, now))
            item_drop(d, queue_take(&d->waiting, at));
        else if (item_may_send(d, *at))
            item_send(d, queue_take(&d->waiting, at), now);
        else
            at = &(*at)->next;
    }
}

static void item_landed(struct drain *d, struct drain_item *it)
{
    struct drain_item **at = &d->flying.first;

    while (*at != it)
        at = &(*at)->next;
    queue_take(&d->flying, at);
    if (FAULT("drain.post.after"))
        it->delivery.call.result = CALL_FAILED;
    d->slow_flying -= it->slow;
    it->share->flying--;
    if (!it->tardy)
        share_learn(it->share, it->delivery.call.took_ms >= SLOW_MS);
    item_end(d, it);
}

static void wait_for_answers(struct drain *d, unsigned timeout_ms)
{
    struct call *c = net_wait(d->ctx->net, timeout_ms);

    for (; c != NULL; c = net_wait(d->ctx->net, 0))
        item_landed(d, c->owner);
}

/* ---- recording ---- */

static void outcome_count(struct drain *d, enum event_status status)
{
    delivery_count(status);
    d->delivered += status == EVENT_DELIVERED;
    d->retried += status == EVENT_PENDING;
    d->failed += status == EVENT_FAILED;
}

/* A receiver that fails is logged as one incident, for all its events. */
static void delivery_tell(const struct delivery *d, const struct event_result *r)
{
    char id[EVENT_ID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1], host[URL_HOST_TEXT_LEN];
    char about[INCIDENT_ABOUT_MAX + 1], next[ISO8601_LEN + 1] = "-";

    event_id_text(id, d->event.id);
    uuid_text(agent, d->event.agent);
    url_host_text(host, d->url);
    (void)snprintf(about, sizeof about, "agent=%s host=%s", agent, host);
    if (r->status == EVENT_DELIVERED) {
        log_incident_over("delivery_failed", about);
        log_info("delivery", "id=%s type=%s %s status=%d ms=%u next=%s", id, d->type, about,
                 r->response_status, d->call.took_ms, next);
        return;
    }
    if (r->status == EVENT_PENDING)
        clock_iso8601(next, r->next_ms);
    log_incident("delivery_failed", about, "id=%s type=%s status=%d ms=%u next=%s why=\"%s\"", id, d->type,
                 r->response_status, d->call.took_ms, next, r->error);
}

/* Once the lease is over the events are another job's, and nothing of ours would be recorded. */
static void ended_drop_lapsed(struct drain *d)
{
    struct drain_item **at = &d->ended.first;
    int64_t now = clock_mono_ms();

    while (*at != NULL) {
        if (now - (*at)->claim->at_ms < LEASE_MS) {
            at = &(*at)->next;
            continue;
        }
        item_drop(d, queue_take(&d->ended, at));
        d->lapsed++;
    }
}

/* Those that ended first. False: the database failed, and they stay. */
static bool ended_record(struct drain *d)
{
    struct event_result results[RECORD_MAX];
    int64_t now;
    size_t n = 0;
    uint32_t dice[RECORD_MAX];

    if (!db_clock_ms(d->ctx->db, &now))
        return false;
    rand_bytes(dice, sizeof dice);
    for (struct drain_item *it = d->ended.first; it != NULL && n < RECORD_MAX; it = it->next) {
        delivery_result(&it->delivery, now, dice[n], &results[n]);
        results[n++].owner = &it->claim->owner;
    }
    if (!STEP("drain.record", events_record(d->ctx->db, results, n), false)) {
        ended_drop_lapsed(d);
        return d->ended.n == 0;
    }
    for (size_t i = 0; i < n; i++) {
        outcome_count(d, results[i].status);
        delivery_tell(&d->ended.first->delivery, &results[i]);
        item_drop(d, queue_take(&d->ended, &d->ended.first));
    }
    return true;
}

static bool record_due(const struct drain *d, int64_t now)
{
    if (d->ended.n == 0)
        return false;
    return now >= d->record_ms || (d->ended.n >= RECORD_MAX && !d->recording_fails);
}

static void record_ended(struct drain *d, int64_t now)
{
    bool ok = true;

    while (ok && d->ended.first != NULL)
        ok = ended_record(d);
    if (!ok) {
        log_repeated("deliveries_not_recorded", "", "msg=\"results not recorded, trying again\" n=%u",
                     d->ended.n);
        d->record_ms = now + RETRY_RECORD_MS;
    }
    d->recording_fails = !ok;
}

/* ---- the step ---- */

static void drain_begin(struct drain *d, const struct ctx *ctx, bool (*stopping)(void))
{
    *d = (struct drain){ .ctx = ctx, .stopping = stopping, .arena = arena_new() };
    d->guard = ctx->conf->webhook_allow_http_loopback ? CALL_LOOPBACK : CALL_PUBLIC;
    queue_init(&d->waiting);
    queue_init(&d->flying);
    queue_init(&d->ended);
}

static unsigned next_wait_ms(const struct drain *d, int64_t now)
{
    int64_t wait = WAIT_MS;

    if (claim_allowed(d, now))
        return 0;
    if (d->ended.n > 0 && d->record_ms - now < wait)
        wait = d->record_ms - now;
    if (!d->stopping() && d->next_claim_ms > now && d->next_claim_ms - now < wait)
        wait = d->next_claim_ms - now;
    return wait > 0 ? (unsigned)wait : 0;
}

/* While the database is away, or until an agent may have more: with nothing in flight net_wait returns at
 * once. */
static void pause_ms(unsigned ms)
{
    struct timespec t = { .tv_nsec = (long)ms * 1000000 };

    nanosleep(&t, NULL);
}

/* False: nothing is held any more, and nothing more is due. */
static bool drain_turn(struct drain *d)
{
    int64_t now = clock_mono_ms();

    send_waiting(d, now);
    if (claim_allowed(d, now)) {
        claim_due(d, now);
        send_waiting(d, clock_mono_ms());
    }
    if (d->flying.n > 0)
        wait_for_answers(d, next_wait_ms(d, now));
    else if (d->recording_fails || (d->ended.n == 0 && d->more_soon))
        pause_ms(next_wait_ms(d, now));
    now = clock_mono_ms();
    /* A receiver counts as slow before its time-out. The queue is in the order of the starts. */
    for (struct drain_item *it = d->flying.first; it != NULL && now - it->started_ms >= SLOW_MS;
         it = it->next) {
        if (!it->tardy)
            share_learn(it->share, true);
        it->tardy = true;
    }
    if (record_due(d, now) || (d->flying.n == 0 && d->ended.n > 0 && !d->recording_fails))
        record_ended(d, now);
    if (d->flying.n > 0 || d->ended.n > 0)
        return true;
    return !d->stopping() && (d->waiting.n > 0 || d->more_soon);
}

/* Releases what waits of one claim. */
static void claim_release(struct drain *d, const struct drain_claim *c)
{
    struct event *events = ARENA_ARRAY(d->arena, struct event, d->waiting.n);
    size_t n = 0;

    for (const struct drain_item *it = d->waiting.first; it != NULL; it = it->next)
        if (it->claim == c)
            events[n++] = it->delivery.event;
    if (!events_release(d->ctx->db, &c->owner, events, n))
        log_repeated("events_not_released", "", "msg=\"events not released, their lease will run out\"");
    /* All that wait of the claim. */
    struct drain_item **at = &d->waiting.first;

    while (*at != NULL) {
        if ((*at)->claim == c)
            item_drop(d, queue_take(&d->waiting, at));
        else
            at = &(*at)->next;
    }
}

int webhooks_drain(const struct ctx *ctx, bool (*stopping)(void))
{
    struct drain state, *d = &state;
    unsigned done;

    drain_begin(d, ctx, stopping);
    while (drain_turn(d))
        ;
    done = d->delivered + d->retried + d->failed + d->lapsed;
    if (done > 0)
        log_info("webhook_pass", "delivered=%u retried=%u failed=%u", d->delivered, d->retried, d->failed);
    /* Releases unsent events; nothing is in flight any more. */
    while (d->waiting.first != NULL)
        claim_release(d, d->waiting.first->claim);
    arena_free(d->arena);
    return (int)done;
}
