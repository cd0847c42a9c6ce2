#include "base/ip_address.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { V4_AT = 12, V4_BITS = 96, BITS = 128, TEXT_MAX = 64 };

static const uint8_t MAPPED[V4_AT] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

static bool is_v4(const struct ip_address *a)
{
    return memcmp(a->bytes, MAPPED, sizeof MAPPED) == 0;
}

static bool parse_plain(struct ip_address *out, const char *text)
{
    if (inet_pton(AF_INET6, text, out->bytes) == 1)
        return true;
    memcpy(out->bytes, MAPPED, sizeof MAPPED);
    return inet_pton(AF_INET, text, out->bytes + V4_AT) == 1;
}

/* The next item of a list without blanks around it, in `item`; NULL behind the last. Too long: "". */
static const char *next_item(const char *list, char item[static TEXT_MAX])
{
    size_t n;

    list += strspn(list, ", \t");
    if (*list == '\0')
        return NULL;
    n = strcspn(list, ", \t");
    item[0] = '\0';
    if (n < TEXT_MAX) {
        memcpy(item, list, n);
        item[n] = '\0';
    }
    return list + n;
}

static bool is_port(const char *s)
{
    return *s != '\0' && strspn(s, "0123456789") == strlen(s);
}

bool ip_address_parse(struct ip_address *out, const char *text)
{
    char plain[TEXT_MAX];
    const char *end;
    size_t n = strlen(text);

    if (n >= sizeof plain)
        return false;
    if (*text == '[') {
        end = strchr(text, ']');
        if (end == NULL || (end[1] != '\0' && (end[1] != ':' || !is_port(end + 2))))
            return false;
        text++;
        n = (size_t)(end - text);
    } else {
        end = strchr(text, ':');
        if (end != NULL && strchr(end + 1, ':') == NULL) { /* one colon: IPv4 with a port */
            if (!is_port(end + 1))
                return false;
            n = (size_t)(end - text);
        }
    }
    memcpy(plain, text, n);
    plain[n] = '\0';
    return parse_plain(out, plain);
}

/* An address, or a network with the number of bits that count. */
static bool parse_network(struct ip_address *out, unsigned *bits, char *item)
{
    char *slash = strchr(item, '/');
    unsigned long given;

    *bits = BITS;
    if (slash != NULL)
        *slash++ = '\0';
    if (!parse_plain(out, item))
        return false;
    if (slash == NULL)
        return true;
    if (!is_port(slash) || strlen(slash) > 3)
        return false;
    given = strtoul(slash, NULL, 10) + (strchr(item, ':') == NULL ? V4_BITS : 0);
    *bits = (unsigned)given;
    return given <= BITS;
}

static bool same_network(const struct ip_address *a, const struct ip_address *b, unsigned bits)
{
    unsigned whole = bits / 8, rest = bits % 8;

    if (memcmp(a->bytes, b->bytes, whole) != 0)
        return false;
    return rest == 0 || ((a->bytes[whole] ^ b->bytes[whole]) >> (8 - rest)) == 0;
}

bool ip_address_list_ok(const char *list)
{
    char item[TEXT_MAX];
    struct ip_address network;
    unsigned bits;

    while ((list = next_item(list, item)) != NULL)
        if (!parse_network(&network, &bits, item))
            return false;
    return true;
}

bool ip_address_in_list(struct ip_address a, const char *list)
{
    char item[TEXT_MAX];
    struct ip_address network;
    unsigned bits;

    while ((list = next_item(list, item)) != NULL)
        if (parse_network(&network, &bits, item) && same_network(&a, &network, bits))
            return true;
    return false;
}

bool ip_address_is_loopback(struct ip_address a)
{
    static const uint8_t v6[sizeof a.bytes] = { [sizeof a.bytes - 1] = 1 };

    return is_v4(&a) ? a.bytes[V4_AT] == 127 : memcmp(a.bytes, v6, sizeof v6) == 0;
}

/* The item that ends before `end`, in `item`; returns where it starts, NULL when there is none. */
static const char *last_item(const char *list, const char *end, char item[static TEXT_MAX])
{
    const char *start;
    size_t n;

    while (end > list && strchr(", \t", end[-1]) != NULL)
        end--;
    for (start = end; start > list && start[-1] != ','; start--) {
    }
    while (start < end && strchr(" \t", *start) != NULL)
        start++;
    n = (size_t)(end - start);
    if (n == 0)
        return NULL;
    item[0] = '\0';
    if (n < TEXT_MAX) {
        memcpy(item, start, n);
        item[n] = '\0';
    }
    return start;
}

struct ip_address ip_address_client(const char *remote, const char *forwarded, const char *trusted)
{
    struct ip_address client, next;
    char item[TEXT_MAX];
    const char *end;

    if (remote == NULL || !ip_address_parse(&client, remote))
        return (struct ip_address){ { 0 } };
    if (forwarded == NULL || trusted == NULL)
        return client;
    end = forwarded + strlen(forwarded);
    while (ip_address_in_list(client, trusted) && (end = last_item(forwarded, end, item)) != NULL &&
           ip_address_parse(&next, item))
        client = next;
    return client;
}

struct ip_address ip_address_counted(struct ip_address a)
{
    if (!is_v4(&a))
        memset(a.bytes + 8, 0, 8);
    return a;
}

struct ip_address ip_address_network(struct ip_address a)
{
    size_t kept = is_v4(&a) ? 15 : 6;

    memset(a.bytes + kept, 0, sizeof a.bytes - kept);
    return a;
}
