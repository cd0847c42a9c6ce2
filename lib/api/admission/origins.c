#include "api/admission/origins.h"

#include <string.h>
#include <strings.h>

#include "service/conf.h"
#include "service/ctx.h"

struct span {
    const char *at;
    size_t len;
};

static struct span whole(const char *s)
{
    return (struct span){ s, strlen(s) };
}

static bool same(struct span a, struct span b)
{
    return a.len == b.len && strncasecmp(a.at, b.at, a.len) == 0;
}

/* What follows "https://" or another scheme. */
static struct span host_of(struct span origin)
{
    const char *slashes = memmem(origin.at, origin.len, "://", 3);

    if (slashes == NULL)
        return (struct span){ origin.at, 0 };
    return (struct span){ slashes + 3, (size_t)(origin.at + origin.len - (slashes + 3)) };
}

/* The origin that base_url lies in. */
static struct span own(const struct api_call *c)
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
    struct span host = host_of(origin);
    struct span scheme = { origin.at, origin.len - host.len };

    return (same(scheme, whole("http://")) || same(scheme, whole("https://"))) && is_loopback(host);
}

/* Whether the list has it, as an origin or as the host of one. */
static bool listed(const char *list, struct span what, bool as_host)
{
    size_t len;

    for (; *list != '\0'; list += len) {
        struct span item;

        list += strspn(list, ", ");
        len = strcspn(list, ", ");
        item = (struct span){ list, len };
        if ((len == 1 && *list == '*') || (len > 0 && same(as_host ? host_of(item) : item, what)))
            return true;
    }
    return false;
}

static bool page_allowed(const struct api_call *c, const char *origin)
{
    struct span page = whole(origin);

    return same(page, own(c)) || is_loopback_page(page) || listed(c->ctx->conf->allowed_origins, page, false);
}

static bool host_allowed(const struct api_call *c)
{
    const char *text = request_header(c->rq, "HTTP_HOST");
    struct span host;

    if (text == NULL)
        return true;
    host = whole(text);
    return same(host, host_of(own(c))) || is_loopback(host) ||
           listed(c->ctx->conf->allowed_origins, host, true);
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
