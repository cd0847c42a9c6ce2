/* A request's body: any bytes, parsed and read through every table of parameters that the API has. */
#include "api/admission/unknown_members.h"
#include "api/endpoint/endpoint.h"
#include "fuzz.h"
#include "model/amount.h"
#include "service/conf.h"
#include "service/ctx.h"

static const struct conf conf;
static const struct ctx ctx = { .conf = &conf };

/* What a handler may rely on when there is no fault. */
static void check_member(const struct param *p, const char *in)
{
    const void *at = in + p->at;
    const struct param_text *t = at;

    switch (p->kind) {
    case P_TEXT:
        MUST(!p->required || (*(const char *const *)at != NULL && **(const char *const *)at != '\0'));
        break;
    case P_AMOUNT:
        MUST(*(const char *const *)at != NULL ? amount_form_ok(*(const char *const *)at) : !p->required);
        break;
    case P_QUANTITY:
        MUST(*(const char *const *)at != NULL
                 ? amount_form_ok(*(const char *const *)at) ||
                       (p->word != NULL && strcmp(*(const char *const *)at, p->word) == 0)
                 : !p->required);
        break;
    case P_DECIMAL:
        break;
    case P_FRACTION:
        MUST(*(const uint32_t *)at <= PPM_ONE || *(const uint32_t *)at == p->number);
        break;
    case P_WHOLE:
        MUST(*(const uint64_t *)at == p->number ||
             (*(const uint64_t *)at >= p->min && *(const uint64_t *)at <= p->max));
        break;
    case P_TIME:
        MUST(*(const int64_t *)at > 0 || !p->required);
        break;
    case P_FLAG:
        break;
    case P_NULLABLE:
        MUST(t->given || t->value == NULL);
        break;
    case P_TEXTS:
        MUST(*(const char *const *const *)at == NULL || **(const char *const *const *)at != NULL);
        break;
    case P_OBJECT:
        MUST(t->given == (t->value != NULL) && (t->value == NULL || strlen(t->value) <= p->max));
        break;
    }
}

static void row_read(const struct endpoint *ep, const json_t *object, struct arena *a)
{
    const struct param *const known[] = { ep->params, NULL };
    struct param_faults faults = { NULL, NULL };
    char *in = endpoint_input(a, ep);
    json_t *unknown = unknown_members_list(known, object, a);

    params_read(ep->params, object, ep->method == GET, &ctx, in, a, &faults);
    MUST((faults.first == NULL) == (faults.fields == NULL));
    for (const struct param *p = ep->params; faults.first == NULL && p->name != NULL; p++)
        check_member(p, in);
    unknown_members_check(known, object, UNKNOWN_NEAR, a, &faults);
    unknown_members_check(known, object, UNKNOWN_OTHER, a, &faults);
    MUST((faults.first == NULL) == (faults.fields == NULL));
    MUST(json_array_size(unknown) == 0 || faults.first != NULL);
    json_decref(unknown);
    params_faults_free(&faults);
}

/* As tools read it, where the second reading has nothing left to do. */
static void row_read_as_tool(const struct endpoint *ep, const json_t *object, struct arena *a)
{
    json_t *members = json_deep_copy(object), *once;

    params_unquote(ep->params, members);
    once = json_deep_copy(members);
    params_unquote(ep->params, members);
    MUST(json_equal(once, members));
    row_read(ep, members, a);
    json_decref(once);
    json_decref(members);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct request rq = { .arena = a, .body = (const char *)data, .body_len = size };
    const char *what;
    json_t *object = request_json(&rq, size % 2 == 1, &what);

    MUST((object == NULL) == (what != NULL));
    MUST(object == NULL || json_is_object(object));
    for (const struct endpoint *const *ep = endpoints_all(); object != NULL && *ep != NULL; ep++)
        if ((*ep)->params != NULL) {
            row_read(*ep, object, a);
            row_read_as_tool(*ep, object, a);
        }
    json_decref(object);
    arena_free(a);
    return 0;
}
