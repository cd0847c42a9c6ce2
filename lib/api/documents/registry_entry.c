/* The entry of the MCP registry, server.json: what clients and registries read to reach the endpoint of MCP.
 * The form is that of static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, with the rules of
 * modelcontextprotocol.io/registry/remote-servers: `name` is the namespace in reverse DNS, one slash and a
 * name, `description` has at most 100 characters, `remotes` have type and URL, and a header has `variables`
 * for what the user fills in. */
#include <ctype.h>
#include <string.h>

#include "api/documents/documents.h"

#define SCHEMA "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

/* The host of the address with its labels in reverse order; "invalid" for what has no labels of letters,
 * digits and hyphens. */
static const char *reverse_dns(struct arena *a, const char *base_url)
{
    const char *begin = strstr(base_url, "://"), *end;
    char *out, *to;

    begin = begin == NULL ? base_url : begin + strlen("://");
    end = begin + strcspn(begin, ":/");
    for (const char *c = begin; c < end; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '.')
            return "invalid";
    if (end == begin)
        return "invalid";
    to = out = arena_alloc(a, (size_t)(end - begin) + 1);
    for (const char *last = end; last > begin;) {
        const char *label = last;

        while (label > begin && label[-1] != '.')
            label--;
        for (const char *c = label; c < last; c++)
            *to++ = (char)tolower((unsigned char)*c);
        last = label > begin ? label - 1 : begin;
        *to++ = last > begin ? '.' : '\0';
    }
    return out;
}

json_t *registry_entry_write(struct arena *a, const char *base_url)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:[{s:s, s:s, s:[{s:s, s:s, s:s, s:b, s:b, s:{s:{s:s, "
                     "s:b, s:b}}}]}]}",
                     "$schema", SCHEMA, "name", arena_printf(a, "%s/" GATEWAY_ID, reverse_dns(a, base_url)),
                     "title", GATEWAY_NAME, "description",
                     "Swaps, bridges, lending, perpetuals and prediction markets, with wallets for agents",
                     "version", GATEWAY_VERSION, "websiteUrl", base_url, "remotes", "type", "streamable-http",
                     "url", arena_printf(a, "%s/mcp", base_url), "headers", "name", "Authorization",
                     "description", "The agent's API key", "value", "Bearer {api_key}", "isRequired", 1,
                     "isSecret", 1, "variables", "api_key", "description",
                     arena_printf(a, "POST %s" V1 "/register answers one, once", base_url), "isRequired", 1,
                     "isSecret", 1);
}
