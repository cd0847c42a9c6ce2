#include "store/test_store.h"

static struct task read_again(const struct task *t)
{
    struct task got = { .seq = 0 };

    CHECK(tasks_get(db, a, t->agent_id, &t->id, &got) == LOOKUP_FOUND && got.seq == t->seq);
    return got;
}

static bool leases_are_over(void)
{
    return raw("UPDATE tasks SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND");
}

static void a_message_makes_one_task(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct task t = new_task(&agent, "m-1", NULL), again = t, got;
    struct task_message m = message_of("m-1");
    struct uuid run = uuid_random();
    bool same = false;

    again.id = uuid_random();
    CHECK(tasks_add(db, &again, &m, NULL, &run, 30, &room) == UNCHANGED);
    CHECK(NUMBER("SELECT COUNT(*) FROM tasks WHERE agent_id = %d", (int)agent.id) == 1);
    CHECK(tasks_by_message(db, a, agent.id, &m, &got, &same) == LOOKUP_FOUND && got.seq == t.seq && same);
    m.fingerprint[0] ^= 1;
    CHECK(tasks_by_message(db, a, agent.id, &m, &got, &same) == LOOKUP_FOUND && !same);
    CHECK(tasks_by_message(db, a, other.id, &m, &got, &same) == LOOKUP_NONE);
    CHECK(tasks_get(db, a, other.id, &t.id, &got) == LOOKUP_NONE);
    got = read_again(&t);
    CHECK(got.state == TASK_SUBMITTED && !got.idle && got.answer == NULL && got.execution_id == 0);
    CHECK_STR(got.context_id, "c");
    (void)new_task(&other, "m-1", NULL);
}

static void a_run_that_ended_without_a_word_is_taken_over(void)
{
    struct agent agent = new_agent(NULL);
    struct task t = new_task(&agent, "m", NULL);
    struct uuid second = uuid_random(), third = uuid_random();

    CHECK(tasks_resume(db, t.seq, &second, 30) == UNCHANGED);
    CHECK(leases_are_over() && read_again(&t).idle);
    CHECK(tasks_resume(db, t.seq, &second, 30) == UPDATED &&
          tasks_resume(db, t.seq, &third, 30) == UNCHANGED);
    CHECK(!read_again(&t).idle);
    /* the first one wakes up: it may not commit any more */
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 0 && ended(&t, TASK_COMPLETED, 0, tasks_end) == 0);
    task_run = second;
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 1);
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 1); /* a transaction that is run again */
    CHECK(leases_are_over() && tasks_resume(db, t.seq, &third, 30) == UNCHANGED);
    CHECK(ended(&t, TASK_FAILED, 0, tasks_end) == 0); /* what was kept with the work stays */
    t = read_again(&t);
    CHECK(t.state == TASK_COMPLETED && !t.idle);
    CHECK_STR(t.answer, "{\"a\":1}");
    CHECK_STR(t.note, "note");
}

static void a_task_moves_with_its_swap(void)
{
    struct agent agent = new_agent(NULL);
    struct task t = new_task(&agent, "m", NULL);
    struct execution s = new_swap(agent.id, 1);

    CHECK(ended(&t, TASK_WORKING, s.id, tasks_keep) == 1);
    CHECK(read_again(&t).state == TASK_SUBMITTED && read_again(&t).execution_id == s.id);
    CHECK(leases_are_over() && !read_again(&t).idle && tasks_cancel(db, agent.id, t.seq) == UNCHANGED);
    CHECK(move(&s, EXEC_PENDING, EXEC_SUBMITTED) == 1 && read_again(&t).state == TASK_WORKING);
    CHECK(move(&s, EXEC_SUBMITTED, EXEC_COMPLETED) == 1 && read_again(&t).state == TASK_COMPLETED);
    CHECK(move(&s, EXEC_COMPLETED, EXEC_PROCESSING) == 1 && read_again(&t).state == TASK_WORKING);
    CHECK(move(&s, EXEC_PROCESSING, EXEC_FAILED) == 1 && read_again(&t).state == TASK_FAILED);
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_end) == 0);
}

static void a_task_that_asks_goes_on_or_ends(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct task t = new_task(&agent, "first", NULL);
    struct task_message second = message_of("second"), third = message_of("third");
    struct uuid run = uuid_random();
    const char *bodies[4];

    CHECK(tasks_continue(db, &t, &second, &run, 30, &room) == UNCHANGED);
    CHECK(ended(&t, TASK_INPUT_REQUIRED, 0, tasks_end) == 1);
    CHECK(tasks_continue(db, &t, &second, &run, 30, &room) == UPDATED &&
          tasks_continue(db, &t, &third, &run, 30, &room) == UNCHANGED);
    CHECK(read_again(&t).state == TASK_SUBMITTED && read_again(&t).answer == NULL);
    CHECK(tasks_messages(db, a, t.seq, 4, bodies) == 2 && tasks_messages(db, a, t.seq, 1, bodies) == 1);
    /* nothing was done: it asks as before, and the message may come again */
    CHECK(tasks_undo(db, &t, &second, &run) && read_again(&t).state == TASK_INPUT_REQUIRED);
    CHECK(tasks_messages(db, a, t.seq, 4, bodies) == 1);
    CHECK(tasks_cancel(db, other.id, t.seq) == UNCHANGED);
    CHECK(tasks_cancel(db, agent.id, t.seq) == UPDATED && tasks_cancel(db, agent.id, t.seq) == UNCHANGED);
    CHECK(read_again(&t).state == TASK_CANCELED &&
          tasks_continue(db, &t, &second, &run, 30, &room) == UNCHANGED);
    CHECK(ended(&t, TASK_COMPLETED, 0, tasks_keep) == 0);

    t = new_task(&agent, "undone", NULL);
    second = message_of("undone");
    CHECK(tasks_undo(db, &t, &second, &task_run));
    CHECK(NUMBER("SELECT COUNT(*) FROM tasks WHERE seq = %d", (int)t.seq) == 0);
    (void)new_task(&agent, "undone", NULL);
}

/* MySQL refuses to compare columns of ASCII with it. */
static void texts_beyond_ascii_match_no_row(void)
{
    static const char foreign[] = "caf\xc3\xa9";
    struct agent agent = new_agent("https://a.example/"), page[1];
    struct task t = new_task(&agent, "first", NULL), tasks[1];
    struct event_filter events = { .type = foreign };
    struct task_filter by_context = { .context_id = foreign };
    struct page p = { .limit = 1 };
    struct event got[1];
    struct wallet w;
    uint64_t total = 1;

    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(events_page(db, a, agent.id, &events, &p, got, &total) == 0 && total == 0);
    CHECK(tasks_page(db, a, agent.id, &by_context, 1, tasks, &total) == 0 && total == 0);
    CHECK(tasks_push_delete(db, t.seq, foreign) == UNCHANGED);
    CHECK(agents_page(db, a, foreign, 0, page, 1) == 0);
    CHECK(wallets_pick(db, agent.id, WALLET_EVM, foreign, &w) == LOOKUP_NONE);
}

static void pages_of_tasks(void)
{
    struct agent agent = new_agent(NULL);
    struct task out[8], t[4];
    struct execution s = new_swap(agent.id, 1);
    struct task_filter f = { .context_id = NULL };
    uint64_t total;

    for (int i = 0; i < 4; i++) {
        t[i] = new_task(&agent, arena_printf(a, "page %d", i), NULL);
        CHECK(ended(&t[i], i == 3 ? TASK_REJECTED : TASK_COMPLETED, i == 0 ? s.id : 0, tasks_keep) == 1);
        CHECK(RAW("UPDATE tasks SET updated_at = '2026-01-01 00:00:0%d' WHERE seq = %d", i, (int)t[i].seq));
    }
    CHECK(RAW("UPDATE executions SET updated_at = '2026-01-01 00:00:02.500' WHERE id = %d", (int)s.id));
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 4 && total == 4);
    CHECK(out[0].seq == t[3].seq && out[1].seq == t[0].seq && out[2].seq == t[2].seq &&
          out[3].seq == t[1].seq);
    for (int i = 0; i < 4; i++) { /* each from the one before */
        CHECK(tasks_page(db, a, agent.id, &f, 1, out, &total) == 1 && total == 4);
        f.before_ms = out[0].updated_ms;
        f.before_seq = out[0].seq;
    }
    CHECK(out[0].seq == t[1].seq && tasks_page(db, a, agent.id, &f, 1, out, &total) == 0);
    f = (struct task_filter){ .state = TASK_SUBMITTED };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 1 && total == 1 && out[0].seq == t[0].seq);
    CHECK(move(&s, EXEC_PENDING, EXEC_COMPLETED) == 1);
    CHECK(
        RAW("UPDATE executions SET kind = %d WHERE id = %d", KIND_TRANSFER, (int)s.id)); /* not only swaps */
    f = (struct task_filter){ .state = TASK_COMPLETED };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 3 && total == 3 && out[0].seq == t[0].seq);
    f = (struct task_filter){ .state = TASK_SUBMITTED };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 0 && total == 0);
    f = (struct task_filter){ .since_ms = 1767225602000 };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 3 && total == 3);
    f = (struct task_filter){ .context_id = "another" };
    CHECK(tasks_page(db, a, agent.id, &f, 8, out, &total) == 0 && total == 0);
}

static void pushes_of_a_task(void)
{
    struct agent agent = new_agent(NULL), other = new_agent("https://callback.example/");
    struct task t = new_task(&agent, "pushed", "https://push.example/a");
    struct task_push all[TASK_PUSHES_MAX], p = push_to("https://push.example/b", "p");
    struct uuid owner = uuid_random();
    struct event got[4];

    no_events();
    CHECK(tasks_pushes(db, a, t.seq, all) == 1 && all[0].agent_id == agent.id);
    CHECK(events_add_push(db, agent.id, all[0].seq, "{}"));
    CHECK(events_add_push(db, other.id, all[0].seq, "{}")); /* not theirs: nothing */
    CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == UPDATED && tasks_pushes(db, a, t.seq, all) == 1);
    CHECK_STR(all[0].url, "https://push.example/b");
    /* as it was when the task moved, even if the callback changes */
    CHECK(events_fail_pending(db, agent.id, false, "callback_url was removed"));
    CHECK(claim_events(&owner, 10, got, 4) == 1);
    CHECK_STR(got[0].callback_url, "https://push.example/a");
    CHECK(got[0].sealed_headers_len == 14 && memcmp(got[0].sealed_headers, "sealed headers", 14) == 0);
    CHECK(events_fail_pending(db, agent.id, true, "the agent was deleted"));
    CHECK(total_of_events(agent.id, EVENT_FAILED, NULL) == 1);
    for (int i = 1; i < TASK_PUSHES_MAX; i++) {
        p.config_id = arena_printf(a, "p%d", i);
        CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == UPDATED);
    }
    p.config_id = "one more";
    CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == UNCHANGED);
    CHECK(tasks_push_delete(db, t.seq, "p") == UPDATED && tasks_push_delete(db, t.seq, "p") == UNCHANGED);
    CHECK(tasks_push_set(db, &t, &p, QUOTA_NONE) == UPDATED);
}

static void old_tasks_go(void)
{
    struct agent agent = new_agent(NULL);
    struct task old = new_task(&agent, "old", "https://push.example/"), t = new_task(&agent, "new", NULL);

    CHECK(tasks_expire(db, 100) >= 0 && tasks_expire(db, 100) == 0);
    CHECK(RAW("UPDATE tasks SET updated_at = updated_at - INTERVAL 9 DAY WHERE seq = %d", (int)old.seq));
    CHECK(RAW("UPDATE task_messages SET created_at = created_at - INTERVAL 9 DAY WHERE task_seq = %d",
              (int)old.seq));
    CHECK(RAW("UPDATE task_pushes SET created_at = created_at - INTERVAL 9 DAY WHERE task_seq = %d",
              (int)old.seq));
    CHECK(tasks_expire(db, 100) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM tasks WHERE agent_id = %d", (int)agent.id) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM task_messages WHERE agent_id = %d", (int)agent.id) == 1);
    CHECK(NUMBER("SELECT COUNT(*) FROM task_pushes WHERE agent_id = %d", (int)agent.id) == 0);
    CHECK(read_again(&t).seq == t.seq);
    (void)new_task(&agent, "old", NULL);
}

STORE_TEST_MAIN(TEST(a_message_makes_one_task), TEST(a_run_that_ended_without_a_word_is_taken_over),
                TEST(a_task_moves_with_its_swap), TEST(a_task_that_asks_goes_on_or_ends),
                TEST(texts_beyond_ascii_match_no_row), TEST(pages_of_tasks), TEST(pushes_of_a_task),
                TEST(old_tasks_go))
