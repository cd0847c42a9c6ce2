/* Files that hold keys: made or replaced whole or not at all, and read only when they are the own user's
 * alone. Nothing of their content goes through memory that could be swapped or dumped. */
#ifndef KEYS_KEYFILE_H
#define KEYS_KEYFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "keys/secret.h"

/* The file with these bytes, mode 0600, unless there is one already; true in both cases. Several processes
 * may try at once: one of them wins. */
bool keyfile_create(const char *path, const char *text, size_t n, char *why, size_t why_len);
/* As above, with 32 random bytes as 64 hex digits and a newline. */
bool keyfile_create_random(const char *path, char *why, size_t why_len);

/* Keeps others from changing the files beside `path`: one at a time when it is to change them itself
 * (`alone`). To be closed; -1 with a reason. keyfile_create locks for itself and must not be called
 * meanwhile. */
int keyfile_lock(const char *path, bool alone, char *why, size_t why_len);
/* Puts the file in place of a former one at once, on the disk when it returns. Under the lock. */
bool keyfile_put(const char *path, const char *text, size_t n, char *why, size_t why_len);
bool keyfile_put_secret(const char *path, const struct secret *s, char *why, size_t why_len);
/* Renames with the same promise. */
bool keyfile_move(const char *from, const char *to, char *why, size_t why_len);
/* The same bytes under a name that is free. */
bool keyfile_copy(const char *from, const char *to, char *why, size_t why_len);

/* What keyfile_create_random wrote; NULL with a reason. */
struct secret *keyfile_secret(const char *path, char *why, size_t why_len);
/* Any file of at most max bytes; freed, and wiped, by keyfile_free. */
char *keyfile_read(const char *path, size_t max, size_t *n, char *why, size_t why_len);
void keyfile_free(char *text);

/* Whether a directory, open as fd, is the own user's alone. */
bool keyfile_dir_private(int fd, const char *path, char *why, size_t why_len);

#endif
