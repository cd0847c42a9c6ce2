#include "perps/perps_position_state.h"

#include <string.h>

#include "perps/number.h"
#include "perps/perps_account.h"
#include "perps/perps_venue.h"

static bool held_read(const struct perps_state *s, const char *asset, struct perps_position_state *out)
{
    struct amount size;

    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->positions[i].asset, asset) == 0) {
            out->held = s->positions[i];
            out->has_position = true;
            return perps_amount(&size, out->held.size) && u256_to_u64(&out->held_size, size.raw);
        }
    return true;
}

/* All spot balances of an account may be held for orders. */
static const struct err *nothing_explain(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                         const struct perps_available *av)
{
    struct perps_withdrawable account;
    const struct err *e;

    if (!amount_is_zero(av->to_buy) || !amount_is_zero(av->to_sell))
        return NULL;
    e = perps_withdrawable(ctx, a, w, &account);
    return e != NULL || account.has_something ? e : &E_PERPS_NOT_FUNDED;
}

static const struct err *position_read(struct arena *a, const struct call *c, const struct evm_addr *user,
                                       const struct perps_asset *p, struct perps_position_state *out)
{
    struct perps_state state;

    if (!perps_read_state(a, &c->answer, user, &state) || !held_read(&state, p->name, out))
        return perps_senseless("clearinghouseState");
    return NULL;
}

static const struct err *setting_read(struct arena *a, const struct call *c, const struct evm_addr *user,
                                      const struct perps_asset *p, struct perps_position_state *out)
{
    if (!perps_read_leverage(&c->answer, user, p->name, &out->setting) ||
        !perps_read_available(a, &c->answer, &out->available))
        return perps_senseless("activeAssetData");
    return NULL;
}

enum { ASK_POSITION = 1, ASK_SETTING = 2 };

/* These at the same time. */
static const struct err *standing_ask(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                      const struct perps_asset *p, unsigned what,
                                      struct perps_position_state *out)
{
    const struct evm_addr user = evm_addr_or_zero(w->ref.address);
    struct perps_asking q = { .count = 0 };
    const struct call *answered = q.calls;
    const struct err *e;

    if ((what & ASK_POSITION) != 0)
        q.questions[q.count++] = (struct perps_question){ .type = "clearinghouseState", .user = &user };
    if ((what & ASK_SETTING) != 0)
        q.questions[q.count++] =
            (struct perps_question){ .type = "activeAssetData", .asset = p->name, .user = &user };
    e = perps_ask(ctx, a, &q);
    if (e == NULL && (what & ASK_POSITION) != 0)
        e = position_read(a, answered++, &user, p, out);
    if (e == NULL && (what & ASK_SETTING) != 0)
        e = setting_read(a, answered, &user, p, out);
    perps_asking_free(&q);
    return e;
}

const struct err *perps_position_state(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                       const struct perps_asset *p, struct perps_position_state *out)
{
    const struct err *e;

    *out = (struct perps_position_state){ .held_size = 0 };
    e = standing_ask(ctx, a, w, p, ASK_SETTING, out);
    return e == NULL ? nothing_explain(ctx, a, w, &out->available) : e;
}

const struct err *perps_position_state_whole(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                             const struct perps_asset *p, struct perps_position_state *out)
{
    const struct err *e;

    *out = (struct perps_position_state){ .held_size = 0 };
    e = standing_ask(ctx, a, w, p, ASK_POSITION | ASK_SETTING, out);
    return e == NULL && !out->has_position ? nothing_explain(ctx, a, w, &out->available) : e;
}

const struct err *perps_position_state_one(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                           const struct perps_asset *p, struct perps_position_state *out)
{
    return standing_ask(ctx, a, w, p, ASK_POSITION, out);
}
