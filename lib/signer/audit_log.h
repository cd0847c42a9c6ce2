/* The signer's audit file: a line of codec/audit_chain.h for each decision, one chain for each host. A line
 * is written before its signature is returned, but not synced: a power failure may lose the last seconds. */
#ifndef SIGNER_AUDIT_LOG_H
#define SIGNER_AUDIT_LOG_H

#include "codec/audit_chain.h"

struct audit_log;

/* Appends to the file; a new file continues the chain of PATH.1, which logrotate moved away. Cuts off an
 * incomplete last line, as nothing was answered for it. Locks the file: each signer of a host needs its own.
 * NULL with a reason. */
struct audit_log *audit_log_open(const char *path, char *why, size_t why_len);
void audit_log_close(struct audit_log *log);

/* False when it could not be written: then no signature may be returned. */
bool audit_log_add(struct audit_log *log, const char *members);
/* Whether the next lines can be written; keeps room for them on the disk. */
bool audit_log_has_room(const struct audit_log *log);
/* The hash of its last line, to be noted elsewhere. */
void audit_log_head(const struct audit_log *log, uint8_t head[static HASH_LEN]);

/* Verifies a file of such lines. `head` is the hash that its first line has to follow (unless not `known`:
 * any will do), then that of its last line. Counts the valid lines; false at the first that is not. */
bool audit_log_verify(FILE *f, uint8_t head[static HASH_LEN], bool known, size_t *lines);

#endif
