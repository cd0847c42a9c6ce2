#include "drift/node_questions.h"

#include <inttypes.h>

enum { DEADLINE_MS = 5000, PACE_FACTOR = 2 };

const char *node_drift_name(struct arena *a, const struct node_checked *n)
{
    return arena_printf(a, "%s/%s%zu", n->chain->key, n->role == NODE_VERIFY ? "verify-" : "", n->place + 1);
}

/* Nothing that is counted in blocks is right then. */
static bool pace_is_other(const struct chain *c, unsigned ms)
{
    return ms != 0 && c->block_ms != 0 && (ms > c->block_ms * PACE_FACTOR || ms * PACE_FACTOR < c->block_ms);
}

static const char *abilities_text(struct arena *a, const struct node_checked *n,
                                  const struct node_abilities *can)
{
    const char *text = arena_printf(a, "block %" PRIu64, n->height);

    if (can->block_ms != 0)
        text = arena_printf(a, "%s, one each %u ms", text, can->block_ms);
    if (can->simulation != NULL)
        text = arena_printf(a, "%s; no eth_simulateV1 (%s)", text, can->simulation);
    if (can->logs != NULL)
        text = arena_printf(a, "%s; no logs of %d blocks (%s)", text, NODE_LOGS_BLOCKS, can->logs);
    return text;
}

void node_drift(struct asking *k, const struct node_checked *n)
{
    struct node_abilities can;

    k->report.took_ms = n->took_ms;
    if (n->error != NULL) {
        asking_found(k, n->known && !n->right ? DRIFT_UNSAFE : DRIFT_UNAVAILABLE, "%s", n->error);
        return;
    }
    can = node_abilities(n, k->ctx, k->arena, DEADLINE_MS);
    if (pace_is_other(n->chain, can.block_ms))
        asking_found(k, DRIFT_CHANGED, "a block comes each %u ms, the table says %u; %s", can.block_ms,
                     n->chain->block_ms, abilities_text(k->arena, n, &can));
    else
        asking_found(k, DRIFT_WORKS, "%s", abilities_text(k->arena, n, &can));
}
