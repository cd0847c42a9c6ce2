#include "orders/look.h"

#include "base/clock.h"
#include "base/fault.h"
#include "orders/follower.h"

struct look_call *look_call_new(struct orders_look *l, int question, void *order)
{
    struct look_call *c;

    if (clock_mono_ms() >= l->until_ms || (l->stopping != NULL && l->stopping()) || FAULT("order_poll.ask")) {
        l->silent = true;
        return NULL;
    }
    c = ARENA_NEW(l->arena, struct look_call);
    c->look = l;
    c->question = question;
    c->order = order;
    return c;
}

void look_ask(struct look_call *c)
{
    struct orders_look *l = c->look;
    int64_t left = l->until_ms - clock_mono_ms();

    c->call.timeout_ms = left > LOOK_CALL_MS ? LOOK_CALL_MS : left > 1 ? (unsigned)left : 1;
    c->call.owner = c;
    l->running++;
    net_start(l->ctx->net, &c->call);
}

void look_note_retry(struct orders_look *l, const struct call *c)
{
    if (c->retry_after_s > l->retry_after_s)
        l->retry_after_s = c->retry_after_s;
}

static bool rounds_advance(struct orders_look *l)
{
    while (l->running == 0 && !l->over && l->round < LOOK_ROUNDS)
        l->follower->ask[l->round++](l);
    return l->running > 0;
}

bool look_begin(struct orders_look *l)
{
    l->round = 0;
    l->until_ms = clock_mono_ms() + l->deadline_ms;
    return rounds_advance(l);
}

struct orders_look *look_of(const struct call *c)
{
    return ((const struct look_call *)c->owner)->look;
}

bool look_go_on(struct call *c)
{
    struct look_call *ended = c->owner;
    struct orders_look *l = ended->look;

    l->running--;
    l->follower->read(ended);
    call_free(c);
    return rounds_advance(l);
}

void look_run(struct orders_look *l)
{
    bool running = look_begin(l);

    while (running) {
        struct call *call = net_wait(l->ctx->net, LOOK_CALL_MS);

        if (call != NULL)
            running = look_go_on(call);
    }
}
