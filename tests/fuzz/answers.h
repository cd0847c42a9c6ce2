/* For targets that read several kinds of answers: the first byte of the input says which it is. */
#ifndef FUZZ_ANSWERS_H
#define FUZZ_ANSWERS_H

#include "base/arena.h"
#include "base/buf.h"
#include "fuzz.h"

typedef void answer_fn(struct arena *a, const struct buf *answer);

static inline int answers_fuzz(answer_fn *const *readers, size_t n, const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();

    if (size > 0) {
        struct buf answer = { .data = (char *)(uintptr_t)data + 1, .len = size - 1 };

        readers[data[0] % n](a, &answer);
    }
    arena_free(a);
    return 0;
}

#endif
