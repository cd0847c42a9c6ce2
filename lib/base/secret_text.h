/* Reads a file with a password or a key, unless others than its owner and group have access to it. */
#ifndef BASE_SECRET_TEXT_H
#define BASE_SECRET_TEXT_H

#include <stddef.h>

/* Puts the text of the file, shorter than `size`, into `out`, which the caller wipes. Returns NULL, or the
 * reason why not, which is constant; `out` is empty then. */
const char *secret_text_read(char *out, size_t size, const char *path);

#endif
