/* Prints the rows of tables for tests and documents, one a line. Without an argument, those of the endpoints:
 * method, path, and "waits" or "fast". With `settings`, those of the settings, separated by tabs: name,
 * default ("-" where it is built in for each chain, provider or tier), what is allowed, and what it means.
 * With `nodes`, each chain's setting of public nodes. With `calls`, those that gw makes, as C:
 * contrib/cli/calls.inc. */
#include <stdio.h>
#include <string.h>

#include "api/endpoint/endpoint.h"
#include "chain/chains.h"
#include "service/settings.h"

static void endpoints_print(void)
{
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++)
        printf("%s %s %s\n", method_text((*each)->method), (*each)->path,
               endpoint_may_wait(*each) ? "waits" : "fast");
}

static void settings_print(void)
{
    char allowed[SETTING_WORDS_MAX];

    for (const struct setting *s = settings; s < settings + settings_count; s++)
        printf("%s\t%s\t%s\t%s\n", s->name, s->dflt != NULL ? s->dflt : "-", setting_allowed(allowed, s),
               s->meaning);
}

static void nodes_print(void)
{
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        printf("rpc.%s = %s\n", c->key, c->rpc_default);
}

/* How gw writes a value that stands in its arguments. */
static const char *kind_word(const struct param *p)
{
    switch (p->kind) {
    case P_FRACTION:
    case P_WHOLE:
        return "MEMBER_NUMBER";
    case P_FLAG:
        return "MEMBER_FLAG";
    case P_OBJECT:
        return "MEMBER_OBJECT";
    case P_TEXTS:
        return "MEMBER_LIST";
    case P_NULLABLE:
        return "MEMBER_NULLABLE";
    default:
        return "MEMBER_TEXT";
    }
}

static void calls_print(void)
{
    printf("/* Written by `build/test/rows calls` from the endpoint table. */\n");
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;

        if (ep->tool == NULL || !endpoint_is_documented(ep))
            continue;
        printf("{ \"%s\", \"%s\", \"%s\", \"%s\", %s, %s, (const struct member[]){", ep->tool,
               method_text(ep->method), ep->path + strlen(V1), ep->summary,
               ep->auth == AUTH_NONE ? "false" : "true", ep->flags & ONCE ? "true" : "false");
        if (ep->path_param != NULL)
            printf(" { \"%s\", MEMBER_IN_PATH, true },", ep->path_param->name);
        for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
            printf(" { \"%s\", %s, %s },", p->name, kind_word(p),
                   param_is_required(ep->params, p) ? "true" : "false");
        printf(" { 0 } } },\n");
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "settings") == 0)
        settings_print();
    else if (strcmp(what, "nodes") == 0)
        nodes_print();
    else if (strcmp(what, "calls") == 0)
        calls_print();
    else
        endpoints_print();
    return 0;
}
