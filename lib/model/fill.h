/* One order's part in a trade at the prediction venue. */
#ifndef MODEL_FILL_H
#define MODEL_FILL_H

#include "model/execution.h"

enum fill_state {
    FILL_MATCHED = 1,   /* the venue says so; the chain has not settled it */
    FILL_MINED = 2,     /* in a block that may still be reorganised away */
    FILL_CONFIRMED = 3, /* for good */
    FILL_FAILED = 4,    /* its settlement failed: nothing was traded */
};

enum { FILL_TRADE_MAX = 80 };

struct fill {
    uint64_t execution_id;
    char trade[FILL_TRADE_MAX + 1]; /* the venue's id of the trade */
    uint64_t size, price;           /* shares, and collateral for one; millionths */
    uint64_t paid, fee;             /* collateral, smallest units; a seller gets `paid` */
    bool maker;                     /* the order rested */
    enum fill_state state;
    struct tx_hash tx_hash; /* that settles it; none as long as nobody knows */
    int64_t at_ms;
};

#endif
