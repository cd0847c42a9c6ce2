#include "codec/gzip.h"

#define ZLIB_CONST /* what is compressed is not written to */
#include <zlib.h>

#include "base/log.h"

enum { GZIP_WRAPPER = 16, MEMORY_LEVEL = 8 };

const char *gzip(struct arena *a, const char *bytes, size_t len, size_t *packed_len)
{
    z_stream z = { 0 };
    size_t bound;
    char *packed;

    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_WRAPPER, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        log_fatal("program_broken", "msg=\"nothing can be compressed\"");
    bound = deflateBound(&z, len);
    packed = arena_alloc(a, bound);
    z.next_in = (const Bytef *)bytes;
    z.avail_in = (uInt)len;
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)bound;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        log_fatal("program_broken", "msg=\"a text cannot be compressed\"");
    *packed_len = z.total_out;
    (void)deflateEnd(&z);
    return packed;
}
