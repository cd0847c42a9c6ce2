/* Transactions that others have sent, and that are said to have paid a recipient. */
#ifndef EXEC_PAYMENT_H
#define EXEC_PAYMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/chains.h"
#include "model/bridge.h"

struct call;
struct node_query;

struct payment {
    const struct tx_hash *tx;
    const char *recipient;
    bool coin;           /* coin is looked for too */
    uint64_t seen_block; /* that it has been seen in before; 0: none */
    /* ---- the chain's state ---- */
    bool known;     /* all of it was answered, by a node that has come as far */
    uint64_t block; /* 0: it is in none */
    uint64_t lists; /* the block that has the transaction, of which no receipt is shown; 0: none */
    bool succeeded;
    bool confirmed;      /* deep enough to be reported as done */
    bool settled;        /* no reorganisation is expected to take it away any more */
    bool amount_unknown; /* that coin came, or how much of it, cannot be told */
    struct arrival *arrivals;
    unsigned count;
};

/* Those on one chain that are asked about at once. */
struct payments {
    const struct chain *chain;
    struct payment *list;
    unsigned count;           /* up to PAYMENTS_MAX */
    struct node_query *query; /* with the order in which nodes are asked */
    struct call *call;        /* NULL: none could be asked */
    void *poll;               /* the family's own, from payments_begin to payments_end */
};

enum { PAYMENTS_MAX = 16 };

#endif
