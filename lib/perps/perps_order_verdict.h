/* The verdict of a poll of an order for perpetuals. Pure.
 *
 * Reads of the venue lag behind its writes, so silence changes nothing, and what it says is never taken back:
 * less filled than before, or resting after an end, is an answer of the past. An order is final when its end
 * is known and its trades add up to what was filled. The venue knows the last orders of an account by their
 * number alone: of another one that is off its list, trades and a cancel tell the end. */
#ifndef PERPS_PERPS_ORDER_VERDICT_H
#define PERPS_PERPS_ORDER_VERDICT_H

#include "perps/order_read.h"
#include "store/perps_fills.h"

struct perps_observation {
    bool seen; /* the venue has shown it: at_venue */
    struct perps_seen at_venue;
    bool unknown;               /* it says that it does not know it, and its list of what rests lacks it */
    bool cancelled;             /* a cancel was answered in this poll */
    struct perps_traded traded; /* by all trades that are recorded */
    enum order_status parent;   /* of what stands behind an order: that one's; 0: it stands behind none */
    int64_t now_ms;             /* by the database's clock */
};

struct perps_verdict {
    struct perps_order now;
    const char *event; /* the type of the event that tells the agent; NULL: there is nothing to tell */
    bool changed;      /* something has to be recorded */
    bool untold;       /* it is gone, and the venue has forgotten what became of it: its trades tell */
};

struct perps_verdict perps_verdict(const struct perps_order *o, const struct perps_observation *s);

/* Whether its trades have to be asked for: more is filled than they say, or it has ended. */
bool perps_wants_fills(const struct perps_verdict *v);

/* Whether the venue has not known it for so long that a cancel has to make sure of its end. */
bool perps_wants_cancel(const struct perps_order *o, const struct perps_observation *s);

#endif
