/* Files that are written whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes all of it, or returns false with errno set. */
bool file_write(int fd, const void *bytes, size_t n);
/* Writes a file next to `path` and renames it: readers see the old file or the new one, never half of one.
 * The mode is `mode`, independent of the umask; nothing is synced to disk. Returns false with errno set. */
bool file_replace(const char *path, const void *bytes, size_t n, mode_t mode);

#endif
