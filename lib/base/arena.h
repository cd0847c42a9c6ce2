/* A request's memory: allocate forward, free everything in one call; and what is to be done then. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* Never returns NULL: a process that runs out of memory exits, since no answer could be trusted any more. */
struct arena *arena_new(void);
void arena_free(struct arena *a);

/* Forgets all allocations but keeps some memory, for the next request. */
void arena_reset(struct arena *a);

/* Zeroed memory, aligned for any type. Owned by the arena. */
void *arena_alloc(struct arena *a, size_t size);
#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_calloc((a), (n), sizeof(type)))
void *arena_calloc(struct arena *a, size_t n, size_t size); /* n * size is checked */
/* Memory that grows from `size` bytes to `to`, in place if it was allocated last; what is new is not zeroed.
 * NULL begins it. */
void *arena_extend(struct arena *a, void *p, size_t size, size_t to);
/* Makes room for one more item after the first n of an array that began as NULL; the array moves as it grows.
 */
void *arena_grow(struct arena *a, void *items, size_t n, size_t size);

/* Calls fn(arg) when the arena is reset or freed, the last one first: for what is held and is no memory of
 * the arena. */
void arena_defer(struct arena *a, void (*fn)(void *arg), void *arg);

char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n); /* adds a terminator */
void *arena_memdup(struct arena *a, const void *p, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

#endif
