#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/metrics.h"

/* A line beyond this is cut: pipes keep writes of up to 4096 bytes in one piece. */
enum { LINE_MAX_LEN = 4096, EXIT_SOFTWARE = 70 };

static const char *program_name = "gateway";
static const char *current_id;
static bool to_journal;

/* systemd names the stream that it has given. What reads a pipe behind a program that it has started has
 * another. */
static bool is_journal(int fd)
{
    const char *stream = getenv("JOURNAL_STREAM");
    char own[64];
    struct stat st;

    if (stream == NULL || fstat(fd, &st) != 0)
        return false;
    (void)snprintf(own, sizeof own, "%llu:%llu", (unsigned long long)st.st_dev,
                   (unsigned long long)st.st_ino);
    return strcmp(stream, own) == 0;
}

void log_init(const char *program)
{
    program_name = program;
    to_journal = is_journal(STDERR_FILENO);
}

void log_id(const char *id)
{
    current_id = id;
}

const char *log_current_id(void)
{
    return current_id;
}

const char *log_text(char out[static LOG_TEXT_LEN], const char *s)
{
    size_t n = 0;

    out[n++] = '"';
    for (size_t i = 0; i < LOG_TEXT_MAX && s[i] != '\0'; i++) {
        if (s[i] == '"' || s[i] == '\\')
            out[n++] = '\\';
        out[n++] = s[i];
    }
    out[n++] = '"';
    out[n] = '\0';
    return out;
}

struct line {
    char text[LINE_MAX_LEN];
    size_t len;
};

/* One byte always stays free for the line end. */
static void line_raw(struct line *l, const char *p, size_t n)
{
    size_t room = sizeof l->text - 1 - l->len;

    if (n > room)
        n = room;
    memcpy(l->text + l->len, p, n);
    l->len += n;
}

static void line_escaped(struct line *l, const char *s)
{
    static const char digit[] = "0123456789abcdef";

    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;
        const char hex[4] = { '\\', 'x', digit[c >> 4], digit[c & 15] };

        if (c >= 0x20 && c < 0x7f)
            line_raw(l, s, 1);
        else
            line_raw(l, hex, sizeof hex);
    }
}

/* The name of each level, and its priority by sd-daemon(3). */
struct level {
    const char *name, *priority;
};
static const struct level INFO = { "info", "<6>" }, WARN = { "warn", "<4>" }, ERROR = { "error", "<3>" },
                          FATAL = { "fatal", "<2>" };

static void line_time(struct line *l)
{
    char when[ISO8601_LEN + 1];

    clock_iso8601(when, clock_ms());
    line_raw(l, when, ISO8601_LEN);
    line_raw(l, " ", 1);
}

/* The journal has the time by itself, and takes the priority from the line. */
static void line_head(struct line *l, const struct level *level, const char *event)
{
    char pid[16];

    snprintf(pid, sizeof pid, "[%d] ", (int)getpid());
    if (to_journal)
        line_raw(l, level->priority, strlen(level->priority));
    else
        line_time(l);
    line_raw(l, level->name, strlen(level->name));
    line_raw(l, " ", 1);
    line_escaped(l, program_name);
    line_raw(l, pid, strlen(pid));
    line_raw(l, "event=", 6);
    line_raw(l, event, strlen(event));
    line_raw(l, " ", 1);
    if (current_id == NULL)
        return;
    line_raw(l, "request_id=", 11);
    line_escaped(l, current_id);
    line_raw(l, " ", 1);
}

/* A disk that is full takes a part of a line, or none; what follows then begins with a line of its own. */
static void line_write(const struct line *l)
{
    static bool cut;
    char about[INCIDENT_ABOUT_MAX + 1];
    ssize_t n;

    if (cut && write(STDERR_FILENO, "\n", 1) == 1)
        cut = false;
    n = write(STDERR_FILENO, l->text, l->len);
    cut = cut || (n > 0 && (size_t)n < l->len);
    if (n == (ssize_t)l->len)
        return;
    metric_add(METRIC("log_lines_lost_total"), 1);
    (void)snprintf(about, sizeof about, "program=%s", program_name);
    log_repeated("log_not_written", about, "msg=\"lines of this log are lost\"");
}

/* No heap: this also has to say that there is no memory. */
static void log_line(const struct level *level, const char *event, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));
static void log_line(const struct level *level, const char *event, const char *fmt, va_list ap)
{
    struct line l = { .len = 0 };
    char message[LINE_MAX_LEN];

    if (vsnprintf(message, sizeof message, fmt, ap) < 0)
        message[0] = '\0';
    line_head(&l, level, event);
    line_escaped(&l, message);
    l.text[l.len++] = '\n';
    line_write(&l);
}

#define LOG_BODY(level)                                                                                      \
    do {                                                                                                     \
        va_list ap;                                                                                          \
        va_start(ap, fmt);                                                                                   \
        log_line(level, event, fmt, ap);                                                                     \
        va_end(ap);                                                                                          \
    } while (0)

void log_info(const char *event, const char *fmt, ...)
{
    LOG_BODY(&INFO);
}

void log_warn(const char *event, const char *fmt, ...)
{
    LOG_BODY(&WARN);
}

void log_error(const char *event, const char *fmt, ...)
{
    LOG_BODY(&ERROR);
}

static void log_last(const char *event, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void log_last(const char *event, const char *fmt, ...)
{
    LOG_BODY(&FATAL);
}

/* A process that is restarted at once may end with the same line again and again: repeats are counted. */
void log_fatal(const char *event, const char *fmt, ...)
{
    char message[LINE_MAX_LEN];
    unsigned times;
    va_list ap;

    va_start(ap, fmt);
    if (vsnprintf(message, sizeof message, fmt, ap) < 0)
        message[0] = '\0';
    va_end(ap);
    times = incident_count(event, message);
    if (times == 1)
        log_last(event, "%s", message);
    else if (times > 1)
        log_last(event, "%s repeated=%u", message, times);
    _exit(EXIT_SOFTWARE);
}
