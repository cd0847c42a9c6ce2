#include "swap/event.h"

#include "core/clock.h"
#include "store/events.h"
#include "store/swaps.h"
#include "swap/view.h"
#include "webhook/payload.h"

bool swap_event_add(struct db *db, struct arena *a, uint64_t swap_id)
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
