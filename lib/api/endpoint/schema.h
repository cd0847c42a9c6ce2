/* The shape of an answer as data. The OpenAPI document and the schemas of tools are written from it, and
 * tests check answers against it. A field is one member: its name, its kind with an example, what it means.
 * api/endpoint/schemas.h has the macros with which shapes are declared. */
#ifndef API_ENDPOINT_SCHEMA_H
#define API_ENDPOINT_SCHEMA_H

#include <stdbool.h>

enum schema_kind {
    S_TEXT,
    S_CHOICE,  /* one of `choices` */
    S_AMOUNT,  /* a decimal number as text, without needless digits */
    S_DECIMAL, /* one with the digits that a third party gave it */
    S_TIME,    /* ISO 8601 */
    S_UUID,
    S_URI,
    S_HEX, /* 0x and hexadecimal digits */
    S_WHOLE,
    S_NUMBER,
    S_FLAG,
    S_TRUE,    /* always true */
    S_FALSE,   /* always false */
    S_TEXTS,   /* a list of texts; the example is its only item */
    S_NUMBERS, /* a list of numbers; the example is its only item */
    S_FREE,    /* an object with any members */
    S_STRINGS, /* an object whose members are all texts */
    S_OBJECT,  /* an object of the shape `of` */
    S_LIST,    /* a list of them */
    S_MAP,     /* an object whose members are all of the shape `of`; the example is the name of one */
};

/* FULL_ONLY: not in the compact form (api/endpoint/compact.h); FULL_IF_NULL: there it is absent where it
 * would be null, or repeat what stands above. What the specification names is in every form. */
enum { MAY_BE_ABSENT = 1, MAY_BE_NULL = 2, FULL_ONLY = 4, FULL_IF_NULL = 8 };

struct schema;

struct schema_field {
    const char *name; /* NULL ends the table */
    enum schema_kind kind;
    const struct schema *of;
    const char *const *choices; /* ending with NULL */
    const char *example; /* the value as text or "null"; of S_OBJECT as JSON, NULL for that of its shape */
    const char *about;
    unsigned marks;
};

struct schema {
    const char *name; /* in the document's components */
    const char *about;
    const struct schema_field *fields;
    const struct schema *base; /* whose members it has too; NULL: none */
    bool open;                 /* has members that are not declared */
};

#endif
