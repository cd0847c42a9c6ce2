#include "swap/event.h"

#include "base/clock.h"
#include "base/fault.h"
#include "store/events.h"
#include "swap/view.h"
#include "webhook/payload.h"
#include "webhook/task_push.h"

static bool add_event(struct db *db, struct arena *a, uint64_t swap_id)
{
    struct buf body = BUF_INIT(WEBHOOK_BODY_MAX);
    struct swap s;
    struct swap_tx *txs;
    int n;
    json_t *data;
    bool ok;
    const char *type;

    if (swaps_get(db, a, 0, swap_id, &s) != 1 || (n = swaps_txs(db, a, swap_id, &txs)) < 0)
        return false;
    s.status = swap_listed(s.status);
    type = s.status == SWAP_COMPLETED ? "swap.completed" : "swap.failed";
    data = swap_view(a, &s, txs, (unsigned)n);
    ok = payload_write(&body, type, clock_ms(), data) && events_add(db, s.agent_id, type, buf_text(&body));
    json_decref(data);
    buf_free(&body);
    return ok;
}

static bool ends(enum swap_status s)
{
    return s == SWAP_COMPLETED || s == SWAP_FAILED || s == SWAP_EXPIRED;
}

bool swap_tell(struct db *db, struct arena *a, const struct swap_move *m)
{
    return task_push_swap_moved(db, m->id, m->from, m->to) &&
           (!ends(m->to) || STEP("outbox.add", add_event(db, a, m->id), false));
}
