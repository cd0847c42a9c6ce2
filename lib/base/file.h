/* Files written whole. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* All of it, or false with errno set. */
bool file_write(int fd, const void *bytes, size_t n);
/* Writes beside `path`, then puts it in its place: readers see the former file or the new one, never half of
 * one. With `mode` whatever the umask says; not forced to the disk. False with errno set. */
bool file_replace(const char *path, const void *bytes, size_t n, mode_t mode);

#endif
