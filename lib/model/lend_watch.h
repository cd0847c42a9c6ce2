/* A wallet that owes something to a lender, and how it stood when it was looked at last. */
#ifndef MODEL_LEND_WATCH_H
#define MODEL_LEND_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/lend_operation.h"
#include "model/wallet_ref.h"

enum { LEND_PROTOCOL_MAX = 16 };

struct lend_watch_key {
    uint64_t agent_id, wallet_id, chain_id;
    const char *protocol;
    const char
        *market; /* the id, with a lender that keeps debts of one market apart from all others; or "" */
};

struct lend_watch {
    uint64_t id, agent_id, wallet_id, chain_id;
    char protocol[LEND_PROTOCOL_MAX + 1];
    char market[LEND_MARKET_ID_MAX + 1];
    char address[WALLET_ADDR_MAX];
    uint64_t turn;       /* how often it was recorded */
    uint64_t block;      /* of the last poll that counted; 0: there was none */
    bool stale;          /* that was long ago, so that a lower block counts too */
    bool low;            /* its health was told to be low, and has not recovered since */
    unsigned debtless;   /* looks in a row that saw no debt */
    unsigned missing;    /* looks in a row that saw less than `held` without a log that says why */
    uint64_t held_block; /* when it had `held`, ... */
    const uint8_t *held; /* ... as lend/watch.h packs it; NULL: not known, or its owner has moved something */
    size_t held_len;
    uint64_t told_block; /* what logs up to it say was told without them */
};

#endif
