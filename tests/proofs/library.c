/* Replacements of the functions that the proofs do not prove. The result of a proof holds for everything that
 * these may do. */
#include "proof.h"

#include "base/arena.h"
#include "base/log.h"

/* ---- of the C library, what CBMC has no body for ---- */

size_t strspn(const char *s, const char *accept)
{
    size_t n = 0;

    for (; s[n] != '\0'; n++) {
        const char *p = accept;

        while (*p != '\0' && *p != s[n])
            p++;
        if (*p == '\0')
            break;
    }
    return n;
}

size_t strcspn(const char *s, const char *reject)
{
    size_t n = 0;

    for (; s[n] != '\0'; n++) {
        const char *p = reject;

        while (*p != '\0' && *p != s[n])
            p++;
        if (*p != '\0')
            break;
    }
    return n;
}

size_t strnlen(const char *s, size_t max)
{
    size_t n = 0;

    while (n < max && s[n] != '\0')
        n++;
    return n;
}

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;

    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return NULL;
}

/* ---- of the base ---- */

void log_fatal(const char *event, const char *fmt, ...)
{
    (void)event;
    (void)fmt;
    SUPPOSE(false);
}

/* Each piece of an arena's memory is an object of its own and has the size that was asked for, so that what
 * runs over its end is found. */

void *arena_alloc(struct arena *a, size_t size)
{
    (void)a;
    return calloc(1, size);
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
    size_t total;

    SUPPOSE(!__builtin_mul_overflow(n, size, &total));
    return arena_alloc(a, total);
}

void *arena_memdup(struct arena *a, const void *p, size_t n)
{
    void *copy = arena_alloc(a, n);

    if (n > 0)
        memcpy(copy, p, n);
    return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_memdup(a, s, strlen(s) + 1);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    size_t len = strnlen(s, n);
    char *copy = arena_alloc(a, len + 1);

    memcpy(copy, s, len);
    return copy;
}

/* Any text: its caller does not read it again. */
char *arena_printf(struct arena *a, const char *fmt, ...)
{
    char *text = arena_alloc(a, 8);

    (void)fmt;
    __CPROVER_havoc_slice(text, 7);
    return text;
}
