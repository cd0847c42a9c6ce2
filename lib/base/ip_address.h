/* IP addresses of clients, and which proxies to trust with X-Forwarded-For. */
#ifndef BASE_IP_ADDRESS_H
#define BASE_IP_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

struct ip_address {
    uint8_t bytes[16]; /* IPv4 in its mapped form, ::ffff:a.b.c.d */
};

/* An address as web servers and proxies write it: v4, v6, [v6], either with a port. */
bool ip_address_parse(struct ip_address *out, const char *text);

/* Whether `list`, a comma-separated list of addresses and networks such as 10.0.0.0/8, is well-formed. It may
 * be empty. */
bool ip_address_list_ok(const char *list);
bool ip_address_in_list(struct ip_address a, const char *list);

/* 127.0.0.0/8 or ::1. */
bool ip_address_is_loopback(struct ip_address a);

/* The client of a connection from `remote` with an X-Forwarded-For of `forwarded` (NULL: none): the
 * right-most address that is not a trusted proxy's. An entry that is not an address ends the search, since
 * nothing left of it was written by a trusted proxy. All zero when `remote` is not an address. */
struct ip_address ip_address_client(const char *remote, const char *forwarded, const char *trusted);

/* The address under which limits count a client: the IPv4 address, or the /64 of an IPv6 address. */
struct ip_address ip_address_counted(struct ip_address a);
/* The network that one customer may have: the /24, or the /48 of an IPv6 address. */
struct ip_address ip_address_network(struct ip_address a);

#endif
