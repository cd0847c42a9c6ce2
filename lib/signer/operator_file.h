/* Small files of the signer's that the operator's commands write: the running signer keeps them open, as it
 * can open nothing later, so they are changed in place. */
#ifndef SIGNER_OPERATOR_FILE_H
#define SIGNER_OPERATOR_FILE_H

#include <stdbool.h>

#include "base/buf.h"

/* Creates it if need be; -1 with errno. */
int operator_file_open(const char *path);
/* Replaces all of it. Who reads meanwhile may find a mixture. */
bool operator_file_write(const char *path, const struct buf *text);

#endif
