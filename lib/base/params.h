/* Declared parameters: a table of fields is read into a plain struct, or all faults are collected in one
 * pass. JSON bodies and query strings share the reader: a query string is an object whose values are all
 * strings. */
#ifndef BASE_PARAMS_H
#define BASE_PARAMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum param_kind {
    P_TEXT,   /* const char *: NULL when absent; `max` characters, trimmed and not empty when `min` is 1 */
    P_AMOUNT, /* const char *: a positive number in plain decimal digits */
    /* const char *: how much of a token: a positive number as text or as a JSON number of any precision,
     * which becomes plain decimal digits (base/decimal_text.h); or `word`. */
    P_QUANTITY,
    /* const char *: a number as the characters that were sent, which `check` judges. A string to the reader
     * where the numbers of the JSON have been quoted (base/json_numbers.h); otherwise, of a number, the 15
     * digits that are certain. */
    P_DECIMAL,
    P_FRACTION, /* uint32_t: millionths of a JSON number from 0 to 1 */
    P_WHOLE,    /* uint64_t: a whole number from min to max; a default below min: 0, and there is none */
    P_TIME,     /* int64_t: milliseconds since 1970 of a time of ISO 8601; 0 when absent */
    P_FLAG,     /* bool: true or false; false when absent */
    P_NULLABLE, /* struct param_text: null has a meaning */
    P_OBJECT,   /* struct param_text: an object as compact JSON text of at most `max` bytes */
    P_TEXTS,    /* const char *const *: 1 to `max` texts, ending with NULL; NULL when absent */
};

struct param_text {
    bool given;
    const char *value; /* NULL for null */
};

struct param {
    const char *name; /* NULL ends the table */
    enum param_kind kind;
    size_t at;                /* offset in the struct */
    bool required;            /* absent: "<name> is required", or the error in `absent` */
    bool queried;             /* in the query string too of a call that is asked by its body */
    bool aside;               /* says how the answer comes and nothing of what is asked for: it is no term */
    bool needed;              /* required, but reported by the handler: marks it so in the documents */
    const char *unless;       /* of `needed`: the member that may be given instead, where the table has it */
    const struct err *absent; /* the error when it is missing; without `required` the handler reports it */
    const struct err *bad;    /* the error for a wrong value, where the specification words it */
    const char *dflt;         /* for P_TEXT; P_FRACTION and P_WHOLE take number */
    const char *assumed;      /* for the documents: the default that the handler assumes */
    uint64_t number;
    uint64_t min, max;
    const char *word;           /* P_QUANTITY: what it may be instead of a number; or NULL */
    const char *const *choices; /* P_TEXT: the values it may have, ending with NULL */
    bool any_case;              /* of choices: read in upper and lower case, stored as the table has it */
    /* A member that says what others say otherwise: the names of those that may be given with it, ending with
     * NULL. Others would have no effect and are refused. NULL: any may. */
    const char *const *beside;
    /* P_OBJECT: tables of its members, ending with NULL, for the documents; NULL: anything. */
    const struct param *const *of;
    /* P_TEXT, P_DECIMAL, P_NULLABLE, each of P_TEXTS: returns what is wrong with a value, or NULL. `env` is
     * passed through from params_read. */
    const char *(*check)(const char *value, const void *env);
    const char *about; /* one line for the documents */
    /* P_TEXTS: what the texts may be, ending with NULL, where a table tells when it runs; the documents say
     * it behind `about`. NULL: nothing is known. */
    const char *const *(*known)(void);
    const char *example;
};

#define INTO(type, member) .at = offsetof(type, member)

struct param_faults {
    const struct err *first; /* NULL: all well */
    json_t *fields;          /* name → what is wrong; owned, NULL until the first */
};

/* Reads `object` (borrowed) into `out`, which the caller has zeroed; strings are copied to the arena. `env`
 * is passed to the checks. */
void params_read(const struct param *table, const json_t *object, bool query, const void *env, void *out,
                 struct arena *a, struct param_faults *faults);
/* Gives members that are quantities and were sent as numbers the characters that were sent, from `quoted`,
 * the same object with its numbers as strings. Returns whether there are any; without `quoted` that is all.
 */
bool params_keep_digits(const struct param *table, json_t *object, const json_t *quoted);
/* Takes the arguments as programs send them that write every value as text or fill in every member: text that
 * holds the JSON of a list, an object, a number or a flag becomes that, where the member takes nothing else,
 * and so does a whole number that is written with a point; an optional member is absent when it is "" or [].
 */
void params_unquote(const struct param *table, json_t *object);
/* Whether documents call the member required. */
bool param_is_required(const struct param *table, const struct param *p);
/* Adds a fault found by the caller's own checks. The first fault of a field is kept. */
void params_fault(struct param_faults *faults, const struct err *e, const char *field, const char *what);
void params_faults_free(struct param_faults *faults);

/* Parses a whole number of decimal digits and nothing else; false when it does not fit. */
bool params_whole(uint64_t *out, const char *text);

#endif
