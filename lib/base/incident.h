/* A repeated incident is logged once, then counted and logged once a minute, and its end is logged: by any
 * process of the host that meets it, for all of them. `about` names its subject, such as "chain=base node=1";
 * an event and its subject are one incident. */
#ifndef BASE_INCIDENT_H
#define BASE_INCIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INCIDENT_EVENT_MAX = 40, INCIDENT_ABOUT_MAX = 127, INCIDENT_SAID_MAX = 255 };

/* Shares the account of them with the processes that name the same file, to be called before forking. Without
 * it, or where the file cannot be made, each process has an account of its own. */
void incidents_share(const char *file);

/* Something does not work, an error, until log_incident_over says that it did. */
void log_incident(const char *event, const char *about, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* It worked; costs next to nothing where there is no incident. The end is told by incidents_tell once it has
 * lasted. */
void log_incident_over(const char *event, const char *about);
/* Something that happens now and again, a warning: it has ended when a minute was without. */
void log_repeated(const char *event, const char *about, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for who tells by other means: counts it, and returns how often it happened since it was told last,
 * 0 if it is not to be told now. */
unsigned incident_count(const char *event, const char *about);

/* Registers a heartbeat that must be renewed within that time: otherwise the process that calls
 * incidents_tell logs it as incident. Without a heartbeat for a day none is expected any more. */
void log_expected(const char *event, const char *about, unsigned within_ms);

/* Tells which have ended, and who is missing. To be called every few seconds by a process that lasts. */
void incidents_tell(void);

/* Whether that happened within these milliseconds, with `words` in its latest line. */
bool incident_lately(const char *event, const char *words, int64_t ms);

/* Begins the account anew, as its incidents may have come from settings that are no more: for a process whose
 * settings differ from those of the process before it. */
void incidents_forget(void);

/* An incident that has not ended, for reports on the host. */
struct incident_report {
    char event[INCIDENT_EVENT_MAX + 1], about[INCIDENT_ABOUT_MAX + 1];
    char said[INCIDENT_SAID_MAX + 1]; /* its latest line */
    int64_t since_ms, seen_ms;        /* first, and last */
    unsigned count;
    bool lasts; /* an error, not a warning */
};
/* The incidents of the processes that share the account of this file, errors first. Reads only the account:
 * there are none where it cannot be read. Returns how many, `most` at most. */
size_t incidents_report(const char *file, struct incident_report *out, size_t most);

#endif
