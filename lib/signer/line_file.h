/* Append-only files of the signer's: what a line says is answered only once it is on the disk. */
#ifndef SIGNER_LINE_FILE_H
#define SIGNER_LINE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { LINE_FILE_MAX = 512 }; /* of a line, with its end and a NUL */

/* Creates it if need be, and cuts off an incomplete last line, as nothing was answered for it. The
 * descriptor, or -1 with errno. */
int line_file_open(const char *path);
/* A line with its end. False, with errno, when it is not on the disk; then the file is as it was before. */
bool line_file_add(int fd, const char *line, size_t n);

#endif
