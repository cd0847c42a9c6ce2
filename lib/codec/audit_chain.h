/* Audit lines chained by hashes. A line is a JSON object without line breaks,
 * {"prev":"<64 hex digits>",MEMBERS}, whose prev is the SHA-256 of the line before it, zeros in the first.
 * Changing, removing or inserting a line breaks the link after it; rewriting the end is detected by an
 * auditor who noted a later hash elsewhere. Storing the lines is up to the caller. */
#ifndef CODEC_AUDIT_CHAIN_H
#define CODEC_AUDIT_CHAIN_H

#include <stdbool.h>

#include "base/buf.h"
#include "codec/hash.h"

enum { AUDIT_CHAIN_LINE_MAX = 4096 }; /* without the line end */

/* Appends the line that follows the one whose hash is `head`, without a line end, and updates head. `members`
 * is JSON: "a":1,"b":"c". Returns false and leaves head unchanged when the buffer or the maximum line length
 * is too small, or when members contains a line end. */
bool audit_chain_append(struct buf *out, uint8_t head[static HASH_LEN], const char *members);

/* Extracts the hash that a line claims to follow; false when it is not such a line. */
bool audit_chain_prev(uint8_t prev[static HASH_LEN], const char *line, size_t n);

/* Whether the line follows the one whose hash is `head`; if so, updates head. */
bool audit_chain_follows(uint8_t head[static HASH_LEN], const char *line, size_t n);

#endif
