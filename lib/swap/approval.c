#include "swap/approval.h"

#include "store/approvals.h"
#include "store/swaps.h"
#include "swap/event.h"

struct end_job {
    struct arena *arena;
    const struct approval *denied; /* NULL: it lapsed */
    struct swap_move move;
};

/* The approval decides: whoever changes its state may go on. */
static enum tx_verdict end_tx(struct db *db, void *arg)
{
    struct end_job *job = arg;
    int ended =
        job->denied != NULL ? approvals_deny(db, &job->denied->id) : approvals_lapse(db, job->move.id);

    if (ended <= 0)
        return ended < 0 ? TX_FAILED : TX_ROLLBACK;
    if (swaps_move(db, &job->move) < 0 || !swaps_settle(db, job->move.id, FOLLOW_NOT) ||
        !swap_tell(db, job->arena, &job->move))
        return TX_FAILED;
    return TX_COMMIT;
}

void approval_lapse(struct db *db, struct arena *a, const struct swap *s)
{
    static const char why[] = "Not approved and executed in time; nothing was signed";
    struct end_job job = { .arena = a,
                           .move = { .id = s->id,
                                     .agent_id = s->agent_id,
                                     .from = SWAP_PENDING,
                                     .to = SWAP_EXPIRED,
                                     .why = why,
                                     .error_code = "APPROVAL_EXPIRED",
                                     .error_message = why } };

    if (s->status == SWAP_PENDING)
        (void)db_outcome(db_transact(db, end_tx, &job)); /* looked at again when it failed */
}

int approval_deny(struct db *db, struct arena *a, const struct approval *ap)
{
    static const char why[] = "The operator did not approve it; nothing was signed";
    struct end_job job = { .arena = a,
                           .denied = ap,
                           .move = { .id = ap->swap_id,
                                     .agent_id = ap->agent_id,
                                     .from = SWAP_PENDING,
                                     .to = SWAP_FAILED,
                                     .why = why,
                                     .error_code = "POLICY_VIOLATION",
                                     .error_message = why } };

    return db_outcome(db_transact(db, end_tx, &job));
}
