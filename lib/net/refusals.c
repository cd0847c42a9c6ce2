#include "net/refusals.h"

#include <stdatomic.h>

enum { SECOND_MS = 1000 };

bool call_refuses_us(const struct call *call)
{
    return call->result == CALL_ANSWERED &&
           (call->status == 401 || call->status == 402 || call->status == 403 || call->status == 404 ||
            call->status == 410);
}

/* The next time, and the longer pause after it. */
static void refusals_put_off(struct refusals *r, int64_t now_ms)
{
    unsigned n = atomic_fetch_add(&r->in_vain, 1);

    atomic_store(&r->again_ms,
                 now_ms + ((int64_t)REFUSALS_AGAIN_MS << (n < REFUSALS_DOUBLINGS ? n : REFUSALS_DOUBLINGS)));
}

void refusals_add(struct refusals *r, int64_t now_ms)
{
    atomic_fetch_add(&r->answers, 1);
    if (refusals_stand(r))
        refusals_put_off(r, now_ms);
}

void refusals_add_broken(struct refusals *r)
{
    atomic_fetch_add(&r->broken, 1);
}

void refusals_serve(struct refusals *r, enum refused what)
{
    int was = (int)what;

    atomic_store(what == REFUSED_CONTENT ? &r->broken : &r->answers, 0);
    if (atomic_compare_exchange_strong(&r->refused, &was, REFUSED_NOT))
        atomic_store(&r->in_vain, 0);
}

bool refusals_stand(const struct refusals *r)
{
    return atomic_load(&r->refused) != REFUSED_NOT;
}

bool refusals_in_doubt(const struct refusals *r, int64_t now_ms)
{
    if (refusals_stand(r))
        return now_ms >= atomic_load(&r->again_ms);
    return atomic_load(&r->answers) >= REFUSALS_MAX || atomic_load(&r->broken) >= BROKEN_MAX;
}

bool refusals_confirm(struct refusals *r, int64_t now_ms)
{
    enum refused what = atomic_load(&r->broken) >= BROKEN_MAX && atomic_load(&r->answers) < REFUSALS_MAX
                            ? REFUSED_CONTENT
                            : REFUSED_ANSWERS;

    refusals_put_off(r, now_ms);
    return atomic_exchange(&r->refused, (int)what) == REFUSED_NOT;
}

bool refusals_admit(struct refusals *r, int64_t now_ms)
{
    int64_t due_ms = atomic_load(&r->again_ms);

    return !refusals_stand(r) || (now_ms >= due_ms && atomic_compare_exchange_strong(
                                                          &r->again_ms, &due_ms, now_ms + REFUSALS_AGAIN_MS));
}

unsigned refusals_wait_s(const struct refusals *r, int64_t now_ms)
{
    int64_t left_ms = atomic_load(&r->again_ms) - now_ms;

    return left_ms <= SECOND_MS ? 1 : (unsigned)((left_ms + SECOND_MS - 1) / SECOND_MS);
}
