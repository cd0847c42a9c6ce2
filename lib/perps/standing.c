#include "perps/standing.h"

#include <string.h>

#include "perps/account.h"
#include "perps/number.h"
#include "perps/venue.h"

static bool held_read(const struct perps_state *s, const char *asset, struct perps_standing *out)
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

static bool shows_nothing(const struct perps_state *s, const struct perps_available *av)
{
    return s->count == 0 && !perps_is_positive(s->value) && amount_is_zero(av->to_buy) &&
           amount_is_zero(av->to_sell);
}

/* What an account has among its spot balances may all be held for orders. */
static const struct err *nothing_explain(const struct ctx *ctx, struct arena *a, const struct wallet *w)
{
    struct perps_withdrawable account;
    const struct err *e = perps_withdrawable(ctx, a, w, &account);

    return e != NULL || account.has_something ? e : &E_PERPS_NOT_FUNDED;
}

static const struct err *answers_read(struct arena *a, const struct perps_asking *q,
                                      const struct perps_asset *p, struct perps_standing *out, bool *nothing)
{
    const struct evm_addr *user = q->questions[0].user;
    struct perps_state state;

    if (!perps_read_state(a, &q->calls[0].answer, user, &state) || !held_read(&state, p->name, out))
        return perps_senseless("clearinghouseState");
    if (!perps_read_leverage(&q->calls[1].answer, user, p->name, &out->setting) ||
        !perps_read_available(a, &q->calls[1].answer, &out->available))
        return perps_senseless("activeAssetData");
    *nothing = shows_nothing(&state, &out->available);
    return NULL;
}

const struct err *perps_standing(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                 const struct perps_asset *p, struct perps_standing *out)
{
    const struct evm_addr user = evm_addr_or_zero(w->ref.address);
    struct perps_asking q = { .questions = { { .type = "clearinghouseState", .user = &user },
                                             { .type = "activeAssetData", .asset = p->name, .user = &user } },
                              .count = 2 };
    const struct err *e = perps_ask(ctx, a, &q);
    bool nothing = false;

    *out = (struct perps_standing){ .held_size = 0 };
    if (e == NULL)
        e = answers_read(a, &q, p, out, &nothing);
    perps_asking_free(&q);
    return e == NULL && nothing ? nothing_explain(ctx, a, w) : e;
}
