/* API keys, "svc_sk_" and 256 random bits, and the operator's tokens, "svc_op_" and as many. Only the hash is
 * stored; a fast one suffices for that many bits. */
#ifndef MODEL_API_KEY_H
#define MODEL_API_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/base64.h"
#include "codec/hash.h"

enum {
    API_KEY_BYTES = 32,
    API_KEY_MIN = 32,
    API_KEY_MAX = 256,
    API_KEY_TEXT_LEN = 7 + BASE64_LEN(API_KEY_BYTES)
};

struct api_key {
    char text[API_KEY_TEXT_LEN + 1];
    uint8_t hash[HASH_LEN];
};

void api_key_new(struct api_key *out);
void operator_token_new(struct api_key *out);
/* Checks prefix, length and characters only, not whether it was ever issued. */
bool api_key_has_form(const char *text);
bool operator_token_has_form(const char *text);

#endif
