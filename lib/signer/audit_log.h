/* The signer's audit file: a line of codec/audit_chain.h for each decision, one chain for a host. It is
 * written before the signature is given out, and not flushed: when the machine loses power, the last seconds
 * may be missing. */
#ifndef SIGNER_AUDIT_LOG_H
#define SIGNER_AUDIT_LOG_H

#include "codec/audit_chain.h"

struct audit_log;

/* Goes on at the file's end, from that of PATH.1 where the file is new: what logrotate moved away. An
 * incomplete last line, which nothing was answered for, is cut off. Locks the file: of a host's signers, each
 * needs its own. NULL with a reason. */
struct audit_log *audit_log_open(const char *path, char *why, size_t why_len);
void audit_log_close(struct audit_log *j);

/* False when it could not be written: then nothing may be given out. */
bool audit_log_add(struct audit_log *j, const char *members);
/* Of its last line; to note it elsewhere. */
void audit_log_head(const struct audit_log *j, uint8_t head[static HASH_LEN]);

/* Reads a file of such lines. `head` is what its first line has to follow; NULL `known`: whatever it says.
 * Counts the lines that are right; false at the first that is not. */
bool audit_log_verify(FILE *f, uint8_t head[static HASH_LEN], bool known, size_t *lines);

#endif
