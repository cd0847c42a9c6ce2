#include "chain/rpc/block_time.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/shared_file.h"

enum {
    CHAINS_MAX = 32,
    FASTER_MAX = 40, /* than the table has it */
    SLOWER_MAX = 4,
    /* A measurement has both of these, or else lasts as long as the third: looks are seconds apart. */
    WINDOW_MS = 30 * 1000,
    WINDOW_BLOCKS = 20,
    WINDOW_LONGEST_MS = 300 * 1000,
    AGREE = 2, /* times the lesser of what two nodes show */
    /* Blocks that come by so much earlier, in eighths, are as fast as the table has them. */
    NEAR_OF_EIGHT = 7,
    /* Two heights are one where they are apart by the blocks of so much time; a chain keeps its pace but for
     * a part of the time that has passed. */
    HEIGHT_APART_MS = 600 * 1000,
    HEIGHT_PACE_PART = 20,
    HEIGHT_LIFE_MS = 24 * 3600 * 1000,
};

static const uint64_t LAYOUT = 0x626c6f636b730002;

/* By the rows of chains[]; 0: not measured. */
struct shared_times {
    uint64_t layout;
    _Atomic uint32_t block_ms[CHAINS_MAX];
    /* The last height that two nodes agreed on, 0: none, and when that was, by the monotonic clock. A process
     * that reads one of them anew and the other of before is a poll apart, which is less than heights may be.
     */
    _Atomic uint64_t height[CHAINS_MAX];
    _Atomic int64_t height_ms[CHAINS_MAX];
};

/* Without a file, this process uses its own. */
static struct shared_times own_times, *times = &own_times;
static bool measures = true;

void block_times_share(const struct conf *conf)
{
    struct shared_times *shared;
    int fd;

    measures = conf->measure_block_times;
    if (!measures)
        return;
    shared = shared_file_map_beside(conf->shm_file, ".blocks", sizeof *shared, LAYOUT, &fd);
    if (fd >= 0)
        (void)close(fd);
    if (shared != NULL)
        times = shared;
    else
        log_warn(
            "block_times_not_shared",
            "msg=\"how fast chains make blocks is shared with no other process\" file=%s.blocks reason=\"%s\"",
            conf->shm_file, strerror(errno));
}

static _Atomic uint32_t *measured(const struct chain *c)
{
    size_t i = (size_t)(c - chains);

    return measures && c >= chains && i < chains_count && i < CHAINS_MAX ? &times->block_ms[i] : NULL;
}

/* A file is not believed further than a node. */
static unsigned within_bounds(const struct chain *c, uint64_t block_ms)
{
    uint64_t least = c->block_ms / FASTER_MAX, most = (uint64_t)c->block_ms * SLOWER_MAX;

    block_ms = block_ms < least ? least : block_ms > most ? most : block_ms;
    return block_ms == 0 ? 1 : (unsigned)block_ms;
}

unsigned block_time_ms(const struct chain *c)
{
    _Atomic uint32_t *at = measured(c);
    uint32_t block_ms = at == NULL ? 0 : atomic_load(at);

    return within_bounds(c, block_ms == 0 ? c->block_ms : block_ms);
}

static uint64_t in_time(const struct chain *c, uint64_t depth)
{
    uint64_t block_ms = block_time_ms(c), table_ms = c->block_ms;

    if (depth <= 1 || block_ms * 8 >= table_ms * NEAR_OF_EIGHT)
        return depth;
    return 1 + ((depth - 1) * table_ms + block_ms - 1) / block_ms;
}

uint64_t confirm_depth_of(const struct conf *conf, const struct chain *c)
{
    return in_time(c, conf_chain_number(conf, "confirm_depth", c->key, c->confirm_depth));
}

uint64_t settle_depth_of(const struct conf *conf, const struct chain *c)
{
    return in_time(c, conf_chain_number(conf, "settle_depth", c->key, c->settle_depth));
}

/* ---- measuring ---- */

static bool window_is_over(int64_t lasted_ms, uint64_t blocks)
{
    return lasted_ms >= WINDOW_LONGEST_MS || (lasted_ms >= WINDOW_MS && blocks >= WINDOW_BLOCKS);
}

void block_pace_note(struct block_pace *p, uint64_t height)
{
    int64_t now = clock_mono_ms(), lasted_ms = now - p->since_ms;
    uint64_t blocks = height > p->height ? height - p->height : 0, block_ms;

    if (p->height != 0 && height >= p->height && !window_is_over(lasted_ms, blocks))
        return;
    if (p->height != 0 && blocks > 0) {
        block_ms = (uint64_t)lasted_ms / blocks;
        p->block_ms = block_ms == 0 ? 1 : block_ms > UINT_MAX ? UINT_MAX : (unsigned)block_ms;
    }
    p->height = height;
    p->since_ms = now;
}

/* The faster one of the two that are nearest to each other: one that is alone says nothing among several. */
static uint64_t agreed(const unsigned *block_ms, size_t nodes)
{
    uint64_t best = 0, apart = UINT64_MAX;

    for (size_t i = 0; i < nodes; i++)
        for (size_t j = i + 1; j < nodes; j++) {
            uint64_t x = block_ms[i], y = block_ms[j], less = x < y ? x : y, more = x < y ? y : x;

            if (less == 0 || more > AGREE * less || more - less >= apart)
                continue;
            best = less;
            apart = more - less;
        }
    return nodes == 1 ? block_ms[0] : best;
}

void block_time_tell(const struct chain *c, const unsigned *block_ms, size_t nodes)
{
    _Atomic uint32_t *at = measured(c);
    uint64_t is = agreed(block_ms, nodes);

    if (at != NULL && is != 0)
        atomic_store(at, within_bounds(c, is));
}

/* ---- the chain's height ---- */

static bool place_of(size_t *out, const struct chain *c)
{
    *out = (size_t)(c - chains);
    return c >= chains && *out < chains_count && *out < CHAINS_MAX;
}

static uint64_t height_apart(const struct chain *c)
{
    return HEIGHT_APART_MS / block_time_ms(c);
}

/* The lower one of the two that are nearest to each other; 0: no two agree. */
static uint64_t height_agreed(const struct chain *c, const uint64_t *heights, size_t nodes)
{
    uint64_t best = 0, apart = height_apart(c);

    for (size_t i = 0; i < nodes; i++)
        for (size_t j = i + 1; j < nodes; j++) {
            uint64_t x = heights[i], y = heights[j], less = x < y ? x : y, more = x < y ? y : x;

            if (less == 0 || more - less > apart)
                continue;
            best = less;
            apart = more - less;
        }
    return best;
}

void block_height_tell(const struct chain *c, const uint64_t *heights, size_t nodes)
{
    uint64_t height = height_agreed(c, heights, nodes);
    size_t i;

    if (height == 0 || !place_of(&i, c))
        return;
    atomic_store(&times->height[i], height);
    atomic_store(&times->height_ms[i], clock_mono_ms());
}

bool block_height_fits(const struct chain *c, uint64_t height)
{
    uint64_t since, wanted, apart;
    int64_t age_ms;
    size_t i;

    if (!place_of(&i, c) || atomic_load(&times->height[i]) == 0)
        return false;
    age_ms = clock_mono_ms() - atomic_load(&times->height_ms[i]);
    if (age_ms < 0 || age_ms > HEIGHT_LIFE_MS)
        return false;
    since = (uint64_t)age_ms / block_time_ms(c);
    if (__builtin_add_overflow(atomic_load(&times->height[i]), since, &wanted))
        return false;
    apart = height > wanted ? height - wanted : wanted - height;
    return apart <= height_apart(c) / 2 + since / HEIGHT_PACE_PART;
}
