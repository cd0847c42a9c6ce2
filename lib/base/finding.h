/* Findings of a program that is asked to check its surroundings: a line each on standard output, for the
 * operator to read. */
#ifndef BASE_FINDING_H
#define BASE_FINDING_H

#include <stdbool.h>

/* "ok     database  ..." or "WRONG  database  ...". */
void finding(bool ok, const char *part, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* "warn   settings  ...": something optional is wrong. */
void finding_warn(const char *part, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The number of findings that were wrong. */
unsigned findings_wrong(void);

#endif
