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

const uint8_t *route_list_next(const struct route_list *l, size_t *at, size_t *len)
{
    size_t here = *at;

    if (here >= l->len || l->bytes[here] > l->len - here - 1)
        return NULL;
    *len = l->bytes[here];
    *at = here + 1 + *len;
    return l->bytes + here + 1;
}

static bool route_list_has(const struct route_list *l, const uint8_t *route, size_t len)
{
    const uint8_t *other;
    size_t at = 0, n;

    while ((other = route_list_next(l, &at, &n)) != NULL)
        if (n == len && memcmp(other, route, n) == 0)
            return true;
    return false;
}

void route_list_add(struct route_list *l, const uint8_t *route, size_t len)
{
    if (len == 0 || len > UINT8_MAX || len >= sizeof l->bytes - l->len || route_list_has(l, route, len))
        return;
    l->bytes[l->len] = (uint8_t)len;
    memcpy(l->bytes + l->len + 1, route, len);
    l->len += 1 + len;
}
