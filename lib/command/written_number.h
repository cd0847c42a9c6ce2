/* Numbers as people write them: "1,234.5", "2.500,75", "4 500", "1'000", "0,5". An ambiguous text is not a
 * number. */
#ifndef COMMAND_WRITTEN_NUMBER_H
#define COMMAND_WRITTEN_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_MAX = 100 }; /* characters of one; more than 2^256 has, and than a token id */

/* The number of bytes of `s`, which begins with a digit or with a point before one, that are digits and the
 * marks between them. A blank counts as a mark only before exactly three digits. */
size_t number_span(const char *s);

/* The number in those `n` bytes times 10^`shift`, as plain decimal digits without sign, marks or superfluous
 * zeros. False when they are not a number; a shifted one must not be grouped ("1,500k"). */
bool number_plain(char out[static NUMBER_MAX + 1], const char *s, size_t n, unsigned shift);
/* `plain` is a result of number_plain. */
bool number_is_zero(const char *plain);

#endif
