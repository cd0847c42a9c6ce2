#ifndef CODEC_GZIP_H
#define CODEC_GZIP_H

#include "base/arena.h"

/* The bytes compressed as well as gzip can, `*packed_len` of them, in the arena. */
const char *gzip(struct arena *a, const char *bytes, size_t len, size_t *packed_len);

#endif
