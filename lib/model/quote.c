#include "model/quote.h"

#include <string.h>

#include "codec/hex.h"

static const char prefix[] = "q_";

void quote_id_text(char out[static QUOTE_ID_TEXT_LEN + 1], const struct uuid *id)
{
    memcpy(out, prefix, sizeof prefix);
    hex_encode(out + sizeof prefix - 1, id->bytes, sizeof id->bytes);
}

bool quote_id_parse(struct uuid *out, const char *text)
{
    return strlen(text) == QUOTE_ID_TEXT_LEN && strncmp(text, prefix, sizeof prefix - 1) == 0 &&
           hex_decode(out->bytes, sizeof out->bytes, text + sizeof prefix - 1, 2 * sizeof out->bytes);
}
