/* The contracts that 0x's registry names, as the operator's command has found them: a file of the signer's
 * (signer/operator_file.h) with a line "CHAIN_ID ADDRESS" for each, read for each signature that needs it. A
 * signer that reads while it is written finds lines that are whole, or none it knows. */
#ifndef SIGNER_SETTLERS_H
#define SIGNER_SETTLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum { SETTLERS_MAX = 16384 }; /* bytes */

/* `address` as EIP-55 has it. False also when the file cannot be read. */
bool settlers_has(int fd, uint64_t chain_id, const char *address);

/* For the operator's command: one more line. */
void settlers_add(struct buf *lines, uint64_t chain_id, const char *address);

#endif
