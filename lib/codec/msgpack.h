/* Writes MessagePack, each value in its shortest form. A map is its count, then so many keys with their
 * values; an array its count, then so many values. */
#ifndef CODEC_MSGPACK_H
#define CODEC_MSGPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

void msgpack_map(struct buf *out, uint32_t members);
void msgpack_array(struct buf *out, uint32_t items);
void msgpack_text(struct buf *out, const char *text); /* UTF-8 */
void msgpack_unsigned(struct buf *out, uint64_t v);
/* A number that is not negative is written as msgpack_unsigned does, as the format does not distinguish
 * them. */
void msgpack_integer(struct buf *out, int64_t v);
void msgpack_bool(struct buf *out, bool v);
void msgpack_nil(struct buf *out);

#endif
