#include "agentproto/a2a_message.h"

#include <string.h>

#include "agentproto/a2a.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "base/edit_distance.h"
#include "base/json_writer.h"
#include "base/safe_text.h"
#include "model/approval.h"
#include "net/url.h"

/* ---- members ---- */

static bool is_visible(const char *s, const char *more)
{
    for (; *s != '\0'; s++)
        if ((*s <= ' ' || *s > '~') && strchr(more, *s) == NULL)
            return false;
    return true;
}

/* An optional string; NULL when it is absent, null or empty, which is how one encoding says absent. */
static const struct err *text_read(const char **out, const json_t *object, const char *member, size_t max,
                                   const char *more, struct arena *a)
{
    const json_t *v = json_object_get(object, member);

    *out = NULL;
    if (v == NULL || json_is_null(v))
        return NULL;
    if (!json_is_string(v))
        return a2a_bad(a, member, "must be a string");
    if (json_string_length(v) == 0)
        return NULL;
    if (json_string_length(v) > max || !is_visible(json_string_value(v), more))
        return a2a_bad(a, member, arena_printf(a, "must be visible ASCII of at most %zu characters", max));
    *out = arena_strdup(a, json_string_value(v));
    return NULL;
}

const struct err *a2a_id_read(const char **out, const json_t *object, const char *member, struct arena *a)
{
    return text_read(out, object, member, TASK_ID_MAX, "", a);
}

static const struct err *flag_read(bool *out, const json_t *object, const char *member, struct arena *a)
{
    const json_t *v = json_object_get(object, member);

    if (v == NULL || json_is_null(v))
        return NULL;
    if (!json_is_boolean(v))
        return a2a_bad(a, member, "must be true or false");
    *out = json_is_true(v);
    return NULL;
}

/* ---- members that nothing here reads ---- */

static bool is_among(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Whether an operation would take it among its arguments. */
static bool is_argument(const char *name)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        for (const struct param *p = (*ep)->params; (*ep)->tool != NULL && p != NULL && p->name != NULL; p++)
            if (names_alike(p->name, name))
                return true;
    return false;
}

/* An argument next to the arguments would be dropped. The protocol has members of its own (`own`); others may
 * come with its next version, which is let pass except in `closed` objects. */
static const struct err *misplaced_refuse(const json_t *object, const char *const *own, bool closed,
                                          struct arena *a)
{
    json_t *value;
    const char *name;

    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (!json_is_null(value) && !is_among(own, name) && (closed || is_argument(name)))
            return a2a_bad(
                a, err_shown(a, name),
                "is not known here; what an operation takes stands in the arguments of a data part");
    }
    return NULL;
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* ---- push configs ---- */

/* 0.3 has a list of schemes, 1.0 a single one. */
static const struct err *scheme_read(struct a2a_push_config *out, const json_t *authentication,
                                     struct arena *a)
{
    const json_t *schemes = json_object_get(authentication, "schemes");

    if (!json_is_array(schemes) || json_array_size(schemes) == 0)
        return text_read(&out->scheme, authentication, "scheme", A2A_SCHEME_MAX, "", a);
    if (!json_is_string(json_array_get(schemes, 0)))
        return a2a_bad(a, "schemes", "must be a list of strings");
    json_t *one = json_pack("{s:O}", "scheme", json_array_get(schemes, 0));
    const struct err *e = text_read(&out->scheme, one, "scheme", A2A_SCHEME_MAX, "", a);

    json_decref(one);
    return e;
}

static const struct err *headers_read(struct a2a_push_config *out, const json_t *config, struct arena *a)
{
    const json_t *authentication = json_object_get(config, "authentication");
    const char *token, *credentials = NULL;
    const struct err *e = text_read(&token, config, "token", A2A_TOKEN_MAX, "", a);

    if (e == NULL && authentication != NULL && !json_is_null(authentication)) {
        if (!json_is_object(authentication))
            return a2a_bad(a, "authentication", "must be an object");
        e = scheme_read(out, authentication, a);
        if (e == NULL)
            e = text_read(&credentials, authentication, "credentials", A2A_CREDENTIALS_MAX, " ", a);
    }
    if (e != NULL)
        return e;
    if (credentials != NULL && out->scheme == NULL)
        return a2a_bad(a, "authentication", "has credentials without a scheme");
    out->headers = arena_printf(
        a, "%s%s%s%s%s%s", token == NULL ? "" : "\nX-A2A-Notification-Token: ", token == NULL ? "" : token,
        credentials == NULL ? "" : "\nAuthorization: ", credentials == NULL ? "" : out->scheme,
        credentials == NULL ? "" : " ", credentials == NULL ? "" : credentials);
    return NULL;
}

const struct err *a2a_push_read(struct a2a_push_config *out, const json_t *config, enum call_guard guard,
                                struct arena *a)
{
    const char *url = json_string_value(json_object_get(config, "url")), *fault;
    const struct err *e;

    *out = (struct a2a_push_config){ .url = NULL };
    if (url == NULL)
        return a2a_bad(a, "url", "is required");
    fault = url_callback_fault(url, guard);
    if (fault != NULL)
        return a2a_bad(a, "url", fault);
    out->url = arena_strdup(a, url);
    e = a2a_id_read(&out->id, config, "id", a);
    return e != NULL ? e : headers_read(out, config, a);
}

/* ---- parts ---- */

/* An approval_id needs no operation next to it. */
static bool approval_read(struct a2a_message *m, const char *text, struct arena *a)
{
    struct uuid id;

    if (text == NULL || !approval_id_parse(&id, text))
        return false;
    m->approval_id = arena_strdup(a, text);
    return true;
}

static const struct err *operation_read(struct a2a_message *m, const json_t *data, struct arena *a)
{
    const char *operation = json_string_value(json_object_get(data, "operation"));
    const struct err *e =
        misplaced_refuse(data, operation != NULL ? NAMES("operation", "arguments") : NAMES("approval_id"),
                         operation != NULL || json_object_get(data, "approval_id") != NULL, a);

    if (m->operation != NULL || m->approval_id != NULL)
        return a2a_bad(a, "parts", "one message has one operation");
    if (e != NULL)
        return e;
    if (operation == NULL && approval_read(m, json_string_value(json_object_get(data, "approval_id")), a))
        return NULL;
    if (operation == NULL)
        return a2a_bad(a, "parts", "a data part must be an object with an operation");
    m->operation = arena_strdup(a, operation);
    m->arguments = json_object_get(data, "arguments");
    if (json_is_null(m->arguments))
        m->arguments = NULL;
    if (m->arguments != NULL && !json_is_object(m->arguments))
        return a2a_bad(a, "arguments", "must be an object");
    return NULL;
}

/* The members that are present tell the kinds of parts apart, in both versions. */
static const struct err *part_read(struct a2a_message *m, const json_t *part, struct buf *text,
                                   struct arena *a)
{
    static const char *const contents[] = { "file", "url", "raw", "bytes" };
    const json_t *t = json_object_get(part, "text"), *data = json_object_get(part, "data");
    const struct err *e =
        misplaced_refuse(part,
                         NAMES("kind", "type", "text", "data", "file", "url", "raw", "bytes", "name",
                               "filename", "mediaType", "mimeType", "metadata"),
                         false, a);

    if (e != NULL)
        return e;
    if (json_is_string(t) && data == NULL) {
        buf_adds(text, text->len > 0 ? " " : "");
        buf_add(text, json_string_value(t), json_string_length(t));
        return NULL;
    }
    if (data != NULL && t == NULL)
        return operation_read(m, data, a);
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++)
        if (json_object_get(part, contents[i]) != NULL && t == NULL)
            return &A2A_CONTENT_TYPE;
    return a2a_bad(a, "parts", "each must be a text or a data part");
}

static const struct err *parts_read(struct a2a_message *m, const json_t *parts, struct arena *a)
{
    struct buf text = BUF_INIT(MAX_BODY);
    const struct err *e = NULL;
    bool any = false;

    for (size_t i = 0; e == NULL && i < json_array_size(parts); i++) {
        e = part_read(m, json_array_get(parts, i), &text, a);
        any = any || json_object_get(json_array_get(parts, i), "text") != NULL;
    }
    if (m->operation == NULL && m->approval_id == NULL && any && !approval_read(m, buf_text(&text), a))
        m->text = arena_strdup(a, buf_text(&text));
    buf_free(&text);
    return e;
}

/* ---- the message ---- */

/* Whether it is plain English as clients older than 0.3 send it: no messageId, parts with a type and no kind.
 */
static bool is_of_old_client(const json_t *message)
{
    const json_t *parts = json_object_get(message, "parts");

    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        const char *type = json_string_value(json_object_get(part, "type"));

        if (type == NULL || strcmp(type, "text") != 0 || json_object_get(part, "kind") != NULL)
            return false;
    }
    return json_object_get(message, "messageId") == NULL;
}

static const char *id_new(struct arena *a)
{
    char *id = arena_alloc(a, UUID_TEXT_LEN + 1);

    uuid_text(id, uuid_random());
    return id;
}

static const struct err *ids_read(struct a2a_message *m, const json_t *message, enum task_version version,
                                  struct arena *a)
{
    const char *role = json_string_value(json_object_get(message, "role"));
    const struct err *e = a2a_id_read(&m->id, message, "messageId", a);

    if (e == NULL)
        e = a2a_id_read(&m->context_id, message, "contextId", a);
    if (e == NULL)
        e = a2a_id_read(&m->task_id, message, "taskId", a);
    if (e != NULL)
        return e;
    if (m->id == NULL && version == TASK_V03 && is_of_old_client(message))
        m->id = id_new(a);
    if (m->id == NULL)
        return a2a_bad(a, "messageId", "is required");
    if (role == NULL || (strcmp(role, "user") != 0 && strcmp(role, "ROLE_USER") != 0))
        return a2a_bad(a, "role", "must be that of the user");
    return NULL;
}

/* The parts as they are kept, without members that only one version has. */
static json_t *parts_kept(const json_t *parts)
{
    static const char *const members[] = { "text", "data", "metadata" };
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(parts); i++) {
        json_t *kept = json_object();

        for (size_t j = 0; j < sizeof members / sizeof members[0]; j++) {
            json_t *v = json_object_get(json_array_get(parts, i), members[j]);

            if (v != NULL)
                json_object_set(kept, members[j], v);
        }
        json_array_append_new(list, kept);
    }
    return list;
}

static json_t *list_scrubbed(const json_t *list)
{
    json_t *copy = json_array();

    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_append_new(copy, a2a_scrubbed(json_array_get(list, i)));
    return copy;
}

static json_t *object_scrubbed(const json_t *object)
{
    json_t *copy = json_object(), *value;
    const char *name;

    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        json_object_set_new(copy, safe_text_has_secret(name) ? SAFE_TEXT_SECRET : name, a2a_scrubbed(value));
    }
    return copy;
}

json_t *a2a_scrubbed(const json_t *v)
{
    if (json_is_array(v))
        return list_scrubbed(v);
    if (json_is_object(v))
        return object_scrubbed(v);
    if (json_is_string(v) && safe_text_has_secret(json_string_value(v)))
        return json_string(SAFE_TEXT_SECRET);
    return json_incref((json_t *)(uintptr_t)v);
}

/* The fingerprint covers everything that the message says; what is kept has no secrets. */
static void message_keep(struct a2a_message *m, const json_t *message, struct arena *a)
{
    json_t *kept =
        json_pack("{s:s, s:o}", "messageId", m->id, "parts", parts_kept(json_object_get(message, "parts")));
    json_t *scrubbed;
    const char *said;

    if (m->task_id != NULL)
        json_object_set_new(kept, "taskId", json_string(m->task_id));
    if (json_is_object(json_object_get(message, "metadata")))
        json_object_set(kept, "metadata", json_object_get(message, "metadata"));
    said = jw_text_of(a, kept, JSON_SORT_KEYS);
    scrubbed = a2a_scrubbed(kept);
    m->kept = jw_text_of(a, scrubbed, JSON_SORT_KEYS);
    json_decref(scrubbed);
    json_decref(kept);
    sha256(m->id_hash, m->id, strlen(m->id));
    sha256(m->fingerprint, said, strlen(said));
}

/* Reads the caller's wishes for the answer. */
static const struct err *configuration_read(struct a2a_message *m, const json_t *configuration,
                                            enum call_guard guard, struct arena *a)
{
    const json_t *push = json_object_get(configuration, "pushNotificationConfig");
    bool at_once = !m->wait;
    const struct err *e;

    if (configuration == NULL || json_is_null(configuration))
        return NULL;
    if (!json_is_object(configuration))
        return a2a_bad(a, "configuration", "must be an object");
    e = flag_read(&at_once, configuration, "returnImmediately", a);
    m->wait = !at_once;
    if (e == NULL)
        e = flag_read(&m->wait, configuration, "blocking", a);
    if (e == NULL)
        e = a2a_history(a, configuration, &m->history);
    if (push == NULL || json_is_null(push))
        push = json_object_get(configuration, "taskPushNotificationConfig");
    m->has_push = push != NULL && !json_is_null(push);
    return e == NULL && m->has_push ? a2a_push_read(&m->push, push, guard, a) : e;
}

const struct err *a2a_message_read(struct a2a_message *out, const json_t *params, enum task_version version,
                                   enum call_guard guard, struct arena *a)
{
    const json_t *message = json_object_get(params, "message"), *parts = json_object_get(message, "parts");
    const struct err *e;

    *out = (struct a2a_message){ .wait = version == TASK_V10, .history = -1 };
    if (!json_is_object(message))
        return a2a_bad(a, "message", "is required and must be an object");
    if (!json_is_array(parts) || json_array_size(parts) == 0)
        return a2a_bad(a, "parts", "is required and must be a list that is not empty");
    e = ids_read(out, message, version, a);
    if (e == NULL)
        e = misplaced_refuse(params, NAMES("id", "message", "configuration", "metadata"), false, a);
    if (e == NULL)
        e = misplaced_refuse(message, NAMES("parts", "metadata", "kind"), false, a);
    if (e == NULL)
        e = parts_read(out, parts, a);
    if (e == NULL)
        e = configuration_read(out, json_object_get(params, "configuration"), guard, a);
    if (e == NULL)
        message_keep(out, message, a);
    return e;
}
