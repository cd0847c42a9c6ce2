#include "base/check_report.h"

#include <stdarg.h>
#include <stdio.h>

static unsigned wrong;

static void print(const char *how, const char *part, const char *fmt, va_list ap)
{
    printf("%-5s  %-10s  ", how, part);
    (void)vprintf(fmt, ap);
    putchar('\n');
    (void)fflush(stdout);
}

void check_report(bool ok, const char *part, const char *fmt, ...)
{
    va_list ap;

    wrong += !ok;
    va_start(ap, fmt);
    print(ok ? "ok" : "WRONG", part, fmt, ap);
    va_end(ap);
}

void check_report_warn(const char *part, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    print("warn", part, fmt, ap);
    va_end(ap);
}

unsigned check_reports_wrong(void)
{
    return wrong;
}
