/* Copies of the settings, which a host that replaces this one needs besides the keys. */
#ifndef JOBS_SETTINGS_COPY_H
#define JOBS_SETTINGS_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "service/conf.h"

/* Copies the files that the settings are read from, and those that they name, into `dir`/settings, each below
 * the path that it has. For its owner alone. False with a reason. */
bool settings_copy(const struct conf *c, const char *dir, char *why, size_t why_len);

#endif
