/* A secret of 32 bytes: it lives in locked memory that is left out of core files, is wiped when freed, and
 * can be neither printed nor copied. Its definition is private to lib/keys, which is linked into the signer
 * and keyctl, and into agentctl for the operator's own key. */
#ifndef KEYS_SECRET_H
#define KEYS_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECRET_LEN = 32 };

struct secret;

bool secrets_init(void); /* once per process, before any other call of lib/keys */
struct secret *secret_random(void);
/* Moves the bytes: `bytes` is wiped. */
struct secret *secret_take(uint8_t bytes[static SECRET_LEN]);
void secret_free(struct secret *s); /* wipes; NULL is allowed */

#endif
