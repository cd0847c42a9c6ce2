#include "store/test_store.h"

static void halts_are_for_one_or_all(void)
{
    struct agent one = new_agent(NULL), other = new_agent(NULL);

    CHECK(trading_halts_check(db, one.id) == LOOKUP_NONE && trading_halts_hold(db, one.id) == LOOKUP_NONE);
    CHECK(trading_halts_set(db, one.id, HALT_TRADING, true) &&
          trading_halts_set(db, one.id, HALT_TRADING, true));
    CHECK(trading_halts_check(db, one.id) == LOOKUP_FOUND && trading_halts_hold(db, one.id) == LOOKUP_FOUND &&
          trading_halts_check(db, other.id) == LOOKUP_NONE);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, true) &&
          trading_halts_check(db, other.id) == LOOKUP_FOUND);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, false) &&
          trading_halts_check(db, other.id) == LOOKUP_NONE &&
          trading_halts_check(db, one.id) == LOOKUP_FOUND);
    CHECK(trading_halts_set(db, one.id, HALT_TRADING, false) &&
          trading_halts_check(db, one.id) == LOOKUP_NONE);
}

static void an_older_database_stops_all(void)
{
    struct agent agent = new_agent(NULL);

    CHECK(trading_halts_set(db, HALT_ALL, HALT_RESTORED, true) &&
          trading_halts_set(db, HALT_ALL, HALT_TRADING, false));
    CHECK(trading_halts_restored(db) == LOOKUP_FOUND && trading_halts_check(db, agent.id) == LOOKUP_FOUND);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_RESTORED, false) && trading_halts_restored(db) == LOOKUP_NONE);
}

static void a_ban_and_a_stop_end_each_for_itself(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;

    CHECK(!agent.banned);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, true) &&
          trading_halts_set(db, agent.id, HALT_TRADING, true));
    CHECK(reread(&agent, n).banned && trading_halts_check(db, agent.id) == LOOKUP_FOUND);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, false) && !reread(&agent, n).banned);
    CHECK(trading_halts_check(db, agent.id) == LOOKUP_FOUND);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, false) &&
          trading_halts_check(db, agent.id) == LOOKUP_NONE);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, true) &&
          trading_halts_hold(db, agent.id) == LOOKUP_FOUND);
    CHECK(trading_halts_set(db, agent.id, HALT_ACCESS, false));
}

static void a_stopped_agent_changes_nothing(void)
{
    struct agent agent = new_agent("https://a.example/");
    uint8_t n = agents_made, key[HASH_LEN], other[HASH_LEN] = { 0xe1 };
    struct agent_change change = { .set_callback = true }, words = { .set_description = true };
    bool kept;

    key_of(n, key);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, true));
    CHECK(agents_rotate(db, agent.id, key, other, QUOTA_NONE, NULL) == HALTED &&
          agents_deactivate(db, agent.id, NULL) == HALTED);
    CHECK(agents_renew_secret(db, agent.id, (const uint8_t *)"new", 3, NULL) == HALTED);
    CHECK(agents_change(db, agent.id, &change, &kept) == HALTED &&
          agents_delete(db, agent.id, NULL, NULL, NULL) == HALTED);
    CHECK(agents_change(db, agent.id, &words, &kept) == UPDATED);
    CHECK_STR(reread(&agent, n).callback_url, "https://a.example/");
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, false) &&
          agents_deactivate(db, agent.id, NULL) == UPDATED);
}

struct holding {
    uint64_t agent;
    int ready, go;
    bool ended; /* the stop returned while this was still open */
};

/* Holds, tells that it does, and waits until the other has had time to stop. */
static enum tx_verdict hold_a_while(struct db *on, void *arg)
{
    struct holding *h = arg;
    char byte = 0;
    struct timeval patience = { .tv_usec = 300 * 1000 };
    fd_set fds;

    CHECK(trading_halts_hold(on, h->agent) == LOOKUP_NONE);
    CHECK(write(h->ready, &byte, 1) == 1);
    FD_ZERO(&fds);
    FD_SET(h->go, &fds);
    h->ended = select(h->go + 1, &fds, NULL, NULL, &patience) == 1;
    return TX_COMMIT;
}

static void a_stop_waits_for_what_is_under_way(void)
{
    struct agent agent = new_agent(NULL);
    int ready[2], done[2], status;
    struct holding h = { .agent = agent.id };
    char byte = 0;
    pid_t pid;

    CHECK(pipe(ready) == 0 && pipe(done) == 0);
    pid = fork();
    if (pid == 0) {
        struct db *own = db_new(&conf);
        bool ok = read(ready[0], &byte, 1) == 1 && trading_halts_set(own, agent.id, HALT_TRADING, true) &&
                  write(done[1], &byte, 1) == 1;

        _exit(ok ? 0 : 1);
    }
    h.ready = ready[1];
    h.go = done[0];
    CHECK(pid > 0 && db_transact(db, hold_a_while, &h) == TX_DONE && !h.ended);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0 && trading_halts_hold(db, agent.id) == LOOKUP_FOUND);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, false));
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(done[i]);
    }
}

static void those_that_are_stopped_are_counted(void)
{
    struct agent agent = new_agent(NULL), other = new_agent(NULL);
    struct active_halts before, h;

    CHECK(trading_halts_count(db, &before) && !before.all && !before.restored);
    CHECK(trading_halts_set(db, agent.id, HALT_TRADING, true) &&
          trading_halts_set(db, other.id, HALT_ACCESS, true));
    CHECK(trading_halts_count(db, &h) && !h.all && h.stopped == before.stopped + 1 &&
          h.banned == before.banned + 1);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, true) && trading_halts_count(db, &h) && h.all &&
          !h.restored);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_RESTORED, true) && trading_halts_count(db, &h) && h.restored);
    CHECK(trading_halts_set(db, HALT_ALL, HALT_TRADING, false) &&
          trading_halts_set(db, HALT_ALL, HALT_RESTORED, false));
}

STORE_TEST_MAIN(TEST(halts_are_for_one_or_all), TEST(an_older_database_stops_all),
                TEST(a_ban_and_a_stop_end_each_for_itself), TEST(a_stopped_agent_changes_nothing),
                TEST(a_stop_waits_for_what_is_under_way), TEST(those_that_are_stopped_are_counted))
