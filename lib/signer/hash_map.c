#include "signer/hash_map.h"

#include <stdlib.h>

#include "codec/hash.h"

enum { FIRST_ROOM = 64 }; /* a power of two, as all rooms */

struct hash_cell {
    uint64_t key;
    int64_t value; /* 0: free */
};

uint64_t hash_map_key(const void *bytes, size_t n)
{
    uint8_t hash[HASH_LEN];
    uint64_t key = 0;

    sha256(hash, bytes, n);
    for (size_t i = 0; i < sizeof key; i++)
        key = key << 8 | hash[i];
    return key;
}

/* The key's, or the free one where it belongs; there always is one. */
static struct hash_cell *cell_of(const struct hash_map *m, uint64_t key)
{
    size_t at = key & (m->room - 1);

    while (m->cells[at].value != 0 && m->cells[at].key != key)
        at = (at + 1) & (m->room - 1);
    return &m->cells[at];
}

int64_t hash_map_get(const struct hash_map *m, uint64_t key)
{
    return m->cells == NULL ? 0 : cell_of(m, key)->value;
}

static bool make_room(struct hash_map *m)
{
    struct hash_map larger = { .room = m->room == 0 ? FIRST_ROOM : 2 * m->room, .count = m->count };

    larger.cells = calloc(larger.room, sizeof *larger.cells);
    if (larger.cells == NULL)
        return false;
    for (size_t i = 0; i < m->room; i++)
        if (m->cells[i].value != 0)
            *cell_of(&larger, m->cells[i].key) = m->cells[i];
    free(m->cells);
    *m = larger;
    return true;
}

bool hash_map_raise(struct hash_map *m, uint64_t key, int64_t value)
{
    struct hash_cell *c;

    if (2 * (m->count + 1) > m->room && (m->count == HASH_MAP_MAX || !make_room(m)))
        return false;
    c = cell_of(m, key);
    m->count += c->value == 0;
    c->key = key;
    c->value = value > c->value ? value : c->value;
    return true;
}

void hash_map_free(struct hash_map *m)
{
    free(m->cells);
    *m = (struct hash_map){ .room = 0 };
}
