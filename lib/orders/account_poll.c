#include "orders/account_poll.h"

#include "base/clock.h"
#include "base/fault.h"
#include "orders/follower.h"

struct poll_call *poll_call_new(struct account_poll *l, int question, void *order)
{
    struct poll_call *c;

    if (clock_mono_ms() >= l->until_ms || (l->stopping != NULL && l->stopping()) || FAULT("order_poll.ask")) {
        l->silent = true;
        return NULL;
    }
    c = ARENA_NEW(l->arena, struct poll_call);
    c->poll = l;
    c->question = question;
    c->order = order;
    return c;
}

void poll_ask(struct poll_call *c)
{
    struct account_poll *l = c->poll;
    int64_t left = l->until_ms - clock_mono_ms();

    c->call.timeout_ms = left > POLL_CALL_MS ? POLL_CALL_MS : left > 1 ? (unsigned)left : 1;
    c->call.owner = c;
    l->running++;
    net_start(l->ctx->net, &c->call);
}

void poll_note_retry(struct account_poll *l, const struct call *c)
{
    if (c->retry_after_s > l->retry_after_s)
        l->retry_after_s = c->retry_after_s;
}

static bool rounds_advance(struct account_poll *l)
{
    while (l->running == 0 && !l->over && l->round < POLL_ROUNDS)
        l->follower->ask[l->round++](l);
    return l->running > 0;
}

bool poll_begin(struct account_poll *l)
{
    l->round = 0;
    l->until_ms = clock_mono_ms() + l->deadline_ms;
    return rounds_advance(l);
}

struct account_poll *poll_of(const struct call *c)
{
    return ((const struct poll_call *)c->owner)->poll;
}

bool poll_go_on(struct call *c)
{
    struct poll_call *ended = c->owner;
    struct account_poll *l = ended->poll;

    l->running--;
    l->follower->read(ended);
    call_free(c);
    return rounds_advance(l);
}

void poll_run(struct account_poll *l)
{
    bool running = poll_begin(l);

    while (running) {
        struct call *call = net_wait(l->ctx->net, POLL_CALL_MS);

        if (call != NULL)
            running = poll_go_on(call);
    }
}
