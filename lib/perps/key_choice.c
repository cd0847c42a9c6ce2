#include "perps/key_choice.h"

#include <string.h>

#include "store/trading_keys.h"

static const int64_t RENEWED_MS = 14LL * 24 * 3600 * 1000;

const char *const perps_key_names[] = { "agent-gateway", "agent-gateway-2", NULL };

bool key_choose(struct db *db, uint64_t wallet_id, int64_t now_ms, struct key_choice *out)
{
    struct trading_keys keys;

    *out = (struct key_choice){ .name = perps_key_names[0] };
    if (!trading_keys_current(db, wallet_id, &keys))
        return false;
    if (keys.has_approved) {
        out->name = perps_key_names[strcmp(keys.approved.name, perps_key_names[0]) == 0];
        out->key = keys.approved;
    }
    if (keys.has_newest && !keys.newest.approved) {
        if (!keys.has_approved)
            out->key = keys.newest;
        return true;
    }
    out->is_new = !keys.has_approved || out->key.valid_until_ms - now_ms < RENEWED_MS;
    return true;
}

bool key_choice_eq(const struct key_choice *a, const struct key_choice *b)
{
    return a->is_new == b->is_new && strcmp(a->name, b->name) == 0 &&
           (a->is_new || strcmp(a->key.address, b->key.address) == 0);
}
