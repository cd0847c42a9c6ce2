#include "api/admission/approved_terms.h"

#include <string.h>
#include <strings.h>

#include "api/admission/terms.h"
#include "api/endpoint/endpoint.h"
#include "base/json_reader.h"
#include "model/agent.h"
#include "model/approval.h"
#include "store/approvals.h"

static const char APPROVAL[] = "approval_id";

/* All that was asked for, as JSON; NULL: it could not be written. */
static const char *members_written(const struct api_call *c, const void *in)
{
    static const char *const all[] = { NULL };
    struct json_writer w;

    jw_init(&w, c->arena, TERMS_BYTES);
    jw_object(&w, NULL);
    terms_write(&w, c, in, all);
    jw_end(&w);
    return jw_finish(&w);
}

static json_t *members_of(const char *text)
{
    return text == NULL ? NULL : json_read(text, strlen(text));
}

/* Names of tokens, chains and the like are the same in capitals. */
static bool is_same(const json_t *x, const json_t *y)
{
    if (json_is_string(x) && json_is_string(y))
        return strcasecmp(json_string_value(x), json_string_value(y)) == 0;
    return (x == NULL && y == NULL) || json_equal(x, y);
}

/* The approved terms, NULL where they were not stored; LOOKUP_NONE: there is no such approval of the
 * agent's. */
static enum lookup terms_read(struct api_call *c, const char *approval, json_t **out)
{
    const char *text = NULL;
    struct uuid id;
    enum lookup found;

    *out = NULL;
    if (!approval_id_parse(&id, approval))
        return LOOKUP_NONE;
    found = approvals_terms(c->ctx->db, c->arena, c->agent->id, &id, &text);
    *out = members_of(text);
    return found;
}

static void members_compare(struct api_call *c, const json_t *object, const json_t *now, const json_t *then,
                            struct param_faults *faults)
{
    for (const struct param *p = c->endpoint->params; p->name != NULL; p++) {
        const json_t *said = json_object_get(object, p->name);

        if (said == NULL || json_is_null(said) || p->aside || strcmp(p->name, APPROVAL) == 0)
            continue;
        if (!is_same(json_object_get(now, p->name), json_object_get(then, p->name)))
            params_fault(faults, err_hint(c->arena, &E_VALIDATION, "Send the approval_id alone"), p->name,
                         then == NULL ? "cannot be given with approval_id, which says it"
                                      : "differs from what the approval was asked for");
    }
}

void approved_terms_check(struct api_call *c, const json_t *object, const void *in,
                          struct param_faults *faults)
{
    const char **approval = c->agent == NULL ? NULL : terms_text_at(c, (void *)(uintptr_t)in, APPROVAL);
    json_t *now, *then = NULL;
    enum lookup found;

    if (approval == NULL || *approval == NULL || faults->first != NULL)
        return;
    now = members_of(members_written(c, in));
    found = now == NULL ? LOOKUP_ERROR : terms_read(c, *approval, &then);
    if (found == LOOKUP_ERROR)
        faults->first = c->endpoint->internal;
    else if (found == LOOKUP_FOUND)
        members_compare(c, object, now, then, faults);
    json_decref(now);
    json_decref(then);
}

void approved_terms_keep(struct api_call *c, const void *in, struct reply *answer)
{
    const char **approval = c->agent == NULL ? NULL : terms_text_at(c, (void *)(uintptr_t)in, APPROVAL),
               *text;
    struct uuid id;

    if (approval == NULL || *approval != NULL || reply_status(answer) != 202)
        return;
    text = json_string_value(json_object_get(reply_value(answer), APPROVAL));
    if (text != NULL && approval_id_parse(&id, text))
        (void)approvals_keep_terms(c->ctx->db, c->agent->id, &id, members_written(c, in));
}
