/* A query string: any bytes, as the object of texts that it becomes, and read as the lists' parameters. */
#include "api/endpoint/endpoint.h"
#include "codec/query_string.h"
#include "fuzz.h"
#include "service/conf.h"
#include "service/ctx.h"

static const struct conf conf;
static const struct ctx ctx = { .conf = &conf };

static void row_read(const struct endpoint *ep, const json_t *object, struct arena *a)
{
    struct param_faults faults = { NULL, NULL };
    char *in = arena_alloc(a, ep->size);

    params_read(ep->params, object, true, &ctx, in, a, &faults);
    MUST((faults.first == NULL) == (faults.fields == NULL));
    for (const struct param *p = ep->params; faults.first == NULL && p->name != NULL; p++) {
        uint64_t n = 0;

        if (p->kind != P_WHOLE)
            continue;
        memcpy(&n, in + p->at, sizeof n);
        MUST(n == p->number || (n >= p->min && n <= p->max));
    }
    params_faults_free(&faults);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    const char *text = arena_strndup(a, (const char *)data, size), *name, *plain, *what;
    json_t *object = query_parse(text, a, &what), *value;

    MUST((object == NULL) == (what != NULL));
    json_object_foreach(object, name, value)
        MUST(name[0] != '\0' && json_is_string(value) &&
             strlen(json_string_value(value)) == json_string_length(value));
    for (const struct endpoint *const *ep = endpoints_all(); object != NULL && *ep != NULL; ep++)
        if ((*ep)->params != NULL && (*ep)->method == GET)
            row_read(*ep, object, a);
    json_decref(object);

    plain = query_unescape(a, (const char *)data, size, false);
    MUST(plain == NULL || strlen(plain) <= size);
    arena_free(a);
    return 0;
}
