#include "base/shm_cache.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"

static size_t place_size(const struct shm_cache *b)
{
    return sizeof(uint64_t) + b->size;
}

void shm_cache_share(struct shm_cache *b)
{
    void *p;

    if (b->memory != NULL)
        return;
    p = mmap(NULL, b->places * place_size(b), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    b->memory = p;
}

static char *shm_cache_place(struct shm_cache *b, size_t place)
{
    shm_cache_share(b);
    return b->memory + place * place_size(b);
}

/* FNV-1a by words; not zero for zeros, which a cache begins with. */
static uint64_t value_checksum(const char *value, size_t n)
{
    uint64_t sum = 0xcbf29ce484222325, word = 0;

    for (; n > 0; value += sizeof word) {
        size_t part = n < sizeof word ? n : sizeof word;

        memcpy(&word, value, part);
        sum = (sum ^ word) * 0x100000001b3;
        sum ^= sum >> 32;
        n -= part;
    }
    return sum;
}

bool shm_cache_read(struct shm_cache *b, size_t place, void *out)
{
    const char *at = shm_cache_place(b, place);
    uint64_t sum;

    memcpy(&sum, at, sizeof sum);
    memcpy(out, at + sizeof sum, b->size);
    return sum == value_checksum(out, b->size);
}

void shm_cache_write(struct shm_cache *b, size_t place, const void *value)
{
    char *at = shm_cache_place(b, place);
    uint64_t sum = value_checksum(value, b->size);

    memcpy(at, &sum, sizeof sum);
    memcpy(at + sizeof sum, value, b->size);
}

void shm_cache_clear(struct shm_cache *b)
{
    if (b->memory != NULL)
        memset(b->memory, 0, b->places * place_size(b));
}
