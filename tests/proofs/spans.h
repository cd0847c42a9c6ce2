/* In the place of what of the C library searches the text that is read, of which the end is known: any place
 * that it could find. Of the bytes between nothing is said but of the first, so a proof holds for more than
 * there can be, and no loop goes over the text. Other texts, of which all is known, are searched. Included
 * first. */
#ifndef TESTS_PROOFS_SPANS_H
#define TESTS_PROOFS_SPANS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "proof.h"

static const char *text_end; /* its NUL, or what is behind it where it has none */

static inline bool is_read(const char *s)
{
    return __CPROVER_same_object(s, text_end);
}

static inline size_t left_of(const char *s)
{
    MUST(s <= text_end);
    return (size_t)(text_end - s);
}

static inline bool one_of(char c, const char *set)
{
    while (*set != '\0' && *set != c)
        set++;
    return *set != '\0';
}

static inline size_t len_known(const char *s)
{
    return is_read(s) ? left_of(s) : strlen(s);
}

static inline size_t span_any(const char *s, const char *set, bool within)
{
    ANY(size_t, span);

    SUPPOSE(span <= left_of(s) && (s[span] == '\0' || one_of(s[span], set) != within));
    SUPPOSE(span == 0 || one_of(*s, set) == within);
    return span;
}

static inline size_t strspn_any(const char *s, const char *set)
{
    return span_any(s, set, true);
}

static inline size_t strcspn_any(const char *s, const char *set)
{
    return span_any(s, set, false);
}

/* A byte of the `n` that is `c`, or none. */
static inline void *byte_any(const void *p, int c, size_t n)
{
    const char *s = p;
    ANY(bool, found);
    ANY(size_t, at);

    MUST(n == 0 || __CPROVER_r_ok(p, n));
    if (!found)
        return NULL;
    SUPPOSE(at < n && s[at] == (char)c);
    return (void *)(s + at);
}

static inline char *strchr_any(const char *s, int c)
{
    return is_read(s) ? byte_any(s, c, left_of(s)) : strchr(s, c);
}

/* Of a text that has no NUL before text_end, as all that is searched here. */
static inline size_t strnlen_any(const char *s, size_t max)
{
    return left_of(s) < max ? left_of(s) : max;
}

static inline char *strstr_any(const char *s, const char *part)
{
    char *at = byte_any(s, part[0], left_of(s));

    SUPPOSE(at == NULL || strncmp(at, part, strlen(part)) == 0);
    return at;
}

#define strlen  len_known
#define strspn  strspn_any
#define strcspn strcspn_any
#define memchr  byte_any
#define memrchr byte_any
#define strchr  strchr_any
#define strnlen strnlen_any
#define strstr  strstr_any

#endif
