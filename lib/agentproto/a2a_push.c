#include <string.h>

#include "agentproto/a2a.h"
#include "agentproto/a2a_message.h"
#include "agentproto/a2a_push.h"
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
static json_t *config_json(struct a2a_call *c, const struct task_push *p)
{
    char id[UUID_TEXT_LEN + 1];
    json_t *config = json_pack("{s:s, s:s}", "id", p->config_id, "url", p->url);

    uuid_text(id, p->task_id);
    if (p->scheme != NULL && c->version == TASK_V03)
        json_object_set_new(config, "authentication", json_pack("{s:[s]}", "schemes", p->scheme));
    else if (p->scheme != NULL)
        json_object_set_new(config, "authentication", json_pack("{s:s}", "scheme", p->scheme));
    if (c->version == TASK_V03)
        return json_pack("{s:s, s:o}", "taskId", id, "pushNotificationConfig", config);
    json_object_set_new(config, "taskId", json_string(id));
    return config;
}

json_t *a2a_push_set(struct a2a_call *c, const struct err **e)
{
    struct api_call *api = c->api;
    const json_t *config =
        c->version == TASK_V03 ? json_object_get(c->params, "pushNotificationConfig") : c->params;
    struct a2a_push_config in;
    struct task_push p;
    struct task t;
    int set;

    *e = a2a_find_task(c, "taskId", &t);
    if (*e == NULL)
        *e = a2a_push_read(&in, config, a2a_guard(api), api->arena);
    if (*e != NULL)
        return NULL;
    p = a2a_push_row(c, &t, &in);
    set = tasks_push_set(api->ctx->db, &t, &p, conf_quota(api->ctx->conf, api->agent->tier, QUOTA_PUSHES));
    *e = set == 0            ? a2a_bad(api->arena, "taskId", "has 8 push notification configs already")
         : set == QUOTA_FULL ? &E_QUOTA_PUSHES
                             : &E_INTERNAL;
    return set == 1 ? config_json(c, &p) : NULL;
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

json_t *a2a_push_get(struct a2a_call *c, const struct err **e)
{
    struct task_push all[TASK_PUSHES_MAX];
    const char *wanted;
    int n = configs_read(c, all, e);

    if (n < 0)
        return NULL;
    *e = a2a_id_read(&wanted, c->params, config_member(c), c->api->arena);
    if (*e != NULL)
        return NULL;
    for (int i = 0; i < n; i++)
        if (wanted == NULL || strcmp(all[i].config_id, wanted) == 0)
            return config_json(c, &all[i]);
    *e = &no_config;
    return NULL;
}

json_t *a2a_push_list(struct a2a_call *c, const struct err **e)
{
    struct task_push all[TASK_PUSHES_MAX];
    int n = configs_read(c, all, e);
    json_t *list;

    if (n < 0)
        return NULL;
    list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, config_json(c, &all[i]));
    return c->version == TASK_V03 ? list : json_pack("{s:o, s:s}", "configs", list, "nextPageToken", "");
}

/* Deleting one that does not exist succeeds. */
json_t *a2a_push_delete(struct a2a_call *c, const struct err **e)
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
        return NULL;
    *e = &E_INTERNAL;
    if (tasks_push_delete(c->api->ctx->db, t.seq, id) < 0)
        return NULL;
    return c->version == TASK_V03 ? json_null() : json_object();
}
