/* Numbers by the heads of hashes. What is in it stays, and a number can only become larger. */
#ifndef SIGNER_HASH_MAP_H
#define SIGNER_HASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HASH_MAP_MAX = 1 << 22 }; /* entries: 128 MB */

struct hash_map {
    struct hash_cell *cells; /* NULL while it is empty */
    size_t room, count;
};

/* The key of some bytes. Two that share a key share a number: callers have to treat the larger number as the
 * safe one. */
uint64_t hash_map_key(const void *bytes, size_t n);
/* 0: there is none. */
int64_t hash_map_get(const struct hash_map *m, uint64_t key);
/* A number above 0. False when there is no room for it. */
bool hash_map_raise(struct hash_map *m, uint64_t key, int64_t value);
void hash_map_free(struct hash_map *m);

#endif
