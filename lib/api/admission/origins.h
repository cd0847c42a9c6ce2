/* Which web pages may use an endpoint that is not open to all of them (GUARDED in its row), as MCP requires:
 * otherwise any page could use a gateway on its reader's machine, by its address or by a name that the page's
 * author makes resolve to it (DNS rebinding). Allowed are pages of base_url, of loopback addresses and of
 * allowed_origins. Clients other than browsers send no Origin. */
#ifndef API_ADMISSION_ORIGINS_H
#define API_ADMISSION_ORIGINS_H

#include "api/admission/api_call.h"

/* Whether Origin, if present, and Host are allowed. */
bool origins_allow(const struct api_call *c);
/* Adds the headers for the browser: the page's own origin if it is allowed, else none. */
void origins_add_headers(struct api_call *c, struct reply *rp);

#endif
