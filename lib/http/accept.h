/* Accept, Accept-Encoding and the like: what a client accepts (RFC 9110, 12.5). */
#ifndef HTTP_ACCEPT_H
#define HTTP_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the header's list accepts something that the `n` ranges match; they are sorted, the most specific
 * last. The most specific range in the list decides; `otherwise` is the answer if it has none of them or is
 * NULL. */
bool accepts(const char *list, const char *const *ranges, size_t n, bool otherwise);

#endif
