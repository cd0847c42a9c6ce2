/* Reads amounts that JSON has as texts of digits. */
#ifndef CODEC_U256_MEMBER_H
#define CODEC_U256_MEMBER_H

#include <jansson.h>
#include <stdbool.h>

#include "codec/u256.h"

/* False where `object` has no such member, or another kind of value. Pure. */
bool u256_member(struct u256 *out, const json_t *object, const char *name);

#endif
