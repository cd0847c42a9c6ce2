#include "route/shortlist.h"

#include <string.h>

#include "base/clock.h"
#include "base/shm_cache.h"

enum {
    PLACES = 64,
    KEPT_MS = 30000,
};

struct shortlist {
    const struct provider *provider; /* NULL: the place is free */
    const struct chain *from_chain, *to_chain;
    char from[sizeof((struct token_ref *)0)->address], to[sizeof((struct token_ref *)0)->address];
    unsigned magnitude;
    bool reference_out; /* the best route for small parts is included */
    struct rate price;  /* that small parts got */
    int64_t until_ms;   /* on the monotonic clock */
    struct route_list routes;
};

static struct shm_cache shortlists = SHM_CACHE_INIT(PLACES, struct shortlist);

void shortlists_share(void)
{
    shm_cache_share(&shortlists);
}

/* Bits of the amount, in steps of a factor of 16. */
static unsigned magnitude(struct u256 v)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < 4; i++)
        if (v.limb[i] != 0)
            bits = i * 64 + 64 - (unsigned)__builtin_clzll(v.limb[i]);
    return bits / 4;
}

static unsigned text_hash(unsigned h, const char *text)
{
    for (; *text != '\0'; text++)
        h = h * 31 + (unsigned char)*text;
    return h;
}

static size_t shortlist_place(const struct route_in *in)
{
    unsigned h = text_hash(text_hash(magnitude(in->amount_in), in->from.address), in->to.address);

    return (h + (unsigned)in->from_chain->id) % PLACES;
}

static bool shortlist_find(struct shortlist *out, const struct route_in *in, const struct provider *p)
{
    return shm_cache_read(&shortlists, shortlist_place(in), out) && out->provider == p &&
           out->from_chain == in->from_chain && out->to_chain == in->to_chain &&
           out->magnitude == magnitude(in->amount_in) && strcmp(out->from, in->from.address) == 0 &&
           strcmp(out->to, in->to.address) == 0;
}

void shortlist_use(struct route_in *in, struct route_list *routes, const struct provider *p)
{
    struct shortlist s;

    if (!shortlist_find(&s, in, p) || s.routes.len == 0 || s.until_ms < clock_mono_ms() ||
        (in->wants_reference && !s.reference_out))
        return;
    *routes = s.routes;
    in->shortlist = routes;
    if (!u256_muldiv(&in->expected, in->amount_in, s.price.get, s.price.give))
        in->expected = U256_ZERO;
}

void shortlist_make(struct route_list *out, const struct route_answer *answer)
{
    *out = (struct route_list){ .len = 0 };
    for (size_t i = 0; i < 2 && i < answer->count; i++)
        route_list_add(out, answer->offers[i].payload.data, answer->offers[i].payload.len);
    if (out->len > 0)
        route_list_add(out, answer->small.data, answer->small.len);
}

void shortlist_keep(const struct route_in *in, const struct provider *p, const struct route_answer *answer)
{
    struct shortlist s = {
        .provider = p,
        .from_chain = in->from_chain,
        .to_chain = in->to_chain,
        .magnitude = magnitude(in->amount_in),
        .reference_out = in->wants_reference,
        .price = { in->amount_in, answer->reference_out },
        .until_ms = clock_mono_ms() + KEPT_MS,
    };

    memcpy(s.from, in->from.address, sizeof s.from);
    memcpy(s.to, in->to.address, sizeof s.to);
    shortlist_make(&s.routes, answer);
    shm_cache_write(&shortlists, shortlist_place(in), &s);
}

void shortlist_drop(const struct route_in *in, const struct provider *p)
{
    struct shortlist s;

    if (!shortlist_find(&s, in, p))
        return;
    s.provider = NULL;
    shm_cache_write(&shortlists, shortlist_place(in), &s);
}
