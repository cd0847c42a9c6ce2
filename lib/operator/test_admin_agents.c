/* Orders with a database of one agent in its place. */
#include "base/test.h"

#define agents_by_uuid      fake_by_uuid
#define agents_add          fake_add
#define agents_set_tier     fake_set_tier
#define agents_set_status   fake_set_status
#define agents_set_key      fake_set_key
#define trading_halts_check fake_halts_check
#include "operator/admin_agents.c"

#define AGENT "6ba7b810-9dad-41d1-80b4-00c04fd430c8"

static struct arena *a;
static struct conf conf;
static const struct ctx ctx = { .conf = &conf };

/* The state and answers of the database. */
static struct {
    bool fails;
    int halted;
    struct agent agent;
    unsigned writes;
    uint8_t key_hash[HASH_LEN];
} world;

int agents_by_uuid(struct db *db, struct arena *arena, const struct uuid *uuid, struct agent *out)
{
    char text[UUID_TEXT_LEN + 1];

    (void)db;
    (void)arena;
    uuid_text(text, *uuid);
    *out = world.agent;
    return world.fails ? -1 : strcmp(text, AGENT) == 0;
}

static bool written(void)
{
    world.writes++;
    return !world.fails;
}

bool agents_add(struct db *db, const struct agent_new *agent, int64_t *created_ms)
{
    (void)db;
    *created_ms = 1;
    CHECK_STR(agent->tier, "premium");
    memcpy(world.key_hash, agent->key_hash, sizeof world.key_hash);
    return written();
}

bool agents_set_tier(struct db *db, uint64_t id, const char *tier)
{
    (void)db;
    CHECK(id == 5);
    CHECK_STR(tier, "premium");
    return written();
}

bool agents_set_status(struct db *db, uint64_t id, enum agent_status status,
                       const struct security_event *told)
{
    (void)db;
    CHECK_STR(told->type, EVENT_AGENT_DEACTIVATED);
    CHECK(id == 5 && status == AGENT_SHUT);
    return written();
}

bool agents_set_key(struct db *db, uint64_t id, const uint8_t hash[static HASH_LEN],
                    const struct security_event *told)
{
    (void)db;
    CHECK(id == 5);
    CHECK_STR(told->type, EVENT_KEY_ROTATED);
    memcpy(world.key_hash, hash, sizeof world.key_hash);
    return written();
}

enum lookup trading_halts_check(struct db *db, uint64_t agent_id)
{
    (void)db;
    CHECK(agent_id == 5);
    return world.halted;
}

static void agents_test_start(void)
{
    a = arena_new();
}

static void agents_world_reset(void)
{
    memset(&world, 0, sizeof world);
    world.agent = (struct agent){ .id = 5, .status = AGENT_ACTIVE, .tier = "premium" };
}

static void an_unknown_agent_is_named_and_nothing_written(void)
{
    static const char *const unknown[] = { "00000000-0000-4000-8000-000000000000", "x", "5", "", "all" };
    struct api_key key;
    struct agent_report r;

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const char *id = unknown[i], *expected = arena_printf(a, "no such agent: %s", id);

        agents_world_reset();
        CHECK_STR(operator_report_agent(&ctx, a, id, &r), expected);
        CHECK_STR(operator_set_tier(&ctx, a, id, "premium"), expected);
        CHECK_STR(operator_set_status(&ctx, a, id, AGENT_SHUT), expected);
        CHECK_STR(operator_rotate_key(&ctx, a, id, &key), expected);
        CHECK(world.writes == 0);
    }
}

static void an_unknown_tier_is_named_and_nothing_written(void)
{
    static const char *const unknown[] = { "platinum", "", "a-tier-of-more-than-thirty-two-characters" };
    struct api_key key;

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const char *expected = arena_printf(a, "no such tier: %s ", unknown[i]), *problem;

        agents_world_reset();
        problem = operator_register_agent(&ctx, a, unknown[i], &key);
        CHECK(problem != NULL && strncmp(problem, expected, strlen(expected)) == 0);
        problem = operator_set_tier(&ctx, a, AGENT, unknown[i]);
        CHECK(problem != NULL && strncmp(problem, expected, strlen(expected)) == 0);
        CHECK(world.writes == 0);
    }
}

static void orders_are_carried_out(void)
{
    struct api_key key;

    agents_world_reset();
    CHECK(operator_set_tier(&ctx, a, AGENT, "premium") == NULL);
    CHECK(operator_set_status(&ctx, a, AGENT, AGENT_SHUT) == NULL);
    CHECK(operator_register_agent(&ctx, a, "premium", &key) == NULL);
    CHECK(memcmp(world.key_hash, key.hash, sizeof key.hash) == 0 && api_key_has_form(key.text));
    CHECK(operator_rotate_key(&ctx, a, AGENT, &key) == NULL);
    CHECK(memcmp(world.key_hash, key.hash, sizeof key.hash) == 0 && world.writes == 4);
    world.fails = true;
    CHECK_STR(operator_set_tier(&ctx, a, AGENT, "premium"), OPERATOR_DATABASE_FAILED);
    CHECK_STR(operator_register_agent(&ctx, a, "premium", &key), OPERATOR_DATABASE_FAILED);
}

static void a_report_tells_tier_and_trading(void)
{
    struct agent_report r;

    agents_world_reset();
    CHECK(operator_report_agent(&ctx, a, AGENT, &r) == NULL);
    CHECK(r.agent.id == 5 && !r.halted && r.tier_known && r.per_minute == 600);
    world.halted = 1;
    world.agent.tier = "forgotten";
    CHECK(operator_report_agent(&ctx, a, AGENT, &r) == NULL && r.halted && !r.tier_known);
    world.halted = -1;
    CHECK_STR(operator_report_agent(&ctx, a, AGENT, &r), OPERATOR_DATABASE_FAILED);
}

static void a_ban_shows_before_the_status(void)
{
    struct agent agent = { .status = AGENT_ACTIVE };

    CHECK_STR(operator_status_text(&agent), "active");
    agent.status = AGENT_DEACTIVATED;
    CHECK_STR(operator_status_text(&agent), "deactivated");
    agent.status = AGENT_SHUT;
    CHECK_STR(operator_status_text(&agent), "deactivated");
    agent.banned = true;
    CHECK_STR(operator_status_text(&agent), "banned");
}

static void agents_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(agents_test_start), TEST(an_unknown_agent_is_named_and_nothing_written),
          TEST(an_unknown_tier_is_named_and_nothing_written), TEST(orders_are_carried_out),
          TEST(a_report_tells_tier_and_trading), TEST(a_ban_shows_before_the_status), TEST(agents_test_end))
