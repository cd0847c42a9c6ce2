#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"

enum { BLOCK_SIZE = 16 * 1024, SPARE_MAX = 64 * 1024, ALIGN = _Alignof(max_align_t) };

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
    struct block *spare; /* kept by a reset too, for when the first is full */
    size_t spare_size;
    struct deferred *deferred;
};

static struct block *block_new(size_t size)
{
    struct block *b = size > SIZE_MAX - sizeof *b ? NULL : malloc(sizeof *b + size);

    if (b == NULL)
        log_fatal("out_of_memory", "out of memory: %zu bytes", size);
    b->size = size;
    return b;
}

/* A spare block of that size; NULL: there is none. */
static struct block *spare_take(struct arena *a, size_t size)
{
    for (struct block **at = &a->spare; *at != NULL; at = &(*at)->next) {
        struct block *b = *at;

        if (b->size < size)
            continue;
        *at = b->next;
        a->spare_size -= b->size;
        return b;
    }
    return NULL;
}

static void block_add(struct arena *a, size_t size)
{
    struct block *b = spare_take(a, size);

    if (b == NULL)
        b = block_new(size);
    b->next = a->first;
    b->used = 0;
    a->first = b;
}

struct arena *arena_new(void)
{
    struct arena *a = malloc(sizeof *a);

    if (a == NULL)
        log_fatal("out_of_memory", "out of memory: arena");
    *a = (struct arena){ .first = NULL };
    block_add(a, BLOCK_SIZE);
    return a;
}

static void blocks_free(struct block *list)
{
    while (list != NULL) {
        struct block *next = list->next;

        free(list);
        list = next;
    }
}

/* Long-lived processes would otherwise allocate and free the same blocks for each request. */
static void block_spare(struct arena *a, struct block *b)
{
    if (a->spare_size + b->size > SPARE_MAX) {
        free(b);
        return;
    }
    b->next = a->spare;
    a->spare = b;
    a->spare_size += b->size;
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
    blocks_free(a->first);
    blocks_free(a->spare);
    free(a);
}

void arena_reset(struct arena *a)
{
    run_deferred(a);
    while (a->first->next != NULL) {
        struct block *b = a->first;

        a->first = b->next;
        block_spare(a, b);
    }
    a->first->used = 0;
}

static size_t aligned(size_t size)
{
    if (size > SIZE_MAX - ALIGN)
        log_fatal("out_of_memory", "out of memory: %zu bytes", size);
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static void *block_alloc(struct arena *a, size_t size)
{
    unsigned char *p;

    if (size > a->first->size - a->first->used)
        block_add(a, size > BLOCK_SIZE ? size : BLOCK_SIZE);
    p = a->first->data + a->first->used;
    a->first->used += size;
    return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
    return memset(block_alloc(a, aligned(size)), 0, size);
}

void *arena_extend(struct arena *a, void *p, size_t size, size_t to)
{
    struct block *b = a->first;
    size_t had = aligned(size), wants = aligned(to);
    void *moved;

    if (p != NULL && (unsigned char *)p + had == b->data + b->used && wants - had <= b->size - b->used) {
        b->used += wants - had;
        return p;
    }
    moved = block_alloc(a, wants);
    if (p != NULL)
        memcpy(moved, p, size);
    return moved;
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
    size_t total;

    if (__builtin_mul_overflow(n, size, &total))
        log_fatal("out_of_memory", "out of memory: %zu times %zu bytes", n, size);
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
    struct block *b = a->first;
    char *text = (char *)b->data + b->used;
    size_t room = b->size - b->used;
    va_list again;
    int n;

    va_copy(again, ap);
    n = vsnprintf(text, room, fmt, again);
    va_end(again);
    if (n < 0)
        log_fatal("program_broken", "cannot format: %s", fmt);
    if ((size_t)n < room) { /* it is where it belongs already */
        b->used += aligned((size_t)n + 1);
        return text;
    }
    text = arena_alloc(a, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    return text;
}
