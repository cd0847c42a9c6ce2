/* Steps against an outbox, receivers and a clock that are made up here. */
#include "base/test.h"

#include <time.h>

int fake_sleep(const struct timespec *t, struct timespec *left);

#define clock_mono_ms  fake_clock
#define nanosleep      fake_sleep
#define net_start      fake_start
#define net_wait       fake_wait
#define events_claim   fake_claim
#define events_record  fake_record
#define events_release fake_release
#define db_clock_ms    fake_db_clock
#define delivery_sign  fake_sign
#include "webhook/drain.c"

#include <string.h>

enum {
    AGENTS = 40,
    EVENTS_MAX = 2000,
    CALLS_MAX = 200,
    PROMPT_MS = 10,
    SLOW_ANSWER_MS = 5000,
    HELD_BACK_MS = 50
};

enum due_state { DUE, CLAIMED, SENT, RECORDED };

/* The world of a test's case. */
static struct {
    int64_t now_ms;
    struct {
        uint64_t agent_id;
        unsigned attempts;
        enum due_state state;
        int64_t claimed_ms;
        unsigned sent;
        enum event_status outcome;
    } events[EVENTS_MAX];
    unsigned count;
    unsigned answer_ms[AGENTS]; /* 0: PROMPT_MS */
    int status[AGENTS];         /* 0: 200 */
    struct {
        struct call *call; /* NULL: free */
        int64_t end_ms;
    } calls[CALLS_MAX];
    unsigned flying, flying_most, flying_of[AGENTS], most_of[AGENTS];
    unsigned slow_most; /* at once, of agents that answer late */
    unsigned recorded, released, record_failures;
    bool sends_refused;  /* the case says that nothing may be sent now */
    unsigned stop_after; /* sent; 0: never */
    unsigned sent;
} world;

int64_t clock_mono_ms(void)
{
    return world.now_ms;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
    (void)left;
    world.now_ms += t->tv_nsec / 1000000 + 1;
    return 0;
}

bool db_clock_ms(struct db *db, int64_t *ms)
{
    (void)db;
    *ms = world.now_ms;
    return true;
}

bool delivery_sign(struct delivery *d, const uint8_t service_key[static BOX_KEY_LEN])
{
    (void)d;
    (void)service_key;
    return true;
}

static unsigned leased_by(uint64_t agent_id)
{
    unsigned n = 0;

    for (unsigned i = 0; i < world.count; i++)
        n += world.events[i].agent_id == agent_id &&
             (world.events[i].state == CLAIMED || world.events[i].state == SENT);
    return n;
}

int events_claim(struct db *db, struct arena *a, const struct claim_in *in, struct event *out,
                 int64_t *wait_ms)
{
    unsigned leased[AGENTS];
    bool left = false;
    int n = 0;

    (void)db;
    (void)a;
    for (uint64_t agent = 0; agent < AGENTS; agent++)
        leased[agent] = leased_by(agent);
    for (unsigned i = 0; i < world.count; i++) {
        uint64_t agent = world.events[i].agent_id;

        if (world.events[i].state == CLAIMED && world.now_ms >= world.events[i].claimed_ms + in->lease_ms)
            world.events[i].state = DUE;
        if (world.events[i].state != DUE)
            continue;
        left = true;
        if ((size_t)n == in->max || leased[agent] >= in->share(in->share_arg, agent))
            continue;
        leased[agent]++;
        world.events[i].state = CLAIMED;
        world.events[i].claimed_ms = world.now_ms;
        out[n++] = (struct event){ .seq = i,
                                   .agent_id = agent,
                                   .attempts = world.events[i].attempts,
                                   .type = "swap.completed",
                                   .callback_url = "https://example.com/",
                                   .body = "{}" };
    }
    *wait_ms = (size_t)n == in->max ? 0 : left ? HELD_BACK_MS : DRAIN_POLL_MS;
    return n;
}

static bool answers_late(uint64_t agent_id)
{
    return world.answer_ms[agent_id] >= SLOW_MS;
}

static unsigned slow_flying(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < AGENTS; i++)
        n += answers_late(i) ? world.flying_of[i] : 0;
    return n;
}

static void most(unsigned *highest, unsigned n)
{
    *highest = n > *highest ? n : *highest;
}

void net_start(struct net *net, struct call *c)
{
    const struct drain_item *it = c->owner;
    uint64_t seq = it->delivery.event.seq, agent = it->delivery.event.agent_id;
    unsigned i = 0;

    (void)net;
    CHECK(!world.sends_refused && world.events[seq].state == CLAIMED);
    while (i < CALLS_MAX - 1 && world.calls[i].call != NULL)
        i++;
    world.calls[i].call = c;
    world.calls[i].end_ms = world.now_ms + (world.answer_ms[agent] > 0 ? world.answer_ms[agent] : PROMPT_MS);
    world.events[seq].state = SENT;
    world.events[seq].sent++;
    world.sent++;
    most(&world.flying_most, ++world.flying);
    most(&world.most_of[agent], ++world.flying_of[agent]);
    most(&world.slow_most, slow_flying());
}

struct call *net_wait(struct net *net, unsigned timeout_ms)
{
    unsigned first = 0;
    struct call *c;
    uint64_t agent;

    (void)net;
    for (unsigned i = 1; i < CALLS_MAX; i++)
        if (world.calls[i].call != NULL &&
            (world.calls[first].call == NULL || world.calls[i].end_ms < world.calls[first].end_ms))
            first = i;
    c = world.calls[first].call;
    if (c == NULL || world.calls[first].end_ms > world.now_ms + timeout_ms) {
        world.now_ms += timeout_ms > 0 ? timeout_ms : 1;
        return NULL;
    }
    if (world.calls[first].end_ms > world.now_ms)
        world.now_ms = world.calls[first].end_ms;
    agent = ((const struct drain_item *)c->owner)->delivery.event.agent_id;
    world.calls[first].call = NULL;
    world.flying--;
    world.flying_of[agent]--;
    c->result = CALL_ANSWERED;
    c->status = world.status[agent] != 0 ? world.status[agent] : 200;
    c->took_ms = world.answer_ms[agent] > 0 ? world.answer_ms[agent] : PROMPT_MS;
    return c;
}

bool events_record(struct db *db, const struct event_result *results, size_t n)
{
    (void)db;
    if (world.record_failures > 0) {
        world.record_failures--;
        world.sends_refused = true;
        return false;
    }
    world.sends_refused = false;
    for (size_t i = 0; i < n; i++) {
        CHECK(world.events[results[i].seq].state == SENT);
        world.events[results[i].seq].state = RECORDED;
        world.events[results[i].seq].outcome = results[i].status;
    }
    world.recorded += (unsigned)n;
    return true;
}

bool events_release(struct db *db, const struct uuid *owner, const struct event *events, size_t n)
{
    (void)db;
    (void)owner;
    for (size_t i = 0; i < n; i++) {
        CHECK(world.events[events[i].seq].state == CLAIMED);
        world.events[events[i].seq].state = DUE;
    }
    world.released += (unsigned)n;
    return true;
}

static bool world_stopping(void)
{
    return world.stop_after != 0 && world.sent >= world.stop_after;
}

static void drain_world_reset(void)
{
    memset(&world, 0, sizeof world);
    memset(shares, 0, sizeof shares);
    world.now_ms = 1000000;
}

static void world_add(uint64_t agent_id, unsigned events, unsigned attempts)
{
    for (unsigned i = 0; i < events; i++) {
        world.events[world.count].agent_id = agent_id;
        world.events[world.count++].attempts = attempts;
    }
}

static int drain_all(void)
{
    static const uint8_t key[BOX_KEY_LEN];
    static struct conf conf;
    const struct ctx ctx = { .conf = &conf, .service_key = key };

    return webhooks_drain(&ctx, world_stopping);
}

/* No share may be left with something held, or it would be too small for ever. */
static bool nothing_held(void)
{
    for (size_t i = 0; i < SHARES; i++)
        if (shares[i].held > 0 || shares[i].flying > 0)
            return false;
    return true;
}

static void due_events_are_sent_once_and_recorded(void)
{
    drain_world_reset();
    for (uint64_t agent = 0; agent < 10; agent++)
        world_add(agent, 100, 0);
    CHECK(drain_all() == 1000 && world.recorded == 1000 && world.released == 0);
    for (unsigned i = 0; i < world.count; i++)
        CHECK(world.events[i].sent == 1 && world.events[i].outcome == EVENT_DELIVERED);
    CHECK(world.flying_most <= DRAIN_IN_FLIGHT && nothing_held());
    CHECK(drain_all() == 0);
}

static void refusals_are_tried_again_or_final(void)
{
    drain_world_reset();
    world.status[1] = 500;
    world.status[2] = 410;
    world_add(1, 1, 0);
    world_add(2, 1, 0);
    CHECK(drain_all() == 2);
    CHECK(world.events[0].outcome == EVENT_PENDING && world.events[1].outcome == EVENT_FAILED);
}

static void a_prompt_agent_may_have_every_place(void)
{
    drain_world_reset();
    world_add(1, 1500, 0);
    CHECK(drain_all() == 1500 && world.most_of[1] == DRAIN_IN_FLIGHT);
}

/* Neither in place nor in time does the prompt agent wait for the slow one. */
static void slow_receivers_do_not_delay_other_agents(void)
{
    int64_t start_ms;

    drain_world_reset();
    world.answer_ms[1] = SLOW_ANSWER_MS;
    world.stop_after = 508; /* the slow one's first window and all of the prompt one */
    world_add(1, 300, 0);
    world_add(2, 500, 0);
    start_ms = world.now_ms;
    drain_all();
    CHECK(world.most_of[1] <= 8 && world.most_of[2] > 50);
    for (unsigned i = 300; i < world.count; i++)
        CHECK(world.events[i].sent == 1);
    CHECK(world.now_ms - start_ms <= SLOW_ANSWER_MS + RECORD_WITHIN_MS);
}

/* Agents that are met with repeats count as slow from the start. */
static void all_slow_agents_have_half_of_the_places(void)
{
    drain_world_reset();
    for (uint64_t agent = 1; agent < AGENTS; agent++) {
        world.answer_ms[agent] = SLOW_ANSWER_MS;
        world_add(agent, 8, 1);
    }
    world_add(0, 500, 0);
    for (unsigned i = 0; i < 10; i++) {
        drain_all();
        world.now_ms += LEASE_MS; /* of those that waited for too long to be begun */
    }
    CHECK(world.recorded == world.count && world.sent == world.count);
    CHECK(world.slow_most == SLOW_IN_FLIGHT && world.most_of[0] >= DRAIN_IN_FLIGHT / 2 && nothing_held());
}

static void nothing_is_sent_while_nothing_can_be_recorded(void)
{
    drain_world_reset();
    world.record_failures = 3;
    world_add(1, 300, 0);
    CHECK(drain_all() == 300 && world.recorded == 300 && world.record_failures == 0);
    for (unsigned i = 0; i < world.count; i++)
        CHECK(world.events[i].sent == 1);
}

/* After the lease others have the events: this job forgets them. */
static void outcomes_are_given_up_with_their_lease(void)
{
    drain_world_reset();
    world.record_failures = 1000;
    world_add(1, 1, 0);
    CHECK(drain_all() == 1 && world.recorded == 0 && nothing_held());
    CHECK(world.now_ms >= 1000000 + LEASE_MS && world.now_ms < 1000000 + LEASE_MS + 2 * RETRY_RECORD_MS);
}

static void waiting_events_are_released_at_the_stop(void)
{
    drain_world_reset();
    world.stop_after = 20;
    for (uint64_t agent = 0; agent < 5; agent++)
        world_add(agent, 20, 0);
    drain_all();
    CHECK(world.sent < 100 && world.recorded == world.sent && world.released + world.sent == 100);
    for (unsigned i = 0; i < world.count; i++)
        CHECK(world.events[i].state == (world.events[i].sent == 1 ? RECORDED : DUE));
    CHECK(nothing_held());
}

TEST_MAIN(TEST(due_events_are_sent_once_and_recorded), TEST(refusals_are_tried_again_or_final),
          TEST(a_prompt_agent_may_have_every_place), TEST(slow_receivers_do_not_delay_other_agents),
          TEST(all_slow_agents_have_half_of_the_places), TEST(nothing_is_sent_while_nothing_can_be_recorded),
          TEST(outcomes_are_given_up_with_their_lease), TEST(waiting_events_are_released_at_the_stop))
