/* Random ids: RFC 9562 version 4 for agents and wallets, 128 random bits where all are needed. */
#ifndef CODEC_UUID_H
#define CODEC_UUID_H

#include <stdbool.h>
#include <stdint.h>

enum { UUID_LEN = 16, UUID_TEXT_LEN = 36 };

struct uuid {
    uint8_t bytes[UUID_LEN];
};

struct uuid uuid_random(void);
void uuid_text(char out[static UUID_TEXT_LEN + 1], struct uuid u); /* lower case, with dashes */
bool uuid_parse(struct uuid *out, const char *text);

#endif
