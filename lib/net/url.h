/* Which URLs and addresses an agent may use as its callback. */
#ifndef NET_URL_H
#define NET_URL_H

#include <stdbool.h>
#include <sys/socket.h>

#include "net/call.h"

enum { URL_MAX = 500 };

/* The form of a callback URL: absolute, https (http too to a loopback host where guard is CALL_LOOPBACK), a
 * host, no user info, no fragment, no control or white space, at most URL_MAX bytes. NULL when fine, else
 * what is wrong in words for `fields`. A literal address in it is checked at once, a name when it is
 * connected to. */
const char *url_callback_fault(const char *url, enum call_guard guard);

/* Public unicast of IPv4 and IPv6, mapped and translated forms (::ffff:0:0/96, 64:ff9b::/96, 6to4, Teredo)
 * judged by the address inside. With CALL_LOOPBACK also the loopback; with CALL_CONFIGURED everything. */
bool url_addr_allowed(const struct sockaddr *sa, enum call_guard guard);

/* Host and port as the URL has them, *n bytes of it: without path and user, which may be secrets. */
const char *url_host(const char *url, size_t *n);
enum { URL_HOST_TEXT_LEN = 80 };
/* The same, for people. Cut to fit. */
void url_host_text(char out[static URL_HOST_TEXT_LEN], const char *url);

#endif
