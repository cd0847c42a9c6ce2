#include "base/test.h"

#define clock_mono_ms    fake_clock
#define events_expire    fake_expire
#define events_crowded   fake_crowded
#define events_trim      fake_trim
#define conf_quota       fake_quota
#define conf_quota_least fake_quota_least
#include "webhook/expire.c"

static int64_t now_ms = 1000000, old, trimmed, polls;
static uint64_t parts[8];
static size_t parts_count;
static bool fails, stops;
static struct event_crowd crowd[2] = { { 1, "standard", 0 }, { 2, "premium", 0 } };

int64_t clock_mono_ms(void)
{
    return now_ms;
}

int64_t events_expire(struct db *db, uint64_t max)
{
    int64_t n = old < (int64_t)max ? old : (int64_t)max;

    (void)db;
    old -= n;
    return fails ? -1 : n;
}

int events_crowded(struct db *db, struct arena *a, uint64_t least, struct event_crowd **out)
{
    (void)db;
    (void)a;
    CHECK(least == 100);
    polls++;
    *out = crowd;
    return 2;
}

int64_t events_trim(struct db *db, uint64_t agent_id, uint64_t max)
{
    (void)db;
    (void)agent_id;
    if (fails)
        return -1;
    parts[parts_count++ % 8] = max;
    trimmed += (int64_t)max;
    return (int64_t)max;
}

uint64_t conf_quota(const struct conf *c, const char *tier, enum quota q)
{
    (void)c;
    CHECK(q == QUOTA_EVENTS);
    return strcmp(tier, "premium") == 0 ? 1000 : 100;
}

uint64_t conf_quota_least(const struct conf *c, enum quota q)
{
    (void)c;
    CHECK(q == QUOTA_EVENTS);
    return 100;
}

static bool test_stopping(void)
{
    return stops;
}

static bool expire_now(void)
{
    static const struct ctx ctx;

    parts_count = 0;
    return webhooks_expire(&ctx, NULL, test_stopping);
}

static void all_old_events_go(void)
{
    old = 2500;
    CHECK(expire_now() && old == 0 && polls == 1);
    old = 2500;
    stops = true;
    CHECK(expire_now() && old == 1500);
    stops = false;
}

static void agents_with_too_many_events_lose_the_oldest(void)
{
    crowd[0] = (struct event_crowd){ 1, "standard", 2300 };
    crowd[1] = (struct event_crowd){ 2, "premium", 900 };
    now_ms += TRIM_EVERY_MS;
    trimmed = 0;
    CHECK(expire_now() && trimmed == 2200);
    CHECK(parts_count == 3 && parts[0] == BATCH && parts[1] == BATCH && parts[2] == 200);
}

static void crowds_are_looked_for_once_a_minute(void)
{
    int64_t before = polls;

    now_ms += TRIM_EVERY_MS - 1;
    CHECK(expire_now() && polls == before);
    now_ms++;
    CHECK(expire_now() && polls == before + 1);
}

static void a_failure_is_told(void)
{
    fails = true;
    CHECK(!expire_now());
    fails = false;
    now_ms += TRIM_EVERY_MS;
    CHECK(expire_now());
}

TEST_MAIN(TEST(all_old_events_go), TEST(agents_with_too_many_events_lose_the_oldest),
          TEST(crowds_are_looked_for_once_a_minute), TEST(a_failure_is_told))
