/* How MCP and A2A call what REST calls by method and path, and the names next to one that there is not. */
#ifndef API_ENDPOINT_CALL_NAMES_H
#define API_ENDPOINT_CALL_NAMES_H

#include <jansson.h>

#include "base/arena.h"
#include "http/request.h"

/* The text with the names of tools in place of what they are in REST: "get_quote" for "POST /quote". Ids in
 * a path go with it, and paths that follow another one have its method. */
const char *tools_named(struct arena *a, const char *text);
/* The same in the members of an answer that tell an agent what to do: `hint`, `message` and `fields`. */
void tools_name_in(struct arena *a, json_t *answer);
/* The same for its JSON text. */
const char *answer_name_tools(struct arena *a, const char *text);

/* Up to three tools with a name like this one, with commas; NULL: none is like it. */
const char *tools_like(struct arena *a, const char *name);
/* The documented call, as "GET /v1/agent/swaps", whose path is like this one, rather one of the method; NULL:
 * none is. */
const char *call_like(struct arena *a, enum method method, const char *path);

#endif
