/* Writes JSON (RFC 8259) from front to back into an arena, compact and without a tree. The code that composes
 * an answer or an event calls these functions in the order of its members.
 *
 * `key` names the member of an object; it is NULL for the items of an array and for the outermost value. No
 * call reports a failure: text that is not UTF-8, a number that is not finite, more text or depth than
 * allowed make the whole fail, which jw_finish tells. */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { JW_DEPTH_MAX = 48 };

/* A member that is not written, or whose value has such members. */
struct json_left_out {
    const char *name; /* "": any; NULL ends the list */
    bool always;
    bool null;                          /* in place of null */
    const struct json_left_out *inside; /* of its object, or of each item of its list; NULL: all is written */
};

struct json_writer {
    struct arena *arena;
    char *text;
    size_t len, cap, max;
    uint64_t arrays; /* bit n: what was begun at depth n is an array */
    unsigned depth;
    bool comma; /* something stands before the next value */
    bool failed;
    struct json_tree *tree; /* NULL: text alone */
    /* What is left out of each open value, outermost first, in the arena; NULL: nothing is left out. */
    const struct json_left_out **left_out;
    unsigned silent; /* values that are open and not written */
};

/* Text longer than `max` bytes fails. */
void jw_init(struct json_writer *w, struct arena *a, size_t max);
/* From now on the same calls make jansson's value too (jw_tree), for those who read what was written. */
void jw_make_tree(struct json_writer *w);

/* Before the outermost value: its members of the list are left out, and the calls that write them do nothing.
 */
void jw_leave_out(struct json_writer *w, const struct json_left_out *list);
bool jw_is_compact(const struct json_writer *w); /* whether anything is left out */
/* Whether the member is left out, for those to whom its value is dear. */
bool jw_leaves_out(const struct json_writer *w, const char *key);

void jw_object(struct json_writer *w, const char *key);
void jw_array(struct json_writer *w, const char *key);
void jw_end(struct json_writer *w); /* of the innermost object or array */

void jw_string(struct json_writer *w, const char *key, const char *s); /* NULL fails */
void jw_string_or_null(struct json_writer *w, const char *key, const char *s);
void jw_string_if(struct json_writer *w, const char *key, const char *s); /* nothing for NULL */
void jw_integer(struct json_writer *w, const char *key, int64_t n);
/* 15 digits give the decimal text back that a number was made of; 17 would show the binary fraction. */
void jw_real(struct json_writer *w, const char *key, double v);
void jw_bool(struct json_writer *w, const char *key, bool v);
void jw_true_if(struct json_writer *w, const char *key, bool v); /* nothing for false */
void jw_null(struct json_writer *w, const char *key);
void jw_time(struct json_writer *w, const char *key, int64_t ms); /* ISO 8601; null for 0 */

/* A value that was read (borrowed); NULL fails. */
void jw_value(struct json_writer *w, const char *key, const json_t *v);
/* JSON text from the database, which was kept as it had been read. */
void jw_stored(struct json_writer *w, const char *key, const char *text);
/* Copies the text of another writer, and its tree if this one makes a tree too (borrowed). */
void jw_raw(struct json_writer *w, const char *key, const char *text, size_t len, const json_t *tree);
/* The members of an object that another writer wrote, into the object that is open. */
void jw_members(struct json_writer *w, const char *text, size_t len, const json_t *tree);

/* The terminated text, in the arena; NULL when it failed, or something is still open. */
const char *jw_finish(struct json_writer *w);
/* The value, borrowed from the arena; NULL when none was asked for, or it failed. */
json_t *jw_tree(const struct json_writer *w);

/* A value that was read, as compact text in the arena; `flags` are further flags of jansson's. */
char *jw_text_of(struct arena *a, const json_t *v, size_t flags);

#endif
