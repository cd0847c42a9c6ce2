/* One line per event on standard error: time, level, program, event=NAME, message as key=value; where that is
 * the journal of systemd, its priority in place of the time. The name says what happened, in one word of
 * small letters and underscores that never changes. Characters other than printable ASCII are escaped, so
 * that a client can neither forge a line nor steer the terminal that shows it. Never log a key, a bearer
 * token or a secret. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

void log_init(const char *program);
/* Foreign text as a value: truncated, and in quotes that it cannot close. */
enum { LOG_TEXT_MAX = 200, LOG_TEXT_LEN = 2 * LOG_TEXT_MAX + 3 };
const char *log_text(char out[static LOG_TEXT_LEN], const char *s);
/* Sets the id of the current request, which prefixes each line until the next call; NULL clears it. Not
 * copied.
 */
void log_id(const char *id);
const char *log_current_id(void);

void log_info(const char *event, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void log_warn(const char *event, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void log_error(const char *event, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* For conditions that only a broken program or machine can cause: logs and exits with status 70. */
_Noreturn void log_fatal(const char *event, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
