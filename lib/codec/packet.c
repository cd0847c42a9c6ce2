#include "codec/packet.h"

#include <string.h>

static void put_number(struct buf *out, uint64_t v, unsigned bytes)
{
    while (bytes-- > 0)
        buf_addc(out, (uint8_t)(v >> (8 * bytes)));
}

static bool take_number(struct packet *in, uint64_t *v, unsigned bytes)
{
    if (in->left < bytes)
        return false;
    *v = 0;
    for (unsigned i = 0; i < bytes; i++)
        *v = *v << 8 | in->p[i];
    in->p += bytes;
    in->left -= bytes;
    return true;
}

void packet_put_u32(struct buf *out, uint32_t v)
{
    put_number(out, v, 4);
}

void packet_put_u64(struct buf *out, uint64_t v)
{
    put_number(out, v, 8);
}

void packet_put_bytes(struct buf *out, const void *p, size_t n, size_t max)
{
    if (n > max)
        out->overflow = true;
    packet_put_u32(out, (uint32_t)n);
    buf_add(out, p, n);
}

bool packet_take(struct packet *in, void *out, size_t n)
{
    if (in->left < n)
        return false;
    memcpy(out, in->p, n);
    in->p += n;
    in->left -= n;
    return true;
}

bool packet_take_u8(struct packet *in, uint8_t *v)
{
    return packet_take(in, v, 1);
}

bool packet_take_u32(struct packet *in, uint32_t *v)
{
    uint64_t wide;

    if (!take_number(in, &wide, 4))
        return false;
    *v = (uint32_t)wide;
    return true;
}

bool packet_take_u64(struct packet *in, uint64_t *v)
{
    return take_number(in, v, 8);
}

bool packet_take_bytes(struct packet *in, const uint8_t **p, size_t *n, size_t max)
{
    uint32_t len;

    if (!packet_take_u32(in, &len) || len > max || len > in->left)
        return false;
    *p = in->p;
    *n = len;
    in->p += len;
    in->left -= len;
    return true;
}
