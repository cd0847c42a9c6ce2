#include "model/event_attempt.h"
#include "store/test_store.h"

/* Time passes for events: what is written in the past is looked at. */
static bool wake_all(void)
{
    return raw("UPDATE event_queues SET next_at = LEAST(next_at, UTC_TIMESTAMP(3))");
}

/* The promise of store/claim.h: no event is due before its agent's row in the queue says so. */
static bool queues_tell(void)
{
    return NUMBER("SELECT COUNT(*) FROM webhook_events w LEFT JOIN event_queues q ON q.agent_id = w.agent_id"
                  " WHERE w.status = 1 AND (q.agent_id IS NULL OR q.next_at > GREATEST(w.next_at,"
                  " COALESCE(w.lease_until, w.next_at), UTC_TIMESTAMP(3) + INTERVAL 50000 MICROSECOND))") ==
           0;
}

static void events_need_a_callback(void)
{
    struct agent with = new_agent("https://a.example/"), without = new_agent(NULL);

    no_events();
    CHECK(events_add(db, without.id, "swap.completed", "{}") &&
          events_add(db, 999999, "swap.completed", "{}"));
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events") == 0);
    CHECK(events_add(db, with.id, "swap.completed", "{}"));
    CHECK(total_of_events(with.id, (enum event_status)0, NULL) == 1);
    CHECK(total_of_events(without.id, (enum event_status)0, NULL) == 0);
}

/* By agents with a callback and one without, in the order in which they are given. */
static void many_events_are_added_at_once(void)
{
    enum { N = EVENTS_AT_ONCE - 1, WITHOUT = 3 };
    struct agent one = new_agent("https://a.example/"), two = new_agent("https://b.example/");
    struct agent without = new_agent(NULL);
    struct event_draft drafts[N];

    no_events();
    for (uint64_t i = 0; i < N; i++)
        drafts[i] = (struct event_draft){ i == WITHOUT ? without.id
                                          : i < 6      ? one.id
                                                       : two.id,
                                          i % 2 ? "swap.failed" : "swap.completed",
                                          arena_printf(a, "{\"n\":%d}", (int)i) };
    CHECK(events_add_all(db, drafts, N));
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events w JOIN agents a ON a.id = w.agent_id"
                 " WHERE w.callback_url = a.callback_url AND w.status = 1 AND w.next_at = w.created_at") ==
          N - 1);
    for (int i = 0, before = 0; i < N; i++)
        CHECK(i == WITHOUT ||
              NUMBER("SELECT seq - (SELECT MIN(seq) FROM webhook_events) FROM webhook_events WHERE body ="
                     " '{\"n\":%d}' AND event_type = '%s'",
                     i, drafts[i].type) == before++);
    CHECK(total_of_events(one.id, EVENT_PENDING, NULL) == 5 &&
          total_of_events(one.id, EVENT_PENDING, "swap.failed") == 2);
    CHECK(total_of_events(two.id, EVENT_PENDING, NULL) == N - 6 && queues_tell());
    CHECK(total_of_events(without.id, (enum event_status)0, NULL) == 0);
    CHECK(NUMBER("SELECT COUNT(*) FROM event_queues") == 2);
}

static void events_are_claimed_and_recorded(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct uuid one = uuid_random(), two = uuid_random();
    struct event got[8];
    struct event_result results[3];

    no_events();
    for (int i = 0; i < 3; i++)
        CHECK(events_add(db, agent.id, i == 1 ? "swap.failed" : "swap.completed", "{\"a\":\"\xc3\xa4\"}"));
    CHECK(claim_events(&one, 10, got, 8) == 3);
    CHECK(claim_events(&two, 10, got, 8) == 0);
    CHECK(claim_events(&one, 10, got, 8) == 0);
    CHECK(events_release(db, &one, got, 3) && claim_events(&one, 10, got, 8) == 3);
    CHECK(got[0].seq < got[1].seq && got[1].seq < got[2].seq && got[0].agent_id == agent.id);
    CHECK_STR(got[0].body, "{\"a\":\"\xc3\xa4\"}");
    CHECK_STR(got[1].type, "swap.failed");
    CHECK_STR(got[0].callback_url, "https://a.example/");
    CHECK(got[0].status == EVENT_PENDING && got[0].attempts == 0 && got[0].created_ms != 0);
    CHECK(got[0].sealed_secret_len == sizeof "sealed secret" && got[0].sealed_former_len == 0);
    CHECK(memcmp(got[0].sealed_secret, "sealed secret", got[0].sealed_secret_len) == 0);

    for (int i = 0; i < 3; i++)
        results[i] = (struct event_result){
            .owner = &one, .seq = got[i].seq, .agent_id = agent.id, .type = got[i].type
        };
    results[0].status = EVENT_DELIVERED;
    results[0].response_status = 204;
    results[1].status = EVENT_FAILED;
    results[1].response_status = 410;
    results[1].error = "gone";
    results[2].status = EVENT_PENDING;
    results[2].error = "no answer";
    results[2].next_ms = got[2].created_ms + 3600000;
    CHECK(events_record(db, results, 3));
    CHECK(total_of_events(agent.id, EVENT_DELIVERED, "swap.completed") == 1);
    CHECK(total_of_events(agent.id, EVENT_FAILED, "swap.failed") == 1);
    CHECK(total_of_events(agent.id, EVENT_PENDING, NULL) == 1);
    CHECK(events_record(db, results, 3)); /* again: the lease is gone, nothing changes */
    CHECK(total_of_events(agent.id, EVENT_DELIVERED, NULL) == 1);
    CHECK(NUMBER("SELECT SUM(attempts) FROM webhook_events") == 3);
    CHECK(claim_events(&one, 10, got, 8) == 0); /* the one left is for later */
    CHECK(queues_tell());
    CHECK(raw("UPDATE webhook_events SET next_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND") && wake_all());
    CHECK(claim_events(&one, 10, got, 8) == 1 && got[0].attempts == 1 && queues_tell());
}

static void a_lost_lease_records_nothing(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct uuid slow = uuid_random(), quick = uuid_random();
    struct event_result r = {
        .agent_id = agent.id, .type = "swap.completed", .status = EVENT_FAILED, .error = "slow"
    };
    struct event got[2];

    no_events();
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(claim_events(&slow, 1, got, 2) == 1);
    CHECK(claim_events(&quick, 1, got, 2) == 0 && queues_tell());
    CHECK(raw("UPDATE webhook_events SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND") && wake_all());
    CHECK(claim_events(&quick, 1, got, 2) == 1);
    r.seq = got[0].seq;
    r.owner = &slow;
    CHECK(events_record(db, &r, 1) && total_of_events(agent.id, EVENT_PENDING, NULL) == 1);
    r.status = EVENT_DELIVERED;
    r.error = NULL;
    r.owner = &quick;
    CHECK(events_record(db, &r, 1) && total_of_events(agent.id, EVENT_DELIVERED, NULL) == 1);
    CHECK(NUMBER("SELECT last_error IS NULL AND attempts = 1 AND delivered_at IS NOT NULL FROM"
                 " webhook_events") == 1);
}

/* An agent with many events does not keep another's waiting. */
static void claims_are_fair(void)
{
    struct agent busy = new_agent("https://busy.example/"), calm = new_agent("https://calm.example/");
    struct uuid one = uuid_random(), two = uuid_random(), three = uuid_random();
    struct event got[8];

    no_events();
    for (int i = 0; i < 5; i++)
        CHECK(events_add(db, busy.id, "swap.completed", "{}"));
    CHECK(events_add(db, calm.id, "swap.completed", "{}"));
    CHECK(claim_events(&one, 5, got, 2) == 2); /* in turns */
    CHECK(got[0].agent_id != got[1].agent_id);
    CHECK(events_release(db, &one, got, 2) && queues_tell());
    CHECK(claim_events(&two, 2, got, 8) == 3);                 /* and each at most its share */
    CHECK(wake_all() && claim_events(&three, 2, got, 8) == 0); /* which those leases are */
    CHECK(wake_all() && claim_events(&three, 3, got, 8) == 1 && got[0].agent_id == busy.id);
    CHECK(queues_tell());
}

/* Rows and index entries that the connection under test has read so far. */
static int64_t rows_read(void)
{
    static const char sql[] = "SHOW SESSION STATUS LIKE 'Handler_read_%'";

    return session_status_sum(sql);
}

/* Due events of the agent for some time, without totals. */
static void make_backlog(const struct agent *agent, int64_t n)
{
    CHECK(events_add(db, agent->id, "swap.completed", "{}"));
    while (NUMBER("SELECT COUNT(*) FROM webhook_events WHERE agent_id = %llu",
                  (unsigned long long)agent->id) < n)
        CHECK(
            RAW("INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body,"
                " created_at, next_at) SELECT RANDOM_BYTES(16), agent_id, event_type, 1, callback_url, body,"
                " created_at, next_at - INTERVAL 1 HOUR FROM webhook_events WHERE agent_id = %llu LIMIT 4096",
                (unsigned long long)agent->id));
    CHECK(raw("UPDATE event_queues SET next_at = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR"));
}

/* However many are due to one agent: another's are found at once, at the same price. */
static void backlogs_do_not_delay_other_agents_events(void)
{
    enum { OTHERS = 9, SHARE = 24, MAX = 64, BACKLOG = 16384, PART = MAX / (OTHERS + 1) + 1 };
    struct agent dead = new_agent("https://dead.example/");
    struct event got[MAX];
    struct uuid owners[8];
    int64_t before, others = 0;
    int held = PART;

    no_events();
    make_backlog(&dead, BACKLOG);
    for (int i = 0; i < OTHERS; i++) {
        struct agent live = new_agent("https://live.example/");

        CHECK(events_add(db, live.id, "swap.completed", "{}"));
    }
    before = rows_read();
    owners[0] = uuid_random();
    CHECK(claim_events(&owners[0], SHARE, got, MAX) ==
          PART + OTHERS); /* not all that it may: what is read is bounded */
    for (int i = 0; i < PART + OTHERS; i++)
        others += got[i].agent_id != dead.id;
    CHECK(others == OTHERS);
    CHECK(rows_read() - before < 500);
    for (int i = 1; i < 8; i++) { /* and it gets no more than its share, ever so often asked */
        int part = SHARE - held < PART ? SHARE - held : PART;

        owners[i] = uuid_random();
        CHECK(wake_all() && claim_events(&owners[i], SHARE, got, MAX) == part);
        held += part;
    }
    CHECK(held == SHARE);
    CHECK(rows_read() - before < 2000);
    CHECK(queues_tell());
}

/* With more agents than one claim looks at, and fewer places than agents, every agent gets a turn. */
static void everybody_gets_a_turn(void)
{
    enum { EACH = 3, MANY = 40, MAX = 5 };
    struct event got[MAX];
    int claimed = 0, n;

    no_events();
    for (int i = 0; i < MANY; i++) {
        struct agent agent = new_agent("https://a.example/");

        for (int j = 0; j < EACH; j++)
            CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    }
    for (int i = 0; i < MANY / MAX; i++) {
        struct uuid owner = uuid_random();

        n = claim_events(&owner, EACH, got, MAX);
        CHECK(n == MAX);
        claimed += n;
    }
    CHECK(claimed == MANY);
    CHECK(NUMBER("SELECT COUNT(DISTINCT agent_id) FROM webhook_events WHERE lease_owner IS NOT NULL") >
          MANY / 2);
    /* who has all it may is looked at now and then, so some claims may find nothing */
    for (int tries = 0; tries < 1000 && claimed < MANY * EACH; tries++) {
        struct uuid owner = uuid_random();

        claimed += claim_events(&owner, EACH, got, MAX);
    }
    CHECK(claimed == MANY * EACH && queues_tell());
}

/* Deliveries are recorded many at a time, of several claims. A lease that was lost in the middle of them
 * takes nothing along. */
static void groups_are_recorded(void)
{
    enum { N = 40, FIRST = 24, LOST = 5, FAILED = 7, RETRIED = 11 };
    struct agent one = new_agent("https://a.example/"), two = new_agent("https://b.example/");
    struct uuid owners[2] = { uuid_random(), uuid_random() };
    struct event got[N];
    struct event_result results[N];

    no_events();
    for (int i = 0; i < N; i++)
        CHECK(events_add(db, i % 2 ? one.id : two.id, i % 3 ? "swap.completed" : "swap.failed", "{}"));
    CHECK(claim_events(&owners[0], N, got, FIRST) == FIRST);
    CHECK(claim_events(&owners[1], N, got + FIRST, N - FIRST) == N - FIRST);
    for (int i = 0; i < N; i++)
        results[i] = (struct event_result){ .owner = &owners[i >= FIRST],
                                            .seq = got[i].seq,
                                            .agent_id = got[i].agent_id,
                                            .type = got[i].type,
                                            .status = EVENT_DELIVERED,
                                            .response_status = i % 4 ? 200 : 204 };
    results[FAILED].status = EVENT_FAILED;
    results[FAILED].error = "gone";
    results[RETRIED].status = EVENT_PENDING;
    results[RETRIED].next_ms = got[RETRIED].created_ms + 5000;
    CHECK(RAW("UPDATE webhook_events SET lease_owner = RANDOM_BYTES(16) WHERE seq = %llu",
              (unsigned long long)got[LOST].seq));
    CHECK(events_record(db, results, N));
    CHECK(
        NUMBER("SELECT COUNT(*) FROM webhook_events WHERE status = 2 AND attempts = 1 AND lease_owner IS NULL"
               " AND lease_until IS NULL AND delivered_at IS NOT NULL") == N - 3);
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events WHERE status = 2 AND response_status = 204") == N / 4);
    CHECK(NUMBER(
              "SELECT status = 1 AND attempts = 0 AND lease_owner IS NOT NULL FROM webhook_events WHERE seq ="
              " %llu",
              (unsigned long long)got[LOST].seq) == 1);
    CHECK(total_of_events(one.id, EVENT_PENDING, NULL) + total_of_events(two.id, EVENT_PENDING, NULL) == 2);
    CHECK(total_of_events(one.id, EVENT_FAILED, NULL) + total_of_events(two.id, EVENT_FAILED, NULL) == 1);
    CHECK(total_of_events(one.id, EVENT_DELIVERED, "swap.failed") +
              total_of_events(one.id, EVENT_DELIVERED, "swap.completed") ==
          total_of_events(one.id, EVENT_DELIVERED, NULL));
    CHECK(total_of_events(two.id, (enum event_status)0, NULL) == N / 2);
    CHECK(queues_tell());
    CHECK(events_record(db, results, N)); /* again: nothing is ours any more */
    CHECK(NUMBER("SELECT SUM(attempts) FROM webhook_events") == N - 1);
}

static void removing_the_callback_fails_what_is_pending(void)
{
    struct agent agent = new_agent("https://a.example/"), other = new_agent("https://b.example/");
    struct agent_change change = { .set_callback = true };
    struct uuid owner = uuid_random();
    struct event_result r = {
        .owner = &owner, .agent_id = agent.id, .type = "swap.completed", .status = EVENT_DELIVERED
    };
    struct event got[8];
    bool kept;

    no_events();
    CHECK(events_add(db, agent.id, "swap.completed", "{}") && events_add(db, agent.id, "swap.failed", "{}"));
    CHECK(events_add(db, other.id, "swap.failed", "{}"));
    CHECK(claim_events(&owner, 10, got, 8) == 3); /* a delivery is in progress */
    CHECK(agents_change(db, agent.id, &change, &kept) == UPDATED);
    CHECK(total_of_events(agent.id, EVENT_FAILED, NULL) == 2);
    CHECK(total_of_events(agent.id, EVENT_PENDING, NULL) == 0);
    CHECK(total_of_events(other.id, EVENT_PENDING, NULL) == 1);
    r.seq = got[0].seq;
    CHECK(events_record(db, &r, 1) && total_of_events(agent.id, EVENT_FAILED, NULL) == 2);
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events WHERE last_error = 'callback_url was removed'") == 2);
}

static void pages_of_events(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct event_filter all = { 0 }, failed_type = { .type = "swap.failed" };
    struct event_filter both = { EVENT_PENDING, "swap.failed", { 0 } }, none = { .status = EVENT_DELIVERED };
    struct event_filter from = { .created = { .since_ms = 1000 } },
                        before = { .created = { .until_ms = 1000 } },
                        both_from = { EVENT_PENDING, "swap.failed", { .since_ms = 1000 } };
    struct page two = { 2, 1 }, whole = { PAGE_MAX, 0 };
    struct event got[PAGE_MAX];
    uint64_t total = 99;

    no_events();
    for (int i = 0; i < 4; i++)
        CHECK(events_add(db, agent.id, i == 2 ? "swap.failed" : "swap.completed", "{}"));
    CHECK(events_page(db, a, agent.id, &all, &two, got, &total) == 2 && total == 4);
    CHECK_STR(got[0].type, "swap.failed"); /* newest first, without the newest */
    CHECK(got[0].seq > got[1].seq && got[0].delivered_ms == 0 && got[0].last_error == NULL);
    CHECK(events_page(db, a, agent.id, &failed_type, &whole, got, &total) == 1 && total == 1);
    CHECK(events_page(db, a, agent.id, &both, &whole, got, &total) == 1 && total == 1);
    CHECK(events_page(db, a, agent.id, &none, &whole, got, &total) == 0 && total == 0);
    CHECK(events_page(db, a, agent.id, &from, &two, got, &total) == 2 && total == 4 &&
          got[0].seq > got[1].seq);
    CHECK(events_page(db, a, agent.id, &both_from, &whole, got, &total) == 1 && total == 1);
    CHECK(events_page(db, a, agent.id, &before, &whole, got, &total) == 0 && total == 0);
    CHECK(events_page(db, a, 999999, &all, &whole, got, &total) == 0 && total == 0);
}

static void far_pages_of_events(void)
{
    struct agent agent = new_agent("https://a.example/");
    const struct event_filter filters[] = { { 0 },
                                            { .status = EVENT_PENDING },
                                            { .type = "swap.completed" },
                                            { EVENT_PENDING, "swap.completed", { 0 } } };
    struct event got[PAGE_MAX];
    uint64_t total = 0;

    no_events();
    for (int i = 0; i < 104; i++)
        CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        struct page near = { 3, 100 }, far = { 3, 101 };
        uint64_t second;

        CHECK(events_page(db, a, agent.id, &filters[i], &near, got, &total) == 3 && total == 104);
        second = got[1].seq;
        CHECK(events_page(db, a, agent.id, &filters[i], &far, got, &total) == 3 && total == 104);
        CHECK(got[0].seq == second && got[2].seq < second);
    }
}

static void a_test_event_is_listed_and_left_alone(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct event e = { .id = uuid_random(),
                       .agent_id = agent.id,
                       .type = "webhook.test",
                       .callback_url = "https://a.example/",
                       .body = "{}",
                       .created_ms = 1700000000123 };
    struct event_result r = { .status = EVENT_FAILED, .response_status = 500, .error = "HTTP 500" };
    struct uuid owner = uuid_random();
    struct event got;

    no_events();
    CHECK(events_add_ended(db, &e, &r, QUOTA_NONE));
    CHECK(claim_events(&owner, 10, &got, 1) == 0);
    CHECK(total_of_events(agent.id, EVENT_FAILED, "webhook.test") == 1);
    CHECK(events_get(db, a, agent.id, e.id, &got) == LOOKUP_FOUND && got.attempts == 1 &&
          got.response_status == 500);
    CHECK(got.created_ms == 1700000000123 && got.delivered_ms == 0);
    CHECK(events_get(db, a, agent.id + 1, e.id, &got) == LOOKUP_NONE);
    e.agent_id = 999999; /* deleted meanwhile */
    e.id = uuid_random();
    CHECK(events_add_ended(db, &e, &r, QUOTA_NONE) && NUMBER("SELECT COUNT(*) FROM webhook_events") == 1);
}

static void events_are_sent_again(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct uuid owner = uuid_random(), unknown = uuid_random();
    struct event_result r = { .owner = &owner,
                              .agent_id = agent.id,
                              .type = "swap.failed",
                              .status = EVENT_FAILED,
                              .response_status = 410,
                              .error = "HTTP 410" };
    struct event got;

    no_events();
    CHECK(events_add(db, agent.id, "swap.failed", "{}"));
    CHECK(claim_events(&owner, 10, &got, 1) == 1);
    r.seq = got.seq;
    CHECK(events_redeliver(db, agent.id, got.id) == UPDATED); /* in progress: it is not sent twice */
    CHECK(claim_events(&unknown, 10, &got, 1) == 0);
    CHECK(events_record(db, &r, 1) && total_of_events(agent.id, EVENT_FAILED, NULL) == 1);
    CHECK(RAW("UPDATE agents SET callback_url = 'https://b.example/' WHERE id = %d", (int)agent.id));
    CHECK(events_redeliver(db, agent.id, unknown) == UNCHANGED &&
          events_redeliver(db, agent.id + 1, got.id) == UNCHANGED);
    CHECK(events_redeliver(db, agent.id, got.id) == UPDATED);
    CHECK(total_of_events(agent.id, EVENT_FAILED, NULL) == 0);
    CHECK(total_of_events(agent.id, EVENT_PENDING, NULL) == 1);
    CHECK(claim_events(&owner, 10, &got, 1) == 1 &&
          got.attempts == 0); /* pauses begin anew, the count does not */
    CHECK_STR(got.callback_url, "https://b.example/");
    CHECK(events_get(db, a, agent.id, got.id, &got) == LOOKUP_FOUND && got.attempts == 1);
    CHECK(RAW("UPDATE agents SET callback_url = NULL WHERE id = %d", (int)agent.id));
    CHECK(events_redeliver(db, agent.id, got.id) == UNCHANGED);
}

/* One attempt that ended so; the event is due again at once. */
static void attempt(struct agent *agent, enum event_status status, int response_status, unsigned took_ms)
{
    struct uuid owner = uuid_random();
    struct event_result r = { .owner = &owner,
                              .agent_id = agent->id,
                              .type = "swap.failed",
                              .status = status,
                              .response_status = response_status,
                              .error = status == EVENT_DELIVERED ? NULL : "HTTP 500: it failed",
                              .next_ms = 1,
                              .at_ms = 1700000000000 + took_ms,
                              .took_ms = took_ms };
    struct event got;

    CHECK(claim_events(&owner, 10, &got, 1) == 1);
    r.seq = got.seq;
    CHECK(events_record(db, &r, 1) && wake_all());
}

static void the_last_attempts_are_kept(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct event_attempt log[EVENT_ATTEMPTS_KEPT];
    struct uuid owner = uuid_random();
    int64_t delivered_ms;
    struct event got;

    no_events();
    CHECK(events_add(db, agent.id, "swap.failed", "{\"id\":7}"));
    CHECK(claim_events(&owner, 10, &got, 1) == 1 && events_release(db, &owner, &got, 1));
    CHECK(events_get(db, a, agent.id, got.id, &got) == LOOKUP_FOUND);
    CHECK(got.attempt_log == NULL && got.next_ms > 1700000000000);
    CHECK_STR(got.body, "{\"id\":7}");
    for (unsigned i = 1; i <= 11; i++)
        attempt(&agent, EVENT_PENDING, 500, i);
    attempt(&agent, EVENT_DELIVERED, 204, 12);
    CHECK(events_get(db, a, agent.id, got.id, &got) == LOOKUP_FOUND);
    CHECK(got.next_ms == 0 && event_attempts_read(log, a, got.attempt_log) == 10);
    for (unsigned i = 0; i < 10; i++)
        CHECK(log[i].took_ms == i + 3);
    for (unsigned i = 0; i < 9; i++)
        CHECK(log[i].at_ms == 1700000000000 + i + 3);
    CHECK(log[9].at_ms == got.delivered_ms);
    CHECK(log[8].response_status == 500 && log[9].response_status == 204 && log[9].error == NULL);
    CHECK_STR(log[8].error, "HTTP 500: it failed");
    delivered_ms = got.delivered_ms;
    CHECK(events_redeliver(db, agent.id, got.id) == UPDATED);
    CHECK(events_get(db, a, agent.id, got.id, &got) == LOOKUP_FOUND);
    CHECK(event_attempts_read(log, a, got.attempt_log) == 10 && log[9].took_ms == 12 &&
          log[9].at_ms == delivered_ms);
    attempt(&agent, EVENT_FAILED, 500, 13);
    CHECK(events_get(db, a, agent.id, got.id, &got) == LOOKUP_FOUND);
    CHECK(event_attempts_read(log, a, got.attempt_log) == 10 && log[8].took_ms == 12 &&
          log[9].response_status == 500);
}

static void failed_events_are_recovered(void)
{
    struct agent agent = new_agent("https://a.example/"), other = new_agent("https://b.example/");
    static const char *const types[] = { "swap.completed", "swap.failed", "swap.failed" };
    uint64_t recovered = 99;

    no_events();
    for (size_t i = 0; i < 3; i++)
        CHECK(events_add(db, agent.id, types[i], "{}") && events_add(db, other.id, types[i], "{}"));
    CHECK(events_fail_pending(db, agent.id, true, "away") && events_fail_pending(db, other.id, true, "away"));
    CHECK(RAW("UPDATE webhook_events SET created_at = FROM_UNIXTIME(1000 + seq - (SELECT m FROM (SELECT"
              " MIN(seq) AS m FROM webhook_events) x))"));
    CHECK(events_recover(db, agent.id, 1006000, &recovered) == UPDATED && recovered == 0);
    CHECK(events_recover(db, agent.id, 1002000, &recovered) == UPDATED && recovered == 2);
    CHECK(total_of_events(agent.id, EVENT_PENDING, "swap.failed") == 2);
    CHECK(total_of_events(agent.id, EVENT_FAILED, NULL) == 1);
    CHECK(total_of_events(other.id, EVENT_FAILED, NULL) == 3);
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events WHERE status = 1 AND last_error IS NULL") == 2);
    CHECK(RAW("UPDATE agents SET callback_url = NULL WHERE id = %d", (int)agent.id));
    CHECK(events_recover(db, agent.id, 1000, &recovered) == UNCHANGED && recovered == 0);
}

STORE_TEST_MAIN(TEST(events_need_a_callback), TEST(the_last_attempts_are_kept),
                TEST(failed_events_are_recovered), TEST(many_events_are_added_at_once),
                TEST(events_are_claimed_and_recorded), TEST(a_lost_lease_records_nothing),
                TEST(claims_are_fair), TEST(removing_the_callback_fails_what_is_pending),
                TEST(backlogs_do_not_delay_other_agents_events), TEST(everybody_gets_a_turn),
                TEST(groups_are_recorded), TEST(pages_of_events), TEST(far_pages_of_events),
                TEST(a_test_event_is_listed_and_left_alone), TEST(events_are_sent_again))
