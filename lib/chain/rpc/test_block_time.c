/* The time of blocks, by a clock of the test's own. */
#include "base/test.h"

#define clock_mono_ms test_mono_ms
#include "chain/rpc/block_time.c"

static int64_t now = 1000000;

int64_t test_mono_ms(void)
{
    return now;
}

/* A node whose blocks take so long, looked at each three seconds for so many. */
static unsigned pace_of(unsigned block_ms, unsigned seconds)
{
    struct block_pace p = { 0 };
    int64_t begun = now;

    for (unsigned s = 0; s <= seconds; s += 3) {
        block_pace_note(&p, 5000 + (uint64_t)(now - begun) / block_ms);
        now += 3000;
    }
    return p.block_ms;
}

static bool is_near(unsigned is, unsigned want)
{
    return is * 20 >= want * 18 && is * 20 <= want * 22;
}

static void measured_from_heads(void)
{
    CHECK(pace_of(200, 27) == 0 && is_near(pace_of(200, 30), 200));
    CHECK(is_near(pace_of(450, 60), 450) && is_near(pace_of(2000, 60), 2000));
    CHECK(pace_of(12000, 60) == 0 && is_near(pace_of(12000, 300), 12000));
}

/* A node that goes back, as another one behind the same name, begins anew; one that stands still tells
 * nothing. */
static void a_node_that_goes_back(void)
{
    struct block_pace p = { 0 };

    block_pace_note(&p, 5000);
    now += 40000;
    block_pace_note(&p, 4000);
    CHECK(p.block_ms == 0 && p.height == 4000);
    now += WINDOW_LONGEST_MS;
    block_pace_note(&p, 4000);
    CHECK(p.block_ms == 0 && p.since_ms == now);
    now += 30000;
    block_pace_note(&p, 4150);
    CHECK(p.block_ms == 200);
    now += 30000;
    block_pace_note(&p, UINT64_MAX);
    CHECK(p.block_ms == 1);
}

/* By the pace since two nodes agreed, and a twentieth of the time to each side. */
static void heights_grow_from_those_that_two_nodes_agreed_on(void)
{
    const struct chain *c = chain_find("optimism"); /* 2 s */
    uint64_t heights[3] = { 0 };

    CHECK(!block_height_fits(c, 100000));
    heights[0] = 100000;
    block_height_tell(c, heights, 3); /* one alone says nothing */
    heights[2] = 100400;
    block_height_tell(c, heights, 3);
    CHECK(!block_height_fits(c, 100000));
    heights[1] = 100010;
    block_height_tell(c, heights, 3);
    CHECK(block_height_fits(c, 100000) && block_height_fits(c, 99850) && block_height_fits(c, 100150));
    CHECK(!block_height_fits(c, 99849) && !block_height_fits(c, 100151) && !block_height_fits(c, 0));
    CHECK(!block_height_fits(c, UINT64_MAX) && !block_height_fits(chain_find("base"), 100000));
    now += 4000 * 1000;
    CHECK(block_height_fits(c, 102000 - 250) && block_height_fits(c, 102000 + 250));
    CHECK(!block_height_fits(c, 102000 - 251) && !block_height_fits(c, 102000 + 251));
    heights[0] = heights[1] = 0;
    block_height_tell(c, heights, 3); /* what is kept is kept */
    CHECK(block_height_fits(c, 102000));
    now += HEIGHT_LIFE_MS;
    CHECK(!block_height_fits(c, 102000 + HEIGHT_LIFE_MS / 2000));
    now = 1000000;
}

static unsigned told(const struct chain *c, const unsigned *block_ms, size_t nodes)
{
    atomic_store(&times->block_ms[c - chains], 0);
    block_time_tell(c, block_ms, nodes);
    return block_time_ms(c);
}

#define TOLD(c, ...)                                                                                         \
    told(c, (const unsigned[]){ __VA_ARGS__ }, sizeof((unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned))

static void two_nodes_agree(void)
{
    const struct chain *optimism = chain_find("optimism");

    CHECK(optimism->block_ms == 2000);
    CHECK(TOLD(optimism, 200) == 200 && TOLD(optimism, 0) == 2000);
    CHECK(TOLD(optimism, 210, 200) == 200 && TOLD(optimism, 200, 0) == 2000 &&
          TOLD(optimism, 0, 200) == 2000);
    CHECK(TOLD(optimism, 200, 401) == 2000 && TOLD(optimism, 1, 2000) == 2000);
    CHECK(TOLD(optimism, 1, 2000, 2100) == 2000 && TOLD(optimism, 200, 50, 210) == 200);
    CHECK(TOLD(optimism, 1, 1) == 50 && TOLD(optimism, 100000, 100000) == 8000);
}

static void depths_cover_time(void)
{
    static const struct conf conf;
    const struct chain *optimism = chain_find("optimism"), *polygon = chain_find("polygon"),
                       *ton = chain_find("ton");

    CHECK(TOLD(optimism, 200) == 200);
    CHECK(confirm_depth_of(&conf, optimism) == 1 && settle_depth_of(&conf, optimism) == 1 + 199 * 10);
    CHECK(TOLD(polygon, 700) == 700);
    CHECK(confirm_depth_of(&conf, polygon) == 1 + 12 && settle_depth_of(&conf, polygon) == 1 + 1426);
    CHECK(TOLD(polygon, 1750) == 1750 && confirm_depth_of(&conf, polygon) == 5);
    CHECK(TOLD(polygon, 8000) == 8000 && confirm_depth_of(&conf, polygon) == 5 &&
          settle_depth_of(&conf, polygon) == 500);
    CHECK(block_time_ms(ton) > 0);
}

static void shared_unless_turned_off(void)
{
    char path[] = "/tmp/block-times-XXXXXX", file[sizeof path + 8];
    struct conf conf = { .shm_file = path, .measure_block_times = true };
    const struct chain *base = chain_find("base");

    CHECK(mkstemp(path) >= 0);
    (void)snprintf(file, sizeof file, "%s.blocks", path);
    block_times_share(&conf);
    CHECK(TOLD(base, 100, 100) == 100 && times != &own_times);
    times = &own_times;
    CHECK(block_time_ms(base) == 200);
    block_times_share(&conf); /* another process */
    CHECK(block_time_ms(base) == 100);
    conf.measure_block_times = false;
    block_times_share(&conf);
    CHECK(block_time_ms(base) == 200 && TOLD(base, 100, 100) == 200);
    CHECK(unlink(file) == 0 && unlink(path) == 0);
}

TEST_MAIN(TEST(heights_grow_from_those_that_two_nodes_agreed_on), TEST(measured_from_heads),
          TEST(a_node_that_goes_back), TEST(two_nodes_agree), TEST(depths_cover_time),
          TEST(shared_unless_turned_off))
