/* Packets of fixed binary members, big-endian, as processes of one host exchange them. */
#ifndef CODEC_PACKET_H
#define CODEC_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

void packet_put_u32(struct buf *out, uint32_t v);
void packet_put_u64(struct buf *out, uint64_t v);
/* Their count first. More than `max` is an overflow of the buffer: no reader would take it. */
void packet_put_bytes(struct buf *out, const void *p, size_t n, size_t max);

/* The rest to be read. */
struct packet {
    const uint8_t *p;
    size_t left;
};

/* Each is false when there is not as much left. */
bool packet_take(struct packet *in, void *out, size_t n);
bool packet_take_u8(struct packet *in, uint8_t *v);
bool packet_take_u32(struct packet *in, uint32_t *v);
bool packet_take_u64(struct packet *in, uint64_t *v);
/* *p leads into the packet. */
bool packet_take_bytes(struct packet *in, const uint8_t **p, size_t *n, size_t max);

#endif
