/* Dollars on their way to or from the venue of perpetuals, in addition to their execution, whose kind says
 * which. */
#ifndef MODEL_PERPS_TRANSFER_H
#define MODEL_PERPS_TRANSFER_H

#include "model/execution.h"

/* Their numbers are stored. */
enum perps_route {
    PERPS_BRIDGE = 1, /* the venue's own contract on Arbitrum */
    PERPS_CCTP = 2,   /* Circle's transfer protocol */
};

/* Amounts are smallest units of the dollar on its chain. */
struct perps_transfer {
    uint64_t execution_id;
    uint64_t agent_id, wallet_id;
    enum exec_kind_id kind;
    enum perps_route route;
    uint64_t chain_id;
    struct u256 amount;          /* what leaves */
    struct u256 expected, least; /* what of it arrives, as far as is known; and if it costs the most */
    uint64_t block;              /* of a withdrawal: the chain's newest one before it was signed */
};

#endif
