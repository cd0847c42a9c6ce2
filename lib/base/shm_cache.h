/* A table that forked processes share, for values that can be learnt again: each place holds the value that a
 * process wrote there last. No process waits for another. A value that is read while it is written, or that a
 * dead process left unfinished, is absent: a checksum shows it. Values may point to the program's objects at
 * fixed addresses. */
#ifndef BASE_SHM_CACHE_H
#define BASE_SHM_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct shm_cache {
    size_t places, size; /* of a value, in bytes */
    char *memory;        /* NULL: not shared out yet */
};

#define SHM_CACHE_INIT(count, type)                                                                          \
    {                                                                                                        \
        .places = (count), .size = sizeof(type)                                                              \
    }

/* To be called before the processes are forked; without it each has a cache of its own. */
void shm_cache_share(struct shm_cache *b);
/* Copies the value at a place; false where there is none. */
bool shm_cache_read(struct shm_cache *b, size_t place, void *out);
void shm_cache_write(struct shm_cache *b, size_t place, const void *value);
void shm_cache_clear(struct shm_cache *b);

#endif
