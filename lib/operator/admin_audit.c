#include "operator/admin_audit.h"

#include <string.h>

#include "base/json_writer.h"
#include "base/safe_text.h"
#include "codec/hex.h"
#include "operator/admin_agents.h"
#include "store/audit.h"

enum { ARGUMENT_MAX = 1024 }; /* so that a line holds them */

static json_t *argument_view(const char *arg)
{
    uint8_t digest[HASH_LEN];
    char text[AUDIT_DIGEST_LEN + 1];
    struct uuid id;
    json_t *v;

    if (uuid_parse(&id, arg)) {
        audit_digest(text, &id);
        return json_string(text);
    }
    if (strlen(arg) <= ARGUMENT_MAX && (v = json_string(arg)) != NULL)
        return v;
    sha256(digest, arg, strlen(arg));
    hex_encode(text, digest, sizeof digest);
    return json_string(text);
}

static enum tx_verdict audit_tx(struct db *db, void *arg)
{
    return audit_write(db, arg) ? TX_COMMIT : TX_FAILED;
}

const char *operator_audit(const struct ctx *ctx, struct arena *a, const struct operator_order *order)
{
    struct audit_act what = { .by = "operator", .token = order->token, .act = order->act };
    const char *problem = NULL, *reason = order->reason;
    json_t *list = json_array();

    for (const char *const *args = order->args; *args != NULL; args++)
        json_array_append_new(list, argument_view(*args));
    what.detail = jw_text_of(a, list, 0);
    if (reason != NULL && (!safe_text_ok(reason) || strlen(reason) > ARGUMENT_MAX))
        problem = "the reason has to be a line of text, of at most 1024 bytes";
    what.reason = reason;
    json_decref(list);
    if (problem == NULL && db_transact(ctx->db, audit_tx, &what) != TX_DONE)
        problem = OPERATOR_DATABASE_FAILED;
    return problem;
}

/* ---- reading ---- */

static const char *member_text(struct arena *a, const json_t *line, const char *name)
{
    const char *text = json_string_value(json_object_get(line, name));

    return text == NULL ? NULL : arena_strdup(a, text);
}

static void line_read(struct operator_audit_line *out, struct arena *a, const struct audit_line *from)
{
    json_t *line = json_loads(from->line, 0, NULL);
    const json_t *detail = json_object_get(line, "detail");

    *out = (struct operator_audit_line){ .host = from->host,
                                         .at = member_text(a, line, "at"),
                                         .by = member_text(a, line, "by"),
                                         .act = member_text(a, line, "act"),
                                         .token = member_text(a, line, "token"),
                                         .reason = member_text(a, line, "reason") };
    if (detail != NULL && !json_is_null(detail))
        out->detail = jw_text_of(a, detail, JSON_ENCODE_ANY);
    json_decref(line);
}

const char *operator_audit_lines(const struct ctx *ctx, struct arena *a, const char *agent, unsigned max,
                                 struct operator_audit_line **out, size_t *count)
{
    struct agent found = { .id = 0 };
    const char *problem = agent == NULL ? NULL : operator_find_agent(ctx, a, agent, &found);
    struct audit_line *lines;
    int n;

    *count = 0;
    if (problem != NULL)
        return problem;
    n = audit_newest(ctx->db, a, agent != NULL ? &found.uuid : NULL, max, &lines);
    if (n < 0)
        return OPERATOR_DATABASE_FAILED;
    *out = ARENA_ARRAY(a, struct operator_audit_line, (size_t)n);
    for (; *count < (size_t)n; ++*count)
        line_read(&(*out)[*count], a, &lines[*count]);
    return NULL;
}
