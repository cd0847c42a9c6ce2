/* What the ideal jobs share: their connection to the database, and statements without any care. */
#ifndef BENCH_IDEAL_JOB_H
#define BENCH_IDEAL_JOB_H

#include <mysql.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 100, SQL_MAX = 8192 };

static MYSQL *db;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "ideal job: %s: %s\n", what, why);
    exit(1);
}

static void run(const char *fmt, ...)
{
    char sql[SQL_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(sql, sizeof sql, fmt, ap);
    va_end(ap);
    if (mysql_query(db, sql) != 0)
        die("database", mysql_error(db));
}

#endif
