/* Decisions about one approval, with the database's part made up here. */
#include "base/test.h"

#define approvals_of_execution fake_of_execution
#define approvals_move         fake_move
#define approvals_count_move   fake_count_move
#define executions_count       fake_execution_count
#define executions_move        fake_execution_move
#define executions_settle      fake_settle
#define approval_notify        fake_notify
#define approval_notify_used   fake_notify_used
#define db_transact            fake_transact
#include "policy/approval_decision.c"

/* The state and answers of the database, and the changes made to it. */
static struct {
    int found, moved;
    bool fails; /* the second half of the transaction */
    enum approval_state state;
    struct execution_move move;
    unsigned moves, settled, counted, totals, notified;
    const struct err *refusal;
    bool ends;
} world;

int approvals_of_execution(struct db *db, struct arena *a, uint64_t execution_id, struct approval *out)
{
    (void)db;
    (void)a;
    CHECK(execution_id == 7);
    *out = (struct approval){ .execution_id = 7, .agent_id = 5, .state = world.state };
    return world.found;
}

enum db_update approvals_move(struct db *db, const struct approval *ap, enum approval_state to)
{
    (void)db;
    CHECK(approval_may_move(ap->state, to));
    if (world.moved == 1)
        world.state = to;
    return world.moved;
}

bool approvals_count_move(struct db *db, const struct approval *ap, enum approval_state to)
{
    (void)db;
    CHECK(ap->state != to);
    world.counted++;
    return true;
}

enum db_update executions_move(struct db *db, const struct execution_move *moves, size_t n)
{
    (void)db;
    CHECK(n == 1);
    world.move = moves[0];
    world.moves++;
    return world.fails ? -1 : UPDATED;
}

enum db_update executions_count(struct db *db, const struct execution_move *moves, size_t n)
{
    (void)db;
    CHECK(n == 1 && moves->id == world.move.id && moves->to == world.move.to);
    world.totals++;
    return UPDATED;
}

enum db_update executions_settle(struct db *db, const uint64_t *ids, size_t n, enum exec_status from,
                                 enum exec_follow next)
{
    (void)db;
    CHECK(n == 1 && ids[0] == 7 && from == 0 && next == FOLLOW_NOT);
    world.settled++;
    return UPDATED;
}

bool approval_notify(struct db *db, struct arena *a, const struct approval_news *news)
{
    (void)db;
    (void)a;
    CHECK(news->approval->state == world.state);
    world.notified++;
    world.refusal = news->refusal;
    world.ends = news->end != NULL;
    return !world.fails;
}

bool approval_notify_used(struct db *db, const struct approval *ap)
{
    (void)db;
    (void)ap;
    return true;
}

enum tx_result db_transact(struct db *db, tx_fn *fn, void *arg)
{
    switch (fn(db, arg)) {
    case TX_COMMIT:
        return TX_DONE;
    case TX_ROLLBACK:
        return TX_REFUSED;
    case TX_FAILED:
        break;
    }
    return TX_BROKEN;
}

static void approval_world_reset(enum approval_state state)
{
    memset(&world, 0, sizeof world);
    world.state = state;
    world.found = world.moved = 1;
}

static const struct approval waiting = { .execution_id = 7, .agent_id = 5 };
static const struct execution pending = { .id = 7, .agent_id = 5, .status = EXEC_PENDING };

static void a_grant_leaves_the_execution_waiting(void)
{
    approval_world_reset(APPROVAL_WAITING);
    CHECK(approval_grant(NULL, NULL, &waiting) == UPDATED);
    CHECK(world.state == APPROVAL_GRANTED && world.moves == 0 && world.settled == 0);
    CHECK(world.notified == 1 && world.refusal == NULL && !world.ends && world.counted == 1);
}

static void a_denial_fails_the_execution(void)
{
    static const enum approval_state from[] = { APPROVAL_WAITING, APPROVAL_GRANTED };

    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        approval_world_reset(from[i]);
        CHECK(approval_deny(NULL, NULL, &waiting) == UPDATED);
        CHECK(world.state == APPROVAL_DENIED && world.settled == 1 && world.counted == 1);
        CHECK(world.moves == 1 && world.totals == 1 && world.move.from == EXEC_PENDING &&
              world.move.to == EXEC_FAILED);
        CHECK_STR(world.move.error_code, E_APPROVAL_DENIED.code);
        CHECK(world.notified == 1 && world.refusal == &E_APPROVAL_DENIED && world.ends);
    }
}

static void late_decisions_change_nothing(void)
{
    approval_world_reset(APPROVAL_WAITING);
    world.moved = 0;
    CHECK(approval_grant(NULL, NULL, &waiting) == UNCHANGED &&
          approval_deny(NULL, NULL, &waiting) == UNCHANGED);
    world.found = 0;
    CHECK(approval_grant(NULL, NULL, &waiting) == UNCHANGED);
    CHECK(world.moves == 0 && world.notified == 0 && world.counted == 0);
    world.found = -1;
    CHECK(approval_grant(NULL, NULL, &waiting) == DB_ERROR);
    approval_world_reset(APPROVAL_WAITING);
    world.moved = -1;
    CHECK(approval_deny(NULL, NULL, &waiting) == DB_ERROR && world.moves == 0);
}

static void nothing_is_decided_by_halves(void)
{
    approval_world_reset(APPROVAL_WAITING);
    world.fails = true;
    CHECK(approval_deny(NULL, NULL, &waiting) == DB_ERROR);
    approval_world_reset(APPROVAL_WAITING);
    world.fails = true;
    CHECK(approval_grant(NULL, NULL, &waiting) == DB_ERROR);
}

static void time_that_runs_out_expires_the_execution(void)
{
    struct execution other = pending;

    approval_world_reset(APPROVAL_GRANTED);
    approval_lapse(NULL, NULL, &pending);
    CHECK(world.state == APPROVAL_LAPSED && world.move.to == EXEC_EXPIRED && world.settled == 1);
    CHECK(world.refusal == &E_APPROVAL_EXPIRED && world.ends);
    approval_world_reset(APPROVAL_USED);
    other.status = EXEC_SUBMITTED;
    approval_lapse(NULL, NULL, &other);
    CHECK(world.moves == 0 && world.notified == 0);
}

/* The agent was deleted, and the approval with it: no notification is sent. */
static void an_execution_without_its_approval_expires_too(void)
{
    approval_world_reset(APPROVAL_WAITING);
    world.found = 0;
    approval_lapse(NULL, NULL, &pending);
    CHECK(world.move.to == EXEC_EXPIRED && world.settled == 1 && world.notified == 0 && world.counted == 0);
}

TEST_MAIN(TEST(a_grant_leaves_the_execution_waiting), TEST(a_denial_fails_the_execution),
          TEST(late_decisions_change_nothing), TEST(nothing_is_decided_by_halves),
          TEST(time_that_runs_out_expires_the_execution), TEST(an_execution_without_its_approval_expires_too))
