/* Prints the rows of tables for tests and documents, one a line. Without an argument, those of the endpoints:
 * method, path, and "waits" or "fast". With `settings`, those of the settings, separated by tabs: name,
 * default ("-" where it is built in for each chain, provider or tier), what is allowed, and what it means.
 * With `nodes`, each chain's setting of public nodes. */
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

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "settings") == 0)
        settings_print();
    else if (strcmp(what, "nodes") == 0)
        nodes_print();
    else
        endpoints_print();
    return 0;
}
