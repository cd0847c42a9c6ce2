#include "model/approval.h"

#include <string.h>

#include "codec/hex.h"

static const char prefix[] = "ap_";

void approval_id_text(char out[static APPROVAL_ID_TEXT_LEN + 1], const struct uuid *id)
{
    memcpy(out, prefix, sizeof prefix);
    hex_encode(out + sizeof prefix - 1, id->bytes, sizeof id->bytes);
}

bool approval_id_parse(struct uuid *out, const char *text)
{
    return strlen(text) == APPROVAL_ID_TEXT_LEN && strncmp(text, prefix, sizeof prefix - 1) == 0 &&
           hex_decode(out->bytes, sizeof out->bytes, text + sizeof prefix - 1, 2 * sizeof out->bytes);
}

static const struct {
    const char *text;
    unsigned next; /* bits of what may follow */
} states[] = {
    [APPROVAL_WAITING] = { "waiting",
                           1U << APPROVAL_GRANTED | 1U << APPROVAL_DENIED | 1U << APPROVAL_LAPSED },
    [APPROVAL_GRANTED] = { "granted", 1U << APPROVAL_DENIED | 1U << APPROVAL_USED | 1U << APPROVAL_LAPSED },
    [APPROVAL_DENIED] = { "denied", 0 },
    [APPROVAL_USED] = { "used", 0 },
    [APPROVAL_LAPSED] = { "lapsed", 0 },
};

const char *approval_state_text(enum approval_state s)
{
    return states[s].text;
}

bool approval_state_parse(enum approval_state *out, const char *text)
{
    for (enum approval_state s = APPROVAL_WAITING; s <= APPROVAL_LAPSED; s++) {
        if (strcmp(text, states[s].text) != 0)
            continue;
        *out = s;
        return true;
    }
    return false;
}

bool approval_may_move(enum approval_state from, enum approval_state to)
{
    return (states[from].next >> to & 1U) != 0;
}
