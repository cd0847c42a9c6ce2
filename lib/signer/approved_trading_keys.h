/* The trading keys that the signer has let wallets approve, each with the digest of its one approval: a file
 * of lines (signer/line_file.h). A venue may forget the nonces of a key that is no longer in force, so that
 * what it once signed would count again if the key were approved anew. Other hosts' signers have files of
 * their own. */
#ifndef SIGNER_APPROVED_TRADING_KEYS_H
#define SIGNER_APPROVED_TRADING_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "codec/hash.h"

#define TRADING_KEYS_FILE "trading-keys" /* in signer_dir */

struct trading_keys;

/* Begins the file where there is none. NULL with a reason. */
struct trading_keys *trading_keys_open(const char *path, char *why, size_t why_len);
void trading_keys_close(struct trading_keys *k); /* NULL is allowed */

enum key_approval {
    KEY_APPROVED,           /* on the disk: it may be signed */
    KEY_APPROVED_OTHERWISE, /* the address has another one */
    KEY_NOT_KEPT,           /* it cannot be kept, or `k` is NULL */
};
/* `address` as EIP-55 has it. */
enum key_approval trading_keys_keep(struct trading_keys *k, const char *address,
                                    const uint8_t digest[static HASH_LEN]);

#endif
