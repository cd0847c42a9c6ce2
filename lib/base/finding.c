#include "base/finding.h"

#include <stdarg.h>
#include <stdio.h>

static unsigned wrong;

void finding(bool ok, const char *part, const char *fmt, ...)
{
    va_list ap;

    wrong += !ok;
    printf("%-5s  %-10s  ", ok ? "ok" : "WRONG", part);
    va_start(ap, fmt);
    (void)vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    (void)fflush(stdout);
}

unsigned findings_wrong(void)
{
    return wrong;
}
