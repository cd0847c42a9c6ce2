#include "perps/transfer_look.h"

#include "codec/rand.h"
#include "store/perps_transfers.h"

enum { LOOKS = 3, CLOCKS_MS = 60 * 1000 };

struct transfer_look *transfer_look_begin(const struct ctx *ctx, struct arena *a,
                                          const struct venue_request *r)
{
    struct transfer_look *l = ARENA_NEW(a, struct transfer_look);

    *l = (struct transfer_look){ .ctx = ctx, .since_ms = r->effect.created_ms - CLOCKS_MS };
    if (!evm_addr_read(&l->wallet, arena_strndup(a, (const char *)r->signing_key, r->signing_key_len)) ||
        perps_transfers_get(ctx->db, r->effect.execution_id, &l->transfer) != FOUND_ONE ||
        !perps_transfers_proofs(ctx->db, a, r->effect.wallet_id, l->since_ms, &l->taken))
        return NULL;
    return l;
}

bool transfer_look_is_due(void)
{
    return rand_below(LOOKS) == 0;
}
