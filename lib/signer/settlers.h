/* The contracts that 0x's registry names, as the operator's command has found them: a file of the signer's
 * with a line "CHAIN_ID ADDRESS" for each. It is read for each signature that needs it and changed in place,
 * as the running signer keeps it open. */
#ifndef SIGNER_SETTLERS_H
#define SIGNER_SETTLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Creates it if need be; -1 with errno. */
int settlers_open(const char *path);
/* `address` as EIP-55 has it. False also when the file cannot be read. */
bool settlers_has(int fd, uint64_t chain_id, const char *address);

/* For the operator's command: one more line, and all of them. */
void settlers_add(struct buf *lines, uint64_t chain_id, const char *address);
bool settlers_write(const char *path, const struct buf *lines);

#endif
