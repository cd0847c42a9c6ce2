/* Audit lines that vouch for each other. A line is a JSON object without line breaks,
 * {"prev":"<64 hex digits>",MEMBERS}, whose prev is the SHA-256 of the line before it, zeros in the first.
 * Who changes, removes or adds a line breaks the link behind it; who rewrites the end is found out by anybody
 * who noted a later hash elsewhere. Where the lines are kept is the caller's affair. */
#ifndef CODEC_AUDIT_CHAIN_H
#define CODEC_AUDIT_CHAIN_H

#include <stdbool.h>

#include "base/buf.h"
#include "codec/hash.h"

enum { AUDIT_CHAIN_LINE_MAX = 4096 }; /* without the line's end */

/* Appends the line that follows the one with the hash `head`, without a line's end, and moves head onto it.
 * `members` is JSON: "a":1,"b":"c". False when the buffer or the line's ceiling is too small, or when there
 * is a line's end in members: head stays. */
bool audit_chain_append(struct buf *out, uint8_t head[static HASH_LEN], const char *members);

/* What a line says that it follows; false when it is no such line. */
bool audit_chain_prev(uint8_t prev[static HASH_LEN], const char *line, size_t n);

/* Whether the line follows the one with the hash `head`; then head moves onto it. */
bool audit_chain_follows(uint8_t head[static HASH_LEN], const char *line, size_t n);

#endif
