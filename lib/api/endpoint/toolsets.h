/* Lists of toolsets, by which a client of MCP chooses the tools that it lists: names with commas, of
 * doc_toolsets, "core" (the rows with the flag CORE) or "all". */
#ifndef API_ENDPOINT_TOOLSETS_H
#define API_ENDPOINT_TOOLSETS_H

#include "api/endpoint/endpoint.h"

#define TOOLSETS_DEFAULT "core"

/* All names, ending with NULL. */
const char *const *toolsets_known(void);
/* What is wrong with the list, or NULL. A parameter's check: `env` is not used. */
const char *toolsets_fault(const char *list, const void *env);
/* Whether the row is a tool of the list, which has no fault. */
bool toolsets_have(const char *list, const struct endpoint *ep);

#endif
