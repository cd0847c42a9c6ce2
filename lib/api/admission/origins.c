#include "api/admission/origins.h"

#include <string.h>
#include <strings.h>

#include "service/conf.h"
#include "service/ctx.h"

struct span {
    const char *at;
    size_t len;
};

static struct span span_of(const char *s)
{
    return (struct span){ s, strlen(s) };
}

static bool span_equals(struct span a, struct span b)
{
    return a.len == b.len && strncasecmp(a.at, b.at, a.len) == 0;
}

/* The part after the scheme. */
static struct span origin_host(struct span origin)
{
    const char *slashes = memmem(origin.at, origin.len, "://", 3);

    if (slashes == NULL)
        return (struct span){ origin.at, 0 };
    return (struct span){ slashes + 3, (size_t)(origin.at + origin.len - (slashes + 3)) };
}

/* The origin of base_url. */
static struct span own_origin(const struct api_call *c)
{
    const char *url = c->ctx->conf->base_url, *host = strstr(url, "://");

    host = host == NULL ? url : host + 3;
    return (struct span){ url, (size_t)(host - url) + strcspn(host, "/") };
}

static bool is_loopback(struct span host)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n = strlen(names[i]);

        if (host.len < n || strncasecmp(host.at, names[i], n) != 0)
            continue;
        if (host.len == n || (host.at[n] == ':' && strspn(host.at + n + 1, "0123456789") == host.len - n - 1))
            return true;
    }
    return false;
}

static bool is_loopback_page(struct span origin)
{
    struct span host = origin_host(origin);
    struct span scheme = { origin.at, origin.len - host.len };

    return (span_equals(scheme, span_of("http://")) || span_equals(scheme, span_of("https://"))) &&
           is_loopback(host);
}

/* Whether the list contains it, as an origin or as the host of one. */
static bool is_listed(const char *list, struct span what, bool as_host)
{
    size_t len;

    for (; *list != '\0'; list += len) {
        struct span item;

        list += strspn(list, ", ");
        len = strcspn(list, ", ");
        item = (struct span){ list, len };
        if ((len == 1 && *list == '*') || (len > 0 && span_equals(as_host ? origin_host(item) : item, what)))
            return true;
    }
    return false;
}

static bool page_allowed(const struct api_call *c, const char *origin)
{
    struct span page = span_of(origin);

    return span_equals(page, own_origin(c)) || is_loopback_page(page) ||
           is_listed(c->ctx->conf->allowed_origins, page, false);
}

static bool host_allowed(const struct api_call *c)
{
    const char *text = request_header(c->rq, "HTTP_HOST");
    struct span host;

    if (text == NULL)
        return true;
    host = span_of(text);
    return span_equals(host, origin_host(own_origin(c))) || is_loopback(host) ||
           is_listed(c->ctx->conf->allowed_origins, host, true);
}

bool origins_allow(const struct api_call *c)
{
    const char *origin = request_header(c->rq, "HTTP_ORIGIN");

    return host_allowed(c) && (origin == NULL || page_allowed(c, origin));
}

void origins_add_headers(struct api_call *c, struct reply *rp)
{
    const char *origin = request_header(c->rq, "HTTP_ORIGIN");

    reply_header(rp, "Vary: Origin");
    if (origin != NULL)
        reply_origin(rp, page_allowed(c, origin) ? origin : NULL);
}
