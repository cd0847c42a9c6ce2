#ifndef CODEC_GZIP_H
#define CODEC_GZIP_H

#include "base/arena.h"

/* Compresses at gzip's highest level; returns `*packed_len` bytes in the arena. */
const char *gzip(struct arena *a, const char *bytes, size_t len, size_t *packed_len);

#endif
