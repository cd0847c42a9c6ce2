/* The time of a chain's block: measured from the heads of its nodes, and before that by the table of chains.
 * The processes of a host share the measurements of one of them. Code that counts blocks and means time asks
 * here. */
#ifndef CHAIN_RPC_BLOCK_TIME_H
#define CHAIN_RPC_BLOCK_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/chains.h"
#include "service/conf.h"

/* Shares it by a file next to shm_file, unless the settings turn measuring off. Call before forking, and
 * before any rights are given up. */
void block_times_share(const struct conf *conf);

/* In milliseconds, never 0: between a fortieth of the table's and four times it. */
unsigned block_time_ms(const struct chain *c);

/* The depths of the settings, or else of the table, in blocks; 1 is the block itself. Where blocks are faster
 * than the table has them, as many more as it takes to cover the same time. */
uint64_t confirm_depth_of(const struct conf *conf, const struct chain *c);
uint64_t settle_depth_of(const struct conf *conf, const struct chain *c);

/* One node's measurement. */
struct block_pace {
    uint64_t height; /* with which a measurement began; 0: none has */
    int64_t since_ms;
    unsigned block_ms; /* that the last one gave; 0: there is none */
};

/* Its head, as often as it is seen. */
void block_pace_note(struct block_pace *p, uint64_t height);
/* Reports the measurements of the chain's nodes, 0 for those without one: two have to agree where there are
 * two. */
void block_time_tell(const struct chain *c, const unsigned *block_ms, size_t nodes);

/* ---- the chain's height ---- */

/* The newest blocks of its nodes, 0 of those that name none: what two name is kept, with the time. */
void block_height_tell(const struct chain *c, const uint64_t *heights, size_t nodes);
/* Whether the height fits the last one that was kept, of a day at most, by the chain's pace since. False
 * where none is. */
bool block_height_fits(const struct chain *c, uint64_t height);

#endif
