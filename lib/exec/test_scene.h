/* For tests: a swap with up to three transactions, under observation on a chain whose newest block is HEAD.
 */
#ifndef EXEC_TEST_SCENE_H
#define EXEC_TEST_SCENE_H

#include "exec/tracked.h"

enum { HEAD = 100, CONFIRM = 2, SETTLE = 10, NONCE = 5 };

struct scene {
    struct tracked tracked;
    struct execution swap;
    struct transaction txs[3];
    struct observation observations[3];
};

/* The observation of a transaction in `block` by a node with that head. */
static inline struct observation scene_observation(uint64_t block, bool succeeded)
{
    uint64_t depth = block == 0 || block > HEAD ? 0 : HEAD - block + 1;

    return (struct observation){
        .block = block, .succeeded = succeeded, .confirmed = depth >= CONFIRM, .settled = depth >= SETTLE
    };
}

static inline void scene_begin(struct scene *s, enum exec_status from)
{
    *s = (struct scene){ .swap = { .id = 7, .kind = KIND_SWAP, .agent_id = 8, .status = from } };
    s->tracked = (struct tracked){ .execution = &s->swap, .txs = s->txs, .observations = s->observations };
}

static inline void scene_add(struct scene *s, enum tx_kind kind, uint64_t nonce, uint64_t block,
                             bool succeeded)
{
    unsigned i = s->tracked.count++;

    s->txs[i] = (struct transaction){ .kind = kind,
                                      .has_nonce = true,
                                      .nonce = nonce,
                                      .hash = { { (uint8_t)(i + 1) }, 32 },
                                      .effect = { .state = block != 0 ? EFFECT_INCLUDED : EFFECT_OPEN,
                                                  .succeeded = succeeded },
                                      .block_number = block };
    s->observations[i] = scene_observation(block, succeeded);
    if (kind == TX_SPEND)
        s->tracked.spend = i;
}

/* As if nothing of it had been recorded before. */
static inline void scene_first_observation(struct scene *s)
{
    for (unsigned i = 0; i < s->tracked.count; i++) {
        s->txs[i].effect.state = EFFECT_OPEN;
        s->txs[i].block_number = 0;
    }
}

/* The chain counts the nonce as used: no more, or (`foreign`) by a transaction that was found. */
static inline void scene_take_nonce(struct scene *s, bool foreign)
{
    for (unsigned i = 0; i < s->tracked.count; i++) {
        s->observations[i].foreign = foreign && s->txs[i].nonce == NONCE;
        s->observations[i].taken = s->txs[i].nonce == NONCE && place_winner(&s->tracked, i) < 0;
    }
}

#endif
