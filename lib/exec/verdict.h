/* The verdict on an execution by its effects. A kind's verdict is a pure function of the observations of its
 * transactions and requests, and of its status. */
#ifndef EXEC_VERDICT_H
#define EXEC_VERDICT_H

#include "exec/tracked.h"

struct verdict {
    enum exec_status to;                    /* the status that it has: it stays there */
    const char *why;                        /* for the history, where it moves */
    const char *error_code, *error_message; /* for FAILED */
    int by;                                 /* the transaction in a block that decides; -1: none */
    bool done;                              /* what was asked for has been done */
    bool settled;                           /* it has been done, and nothing can take it away any more */
    bool lost;                              /* proven: none of ours will ever decide */
    enum bridge_delivery delivery;          /* of its bridge */
    bool owed; /* its transaction has done its part, and what its bridge does is still looked at */
};

/* For kinds that one transaction decides, with those before it as mere steps on the way; if it feeds a
 * bridge, the bridge's payment decides. */
struct verdict verdict_by_spend(const struct tracked *w);
/* For kinds that requests decide: done when all of them are filled, failed with the first that was not. */
struct verdict verdict_by_requests(const struct tracked *w);
/* For kinds that have both: the transactions decide first, and once these are confirmed, the requests after
 * them. For kinds with requests only, these decide. */
struct verdict verdict_by_all(const struct tracked *w);

#endif
