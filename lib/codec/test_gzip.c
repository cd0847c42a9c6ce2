#include "base/test.h"
#include "codec/gzip.c"

#include <string.h>

/* Compressed and back again. */
static void same_again(struct arena *a, const char *bytes, size_t len)
{
    char *back = arena_alloc(a, len + 1);
    z_stream z = { 0 };
    size_t packed_len;
    const char *packed = gzip(a, bytes, len, &packed_len);

    z.next_in = (const Bytef *)packed;
    z.avail_in = (uInt)packed_len;
    z.next_out = (Bytef *)back;
    z.avail_out = (uInt)len + 1;
    CHECK(inflateInit2(&z, MAX_WBITS + GZIP_WRAPPER) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END);
    CHECK(z.total_out == len && z.avail_in == 0 && memcmp(back, bytes, len) == 0);
    CHECK(inflateEnd(&z) == Z_OK);
}

static void compressed_text_decompresses(void)
{
    struct arena *a = arena_new();
    char *noise = arena_alloc(a, 100000);
    unsigned state = 1;

    for (size_t i = 0; i < 100000; i++) {
        state = state * 1103515245 + 12345;
        noise[i] = (char)(state >> 16);
    }
    same_again(a, "", 0);
    same_again(a, "{}", 2);
    same_again(a, noise, 100000);
    memset(noise, 'x', 100000);
    same_again(a, noise, 100000);
    arena_free(a);
}

TEST_MAIN(TEST(compressed_text_decompresses))
