/* Files that hold keys: created and replaced atomically, and read only if no other user than the present one
 * has access to them. Their content never enters memory that could be swapped out or dumped. */
#ifndef KEYS_KEYFILE_H
#define KEYS_KEYFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "keys/secret.h"

/* Creates the file with these bytes, mode 0600, unless it exists; true in both cases. Several processes may
 * try at once: one of them wins. */
bool keyfile_create(const char *path, const char *text, size_t n, char *why, size_t why_len);
/* Creates a file in the same way, with 32 random bytes as 64 hex digits and a newline. */
bool keyfile_create_random(const char *path, char *why, size_t why_len);

/* Locks the directory of `path`: shared for reading its files, exclusively (`alone`) for changing them.
 * Closing the descriptor unlocks it; -1 with a reason. keyfile_create takes the lock itself and must not be
 * called meanwhile. */
int keyfile_lock(const char *path, bool alone, char *why, size_t why_len);
/* Replaces the file atomically; it is on the disk when this returns. To be called under the lock. */
bool keyfile_put(const char *path, const char *text, size_t n, char *why, size_t why_len);
bool keyfile_put_secret(const char *path, const struct secret *s, char *why, size_t why_len);
/* Renames, with the same guarantee. */
bool keyfile_move(const char *from, const char *to, char *why, size_t why_len);
/* Copies to a name that does not exist yet. */
bool keyfile_copy(const char *from, const char *to, char *why, size_t why_len);

/* Reads a file of keyfile_create_random; NULL with a reason. */
struct secret *keyfile_secret(const char *path, char *why, size_t why_len);
/* Any file of at most `max` bytes; keyfile_free wipes and frees it. */
char *keyfile_read(const char *path, size_t max, size_t *n, char *why, size_t why_len);
void keyfile_free(char *text);

/* Whether only the present user has access to the directory that is open as fd. */
bool keyfile_dir_private(int fd, const char *path, char *why, size_t why_len);

#endif
