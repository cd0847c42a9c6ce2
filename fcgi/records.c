#include "records.h"

#include <fastcgi.h>
#include <string.h>

enum { PART = 32 * 1024, LONG_LENGTH = 128 };

static void header_add(struct buf *out, unsigned id, unsigned char type, size_t n)
{
    const FCGI_Header header = { .version = FCGI_VERSION_1,
                                 .type = type,
                                 .requestIdB1 = (unsigned char)(id >> 8),
                                 .requestIdB0 = (unsigned char)id,
                                 .contentLengthB1 = (unsigned char)(n >> 8),
                                 .contentLengthB0 = (unsigned char)n };

    buf_add(out, &header, sizeof header);
}

void records_add(struct buf *out, unsigned id, unsigned char type, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    size_t part;

    for (; n > 0; at += part, n -= part) {
        part = n < PART ? n : PART;
        header_add(out, id, type, part);
        buf_add(out, at, part);
    }
}

void records_end(struct buf *out, unsigned id, unsigned char type)
{
    header_add(out, id, type, 0);
}

void records_begin_request(struct buf *out, unsigned id)
{
    const FCGI_BeginRequestBody begin = { .roleB0 = FCGI_RESPONDER };

    records_add(out, id, FCGI_BEGIN_REQUEST, &begin, sizeof begin);
}

void records_end_request(struct buf *out, unsigned id)
{
    const FCGI_EndRequestBody end = { .protocolStatus = FCGI_REQUEST_COMPLETE };

    records_end(out, id, FCGI_STDOUT);
    records_add(out, id, FCGI_END_REQUEST, &end, sizeof end);
}

static void length_add(struct buf *out, size_t n)
{
    if (n < LONG_LENGTH) {
        buf_addc(out, (uint8_t)n);
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_addc(out, (uint8_t)((n >> shift) | (shift == 24 ? LONG_LENGTH : 0)));
}

void records_add_param(struct buf *params, const char *name, size_t name_len, const char *value)
{
    length_add(params, name_len);
    length_add(params, strlen(value));
    buf_add(params, name, name_len);
    buf_adds(params, value);
}
