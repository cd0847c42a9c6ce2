/* Random bytes from the operating system, fit for keys. */
#ifndef CODEC_RAND_H
#define CODEC_RAND_H

#include <stddef.h>
#include <stdint.h>

void rand_bytes(void *out, size_t n);
uint32_t rand_below(uint32_t limit); /* uniform in 0 .. limit-1; limit > 0 */

#endif
