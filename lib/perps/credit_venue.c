#include "perps/credit_venue.h"

#include <string.h>

#include "base/clock.h"
#include "codec/rand.h"
#include "perps/perps_transfer_poll.h"

/* Its key only tells it from other requests. */
static bool credit_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                        struct venue_request *out)
{
    static const char body[] = "{}";

    (void)ctx;
    (void)a;
    (void)in;
    rand_bytes(out->venue_key, sizeof out->venue_key);
    out->body = (const uint8_t *)body;
    out->body_len = strlen(body);
    return true;
}

/* Whether the ledger was told at all. */
static bool credit_read(const struct call *call, struct arena *a, struct request_observation *out)
{
    const struct transfer_poll *l = call->owner;
    const struct ledger_wanted wanted = { .most = l->transfer.amount,
                                          .expected = l->transfer.expected,
                                          .least = l->transfer.least,
                                          .since_ms = l->since_ms,
                                          .taken = l->taken };
    const struct ledger_row *credit;
    struct venue_ledger ledger;

    if (!transfer_poll_read(call, a, &ledger))
        return false;
    credit = venue_ledger_credit(&ledger, &wanted, &out->brought);
    if (credit != NULL) {
        out->says = VENUE_FILLED;
        out->venue_ref = credit->id;
        out->has_brought = true;
    }
    return true;
}

static void credit_read_send(const struct call *call, const struct venue_request *r, struct arena *a,
                             struct request_observation *out)
{
    (void)r;
    if (credit_read(call, a, out) && out->says != VENUE_FILLED)
        out->says = VENUE_HAS;
}

/* Nothing is credited before its transactions are confirmed, which is when it is sent first. What came later
 * than anything is sent is found all the same. */
static bool credit_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                              struct arena *a)
{
    bool early = r->effect.broadcasts == 0 && clock_ms() - r->effect.created_ms < TRANSFER_UNSENT_MS;

    return !early && transfer_look_is_due() && transfer_poll_ask(call, ctx, r, a);
}

/* A missing credit proves nothing: it may still come. */
static void credit_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                               struct request_observation *out)
{
    (void)r;
    (void)credit_read(call, a, out);
}

const struct venue perps_credit_venue = { .name = "hyperliquid-credit",
                                          .sign = credit_sign,
                                          .ask_send = transfer_poll_ask,
                                          .read_send = credit_read_send,
                                          .ask_status = credit_ask_status,
                                          .read_status = credit_read_status };

void perps_credit_request(struct plan *p, struct arena *a)
{
    struct plan_request *r = &p->requests[p->request_count++];

    *r = (struct plan_request){ .venue = &perps_credit_venue,
                                .signing_key = arena_memdup(a, p->wallet, strlen(p->wallet)),
                                .signing_key_len = strlen(p->wallet) };
}
