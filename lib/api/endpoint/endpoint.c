#include "api/endpoint/endpoint.h"

#include <string.h>

#include "base/log.h"

static void list_rows(const struct endpoint **list, size_t max)
{
    size_t n = 0;

    for (const struct endpoint_group *const *g = endpoint_groups; *g != NULL; g++)
        for (size_t i = 0; i < (*g)->count; i++) {
            if (n == max)
                log_fatal("program_broken", "msg=\"more endpoints than ENDPOINTS_MAX\"");
            list[n++] = &(*g)->rows[i];
        }
    list[n] = NULL;
}

const struct endpoint *const *endpoints_all(void)
{
    static const struct endpoint *list[ENDPOINTS_MAX + 1];

    if (list[0] == NULL)
        list_rows(list, ENDPOINTS_MAX);
    return list;
}

const struct endpoint *endpoints_find(enum method method, const char *path)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if ((*ep)->method == method && strcmp((*ep)->path, path) == 0)
            return *ep;
    return NULL;
}

const struct endpoint *endpoints_find_tool(const char *tool)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if ((*ep)->tool != NULL && strcmp((*ep)->tool, tool) == 0)
            return *ep;
    return NULL;
}

const struct endpoint *endpoints_find_kind(enum exec_kind_id kind)
{
    const struct endpoint *const *ep = endpoints_all();

    while (*ep != NULL && (*ep)->begins.kind != kind)
        ep++;
    return *ep;
}

static const char *const prefixes[] = { [FOR_NOBODY] = "", [FOR_AGENTS] = V1, [FOR_OPERATOR] = V1_OPERATOR };

enum audience endpoint_audience(const struct endpoint *ep)
{
    for (enum audience of = FOR_AGENTS; of <= FOR_OPERATOR; of++) {
        size_t n = strlen(prefixes[of]);

        if (strncmp(ep->path, prefixes[of], n) == 0 && ep->path[n] == '/')
            return of;
    }
    return FOR_NOBODY;
}

const char *endpoint_prefix(enum audience of)
{
    return prefixes[of];
}

bool endpoint_is_documented(const struct endpoint *ep)
{
    return endpoint_audience(ep) == FOR_AGENTS;
}

const char *endpoint_operation(const struct endpoint *ep)
{
    return ep->tool != NULL ? ep->tool : ep->operation;
}

/* An envelope may hold any call. */
bool endpoint_may_wait(const struct endpoint *ep)
{
    return (ep->flags & (WAITS | MAY_WAIT | TESTS | ENVELOPE)) != 0;
}

const struct err *endpoint_inactive(const struct endpoint *ep)
{
    if (ep->denied == NULL || ep->auth == AUTH_KNOWN || ep->auth == AUTH_OPERATOR)
        return NULL;
    return ep->denied == &E_UNAUTHORIZED ? &E_INACTIVE_UNAUTHORIZED : &E_INACTIVE_DENIED;
}

const char *endpoint_method_key(const struct endpoint *ep)
{
    return ep->method == GET ? "get" : ep->method == POST ? "post" : ep->method == PATCH ? "patch" : "delete";
}

void *endpoint_input(struct arena *a, const struct endpoint *ep)
{
    return arena_alloc(a, ep->size + sizeof(uint64_t) + 1);
}

const struct param *endpoint_wait_param(const struct endpoint *ep)
{
    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
        if (p->aside)
            return p;
    return NULL;
}
