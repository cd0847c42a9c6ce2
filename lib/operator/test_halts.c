#include "base/test.h"

#define operator_find_agent    fake_find_agent
#define trading_halts_set      fake_halts_set
#define trading_halts_restored fake_restored
#include "operator/halts.c"

static bool fails;
static uint64_t halted_id;
static enum halt_kind halted_kind;
static bool halted;
static enum lookup restored;

const char *operator_find_agent(const struct ctx *ctx, struct arena *a, const char *agent, struct agent *out)
{
    (void)ctx;
    (void)a;
    out->id = 5;
    return strcmp(agent, "five") == 0 ? NULL : "no such agent";
}

bool trading_halts_set(struct db *db, uint64_t agent_id, enum halt_kind kind, bool stopped)
{
    (void)db;
    halted_id = agent_id;
    halted_kind = kind;
    halted = stopped;
    return !fails;
}

enum lookup trading_halts_restored(struct db *db)
{
    (void)db;
    return restored;
}

static void an_older_database_keeps_all_stopped(void)
{
    static const struct ctx ctx;

    restored = LOOKUP_FOUND;
    CHECK(operator_set_stop(&ctx, NULL, "all", true) == NULL &&
          operator_set_stop(&ctx, NULL, "five", false) == NULL);
    CHECK(operator_set_stop(&ctx, NULL, "all", false) != NULL);
    restored = LOOKUP_NONE;
    CHECK(operator_set_stop(&ctx, NULL, "all", false) == NULL);
}

static void stops_apply_to_one_or_all(void)
{
    static const struct ctx ctx;

    CHECK(operator_set_stop(&ctx, NULL, "five", true) == NULL);
    CHECK(halted_id == 5 && halted_kind == HALT_TRADING && halted);
    CHECK(operator_set_stop(&ctx, NULL, "all", false) == NULL);
    CHECK(halted_id == HALT_ALL && halted_kind == HALT_TRADING && !halted);
    CHECK_STR(operator_set_stop(&ctx, NULL, "six", true), "no such agent");
    fails = true;
    CHECK_STR(operator_set_stop(&ctx, NULL, "all", true), OPERATOR_DATABASE_FAILED);
    fails = false;
}

/* HALT_ALL stands for trading alone. */
static void never_all_are_banned(void)
{
    static const struct ctx ctx;

    halted_id = 7;
    CHECK_STR(operator_set_ban(&ctx, NULL, "all", true), "no such agent");
    CHECK(halted_id == 7);
    CHECK(operator_set_ban(&ctx, NULL, "five", true) == NULL);
    CHECK(halted_id == 5 && halted_kind == HALT_ACCESS && halted);
}

TEST_MAIN(TEST(stops_apply_to_one_or_all), TEST(an_older_database_keeps_all_stopped),
          TEST(never_all_are_banned))
