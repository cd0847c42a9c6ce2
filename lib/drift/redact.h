/* Removes secrets with which an attacker could act for the operator from texts that are stored or shown:
 * known keys, and values in places of keys, tokens and signatures. Pure. */
#ifndef DRIFT_REDACT_H
#define DRIFT_REDACT_H

#include <stddef.h>

/* In place, so that lengths and forms stay: each struck character becomes `x`, or behind "0x" a zero.
 * `secrets` ends with a NULL; they are found as they are, as JSON escapes them, and as URLs do. */
void redact_text(char *text, size_t n, const char *const *secrets);

#endif
