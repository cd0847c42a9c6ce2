/* The keys that wallet keys are sealed under. Directory `key_dir` (mode 0700):
 *   master.key   32 bytes as 64 hex digits and a newline, mode 0600
 *   master.next  only while a rotation is under way: the next master key
 *   data.keys    one line per data key: "<id> <hex of nonce and sealed key>", sealed under the master
 *                key with the id as associated data; ids ascend; the last line's key seals new wallets,
 *                the others still open old ones.
 * Files are made by writing a temporary one, fsync and link or rename, so that no crash leaves half a file.
 */
#ifndef KEYS_KEYRING_H
#define KEYS_KEYRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys/secret.h"

struct keyring;

/* Makes the directory, a master key and the first data key where they are absent; leaves existing ones alone.
 * False with a reason in why. */
bool keyring_create(const char *dir, char *why, size_t why_len);
/* NULL with a reason: absent, unreadable, wrong mode, or not sealed under this master key. */
struct keyring *keyring_load(const char *dir, char *why, size_t why_len);
/* Seals the data keys, which stay what they are, under a new master key. Whoever has loaded them goes on; no
 * wallet's key is touched. Interrupted at any point, the keys load as before or as after, and the next
 * rotation tidies up. False with a reason. */
bool keyring_rotate(const char *dir, char *why, size_t why_len);
/* Copies the keys into a directory that it makes. False with a reason. */
bool keyring_backup(const char *dir, const char *to, char *why, size_t why_len);

void keyring_free(struct keyring *k);
size_t keyring_size(const struct keyring *k); /* data keys; at least one */

#endif
