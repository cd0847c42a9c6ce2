/* The service of a provider on the network: where it is and what it knows us by, as the operator has set it,
 * and the questions to it. */
#ifndef ROUTE_PROVIDER_SERVICE_H
#define ROUTE_PROVIDER_SERVICE_H

#include <jansson.h>

#include "base/gcra.h"
#include "route/provider.h"

/* The defaults without settings. */
struct provider_service {
    const char *url;  /* its public host */
    const char *rate; /* its public rate limit: "3/s", "50/m", "75/2h" */
    /* The rate without a key: so little that such a gateway asks it only if no other provider serves the
     * pair. NULL: no less. */
    const char *keyless_rate;
    bool needs_key;
    bool wants_key;      /* without one it may refuse any day: told at the start */
    bool names_receiver; /* a fee's receiver is a name that it knows, not an address */
};

/* The operator's share of what a provider's trades buy. */
struct provider_fee {
    const char *receiver; /* EIP-55, or the name that the service knows */
    unsigned bps;
};

enum { PROVIDER_FEE_MAX = 200 }; /* basis points */

struct provider_services;

/* Its place in the table, below PROVIDERS_MAX; behind the last one when it is not there. */
size_t provider_place(const struct provider *p);

/* Reads keys, rates and fees, once per process and before it is forked. Refuses a setting (service/conf.h)
 * that names no provider, or where a rate is not like "75/2h", or a fee is not both a receiver and a number
 * up to PROVIDER_FEE_MAX. A provider whose key cannot be read (it is one word of printable characters) is
 * off, with a warning. */
struct provider_services *provider_services_new(const struct conf *conf);
/* Logs of which services that ended there are settings, which have no effect, and which services are asked
 * without the key that they want. */
void provider_services_warn(const struct conf *conf);
void provider_services_free(struct provider_services *s); /* wipes the keys; NULL is fine */

/* Its base URL, without a slash at the end. NULL when it is off: its url is set to nothing, or it needs a key
 * and has none. */
const char *provider_url(const struct ctx *ctx, const struct provider *p);
/* Whether it has one, or needs none. */
bool provider_is_on(const struct ctx *ctx, const struct provider *p);
/* Those that are, in the order of the table; NULL ends them. In the arena. */
const struct provider *const *providers_on(const struct ctx *ctx, struct arena *a);
/* NULL: none. Must reach no log. */
const char *provider_key(const struct ctx *ctx, const struct provider *p);
/* Another of its settings; NULL when it is not set, or set to nothing. */
const char *provider_setting(const struct ctx *ctx, const struct provider *p, const char *name);
/* Its rate limit: 0 units are no limit. */
struct rate_limit provider_rate(const struct ctx *ctx, const struct provider *p);
/* NULL: the operator takes none. */
const struct provider_fee *provider_fee(const struct ctx *ctx, const struct provider *p);

/* Make a call to its service, which waits in its lane: `path` follows the base URL. False when it is off. */
bool provider_get(struct call *call, const struct ctx *ctx, const struct provider *p, struct arena *a,
                  const char *path);
/* With a body of JSON text. */
bool provider_post(struct call *call, const struct ctx *ctx, const struct provider *p, struct arena *a,
                   const char *path, const char *json);
/* Makes an ended call the next question, with the same headers and owner, and a body of JSON text; NULL:
 * none, as before. The answer is gone then. */
void provider_ask_next(struct call *call, const char *url, const char *json);
/* "Name: value", which must outlive the call. */
void provider_header(struct call *call, const char *header);

/* The result by the answer's status: ASK_OFFERED for 200 to 299, ASK_NO_ROUTE for a refusal that the body may
 * explain. */
enum ask_end provider_end(const struct call *call);
const char *ask_end_text(enum ask_end end); /* "no_route" */
/* Logs that a question brought nothing usable: the failure, or that the offer is far above all others. */
void provider_unavailable_log(const struct provider *p, const struct call *call, bool outlier);
/* The answer, with any status, and with every number as a text; to be released with json_decref. NULL: there
 * is none, or it is not JSON. */
json_t *provider_answer(const struct call *call);
/* The same without members of these names, which are not read: the parts of a route take most of an
 * answer. */
json_t *provider_answer_without(const struct call *call, const char *const *names);

#endif
