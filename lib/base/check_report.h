/* Findings of a program that is asked to check its surroundings: a line each on standard output, for the
 * operator to read. */
#ifndef BASE_CHECK_REPORT_H
#define BASE_CHECK_REPORT_H

#include <stdbool.h>

/* "ok     database  ..." or "WRONG  database  ...". */
void check_report(bool ok, const char *part, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* "warn   settings  ...": something optional is wrong. */
void check_report_warn(const char *part, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The number of findings that were wrong. */
unsigned check_reports_wrong(void);

#endif
