#include "api/admission/waiting.h"

#include "api/admission/idempotency.h"
#include "api/endpoint/compact.h"
#include "api/endpoint/endpoint.h"
#include "base/json_reader.h"
#include "model/agent.h"
#include "store/executions.h"

/* The id by which the row shows what the answer has begun; NULL: it has none. */
static const char *answer_id(struct arena *a, const json_t *answer)
{
    const json_t *id = json_object_get(answer, "swap_id"), *inner;
    const char *name;

    json_object_foreach((json_t *)(uintptr_t)answer, name, inner)
    {
        if (id == NULL)
            id = json_object_get(inner, "id");
    }
    if (json_is_string(id))
        return arena_strdup(a, json_string_value(id));
    return json_is_integer(id) ? arena_printf(a, "%lld", (long long)json_integer_value(id)) : NULL;
}

/* What the row shows of it. */
static struct reply *shown_answer(struct api_call *c, const struct endpoint *ep, const char *id, bool compact)
{
    struct api_call *shown = ARENA_ARRAY(c->arena, struct api_call, 1);
    const struct json_left_out *around = c->rq->left_out;
    static const struct {
        uint64_t wait;
    } none;
    struct reply *rp;

    *shown = api_call_for(c, ep);
    shown->captured = id;
    shown->path = ep->path;
    c->rq->left_out = compact ? compact_left_out(ep) : NULL;
    rp = ep->handler(shown, &none);
    c->rq->left_out = around;
    return rp;
}

/* A sentence's answer with that of the operation behind it in place of the one that it had. */
static struct reply *sentence_answer(struct api_call *c, const json_t *answer, struct reply *result)
{
    json_t *all = json_in_arena(c->arena, json_copy((json_t *)(uintptr_t)answer));
    struct json_writer *w = reply_open_bare(c->rq, 200);
    const char *name;
    json_t *value;

    json_object_set(all, "result", reply_value(result));
    json_object_foreach(all, name, value)
    {
        jw_value(w, name, value);
    }
    return reply_close(w);
}

struct reply *waiting_resumed(const struct api_call *c)
{
    const char *begun = c->rq->resumed;

    return c->waits && begun != NULL && *begun != '\0' ? reply_recorded(c->rq, 200, begun) : NULL;
}

/* Its seconds, and whether the call said so itself. 0: it does not wait. */
static unsigned wait_of(const struct api_call *c, const json_t *object, const void *in, bool *given)
{
    const struct param *p = c->waits ? endpoint_wait_param(c->endpoint) : NULL;
    const json_t *said;

    if (p == NULL)
        return 0;
    said = json_object_get(object, p->name);
    *given = said != NULL && !json_is_null(said);
    return *given ? (unsigned)*(const uint64_t *)((const char *)in + p->at) : c->wait_s;
}

struct reply *waiting_answer(struct api_call *c, const json_t *object, const void *in, struct reply *rp)
{
    const struct endpoint *done = c->endpoint, *row = NULL;
    const json_t *answer, *inner;
    bool given = false, ended;
    unsigned seconds = wait_of(c, object, in, &given);
    bool replayed = c->rq->resumed != NULL
                        ? c->rq->wait.replayed
                        : (c->endpoint->flags & ONCE) != 0 && c->idempotency_key != NULL && c->record == NULL;
    struct reply *shown = rp;
    uint64_t execution;
    const char *id;

    if (seconds == 0 || rp == NULL || reply_status(rp) != 200)
        return rp;
    inner = answer = reply_value(rp);
    if (done->result_of != NULL) {
        done = done->result_of(answer);
        inner = json_object_get(answer, "result");
    }
    if (done == NULL || done->begins.execution == NULL || json_object_get(inner, "pagination") != NULL)
        return rp;
    execution = done->begins.execution(c, done->begins.kind != 0 ? done->begins.kind : done->shows, inner);
    id = answer_id(c->arena, inner);
    if (execution == 0 || id == NULL)
        return rp;
    if (done->begins.shown != NULL)
        row = endpoints_find(GET, done->begins.shown);
    else if (done != c->endpoint) /* a sentence is not run again, also one that only looks */
        row = done;
    if (row != NULL) {
        bool sentence = done != c->endpoint;

        shown = shown_answer(c, row, id, c->compact && !sentence);
        if (shown == NULL || !reply_succeeds(shown))
            return rp;
        if (sentence)
            shown = sentence_answer(c, answer, shown);
        if (replayed)
            idempotency_mark_replayed(shown);
    }
    if (!executions_ended(
            c->ctx->db, &(struct execution_awaited){ execution, given && done->begins.kind == 0 }, 1, &ended))
        return shown;
    if (!ended && c->rq->resumed == NULL)
        c->rq->wait = (struct request_wait){ .ms = seconds * 1000,
                                             .execution = execution,
                                             .order = given && done->begins.kind == 0,
                                             .agent_id = c->agent->id,
                                             .replayed = replayed,
                                             .begun = row != NULL ? reply_text(rp) : "" };
    return shown;
}
