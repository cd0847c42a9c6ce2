#include "net/url.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"

/* ---- addresses ---- */

enum verdict {
    REFUSED,
    PUBLIC,
    LOOPBACK,
    INNER, /* as the IPv4 address that stands at `at` inside */
};

enum { ADDR_LEN = 16, V4_AT = 12, V4_PREFIX = 96 };

/* IPv4 is in its mapped form, ::ffff:0:0/96, so that both families share the table. */
#define V4(a, b, c, d)                                                                                       \
    {                                                                                                        \
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d                                                 \
    }

/* IANA's registries of special-purpose addresses. The first row that matches decides; IPv6 outside of
 * 2000::/3 has not been given out. */
static const struct net_row {
    uint8_t prefix[ADDR_LEN];
    uint8_t bits;
    enum verdict verdict;
    uint8_t at;
} rows[] = {
    { V4(0, 0, 0, 0), V4_PREFIX + 8, REFUSED, 0 },        /* this network */
    { V4(10, 0, 0, 0), V4_PREFIX + 8, REFUSED, 0 },       /* private */
    { V4(100, 64, 0, 0), V4_PREFIX + 10, REFUSED, 0 },    /* carriers' own */
    { V4(127, 0, 0, 0), V4_PREFIX + 8, LOOPBACK, 0 },     /* this host */
    { V4(169, 254, 0, 0), V4_PREFIX + 16, REFUSED, 0 },   /* link-local, metadata services */
    { V4(172, 16, 0, 0), V4_PREFIX + 12, REFUSED, 0 },    /* private */
    { V4(192, 0, 0, 0), V4_PREFIX + 24, REFUSED, 0 },     /* protocol assignments */
    { V4(192, 0, 2, 0), V4_PREFIX + 24, REFUSED, 0 },     /* documentation */
    { V4(192, 31, 196, 0), V4_PREFIX + 24, REFUSED, 0 },  /* AS112 */
    { V4(192, 52, 193, 0), V4_PREFIX + 24, REFUSED, 0 },  /* AMT */
    { V4(192, 88, 99, 0), V4_PREFIX + 24, REFUSED, 0 },   /* 6to4 relays */
    { V4(192, 168, 0, 0), V4_PREFIX + 16, REFUSED, 0 },   /* private */
    { V4(192, 175, 48, 0), V4_PREFIX + 24, REFUSED, 0 },  /* AS112 */
    { V4(198, 18, 0, 0), V4_PREFIX + 15, REFUSED, 0 },    /* benchmarks */
    { V4(198, 51, 100, 0), V4_PREFIX + 24, REFUSED, 0 },  /* documentation */
    { V4(203, 0, 113, 0), V4_PREFIX + 24, REFUSED, 0 },   /* documentation */
    { V4(224, 0, 0, 0), V4_PREFIX + 4, REFUSED, 0 },      /* multicast */
    { V4(240, 0, 0, 0), V4_PREFIX + 4, REFUSED, 0 },      /* reserved, broadcast */
    { V4(0, 0, 0, 0), V4_PREFIX, PUBLIC, 0 },             /* the rest of IPv4 */
    { { [15] = 1 }, 128, LOOPBACK, 0 },                   /* ::1 */
    { { 0x00, 0x64, 0xff, 0x9b }, 96, INNER, 12 },        /* translation */
    { { 0x20, 0x01, 0x00, 0x00 }, 23, REFUSED, 0 },       /* protocol assignments, Teredo */
    { { 0x20, 0x01, 0x0d, 0xb8 }, 32, REFUSED, 0 },       /* documentation */
    { { 0x20, 0x02 }, 16, INNER, 2 },                     /* 6to4 */
    { { 0x26, 0x20, 0x00, 0x4f, 0x80 }, 48, REFUSED, 0 }, /* AS112 */
    { { 0x3f, 0xff }, 20, REFUSED, 0 },                   /* documentation */
    { { 0x20 }, 3, PUBLIC, 0 },                           /* global unicast */
    { { 0 }, 0, REFUSED, 0 },                             /* ::, fc00::/7, fe80::/10, ff00::/8 … */
};

static bool row_contains(const struct net_row *row, const uint8_t addr[static ADDR_LEN])
{
    size_t whole = row->bits / 8;
    unsigned rest = row->bits % 8;

    if (memcmp(row->prefix, addr, whole) != 0)
        return false;
    return rest == 0 || ((row->prefix[whole] ^ addr[whole]) >> (8 - rest)) == 0;
}

static const struct net_row *row_find(const uint8_t addr[static ADDR_LEN])
{
    const struct net_row *row = rows;

    while (!row_contains(row, addr)) /* the last one takes all */
        row++;
    return row;
}

static void map_v4(uint8_t out[static ADDR_LEN], const uint8_t v4[static 4])
{
    static const uint8_t zero[ADDR_LEN] = V4(0, 0, 0, 0);

    memcpy(out, zero, ADDR_LEN);
    memcpy(out + V4_AT, v4, 4);
}

static enum verdict address_verdict(const uint8_t addr[static ADDR_LEN])
{
    const struct net_row *row = row_find(addr);
    uint8_t inner[ADDR_LEN];

    if (row->verdict != INNER)
        return row->verdict;
    map_v4(inner, addr + row->at);
    return row_find(inner)->verdict == PUBLIC ? PUBLIC : REFUSED; /* no loopback behind a translator */
}

static bool verdict_allowed(enum verdict v, enum call_guard guard)
{
    return guard == CALL_CONFIGURED || v == PUBLIC || (v == LOOPBACK && guard == CALL_LOOPBACK);
}

static bool family_judged(const struct sockaddr *sa, enum verdict *out)
{
    uint8_t addr[ADDR_LEN];

    if (sa->sa_family == AF_INET6) {
        memcpy(addr, (const uint8_t *)sa + offsetof(struct sockaddr_in6, sin6_addr), ADDR_LEN);
    } else if (sa->sa_family == AF_INET) {
        map_v4(addr, (const uint8_t *)sa + offsetof(struct sockaddr_in, sin_addr));
    } else {
        return false;
    }
    *out = address_verdict(addr);
    return true;
}

bool url_addr_allowed(const struct sockaddr *sa, enum call_guard guard)
{
    enum verdict v = REFUSED;

    return guard == CALL_CONFIGURED || (family_judged(sa, &v) && verdict_allowed(v, guard));
}

/* ---- callback URLs ---- */

enum host_kind { HOST_BAD, HOST_NAME, HOST_PUBLIC, HOST_LOOPBACK, HOST_REFUSED };

static enum host_kind host_of_verdict(enum verdict v)
{
    return v == PUBLIC ? HOST_PUBLIC : v == LOOPBACK ? HOST_LOOPBACK : HOST_REFUSED;
}

static enum host_kind bracketed_kind(const char *host, size_t len)
{
    char text[INET6_ADDRSTRLEN];
    uint8_t addr[ADDR_LEN];

    if (len < 2 || host[len - 1] != ']' || len - 2 >= sizeof text)
        return HOST_BAD;
    memcpy(text, host + 1, len - 2);
    text[len - 2] = '\0';
    if (inet_pton(AF_INET6, text, addr) != 1)
        return HOST_BAD;
    return host_of_verdict(address_verdict(addr));
}

/* Resolvers read 127.1, 0x7f.0.0.1 and 2130706433 as addresses. libcurl has already turned those that it
 * understands into four decimal numbers; a host that still ends in a number is no name. */
static bool ends_in_number(const char *host, size_t len)
{
    size_t start = len, digits;

    while (start > 0 && host[start - 1] != '.')
        start--;
    digits = strspn(host + start, "0123456789");
    if (start + digits >= len)
        return true;
    return host[start] == '0' && (host[start + 1] | 0x20) == 'x' &&
           start + 2 + strspn(host + start + 2, "0123456789abcdefABCDEF") >= len;
}

static bool is_localhost(const char *host, size_t len)
{
    static const char name[] = "localhost";
    const size_t n = sizeof name - 1;

    if (len < n || strncasecmp(host + len - n, name, n) != 0)
        return false;
    return len == n || host[len - n - 1] == '.';
}

static enum host_kind host_kind(const char *host)
{
    size_t len = strlen(host);
    uint8_t v4[4], addr[ADDR_LEN];
    char text[INET_ADDRSTRLEN];

    if (host[0] == '[')
        return bracketed_kind(host, len);
    if (len > 0 && host[len - 1] == '.') /* the root, which resolvers take as well */
        len--;
    if (len == 0 || host[0] == '.' || host[len - 1] == '.' || strstr(host, "..") != NULL)
        return HOST_BAD;
    if (strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") < len)
        return HOST_BAD;
    if (!ends_in_number(host, len))
        return is_localhost(host, len) ? HOST_LOOPBACK : HOST_NAME;
    if (len >= sizeof text)
        return HOST_BAD;
    memcpy(text, host, len);
    text[len] = '\0';
    if (inet_pton(AF_INET, text, v4) != 1)
        return HOST_BAD;
    map_v4(addr, v4);
    return host_of_verdict(address_verdict(addr));
}

static const char *host_fault(enum host_kind kind, bool plain, enum call_guard guard)
{
    static const char not_public[] = "must name a public address";
    static const char not_https[] = "must be an https URL";

    switch (kind) {
    case HOST_BAD:
        return "must have a valid host";
    case HOST_NAME:
    case HOST_PUBLIC:
        return plain && guard != CALL_CONFIGURED ? not_https : NULL;
    case HOST_LOOPBACK:
        if (guard != CALL_PUBLIC)
            return NULL;
        return plain ? not_https : not_public;
    case HOST_REFUSED:
        return guard == CALL_CONFIGURED ? NULL : not_public;
    }
    return NULL;
}

/* Before any parser sees it: parsers disagree about exactly these bytes. */
static const char *text_fault(const char *url)
{
    size_t len = strnlen(url, URL_MAX + 1);

    if (len > URL_MAX)
        return "must have at most 500 characters";
    for (size_t i = 0; i < len; i++)
        if (url[i] <= ' ' || url[i] >= 0x7f || strchr("\\\"<>^`{|}", url[i]) != NULL)
            return "must not contain spaces or characters that a URL has to encode";
    if (strchr(url, '#') != NULL)
        return "must not have a fragment";
    return NULL;
}

static const char *start_fault(const char *url, bool plain)
{
    const char *scheme = plain ? "http://" : "https://", *authority;

    if (strncasecmp(url, scheme, strlen(scheme)) != 0)
        return "must be an absolute https URL";
    authority = url + strlen(scheme);
    if (*authority == '/' || *authority == '\0')
        return "must have a valid host";
    if (memchr(authority, '@', strcspn(authority, "/?")) != NULL)
        return "must not have user info";
    return NULL;
}

static const char *parsed_fault(CURLU *u, const char *url, bool plain, enum call_guard guard)
{
    const char *fault = "must have a valid host";
    char *host = NULL, *port = NULL;

    if (curl_url_set(u, CURLUPART_URL, url, CURLU_DISALLOW_USER) != CURLUE_OK)
        return "must be a valid URL";
    if (curl_url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) != CURLUE_OK || strcmp(port, "0") == 0)
        fault = "must have a valid port";
    else if (curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK)
        fault = host_fault(host_kind(host), plain, guard);
    curl_free(host);
    curl_free(port);
    return fault;
}

const char *url_callback_fault(const char *url, enum call_guard guard)
{
    bool plain = strncasecmp(url, "http:", 5) == 0;
    const char *fault = text_fault(url);
    CURLU *u;

    if (fault == NULL)
        fault = start_fault(url, plain);
    if (fault != NULL)
        return fault;
    u = curl_url();
    if (u == NULL)
        log_fatal("out_of_memory", "out of memory: a URL");
    fault = parsed_fault(u, url, plain, guard);
    curl_url_cleanup(u);
    return fault;
}

const char *url_host(const char *url, size_t *n)
{
    const char *scheme = strstr(url, "://"), *host = scheme == NULL ? url : scheme + 3;
    const char *user;

    *n = strcspn(host, "/?#");
    user = memrchr(host, '@', *n);
    if (user != NULL) {
        *n -= (size_t)(user + 1 - host);
        host = user + 1;
    }
    return host;
}

void url_host_text(char out[static URL_HOST_TEXT_LEN], const char *url)
{
    size_t n;
    const char *host = url_host(url, &n);

    (void)snprintf(out, URL_HOST_TEXT_LEN, "%.*s", (int)n, host);
}
