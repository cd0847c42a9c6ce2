#include "orders/order_record.h"

#include "base/fault.h"
#include "store/policies.h"

bool order_spend_record(struct db *db, uint64_t execution_id, struct order_progress was,
                        struct order_progress now, uint64_t whole)
{
    if (was.status == now.status && was.filled == now.filled)
        return true;
    if (order_has_ended(now.status))
        return spends_keep(db, execution_id, now.filled, whole);
    return !order_has_ended(was.status) || spends_keep(db, execution_id, 1, 1);
}

bool order_events_record(struct db *db, const struct event_draft *events, size_t n)
{
    for (size_t i = 0; i < n; i += EVENTS_AT_ONCE) {
        size_t some = n - i < EVENTS_AT_ONCE ? n - i : EVENTS_AT_ONCE;

        if (!STEP("outbox.add", events_add_all(db, &events[i], some), false))
            return false;
    }
    return true;
}
