/* Which programs of this host run, and with which settings: the gateway and each job say so when they begin,
 * in a file of shared memory (with ".programs" behind its name). */
#ifndef SERVICE_RUNNING_PROGRAMS_H
#define SERVICE_RUNNING_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/conf.h"

enum { PROGRAMS_MAX = 32, PROGRAM_NAME_MAX = 23, PROGRAM_OFF_MAX = 255 };

struct program_report {
    char name[PROGRAM_NAME_MAX + 1];
    uint64_t settings;             /* conf_fingerprint */
    char off[PROGRAM_OFF_MAX + 1]; /* the first setting that it warns of, and why; "": none */
};

/* This process runs with these settings, all of whose warnings are known. If the one of its name before it
 * had others, incidents begin anew (base/incident.h), which are to be shared by then. */
void programs_enter(const struct conf *c, const char *name);
/* Those that run. Returns how many. */
size_t programs_read(const struct conf *c, struct program_report out[static PROGRAMS_MAX]);

#endif
