/* Accept, Accept-Encoding and the like: what a client takes (RFC 9110, 12.5). */
#ifndef HTTP_ACCEPT_H
#define HTTP_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the header's list takes what these `n` ranges name, the most exact one last: the list's most exact
 * range decides. `otherwise` where it has none of them, or is NULL. */
bool accepts(const char *list, const char *const *ranges, size_t n, bool otherwise);

#endif
