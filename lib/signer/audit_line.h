/* A line of the signer's audit file, member by member. No text of the caller gets there that was not read as
 * what it says. */
#ifndef SIGNER_AUDIT_LINE_H
#define SIGNER_AUDIT_LINE_H

#include "base/buf.h"
#include "signer/act.h"
#include "signer/audit_log.h"

/* With a ceiling of AUDIT_CHAIN_LINE_MAX. */
void audit_begin(struct buf *b);
void audit_text(struct buf *b, const char *name, const char *text);
void audit_act(struct buf *b, const struct act *act);
/* Frees it. False when it could not be written: then nothing may be signed. */
bool audit_end(struct audit_log *log, struct buf *b);

#endif
