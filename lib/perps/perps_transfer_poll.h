/* A poll of where a transfer's dollars are: what has to be known of it. */
#ifndef PERPS_PERPS_TRANSFER_POLL_H
#define PERPS_PERPS_TRANSFER_POLL_H

#include "base/arena.h"
#include "chain/evm/evm_addr.h"
#include "model/execution.h"
#include "model/perps_transfer.h"
#include "net/call.h"
#include "perps/venue_ledger.h"
#include "service/ctx.h"

enum {
    TRANSFER_UNSENT_MS = 60 * 1000, /* after that, what seems to be unsent is looked for too */
    TRANSFER_LAG_MS = 15 * 1000,    /* by which reads of the venue may lag behind its writes */
};

struct transfer_poll {
    const struct ctx *ctx;
    struct perps_transfer transfer;
    struct evm_addr wallet;
    int64_t since_ms;         /* what came before was not its */
    const char *const *taken; /* what arrived of the wallet's other transfers, ending with NULL */
};

/* In the arena. NULL when the database does not tell. */
struct transfer_poll *transfer_poll_begin(const struct ctx *ctx, struct arena *a,
                                          const struct venue_request *r);

/* Makes the call that asks the venue's ledger, whose `owner` is the poll. False: not now. */
bool transfer_poll_ask(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                       struct arena *a);
/* Reads that call, once it has been run; the caller frees it. False: the ledger was not told. */
bool transfer_poll_read(const struct call *call, struct arena *a, struct venue_ledger *out);

/* A transfer in flight is looked at every second, and a poll costs a fiftieth of a host's weight in a minute:
 * by chance, one poll in three asks. */
bool transfer_look_is_due(void);

#endif
