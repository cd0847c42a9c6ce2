#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"

enum { BLOCK_SIZE = 16 * 1024, ALIGN = _Alignof(max_align_t) };

struct block {
    struct block *next;
    size_t size;
    size_t used;
    _Alignas(max_align_t) unsigned char data[];
};

struct deferred {
    struct deferred *next;
    void (*fn)(void *arg);
    void *arg;
};

struct arena {
    struct block *first; /* newest first; the last in the list is kept by a reset */
    struct deferred *deferred;
};

static struct block *block_new(struct block *next, size_t size)
{
    struct block *b = size > SIZE_MAX - sizeof *b ? NULL : malloc(sizeof *b + size);

    if (b == NULL)
        log_fatal("out of memory: %zu bytes", size);
    b->next = next;
    b->size = size;
    b->used = 0;
    return b;
}

struct arena *arena_new(void)
{
    struct arena *a = malloc(sizeof *a);

    if (a == NULL)
        log_fatal("out of memory: arena");
    a->first = block_new(NULL, BLOCK_SIZE);
    a->deferred = NULL;
    return a;
}

/* Frees every block before `keep`. */
static void drop_blocks(struct arena *a, const struct block *keep)
{
    while (a->first != keep) {
        struct block *next = a->first->next;

        free(a->first);
        a->first = next;
    }
}

void arena_defer(struct arena *a, void (*fn)(void *arg), void *arg)
{
    struct deferred *d = ARENA_NEW(a, struct deferred);

    *d = (struct deferred){ a->deferred, fn, arg };
    a->deferred = d;
}

static void run_deferred(struct arena *a)
{
    for (; a->deferred != NULL; a->deferred = a->deferred->next)
        a->deferred->fn(a->deferred->arg);
}

void arena_free(struct arena *a)
{
    if (a == NULL)
        return;
    run_deferred(a);
    drop_blocks(a, NULL);
    free(a);
}

void arena_reset(struct arena *a)
{
    const struct block *oldest = a->first;

    run_deferred(a);
    while (oldest->next != NULL)
        oldest = oldest->next;
    drop_blocks(a, oldest);
    a->first->used = 0;
}

static struct block *block_with_room(struct arena *a, size_t size)
{
    if (size <= a->first->size - a->first->used)
        return a->first;
    a->first = block_new(a->first, size > BLOCK_SIZE ? size : BLOCK_SIZE);
    return a->first;
}

void *arena_alloc(struct arena *a, size_t size)
{
    struct block *b;
    unsigned char *p;

    if (size > SIZE_MAX - ALIGN)
        log_fatal("out of memory: %zu bytes", size);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    b = block_with_room(a, size);
    p = b->data + b->used;
    b->used += size;
    memset(p, 0, size);
    return p;
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
    size_t total;

    if (__builtin_mul_overflow(n, size, &total))
        log_fatal("out of memory: %zu times %zu bytes", n, size);
    return arena_alloc(a, total);
}

/* It doubles when its number of items is a power of two. */
void *arena_grow(struct arena *a, void *items, size_t n, size_t size)
{
    enum { FIRST = 8 };
    void *grown;

    if (n != 0 && (n < FIRST || (n & (n - 1)) != 0))
        return items;
    grown = arena_calloc(a, n < FIRST ? FIRST : n * 2, size);
    if (n > 0)
        memcpy(grown, items, n * size);
    return grown;
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

void *arena_memdup(struct arena *a, const void *p, size_t n)
{
    void *copy = arena_alloc(a, n);

    if (n > 0)
        memcpy(copy, p, n);
    return copy;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    char *text;

    va_start(ap, fmt);
    text = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return text;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    char *text;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0)
        log_fatal("cannot format: %s", fmt);
    text = arena_alloc(a, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    return text;
}
