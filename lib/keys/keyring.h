/* The keys that wallet keys are sealed under. Directory `key_dir` (mode 0700):
 *   master.key   32 bytes as 64 hex digits and a newline, mode 0600
 *   master.next  only while a rotation is in progress: the next master key
 *   data.keys    one line per data key: "<id> <hex of nonce and sealed key>", sealed under the master
 *                key with the id as associated data; ids ascend; the last line's key seals new wallets,
 *                the others still open old ones.
 *   unused       only until a signer first takes these keys in use; a copy of them does not have it
 * Files are written under a temporary name, synced, then linked or renamed: no crash leaves half a file. */
#ifndef KEYS_KEYRING_H
#define KEYS_KEYRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys/secret.h"

struct keyring;

/* Creates the directory, a master key and the first data key unless they exist. False with a reason. */
bool keyring_create(const char *dir, char *why, size_t why_len);
/* Whether these keys were never in use, and from now on they are: true once, for the first caller. False,
 * too, when it is unknown. */
bool keyring_take_unused(const char *dir);
/* NULL with a reason: missing, unreadable, wrong mode, or not sealed under this master key. */
struct keyring *keyring_load(const char *dir, char *why, size_t why_len);
/* Seals the same data keys under a new master key. Processes that have loaded them are not affected, and no
 * wallet's key is touched. If it is interrupted at any point, the keys still load, and the next rotation
 * cleans up. False with a reason. */
bool keyring_rotate(const char *dir, char *why, size_t why_len);
/* Copies the keys into a new directory. False with a reason. */
bool keyring_backup(const char *dir, const char *to, char *why, size_t why_len);

void keyring_free(struct keyring *k);
size_t keyring_size(const struct keyring *k); /* data keys; at least one */

#endif
