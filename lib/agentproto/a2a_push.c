#include <string.h>

#include "agentproto/a2a.h"
#include "agentproto/a2a_message.h"
#include "agentproto/a2a_push.h"
#include "api/admission/limits.h"
#include "codec/box.h"
#include "model/agent.h"
#include "service/conf.h"
#include "service/ctx.h"
#include "store/tasks.h"

static const struct err no_config = {
    .status = 200, .rpc = -32001, .code = "TASK_NOT_FOUND", .text = "Push notification config not found"
};

enum call_guard a2a_guard(const struct api_call *api)
{
    return api->ctx->conf->webhook_allow_http_loopback ? CALL_LOOPBACK : CALL_PUBLIC;
}

/* The sealed header lines begin with the content type that receivers of its version expect. */
struct task_push a2a_push_row(struct a2a_call *c, const struct task *t, const struct a2a_push_config *config)
{
    struct arena *a = c->api->arena;
    const char *type = c->version == TASK_V03 ? "application/json" : "application/a2a+json";
    char *lines = arena_printf(a, "Content-Type: %s%s", type, config->headers), *id;
    size_t n = strlen(lines);
    uint8_t *sealed = arena_alloc(a, n + BOX_OVERHEAD);

    box_seal(sealed, (const uint8_t *)lines, n, c->api->ctx->service_key);
    explicit_bzero(lines, n);
    id = arena_alloc(a, UUID_TEXT_LEN + 1);
    uuid_text(id, t->id);
    return (struct task_push){ .agent_id = t->agent_id,
                               .task_id = t->id,
                               .context_id = t->context_id,
                               .config_id = config->id != NULL ? config->id : id,
                               .version = c->version,
                               .url = config->url,
                               .scheme = config->scheme,
                               .sealed_headers = sealed,
                               .sealed_headers_len = (unsigned)(n + BOX_OVERHEAD) };
}

/* Secrets are not shown again. */
static void scheme_write(struct a2a_call *c, const char *scheme)
{
    struct json_writer *w = &c->result;

    jw_object(w, "authentication");
    if (c->version == TASK_V03) {
        jw_array(w, "schemes");
        jw_string(w, NULL, scheme);
        jw_end(w);
    } else {
        jw_string(w, "scheme", scheme);
    }
    jw_end(w);
}

static void config_write(struct a2a_call *c, const struct task_push *p)
{
    struct json_writer *w = &c->result;
    char id[UUID_TEXT_LEN + 1];
    bool v03 = c->version == TASK_V03;

    uuid_text(id, p->task_id);
    jw_object(w, NULL);
    if (v03) {
        jw_string(w, "taskId", id);
        jw_object(w, "pushNotificationConfig");
    }
    jw_string(w, "id", p->config_id);
    jw_string(w, "url", p->url);
    if (p->scheme != NULL)
        scheme_write(c, p->scheme);
    if (v03)
        jw_end(w);
    else
        jw_string(w, "taskId", id);
    jw_end(w);
}

bool a2a_push_set(struct a2a_call *c, const struct err **e)
{
    struct api_call *api = c->api;
    const json_t *config =
        c->version == TASK_V03 ? json_object_get(c->params, "pushNotificationConfig") : c->params;
    struct a2a_push_config in;
    struct task_push p;
    struct task t;
    enum db_update set;

    *e = a2a_find_task(c, "taskId", &t);
    if (*e == NULL)
        *e = a2a_push_read(&in, config, a2a_guard(api), api->arena);
    if (*e != NULL)
        return false;
    p = a2a_push_row(c, &t, &in);
    set = tasks_push_set(api->ctx->db, &t, &p, limits_quota(api, QUOTA_PUSHES));
    *e = set == UNCHANGED    ? a2a_bad(api->arena, "taskId", "has 8 push notification configs already")
         : set == QUOTA_FULL ? &E_QUOTA_PUSHES
                             : &E_INTERNAL;
    if (set == UPDATED)
        config_write(c, &p);
    return set == UPDATED;
}

/* The params' names for the ids of the task and of the config. */
static const char *task_member(const struct a2a_call *c)
{
    return c->version == TASK_V03 ? "id" : "taskId";
}

static const char *config_member(const struct a2a_call *c)
{
    return c->version == TASK_V03 ? "pushNotificationConfigId" : "id";
}

/* Reads the configs of the task; returns their number, or -1 with the error. */
static int configs_read(struct a2a_call *c, struct task_push out[static TASK_PUSHES_MAX],
                        const struct err **e)
{
    struct task t;
    int n;

    *e = a2a_find_task(c, task_member(c), &t);
    if (*e != NULL)
        return -1;
    n = tasks_pushes(c->api->ctx->db, c->api->arena, t.seq, out);
    *e = &E_INTERNAL;
    return n;
}

bool a2a_push_get(struct a2a_call *c, const struct err **e)
{
    struct task_push all[TASK_PUSHES_MAX];
    const char *wanted;
    int n = configs_read(c, all, e);

    if (n < 0)
        return false;
    *e = a2a_id_read(&wanted, c->params, config_member(c), c->api->arena);
    if (*e != NULL)
        return false;
    for (int i = 0; i < n; i++) {
        if (wanted == NULL || strcmp(all[i].config_id, wanted) == 0) {
            config_write(c, &all[i]);
            return true;
        }
    }
    *e = &no_config;
    return false;
}

bool a2a_push_list(struct a2a_call *c, const struct err **e)
{
    struct task_push all[TASK_PUSHES_MAX];
    int n = configs_read(c, all, e);
    struct json_writer *w = &c->result;

    if (c->version != TASK_V03)
        jw_object(w, NULL);
    jw_array(w, c->version == TASK_V03 ? NULL : "configs");
    for (int i = 0; i < n; i++)
        config_write(c, &all[i]);
    jw_end(w);
    if (c->version != TASK_V03) {
        jw_string(w, "nextPageToken", "");
        jw_end(w);
    }
    return n >= 0;
}

/* Deleting one that does not exist succeeds. */
bool a2a_push_delete(struct a2a_call *c, const struct err **e)
{
    struct arena *a = c->api->arena;
    const char *id;
    struct task t;

    *e = a2a_find_task(c, task_member(c), &t);
    if (*e == NULL)
        *e = a2a_id_read(&id, c->params, config_member(c), a);
    if (*e == NULL && id == NULL)
        *e = a2a_bad(a, config_member(c), "is required");
    if (*e != NULL)
        return false;
    *e = &E_INTERNAL;
    if (tasks_push_delete(c->api->ctx->db, t.seq, id) == DB_ERROR)
        return false;
    if (c->version == TASK_V03) {
        jw_null(&c->result, NULL);
    } else {
        jw_object(&c->result, NULL);
        jw_end(&c->result);
    }
    return true;
}
