#include "codec/audit_chain.h"

#include "codec/hex.h"

static const char OPEN[] = "{\"prev\":\"", CLOSE[] = "\",";

enum {
    OPEN_LEN = sizeof OPEN - 1,
    CLOSE_LEN = sizeof CLOSE - 1,
    PREV_LEN = OPEN_LEN + 2 * HASH_LEN + CLOSE_LEN
};

bool audit_chain_append(struct buf *out, uint8_t head[static HASH_LEN], const char *members)
{
    size_t start = out->len, n;
    char prev[2 * HASH_LEN + 1];

    hex_encode(prev, head, HASH_LEN);
    buf_adds(out, OPEN);
    buf_adds(out, prev);
    buf_adds(out, CLOSE);
    buf_adds(out, members);
    buf_addc(out, '}');
    n = out->len - start;
    if (out->overflow || n > AUDIT_CHAIN_LINE_MAX || strchr(members, '\n') != NULL)
        return false;
    sha256(head, out->data + start, n);
    return true;
}

bool audit_chain_prev(uint8_t prev[static HASH_LEN], const char *line, size_t n)
{
    if (n < PREV_LEN + 1 || n > AUDIT_CHAIN_LINE_MAX || line[n - 1] != '}' ||
        memcmp(line, OPEN, OPEN_LEN) != 0 || memcmp(line + PREV_LEN - CLOSE_LEN, CLOSE, CLOSE_LEN) != 0)
        return false;
    return hex_decode(prev, HASH_LEN, line + OPEN_LEN, 2 * HASH_LEN);
}

bool audit_chain_follows(uint8_t head[static HASH_LEN], const char *line, size_t n)
{
    uint8_t prev[HASH_LEN];

    if (!audit_chain_prev(prev, line, n) || memcmp(prev, head, HASH_LEN) != 0)
        return false;
    sha256(head, line, n);
    return true;
}
