/* Which web pages may use an endpoint that is not open to all of them (GUARDED in its row), as MCP demands:
 * else any page could use a gateway that listens on its reader's machine, by its address or by a name of its
 * own that leads there (DNS rebinding). Allowed are the pages of base_url, of loopback addresses and of
 * allowed_origins. What is no browser sends no Origin. */
#ifndef API_ADMISSION_ORIGINS_H
#define API_ADMISSION_ORIGINS_H

#include "api/admission/api_call.h"

/* Whether Origin, if there is one, and Host are among them. */
bool origins_allow(const struct api_call *c);
/* Tells the browser: the page's own origin where it is allowed, none where it is not. */
void origins_add_headers(struct api_call *c, struct reply *rp);

#endif
