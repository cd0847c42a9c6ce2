#include "exec/newest.h"

#include <stdlib.h>

#include "base/clock.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "chain/unavailable.h"
#include "exec/opinion.h"

enum {
    DEADLINE_MS = 2000,
    BODY_MAX = 512,
    APART_MAX_MS = 600000,
    AHEAD_MAX_MS = 60000, /* of our clock */
    /* Times as many blocks, or as few, as the chain has on average in that time. */
    FASTER_MAX = 4,
    SLOWER_MAX = 16,
};

/* One node's words. */
struct height {
    uint64_t block;
    bool dated;      /* it says when the lower one of two blocks was made */
    int64_t made_ms; /* then */
};

static uint64_t apart_max(const struct chain *c)
{
    return APART_MAX_MS / block_time_ms(c);
}

/* Each node's answer; with `when` also the time of that block. Returns how many report a height. */
static size_t heights_ask(struct height out[static NODE_OPINIONS], const struct ctx *ctx, struct arena *a,
                          const struct chain *c, const struct height_words *words, const uint64_t *when)
{
    struct buf body = BUF_INIT(BODY_MAX);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    size_t told = 0, answered;
    int64_t seconds;

    rpc_add(&b, words->method, "%s", words->params);
    if (when != NULL)
        words->ask_time(&b, *when);
    rpc_end(&b);
    answered = node_ask_two(ctx, c, &b, DEADLINE_MS, a, answers);
    for (size_t i = 0; i < answered; i++) {
        struct height *h = &out[told];

        told += words->read(&h->block, &answers[i].items[0]);
        h->dated = when != NULL && words->read_time(&seconds, &answers[i].items[1]) && seconds > 0 &&
                   seconds < INT64_MAX / 1000;
        h->made_ms = h->dated ? seconds * 1000 : 0;
    }
    node_answers_free(answers, answered);
    buf_free(&body);
    return told;
}

/* By its own words the block was made at a time that fits how many have come since. */
static bool fits_clock(const struct height *h, const struct chain *c, uint64_t lower)
{
    int64_t age_ms = clock_ms() - h->made_ms;
    uint64_t since = h->block > lower ? h->block - lower : 0, age;

    if (!h->dated || age_ms < -AHEAD_MAX_MS || h->block + apart_max(c) < lower)
        return false;
    age = age_ms < 0 ? 0 : (uint64_t)age_ms / block_time_ms(c); /* blocks, on average */
    return since <= FASTER_MAX * age + apart_max(c) && age / SLOWER_MAX <= since + apart_max(c) / SLOWER_MAX;
}

static bool lower_of(uint64_t *block, const struct chain *c, const struct height *said, size_t n)
{
    uint64_t least = n > 0 ? said[0].block : 0, most = least;

    for (size_t i = 1; i < n; i++) {
        least = said[i].block < least ? said[i].block : least;
        most = said[i].block > most ? said[i].block : most;
    }
    *block = least;
    return n > 0 && most - least <= apart_max(c);
}

/* The chain may be faster than on average: a lower block that both date alike is not so old as to matter. */
static bool dated_alike(const struct height *said, size_t n)
{
    return n == NODE_OPINIONS && llabs(said[0].made_ms - said[1].made_ms) <= AHEAD_MAX_MS;
}

/* Both can be true by our clock: the one that goes on from what two nodes agreed on before. */
static bool goes_on(uint64_t *block, const struct chain *c, const struct height *said, size_t n)
{
    size_t fit = 0;

    for (size_t i = 0; i < n; i++)
        if (block_height_fits(c, said[i].block)) {
            *block = said[i].block;
            fit++;
        }
    return fit == 1;
}

/* Settles the height by the nodes whose answers fit the clock. */
static bool settle(uint64_t *block, const struct ctx *ctx, struct arena *a, const struct chain *c,
                   const struct height_words *words, uint64_t lower)
{
    struct height said[NODE_OPINIONS];
    size_t told = heights_ask(said, ctx, a, c, words, &lower), fit = 0;

    for (size_t i = 0; i < told; i++)
        if (fits_clock(&said[i], c, lower))
            said[fit++] = said[i];
    return lower_of(block, c, said, fit) || dated_alike(said, fit) || goes_on(block, c, said, fit);
}

enum lookup newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c,
                         const struct height_words *words, uint64_t *block)
{
    struct height said[NODE_OPINIONS];
    size_t told = heights_ask(said, ctx, a, c, words, NULL);
    bool near = lower_of(block, c, said, told);

    if (told == 0)
        return nodes_known(ctx->nodes, c) ? LOOKUP_ERROR : LOOKUP_NONE;
    if (near && (told >= NODE_OPINIONS || !opinions_differ(ctx, c)))
        return LOOKUP_FOUND;
    if (!near)
        (void)chain_senseless(c, "height");
    return settle(block, ctx, a, c, words, *block) ? LOOKUP_FOUND : LOOKUP_ERROR;
}
