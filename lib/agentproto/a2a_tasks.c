#include <inttypes.h>
#include <string.h>

#include "agentproto/a2a.h"
#include "agentproto/a2a_message.h"
#include "base/clock.h"
#include "base/params.h"
#include "model/agent.h"
#include "service/ctx.h"
#include "store/tasks.h"

enum { PAGE_DEFAULT_SIZE = 50, PAGE_MAX_SIZE = 100 };

const struct err *a2a_find_task(struct a2a_call *c, const char *member, struct task *out)
{
    struct api_call *api = c->api;
    const char *text;
    const struct err *e = a2a_id_read(&text, c->params, member, api->arena);
    struct uuid id;
    enum lookup found;

    if (e != NULL)
        return e;
    if (text == NULL)
        return a2a_bad(api->arena, member, "is required");
    found =
        uuid_parse(&id, text) ? tasks_get(api->ctx->db, api->arena, api->agent->id, &id, out) : LOOKUP_NONE;
    return found == LOOKUP_FOUND ? NULL : found == LOOKUP_NONE ? &A2A_TASK_NOT_FOUND : &E_INTERNAL;
}

const struct err *a2a_history(struct arena *a, const json_t *object, int *out)
{
    const json_t *v = json_object_get(object, "historyLength");

    *out = -1;
    if (v == NULL || json_is_null(v))
        return NULL;
    if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > INT32_MAX)
        return a2a_bad(a, "historyLength", "must be a whole number, 0 or more");
    *out = (int)json_integer_value(v);
    return NULL;
}

/* Clients of 0.3 use either name. */
static const char *id_member(const struct a2a_call *c)
{
    return c->version == TASK_V03 && json_object_get(c->params, "id") == NULL ? "taskId" : "id";
}

bool a2a_get(struct a2a_call *c, const struct err **e)
{
    struct a2a_show show = { .artifacts = true };
    struct task t;

    *e = a2a_history(c->api->arena, c->params, &show.history);
    if (*e == NULL)
        *e = a2a_find_task(c, id_member(c), &t);
    if (*e != NULL)
        return false;
    *e = &E_INTERNAL;
    return a2a_task_result(c, a2a_task_text(c, &t, &show));
}

bool a2a_cancel(struct a2a_call *c, const struct err **e)
{
    struct a2a_show show = { .history = -1, .artifacts = true };
    struct api_call *api = c->api;
    struct task t = { .seq = 0 };
    enum db_update canceled;

    *e = a2a_find_task(c, id_member(c), &t);
    if (*e != NULL)
        return false;
    canceled = tasks_cancel(api->ctx->db, api->agent->id, t.seq);
    *e = canceled == UNCHANGED ? &A2A_NOT_CANCELABLE : &E_INTERNAL;
    if (canceled != UPDATED || tasks_get(api->ctx->db, api->arena, api->agent->id, &t.id, &t) != LOOKUP_FOUND)
        return false;
    return a2a_task_result(c, a2a_task_text(c, &t, &show));
}

/* ---- the list ---- */

struct list_in {
    struct task_filter filter;
    uint64_t size;
    struct a2a_show show;
};

/* "<milliseconds>-<number>" of the last task on the page before. */
static bool token_parse(struct task_filter *f, const char *text)
{
    uint64_t ms;
    const char *dash = strchr(text, '-');
    char left[24];

    if (dash == NULL || (size_t)(dash - text) >= sizeof left)
        return false;
    memcpy(left, text, (size_t)(dash - text));
    left[dash - text] = '\0';
    if (!params_whole(&ms, left) || !params_whole(&f->before_seq, dash + 1) || ms == 0 || ms > INT64_MAX / 2)
        return false;
    f->before_ms = (int64_t)ms;
    return true;
}

static const struct err *size_read(struct a2a_call *c, uint64_t *out)
{
    const json_t *v = json_object_get(c->params, "pageSize");

    *out = PAGE_DEFAULT_SIZE;
    if (v == NULL || json_is_null(v))
        return NULL;
    if (!json_is_integer(v) || json_integer_value(v) < 1 || json_integer_value(v) > PAGE_MAX_SIZE)
        return a2a_bad(c->api->arena, "pageSize", "must be between 1 and 100");
    *out = (uint64_t)json_integer_value(v);
    return NULL;
}

static const struct err *filter_read(struct a2a_call *c, struct task_filter *f)
{
    struct arena *a = c->api->arena;
    const char *state, *since, *token;
    const struct err *e = a2a_id_read(&f->context_id, c->params, "contextId", a);

    if (e == NULL)
        e = a2a_id_read(&state, c->params, "status", a);
    if (e == NULL)
        e = a2a_id_read(&since, c->params, "statusTimestampAfter", a);
    if (e == NULL)
        e = a2a_id_read(&token, c->params, "pageToken", a);
    if (e != NULL)
        return e;
    if (state != NULL && strcmp(state, "TASK_STATE_UNSPECIFIED") != 0 &&
        !task_state_parse(&f->state, c->version, state))
        return a2a_bad(a, "status", "must be a state that tasks have here");
    if (since != NULL && !clock_parse_iso8601(&f->since_ms, since))
        return a2a_bad(a, "statusTimestampAfter", "must be a time of ISO 8601");
    if (token != NULL && !token_parse(f, token))
        return a2a_bad(a, "pageToken", "must come from a page before");
    return NULL;
}

static const struct err *list_read(struct a2a_call *c, struct list_in *in)
{
    const json_t *artifacts = json_object_get(c->params, "includeArtifacts");
    const struct err *e = filter_read(c, &in->filter);

    if (e == NULL)
        e = size_read(c, &in->size);
    if (e == NULL)
        e = a2a_history(c->api->arena, c->params, &in->show.history);
    if (e == NULL && artifacts != NULL && !json_is_boolean(artifacts) && !json_is_null(artifacts))
        e = a2a_bad(c->api->arena, "includeArtifacts", "must be true or false");
    in->show.artifacts = json_is_true(artifacts);
    return e;
}

static bool list_write(struct a2a_call *c, const struct list_in *in, const struct task *tasks, int n,
                       uint64_t total)
{
    struct json_writer *w = &c->result;
    const char *next = "", *each;

    jw_object(w, NULL);
    jw_array(w, "tasks");
    for (int i = 0; i < n && (uint64_t)i < in->size; i++) {
        each = a2a_task_text(c, &tasks[i], &in->show);
        if (each == NULL)
            return false;
        jw_raw(w, NULL, each, strlen(each), NULL);
    }
    jw_end(w);
    if ((uint64_t)n > in->size)
        next = arena_printf(c->api->arena, "%" PRId64 "-%" PRIu64, tasks[in->size - 1].updated_ms,
                            tasks[in->size - 1].seq);
    jw_string(w, "nextPageToken", next);
    jw_integer(w, "pageSize", (int64_t)in->size);
    jw_integer(w, "totalSize", (int64_t)total);
    jw_end(w);
    return true;
}

bool a2a_list(struct a2a_call *c, const struct err **e)
{
    struct api_call *api = c->api;
    struct list_in in = { .size = 0 };
    struct task *tasks = ARENA_ARRAY(api->arena, struct task, PAGE_MAX_SIZE + 1);
    uint64_t total;
    int n;

    *e = list_read(c, &in);
    if (*e != NULL)
        return false;
    *e = &E_INTERNAL;
    n = tasks_page(api->ctx->db, api->arena, api->agent->id, &in.filter, (unsigned)in.size + 1, tasks,
                   &total);
    return n >= 0 && list_write(c, &in, tasks, n, total);
}
