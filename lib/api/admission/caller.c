#include "api/admission/caller.h"

#include <string.h>
#include <strings.h>

#include "service/conf.h"

/* A proxy on this host connects from the loopback too. Its headers show it, or it was asked for another host
 * than this one: a local client asks for 127.0.0.1, [::1] or localhost. */
static bool is_passed_on(const struct api_call *c)
{
    static const char *const marks[] = {
        "HTTP_X_FORWARDED_FOR",    "HTTP_FORWARDED",
        "HTTP_X_REAL_IP",          "HTTP_VIA",
        "HTTP_X_FORWARDED_HOST",   "HTTP_X_FORWARDED_PORT",
        "HTTP_X_FORWARDED_PROTO",  "HTTP_X_FORWARDED_SERVER",
        "HTTP_X_FORWARDED_SSL",    "HTTP_X_CLIENT_IP",
        "HTTP_TRUE_CLIENT_IP",     "HTTP_CF_CONNECTING_IP",
        "HTTP_X_FORWARDED_SCHEME",
    };
    bool passed = false;

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        passed = passed || request_header(c->rq, marks[i]) != NULL;
    return passed;
}

static bool is_asked_at_home(const struct api_call *c)
{
    static const char localhost[] = "localhost";
    const char *host = request_header(c->rq, "HTTP_HOST");
    struct ip_address a;

    if (host == NULL)
        return false;
    if (strncmp(host, localhost, strlen(localhost)) == 0)
        return strchr(":", host[strlen(localhost)]) != NULL; /* its end, too */
    return ip_address_parse(&a, host) && ip_address_is_loopback(a);
}

/* NULL where there is none, or several spellings that differ. */
static const char *forwarded_for(const struct api_call *c)
{
    static const char name[] = "HTTP_X_FORWARDED_FOR";

    return request_header_differs(c->rq, name) ? NULL : request_header(c->rq, name);
}

struct ip_address caller_address(const struct api_call *c)
{
    return ip_address_client(request_header(c->rq, "REMOTE_ADDR"), forwarded_for(c),
                             c->ctx->conf->trusted_proxies);
}

bool caller_is_from(const struct api_call *c, const char *list)
{
    struct ip_address peer = ip_address_client(request_header(c->rq, "REMOTE_ADDR"), NULL, "");

    if (ip_address_in_list(peer, c->ctx->conf->trusted_proxies)) {
        if (forwarded_for(c) == NULL) /* a proxy that does not say for whom it asks */
            return false;
    } else if (is_passed_on(c) || (ip_address_is_loopback(peer) && !is_asked_at_home(c))) {
        return false;
    }
    return ip_address_in_list(caller_address(c), list);
}

/* By the first item where proxies in a row have added theirs: how the client came. */
static bool says_https(const char *proto)
{
    static const char https[] = "https";

    return strncasecmp(proto, https, strlen(https)) == 0 && strchr(", ", proto[strlen(https)]) != NULL;
}

bool caller_is_in_the_clear(const struct api_call *c)
{
    static const char forwarded[] = "HTTP_X_FORWARDED_PROTO";
    const char *scheme = request_header(c->rq, "REQUEST_SCHEME");
    const char *proto = request_header(c->rq, forwarded);
    struct ip_address peer;

    if (strcmp(c->ctx->conf->plain_http, "allow") == 0 || (proto == NULL && scheme == NULL))
        return false;
    peer = ip_address_client(request_header(c->rq, "REMOTE_ADDR"), NULL, "");
    if (proto != NULL &&
        (ip_address_is_loopback(peer) || ip_address_in_list(peer, c->ctx->conf->trusted_proxies)))
        return !says_https(proto) || request_header_differs(c->rq, forwarded);
    return scheme != NULL && strcasecmp(scheme, "http") == 0 && !ip_address_is_loopback(peer);
}
