#include "model/event_attempt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void event_attempt_line(char out[static EVENT_ATTEMPT_LINE_MAX + 1], const struct event_attempt *attempt)
{
    int n = snprintf(out, EVENT_ATTEMPT_LINE_MAX + 1, "%" PRId64 " %d %u", attempt->at_ms,
                     attempt->response_status, attempt->took_ms);

    if (attempt->error == NULL)
        return;
    snprintf(out + n, (size_t)(EVENT_ATTEMPT_LINE_MAX + 1 - n), " %s", attempt->error);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
}

static struct event_attempt attempt_read(struct arena *a, const char *line, size_t len)
{
    struct event_attempt attempt = { .at_ms = 0 };
    char *rest = arena_strndup(a, line, len);

    attempt.at_ms = strtoll(rest, &rest, 10);
    attempt.response_status = (int)strtol(rest, &rest, 10);
    attempt.took_ms = (unsigned)strtoul(rest, &rest, 10);
    attempt.error = *rest == ' ' ? rest + 1 : NULL;
    return attempt;
}

unsigned event_attempts_read(struct event_attempt out[static EVENT_ATTEMPTS_KEPT], struct arena *a,
                             const char *lines)
{
    unsigned n = 0;

    while (lines != NULL && n < EVENT_ATTEMPTS_KEPT) {
        const char *end = strchrnul(lines, '\n');

        out[n++] = attempt_read(a, lines, (size_t)(end - lines));
        lines = *end == '\n' ? end + 1 : NULL;
    }
    return n;
}
