/* The origin of a call. */
#ifndef API_ADMISSION_CALLER_H
#define API_ADMISSION_CALLER_H

#include <stdbool.h>

#include "api/admission/api_call.h"
#include "base/ip_address.h"

/* The client's address, by X-Forwarded-For where a trusted proxy has passed the call on. */
struct ip_address caller_address(const struct api_call *c);

/* Whether it comes from one of the addresses and networks of a setting. Behind a proxy that is not trusted
 * the client is unknown, so such a call is from no network of the setting, and never from this host. */
bool caller_is_from(const struct api_call *c, const char *list);

/* Whether its key can be read on the network: it came by HTTP without TLS to this host's web server, or to
 * the proxy that passed it on, as the web server and that proxy say. */
bool caller_is_in_the_clear(const struct api_call *c);

#endif
