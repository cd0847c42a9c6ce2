#include "jobs/output.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/safe_text.h"

enum { LABEL = 13, JSON_MAX = 64 * 1024 * 1024, LINE_MAX_LEN = 1000 };

void output_open(struct output *o, bool json)
{
    *o = (struct output){ .json = json, .arena = arena_new() };
    jw_init(&o->w, o->arena, JSON_MAX);
    jw_object(&o->w, NULL);
}

void output_close(struct output *o, const char *problem)
{
    const char *text;

    if (!o->json && problem != NULL)
        fprintf(stderr, "agentctl: %s\n", problem);
    if (o->json) {
        jw_bool(&o->w, "ok", problem == NULL);
        jw_string_if(&o->w, "error", problem);
        jw_end(&o->w);
        text = jw_finish(&o->w);
        puts(text != NULL ? text : "{\"ok\":false,\"error\":\"the answer is too long\"}");
    }
    arena_free(o->arena);
}

/* The name of the next value: in a row the next column's. */
static const char *value_name(struct output *o, const char *name)
{
    return o->next != NULL ? o->next->name : name;
}

/* The last column ends where its text does. */
static void cell_print(const struct output_column *column, const char *text)
{
    if (column[1].name == NULL)
        printf("%s\n", text);
    else
        printf("%*s  ", -column->width, text);
}

/* A cell of the open row, or a line of its own. */
static void value_print(const struct output *o, const char *name, const char *text)
{
    if (o->next != NULL) {
        cell_print(o->next, text);
        return;
    }
    int n = 0;

    for (; *name != '\0'; name++, n++)
        putchar(*name == '_' ? ' ' : *name);
    printf("%*s", n < LABEL ? LABEL - n : 1, "");
    puts(text);
}

static void value_end(struct output *o)
{
    if (o->next != NULL)
        o->next++;
}

void output_text(struct output *o, const char *name, const char *text)
{
    if (o->json)
        jw_string_or_null(&o->w, value_name(o, name), text);
    else
        value_print(o, name, text != NULL ? safe_text_terminal(o->arena, text) : "-");
    value_end(o);
}

void output_number(struct output *o, const char *name, int64_t n)
{
    char text[24];

    if (n < 0) {
        output_text(o, name, NULL);
        return;
    }
    (void)snprintf(text, sizeof text, "%" PRId64, n);
    if (o->json)
        jw_integer(&o->w, value_name(o, name), n);
    else
        value_print(o, name, text);
    value_end(o);
}

void output_flag(struct output *o, const char *name, bool v)
{
    if (o->json)
        jw_bool(&o->w, value_name(o, name), v);
    else
        value_print(o, name, v ? "yes" : "no");
    value_end(o);
}

void output_time(struct output *o, const char *name, int64_t ms)
{
    char text[ISO8601_LEN + 1] = "-";

    if (ms != 0)
        clock_iso8601(text, ms);
    if (o->json)
        jw_time(&o->w, value_name(o, name), ms);
    else
        value_print(o, name, text);
    value_end(o);
}

void output_table(struct output *o, const char *name, const struct output_column *columns, bool heading)
{
    if (o->json) {
        jw_array(&o->w, name);
        return;
    }
    if (!heading)
        return;
    for (const struct output_column *each = columns; each->name != NULL; each++) {
        char *text = arena_strdup(o->arena, each->name);

        for (char *c = text; *c != '\0'; c++)
            if (*c == '_')
                *c = ' ';
        cell_print(each, text);
    }
}

void output_row(struct output *o, const struct output_column *columns)
{
    if (o->json)
        jw_object(&o->w, NULL);
    o->next = columns;
}

void output_row_end(struct output *o)
{
    if (o->json)
        jw_end(&o->w);
    o->next = NULL;
}

void output_table_end(struct output *o)
{
    if (o->json)
        jw_end(&o->w);
}

void output_done(struct output *o, const char *fmt, ...)
{
    char line[LINE_MAX_LEN];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (o->json)
        jw_string(&o->w, "done", line);
    else
        puts(safe_text_terminal(o->arena, line));
}
