/* A repeated trouble is logged once, then counted and logged once a minute, and its end is logged: by any
 * process of the host that meets it, for all of them. `about` names its subject, such as "chain=base node=1";
 * an event and its subject are one trouble. */
#ifndef BASE_TROUBLE_H
#define BASE_TROUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TROUBLE_EVENT_MAX = 40, TROUBLE_ABOUT_MAX = 127, TROUBLE_SAID_MAX = 255 };

/* Shares the account of them with the processes that name the same file, to be called before forking. Without
 * it, or where the file cannot be made, each process has an account of its own. */
void troubles_share(const char *file);

/* Something does not work, an error, until log_trouble_over says that it did. */
void log_trouble(const char *event, const char *about, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* It worked; costs next to nothing where there is no trouble. The end is told by troubles_tell once it has
 * lasted. */
void log_trouble_over(const char *event, const char *about);
/* Something that happens now and again, a warning: it has ended when a minute was without. */
void log_repeated(const char *event, const char *about, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for who tells by other means: counts it, and returns how often it happened since it was told last,
 * 0 if it is not to be told now. */
unsigned trouble_count(const char *event, const char *about);

/* Registers a heartbeat that must be renewed within that time: otherwise the process that calls troubles_tell
 * logs it as trouble. Without a heartbeat for a day none is expected any more. */
void log_expected(const char *event, const char *about, unsigned within_ms);

/* Tells which have ended, and who is missing. To be called every few seconds by a process that lasts. */
void troubles_tell(void);

/* Whether that happened within these milliseconds, with `words` in its latest line. */
bool trouble_lately(const char *event, const char *words, int64_t ms);

/* Begins the account anew, as its troubles may have come from settings that are no more: for a process whose
 * settings differ from those of the process before it. */
void troubles_forget(void);

/* A trouble that has not ended, for reports on the host. */
struct trouble_report {
    char event[TROUBLE_EVENT_MAX + 1], about[TROUBLE_ABOUT_MAX + 1];
    char said[TROUBLE_SAID_MAX + 1]; /* its latest line */
    int64_t since_ms, seen_ms;       /* first, and last */
    unsigned count;
    bool lasts; /* an error, not a warning */
};
/* The troubles of the processes that share the account of this file, errors first. Reads only the account:
 * there are none where it cannot be read. Returns how many, `most` at most. */
size_t troubles_report(const char *file, struct trouble_report *out, size_t most);

#endif
