#include "perps/perps_transfer_poll.h"

#include "codec/rand.h"
#include "net/bulkhead.h"
#include "perps/perps_venue.h"
#include "store/perps_transfers.h"

static const char TYPE[] = "userNonFundingLedgerUpdates";

enum { POLL_ONE_IN = 3, CLOCKS_MS = 60 * 1000, TOO_MANY = 429 };

struct transfer_poll *transfer_poll_begin(const struct ctx *ctx, struct arena *a,
                                          const struct venue_request *r)
{
    struct transfer_poll *l = ARENA_NEW(a, struct transfer_poll);

    *l = (struct transfer_poll){ .ctx = ctx, .since_ms = r->effect.created_ms - CLOCKS_MS };
    if (!evm_addr_read(&l->wallet, arena_strndup(a, (const char *)r->signing_key, r->signing_key_len)) ||
        perps_transfers_get(ctx->db, r->effect.execution_id, &l->transfer) != LOOKUP_FOUND ||
        !perps_transfers_proofs(ctx->db, a, r->effect.wallet_id, l->since_ms, &l->taken))
        return NULL;
    return l;
}

bool transfer_poll_ask(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                       struct arena *a)
{
    struct perps_question q = { .type = TYPE };
    struct transfer_poll *l;

    if (!perps_request_budget_take(ctx, perps_question_weight(TYPE), PERPS_REQUEST_BUDGET_POLLS) ||
        (l = transfer_poll_begin(ctx, a, r)) == NULL)
        return false;
    q.user = &l->wallet;
    q.since_ms = l->since_ms;
    perps_question_call(call, ctx, a, &q);
    call_use_lane(call, ctx->bulkhead, BULKHEAD_PERPS);
    call->owner = l;
    return true;
}

bool transfer_poll_read(const struct call *call, struct arena *a, struct venue_ledger *out)
{
    const struct transfer_poll *l = call->owner;

    if (call->status == TOO_MANY)
        perps_request_budget_refused();
    if (!perps_is_answered(call, TYPE))
        return false;
    if (venue_ledger_read(a, &call->answer, &l->wallet, out))
        return true;
    (void)perps_senseless(TYPE);
    return false;
}

bool transfer_look_is_due(void)
{
    return rand_below(POLL_ONE_IN) == 0;
}
