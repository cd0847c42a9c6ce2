#include "base/incident.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/shared_file.h"

enum {
    INCIDENTS = 256, /* at once; beyond them the one that was quiet for longest is forgotten */
    TOLD_EVERY_MS = 60 * 1000,
    QUIET_MS = 60 * 1000,
    LASTS_MS = 10 * 1000, /* how long it has to work before that is told */
    FORGOTTEN_MS = 24 * 60 * 60 * 1000,
    MESSAGE_MAX = 1024,
    LAYOUT = 2,
};

/* The process that changes a member from one value to the other logs it, so that exactly one does. Wall
 * time. */
struct incident {
    _Atomic int64_t begun_ms, seen_ms, worked_ms;
    _Atomic int64_t told_ms, end_told_ms;
    _Atomic unsigned count, untold;
    _Atomic bool open;          /* its end is to be told */
    bool lasts;                 /* until it is said to work; else until it is quiet */
    _Atomic unsigned within_ms; /* of worked_ms there has to be another word; 0: none is expected */
    char event[INCIDENT_EVENT_MAX + 1], about[INCIDENT_ABOUT_MAX + 1], said[INCIDENT_SAID_MAX + 1];
};

struct incidents {
    uint64_t layout;
    _Atomic unsigned used;            /* any of them; never fewer than there are */
    _Atomic uint64_t tags[INCIDENTS]; /* of event and what it is about; 0: free */
    struct incident of[INCIDENTS];
};

static struct incidents own, *shared; /* NULL: its own */

static struct incidents *account(void)
{
    return shared != NULL ? shared : &own;
}

static const uint64_t layout = sizeof own << 8 | LAYOUT;

static bool account_path(char out[static PATH_MAX], const char *file)
{
    int n = snprintf(out, PATH_MAX, "%s.troubles", file);

    return n > 0 && n < PATH_MAX;
}

void incidents_share(const char *file)
{
    char path[PATH_MAX];
    int fd;

    if (shared != NULL || !account_path(path, file))
        return;
    shared = shared_file_map(path, sizeof own, layout, &fd);
    if (shared != NULL)
        (void)close(fd);
}

/* ---- the account ---- */

/* A clock that was set back ends what it had measured. */
static bool is_past(int64_t since_ms, int64_t ms, int64_t now_ms)
{
    return now_ms < since_ms || now_ms - since_ms >= ms;
}

/* FNV-1a of both texts and the zero between them; not 0. */
static uint64_t tag_of(const char *event, const char *about)
{
    uint64_t tag = 0xcbf29ce484222325;

    for (const char *p = event; *p != '\0'; p++)
        tag = (tag ^ (unsigned char)*p) * 0x100000001b3;
    tag *= 0x100000001b3;
    for (const char *p = about; *p != '\0'; p++)
        tag = (tag ^ (unsigned char)*p) * 0x100000001b3;
    return tag | 1;
}

static struct incident *incident_find(uint64_t tag)
{
    for (size_t i = 0; i < INCIDENTS; i++)
        if (atomic_load(&account()->tags[i]) == tag)
            return &account()->of[i];
    return NULL;
}

static void incident_clear(struct incident *t)
{
    atomic_store(&t->open, false);
    atomic_store(&t->begun_ms, 0);
    atomic_store(&t->seen_ms, 0);
    atomic_store(&t->worked_ms, 0);
    atomic_store(&t->told_ms, 0);
    atomic_store(&t->end_told_ms, 0);
    atomic_store(&t->within_ms, 0);
    atomic_store(&t->count, 0);
    atomic_store(&t->untold, 0);
}

static size_t place_quietest(void)
{
    size_t quietest = 0;

    for (size_t i = 1; i < INCIDENTS; i++)
        if (atomic_load(&account()->of[i].seen_ms) < atomic_load(&account()->of[quietest].seen_ms))
            quietest = i;
    return quietest;
}

static size_t place_take(uint64_t tag)
{
    size_t quietest;

    for (size_t i = 0; i < INCIDENTS; i++) {
        uint64_t was = 0;

        if (atomic_compare_exchange_strong(&account()->tags[i], &was, tag)) {
            atomic_fetch_add(&account()->used, 1);
            return i;
        }
        if (was == tag) /* another process was first */
            return i;
    }
    quietest = place_quietest();
    incident_clear(&account()->of[quietest]);
    atomic_store(&account()->tags[quietest], tag);
    return quietest;
}

static struct incident *incident_begin(uint64_t tag, const char *event, const char *about, bool lasts)
{
    struct incident *t = &account()->of[place_take(tag)];

    t->said[0] = '\0';
    t->lasts = lasts;
    (void)snprintf(t->event, sizeof t->event, "%s", event);
    (void)snprintf(t->about, sizeof t->about, "%s", about);
    return t;
}

static void incident_forget(size_t place)
{
    incident_clear(&account()->of[place]);
    atomic_store(&account()->tags[place], 0);
    atomic_fetch_sub(&account()->used, 1);
}

/* The number of times since it was logged last, if it is to be logged now; else 0. */
static unsigned incident_note(struct incident *t, int64_t now)
{
    int64_t told = atomic_load(&t->told_ms);

    if (!atomic_exchange(&t->open, true))
        atomic_store(&t->begun_ms, now);
    atomic_store(&t->seen_ms, now);
    atomic_fetch_add(&t->count, 1);
    atomic_fetch_add(&t->untold, 1);
    if (!is_past(told, TOLD_EVERY_MS, now) || !atomic_compare_exchange_strong(&t->told_ms, &told, now))
        return 0;
    return atomic_exchange(&t->untold, 0);
}

static unsigned incident_meet(const char *event, const char *about, const char *said, bool lasts,
                              int64_t *begun_ms)
{
    uint64_t tag = tag_of(event, about);
    struct incident *t = incident_find(tag);
    unsigned times;

    if (t == NULL)
        t = incident_begin(tag, event, about, lasts);
    times = incident_note(t, clock_ms());
    if (times > 0)
        (void)snprintf(t->said, sizeof t->said, "%s", said);
    *begun_ms = atomic_load(&t->begun_ms);
    return times;
}

unsigned incident_count(const char *event, const char *about)
{
    int64_t begun_ms;

    return incident_meet(event, about, "", false, &begun_ms);
}

/* ---- telling ---- */

typedef void log_function(const char *event, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void incident_tell(log_function *log, const char *event, const char *about, bool lasts,
                          const char *fmt, va_list ap) __attribute__((format(printf, 5, 0)));
static void incident_tell(log_function *log, const char *event, const char *about, bool lasts,
                          const char *fmt, va_list ap)
{
    char message[MESSAGE_MAX], since[ISO8601_LEN + 1];
    const char *space = *about != '\0' ? " " : "";
    int64_t begun_ms;
    unsigned times;

    if (vsnprintf(message, sizeof message, fmt, ap) < 0)
        message[0] = '\0';
    times = incident_meet(event, about, message, lasts, &begun_ms);
    if (times == 0)
        return;
    clock_iso8601(since, begun_ms);
    if (times == 1)
        log(event, "%s%s%s", message, space, about);
    else
        log(event, "%s%s%s repeated=%u since=%s", message, space, about, times, since);
}

void log_incident(const char *event, const char *about, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    incident_tell(log_error, event, about, true, fmt, ap);
    va_end(ap);
}

void log_repeated(const char *event, const char *about, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    incident_tell(log_warn, event, about, false, fmt, ap);
    va_end(ap);
}

void log_incident_over(const char *event, const char *about)
{
    struct incident *t = atomic_load(&account()->used) == 0 ? NULL : incident_find(tag_of(event, about));

    if (t != NULL)
        atomic_store(&t->worked_ms, clock_ms());
}

void log_expected(const char *event, const char *about, unsigned within_ms)
{
    uint64_t tag = tag_of(event, about);
    struct incident *t = incident_find(tag);

    if (t == NULL)
        t = incident_begin(tag, event, about, true);
    atomic_store(&t->worked_ms, clock_ms());
    atomic_store(&t->within_ms, within_ms);
}

static bool is_missing(const struct incident *t, int64_t now)
{
    unsigned within_ms = atomic_load(&t->within_ms);

    return within_ms > 0 && is_past(atomic_load(&t->worked_ms), within_ms, now);
}

static bool incident_has_ended(const struct incident *t, int64_t now)
{
    int64_t seen = atomic_load(&t->seen_ms);

    if (t->lasts)
        return atomic_load(&t->worked_ms) >= seen && is_past(seen, LASTS_MS, now);
    return is_past(seen, QUIET_MS, now);
}

/* The end of an incident that happened only once is not logged. */
static void incident_tell_end(struct incident *t, int64_t now)
{
    int64_t lasted = atomic_load(&t->seen_ms) - atomic_load(&t->begun_ms);
    unsigned count = atomic_exchange(&t->count, 0);

    atomic_store(&t->end_told_ms, now);
    atomic_store(&t->untold, 0);
    if (t->lasts || count > 1)
        log_info(t->event, "msg=\"over\"%s%s count=%u lasted_s=%lld", *t->about != '\0' ? " " : "", t->about,
                 count, (long long)lasted / 1000);
}

/* Neither present nor past enough to be of use. */
static bool is_over(const struct incident *t, int64_t now)
{
    return !atomic_load(&t->open) && atomic_load(&t->within_ms) == 0 &&
           is_past(atomic_load(&t->told_ms), TOLD_EVERY_MS, now) &&
           is_past(atomic_load(&t->end_told_ms), TOLD_EVERY_MS, now);
}

static bool is_forgotten(const struct incident *t, int64_t now)
{
    int64_t since = atomic_load(atomic_load(&t->within_ms) > 0 ? &t->worked_ms : &t->seen_ms);

    return is_past(since, FORGOTTEN_MS, now);
}

static void incident_check(size_t place, int64_t now)
{
    struct incident *t = &account()->of[place];
    bool open = true;

    if (atomic_load(&t->seen_ms) == 0 && atomic_load(&t->worked_ms) == 0) /* it begins just now */
        return;
    if (is_over(t, now) || is_forgotten(t, now))
        incident_forget(place);
    else if (is_missing(t, now))
        log_incident(t->event, t->about, "msg=\"nothing was heard of it for too long\"");
    else if (is_past(atomic_load(&t->end_told_ms), TOLD_EVERY_MS, now) && incident_has_ended(t, now) &&
             atomic_compare_exchange_strong(&t->open, &open, false))
        incident_tell_end(t, now);
}

void incidents_tell(void)
{
    int64_t now = clock_ms();

    for (size_t i = 0; atomic_load(&account()->used) > 0 && i < INCIDENTS; i++)
        if (atomic_load(&account()->tags[i]) != 0)
            incident_check(i, now);
}

bool incident_lately(const char *event, const char *words, int64_t ms)
{
    int64_t now = clock_ms();

    for (size_t i = 0; atomic_load(&account()->used) > 0 && i < INCIDENTS; i++) {
        const struct incident *t = &account()->of[i];

        if (atomic_load(&account()->tags[i]) != 0 && atomic_load(&t->open) && strcmp(t->event, event) == 0 &&
            !is_past(atomic_load(&t->seen_ms), ms, now) && strstr(t->said, words) != NULL)
            return true;
    }
    return false;
}

/* Those who are expected stay so. */
void incidents_forget(void)
{
    for (size_t i = 0; i < INCIDENTS; i++) {
        const struct incident *t = &account()->of[i];

        if (atomic_load(&account()->tags[i]) != 0 && atomic_load(&t->open) && atomic_load(&t->within_ms) == 0)
            incident_forget(i);
    }
}

/* ---- reporting ---- */

/* Others write meanwhile: a text may be a mix of two, and ends in any case. */
static void incident_report_of(struct incident_report *out, const struct incident *t)
{
    *out = (struct incident_report){ .since_ms = atomic_load(&t->begun_ms),
                                     .seen_ms = atomic_load(&t->seen_ms),
                                     .count = atomic_load(&t->count),
                                     .lasts = t->lasts };
    (void)snprintf(out->event, sizeof out->event, "%.*s", INCIDENT_EVENT_MAX, t->event);
    (void)snprintf(out->about, sizeof out->about, "%.*s", INCIDENT_ABOUT_MAX, t->about);
    (void)snprintf(out->said, sizeof out->said, "%.*s", INCIDENT_SAID_MAX, t->said);
}

static size_t account_report(const struct incidents *of, struct incident_report *out, size_t most)
{
    size_t n = 0;

    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < INCIDENTS && n < most; i++) {
            const struct incident *t = &of->of[i];

            if (atomic_load(&of->tags[i]) != 0 && atomic_load(&t->open) && t->lasts == (pass == 0))
                incident_report_of(&out[n++], t);
        }
    return n;
}

size_t incidents_report(const char *file, struct incident_report *out, size_t most)
{
    const struct incidents *of;
    char path[PATH_MAX];
    size_t n;

    if (!account_path(path, file) || (of = shared_file_read(path, sizeof own, layout)) == NULL)
        return 0;
    n = account_report(of, out, most);
    shared_file_unmap(of, sizeof own);
    return n;
}
