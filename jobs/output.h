/* The output of agentctl: lines for people, or with --json one object, by the same calls. */
#ifndef JOBS_OUTPUT_H
#define JOBS_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json_writer.h"

/* A column of a table: its name in JSON and in the heading, where "_" is shown as a space. */
struct output_column {
    const char *name; /* NULL ends the list */
    int width;        /* in characters; below 0: right-aligned */
};

struct output {
    bool json;
    struct arena *arena; /* of the JSON */
    struct json_writer w;
    const struct output_column *next; /* of the open row; NULL: none is open */
};

void output_open(struct output *o, bool json);
/* Says why it failed, on stderr or as `error`; NULL: it did not. */
void output_close(struct output *o, const char *problem);

/* The values of an object, a line each, or of a row, whose columns name them; `name` is for objects. */
void output_text(struct output *o, const char *name, const char *text); /* NULL: none; safe for a terminal */
void output_number(struct output *o, const char *name, int64_t n);      /* below 0: none */
void output_flag(struct output *o, const char *name, bool v);           /* "yes" and "no" */
void output_time(struct output *o, const char *name, int64_t ms);       /* 0: none */

/* A list of rows; in text a heading, if `heading`, and the rows below it. */
void output_table(struct output *o, const char *name, const struct output_column *columns, bool heading);
void output_row(struct output *o, const struct output_column *columns);
void output_row_end(struct output *o);
void output_table_end(struct output *o);

/* A line that says what was done. */
void output_done(struct output *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
