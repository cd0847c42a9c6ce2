/* What an A2A client says: any bytes, read as params of a message and as a push config. */
#include "agentproto/a2a_message.h"
#include "fuzz.h"
#include "http/request.h"
#include "model/task.h"

static void check_id(const char *id)
{
    MUST(id == NULL || (*id != '\0' && strlen(id) <= TASK_ID_MAX));
    for (; id != NULL && *id != '\0'; id++)
        MUST(*id > ' ' && *id <= '~');
}

/* One header for each line, as the delivery takes them apart. */
static void check_push(const struct a2a_push_config *p)
{
    check_id(p->id);
    check_id(p->scheme);
    MUST(p->url != NULL && p->headers != NULL && strlen(p->headers) < EVENT_HEADERS_MAX - 64);
    for (const char *at = p->headers; *at != '\0'; at++) {
        MUST(*at == '\n' || (*at >= ' ' && *at <= '~'));
        MUST(*at != '\n' || strncmp(at + 1, "X-A2A-Notification-Token: ", 26) == 0 ||
             strncmp(at + 1, "Authorization: ", 15) == 0);
    }
}

static void check_message(const struct a2a_message *m)
{
    json_t *kept = json_loads(m->kept, 0, NULL);

    check_id(m->id);
    check_id(m->context_id);
    check_id(m->task_id);
    MUST(m->id != NULL && (m->text != NULL) + (m->operation != NULL) + (m->approval_id != NULL) == 1);
    MUST(m->arguments == NULL || json_is_object(m->arguments));
    MUST(m->history >= -1);
    MUST(json_array_size(json_object_get(kept, "parts")) > 0);
    if (m->has_push)
        check_push(&m->push);
    json_decref(kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct request rq = { .arena = a, .body = (const char *)data, .body_len = size };
    struct a2a_message m;
    struct a2a_push_config p;
    const char *what;
    json_t *params = request_json_any(&rq, false, &what);

    if (a2a_message_read(&m, params, size % 2 == 0 ? TASK_V10 : TASK_V03, CALL_PUBLIC, a) == NULL)
        check_message(&m);
    if (a2a_push_read(&p, params, CALL_LOOPBACK, a) == NULL)
        check_push(&p);
    json_decref(params);
    arena_free(a);
    return 0;
}
