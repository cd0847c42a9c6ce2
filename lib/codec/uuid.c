#include "codec/uuid.h"

#include "codec/hex.h"
#include "codec/rand.h"

/* Bytes between the dashes of 8-4-4-4-12. */
static const uint8_t group[] = { 4, 2, 2, 2, 6 };
enum { GROUPS = sizeof group };

struct uuid uuid_random(void)
{
    struct uuid u;

    rand_bytes(u.bytes, sizeof u.bytes);
    u.bytes[6] = (uint8_t)((u.bytes[6] & 0x0f) | 0x40); /* version 4 */
    u.bytes[8] = (uint8_t)((u.bytes[8] & 0x3f) | 0x80); /* the RFC's variant */
    return u;
}

void uuid_text(char out[static UUID_TEXT_LEN + 1], struct uuid u)
{
    const uint8_t *p = u.bytes;

    for (size_t i = 0; i < GROUPS; i++) {
        if (i > 0)
            *out++ = '-';
        hex_encode(out, p, group[i]);
        out += 2 * group[i];
        p += group[i];
    }
}

bool uuid_parse(struct uuid *out, const char *text)
{
    uint8_t *p = out->bytes;

    if (strlen(text) != UUID_TEXT_LEN)
        return false;
    for (size_t i = 0; i < GROUPS; i++) {
        if (i > 0 && *text++ != '-')
            return false;
        if (!hex_decode(p, group[i], text, 2 * (size_t)group[i]))
            return false;
        text += 2 * group[i];
        p += group[i];
    }
    return true;
}
