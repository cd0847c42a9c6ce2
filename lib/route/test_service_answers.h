/* Answers of services that differ from good ones, and answers to several questions in turn. */
#ifndef ROUTE_TEST_SERVICE_ANSWERS_H
#define ROUTE_TEST_SERVICE_ANSWERS_H

#include "route/test_service.h"

/* A good answer changed in one place, and how it ends then; a NULL ends a table of them. */
struct service_change {
    const char *old, *new;
    enum ask_end end;
};

static void service_reads_changes(const struct provider *p, const struct route_in *in, const char *good,
                                  const struct service_change *c)
{
    for (; c->old != NULL; c++)
        CHECK(service_end(p, in, 200, service_with(good, c->old, c->new)) == c->end);
}

/* ---- transactions ---- */

/* One answer for each question, NULL after the last, which has the status. The last question is left in
 * *asked, which the caller frees. */
static enum tx_end service_builds(const struct provider *p, const struct tx_in *in,
                                  const char *const *answers, int status, struct call *asked,
                                  struct wallet_call *out)
{
    enum tx_end end = TX_ASKS_MORE;

    *out = (struct wallet_call){ .to = NULL };
    CHECK(p->ask_tx(asked, &service_ctx, in, service_arena));
    for (; *answers != NULL && end == TX_ASKS_MORE; answers++) {
        service_plays(asked, answers[1] == NULL ? status : 200, *answers);
        end = p->read_tx(asked, in, service_arena, out);
    }
    return end;
}

static enum tx_end service_built(const struct provider *p, const struct tx_in *in, const char *const *answers,
                                 int status, struct wallet_call *out)
{
    struct call asked;
    enum tx_end end = service_builds(p, in, answers, status, &asked, out);

    call_free(&asked);
    return end;
}

#endif
