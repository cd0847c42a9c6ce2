#include "contrib/cli/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char last[256];
static bool open_line;

void progress_show(const char *fmt, ...)
{
    char text[sizeof last];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (strcmp(text, last) == 0)
        return;
    (void)snprintf(last, sizeof last, "%s", text);
    open_line = isatty(STDERR_FILENO) == 1;
    if (open_line)
        fprintf(stderr, "\r%s\033[K", text);
    else
        fprintf(stderr, "%s\n", text);
    (void)fflush(stderr);
}

void progress_end(void)
{
    if (open_line)
        fputs("\r\033[K", stderr);
    open_line = false;
    last[0] = '\0';
}
