/* What the ideal asks others for a quote: calls that are made all at once, over kept connections. A file has
 * them, a line for each, its fields between tabs:
 *
 *   URL  MARK  SKIP  BASE  BODY  HEADER...
 *
 * The price stands SKIP characters behind MARK in the answer: digits of that base, of hexadecimal ones 16.
 * Without a BODY the method is GET. */
#ifndef IDEAL_CALLS_H
#define IDEAL_CALLS_H

#include <stdint.h>

/* Once in each process; exits when the file is not as above. */
void calls_begin(const char *path);
/* The highest price that was answered; 0: none. */
uint64_t calls_best(void);

#endif
