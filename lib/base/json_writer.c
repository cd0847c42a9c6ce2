#include "base/json_writer.h"

#include <math.h>

#include "base/clock.h"
#include "base/json_plain.h"
#include "base/json_slice.h"

enum { FIRST_CAP = 1024, REAL_DIGITS = 15 };

/* The open values, outermost first, and the outermost value once it is there. */
struct json_tree {
    json_t *open[JW_DEPTH_MAX]; /* borrowed from the value around it */
    json_t *root;
};

void jw_init(struct json_writer *w, struct arena *a, size_t max)
{
    *w = (struct json_writer){ .arena = a, .max = max + 1 /* the terminator */ };
}

static void tree_release(void *tree)
{
    json_decref(((struct json_tree *)tree)->root);
}

void jw_make_tree(struct json_writer *w)
{
    w->tree = ARENA_NEW(w->arena, struct json_tree);
    arena_defer(w->arena, tree_release, w->tree);
}

/* ---- text ---- */

static void text_grow(struct json_writer *w, size_t n)
{
    size_t cap = w->cap;

    while (n > cap - w->len)
        cap = cap == 0 ? FIRST_CAP : 2 * cap;
    w->text = arena_extend(w->arena, w->text, w->cap, cap);
    w->cap = cap;
}

/* The place for n more bytes; NULL when they do not fit any more. */
static inline char *text_room(struct json_writer *w, size_t n)
{
    if (w->failed || n > w->max - w->len) {
        w->failed = true;
        return NULL;
    }
    if (n > w->cap - w->len)
        text_grow(w, n);
    return w->text + w->len;
}

static void text_add(struct json_writer *w, const char *text, size_t n)
{
    char *to = text_room(w, n);

    if (to == NULL)
        return;
    memcpy(to, text, n);
    w->len += n;
}

/* ---- strings ---- */

/* The bytes of the character of several bytes at s; 0: it is none that UTF-8 allows (RFC 3629, section 4).
 * Text is terminated, so a character that is cut off ends in a NUL. */
static size_t character_length(const unsigned char *s)
{
    static const struct {
        unsigned char first, last, second_min, second_max;
        unsigned char length;
    } forms[] = {
        { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
        { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
        { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last)
            continue;
        if (s[1] < forms[i].second_min || s[1] > forms[i].second_max)
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((s[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

static void escape_add(struct json_writer *w, unsigned char c)
{
    static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt", hex[] = "0123456789ABCDEF";
    const char *at = strchr(escaped, c);
    char text[] = "\\u00__";

    if (at != NULL) {
        text[1] = letters[at - escaped];
        text_add(w, text, 2);
        return;
    }
    text[4] = hex[c >> 4];
    text[5] = hex[c & 15];
    text_add(w, text, sizeof text - 1);
}

static void string_add_escaped(struct json_writer *w, const char *s, size_t n)
{
    size_t run;

    text_add(w, "\"", 1);
    while ((run = json_plain_length(s, n)) < n) {
        unsigned char c = (unsigned char)s[run];
        size_t len = c >= 0x80 ? character_length((const unsigned char *)s + run) : 1;

        text_add(w, s, c >= 0x80 ? run + len : run);
        if (c < 0x80)
            escape_add(w, c);
        w->failed = w->failed || len == 0;
        if (w->failed)
            return;
        s += run + len;
        n -= run + len;
    }
    text_add(w, s, n);
    text_add(w, "\"", 1);
}

static void string_add(struct json_writer *w, const char *s)
{
    size_t n = strlen(s);
    char *to;

    if (json_plain_length(s, n) < n) {
        string_add_escaped(w, s, n);
        return;
    }
    to = text_room(w, n + 2);
    if (to == NULL)
        return;
    to[0] = '"';
    memcpy(to + 1, s, n + 1);
    to[n + 1] = '"'; /* in the terminator's place */
    w->len += n + 2;
}

/* With the comma before it. */
static void key_add(struct json_writer *w, const char *key)
{
    size_t n = strlen(key);
    char *to;

    if (json_plain_length(key, n) < n) {
        if (w->comma)
            text_add(w, ",", 1);
        string_add_escaped(w, key, n);
        text_add(w, ":", 1);
        return;
    }
    to = text_room(w, w->comma + n + 3);
    if (to == NULL)
        return;
    if (w->comma)
        *to++ = ',';
    to[0] = '"';
    memcpy(to + 1, key, n + 1);
    to[n + 1] = '"';
    to[n + 2] = ':';
    w->len += w->comma + n + 3;
}

/* ---- the tree ---- */

/* Takes ownership; a value that jansson refuses is NULL. */
static void tree_add(struct json_writer *w, const char *key, json_t *v)
{
    json_t *parent = w->depth == 0 ? NULL : w->tree->open[w->depth - 1];

    if (v == NULL || (key != NULL && json_object_get(parent, key) != NULL)) {
        json_decref(v);
        w->failed = true;
    } else if (parent == NULL) {
        w->tree->root = v;
    } else if ((key == NULL ? json_array_append_new(parent, v) : json_object_set_new(parent, key, v)) != 0) {
        w->failed = true;
    }
}

/* ---- omissions ---- */

void jw_leave_out(struct json_writer *w, const struct json_left_out *list)
{
    w->left_out = ARENA_ARRAY(w->arena, const struct json_left_out *, JW_DEPTH_MAX + 1);
    w->left_out[0] = list;
}

/* The entry of a member of the innermost open value; NULL: it is written with all that is in it. An item of a
 * list, and the outermost value, have that of what is around them. */
static const struct json_left_out *left_out_entry(const struct json_writer *w, const char *key)
{
    const struct json_left_out *each = w->left_out[w->depth];

    while (each != NULL && each->name != NULL && *each->name != '\0' &&
           (*each->name != *key || strcmp(each->name, key) != 0))
        each++;
    return each != NULL && each->name != NULL ? each : NULL;
}

static bool is_left_out(const struct json_writer *w, const char *key, bool null)
{
    const struct json_left_out *found;

    if (w->left_out == NULL)
        return false;
    if (w->silent > 0)
        return true;
    found = key == NULL ? NULL : left_out_entry(w, key);
    return found != NULL && (found->always || (null && found->null));
}

bool jw_is_compact(const struct json_writer *w)
{
    return w->left_out != NULL;
}

bool jw_leaves_out(const struct json_writer *w, const char *key)
{
    return is_left_out(w, key, false);
}

/* Properties of the value that begins next. */
static const struct json_left_out *left_out_inside(const struct json_writer *w, const char *key)
{
    const struct json_left_out *found;

    if (w->left_out == NULL)
        return NULL;
    if (key == NULL)
        return w->left_out[w->depth];
    found = left_out_entry(w, key);
    return found == NULL ? NULL : found->inside;
}

/* ---- the text before a value ---- */

/* Whether the value may be written: an object's members have keys, nothing else has, and there is only one
 * outermost value. */
static bool value_begin_as(struct json_writer *w, const char *key, bool null)
{
    bool in_object = w->depth > 0 && (w->arrays >> (w->depth - 1) & 1) == 0;

    if (is_left_out(w, key, null))
        return false;
    if (in_object != (key != NULL) || (w->depth == 0 && w->len > 0))
        w->failed = true;
    if (key != NULL && !w->failed)
        key_add(w, key);
    else if (w->comma)
        text_add(w, ",", 1);
    w->comma = true;
    return !w->failed;
}

static bool value_begin(struct json_writer *w, const char *key)
{
    return value_begin_as(w, key, false);
}

/* ---- objects and arrays ---- */

static void container_begin(struct json_writer *w, const char *key, bool array)
{
    const struct json_left_out *inside = NULL;
    json_t *v;

    if (is_left_out(w, key, false)) {
        w->silent++;
        return;
    }
    if (w->left_out != NULL)
        inside = left_out_inside(w, key);
    if (!value_begin(w, key))
        return;
    if (w->depth == JW_DEPTH_MAX) {
        w->failed = true;
        return;
    }
    text_add(w, array ? "[" : "{", 1);
    if (w->tree != NULL) {
        v = array ? json_array() : json_object();
        tree_add(w, key, v);
        if (w->failed)
            return;
        w->tree->open[w->depth] = v;
    }
    w->arrays = (w->arrays & ~(UINT64_C(1) << w->depth)) | (uint64_t)array << w->depth;
    w->depth++;
    w->comma = false;
    if (w->left_out != NULL)
        w->left_out[w->depth] = inside;
}

void jw_object(struct json_writer *w, const char *key)
{
    container_begin(w, key, false);
}

void jw_array(struct json_writer *w, const char *key)
{
    container_begin(w, key, true);
}

void jw_end(struct json_writer *w)
{
    if (w->silent > 0) {
        w->silent--;
        return;
    }
    if (w->depth == 0)
        w->failed = true;
    if (w->failed)
        return;
    w->depth--;
    text_add(w, (w->arrays >> w->depth & 1) != 0 ? "]" : "}", 1);
    w->comma = true;
}

/* ---- values ---- */

void jw_string(struct json_writer *w, const char *key, const char *s)
{
    if (!value_begin(w, key))
        return;
    if (s == NULL) {
        w->failed = true;
        return;
    }
    string_add(w, s);
    if (w->tree != NULL)
        tree_add(w, key, json_string(s));
}

void jw_string_or_null(struct json_writer *w, const char *key, const char *s)
{
    if (s != NULL)
        jw_string(w, key, s);
    else
        jw_null(w, key);
}

void jw_string_if(struct json_writer *w, const char *key, const char *s)
{
    if (s != NULL)
        jw_string(w, key, s);
}

static void digits_add(struct json_writer *w, uint64_t n, bool minus)
{
    char digits[24], *p = digits + sizeof digits;

    do {
        *--p = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    if (minus)
        *--p = '-';
    text_add(w, p, (size_t)(digits + sizeof digits - p));
}

void jw_integer(struct json_writer *w, const char *key, int64_t n)
{
    if (!value_begin(w, key))
        return;
    digits_add(w, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, n < 0);
    if (w->tree != NULL)
        tree_add(w, key, json_integer(n));
}

/* A real stays one when it is read: "3.0", "1e20". */
static void real_add(struct json_writer *w, double v)
{
    char text[40], *e;
    int n = snprintf(text, sizeof text, "%.*g", REAL_DIGITS, v);

    if (n < 0 || !isfinite(v)) {
        w->failed = true;
        return;
    }
    e = strchr(text, 'e');
    if (e == NULL) {
        text_add(w, text, (size_t)n);
        if (strchr(text, '.') == NULL)
            text_add(w, ".0", 2);
        return;
    }
    text_add(w, text, (size_t)(e + 1 - text));
    if (*++e == '-')
        text_add(w, e, 1);
    e += strspn(e, "+-0");
    text_add(w, e, strlen(e));
}

void jw_real(struct json_writer *w, const char *key, double v)
{
    if (!value_begin(w, key))
        return;
    real_add(w, v);
    if (w->tree != NULL)
        tree_add(w, key, json_real(v));
}

void jw_bool(struct json_writer *w, const char *key, bool v)
{
    if (!value_begin(w, key))
        return;
    text_add(w, v ? "true" : "false", v ? 4 : 5);
    if (w->tree != NULL)
        tree_add(w, key, json_boolean(v));
}

void jw_true_if(struct json_writer *w, const char *key, bool v)
{
    if (v)
        jw_bool(w, key, true);
}

void jw_null(struct json_writer *w, const char *key)
{
    if (!value_begin_as(w, key, true))
        return;
    text_add(w, "null", 4);
    if (w->tree != NULL)
        tree_add(w, key, json_null());
}

void jw_time(struct json_writer *w, const char *key, int64_t ms)
{
    char text[ISO8601_LEN + 1];

    if (ms == 0) {
        jw_null(w, key);
        return;
    }
    if (jw_leaves_out(w, key))
        return;
    clock_iso8601(text, ms);
    jw_string(w, key, text);
}

/* ---- values of others ---- */

static int dump_add(const char *text, size_t n, void *w)
{
    text_add(w, text, n);
    return 0;
}

void jw_value(struct json_writer *w, const char *key, const json_t *v)
{
    if (left_out_inside(w, key) != NULL && v != NULL) {
        const char *text = jw_text_of(w->arena, v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(REAL_DIGITS));

        jw_raw(w, key, text, strlen(text), v);
        return;
    }
    if (!value_begin_as(w, key, json_is_null(v)))
        return;
    if (json_dump_callback(v, dump_add, w, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(REAL_DIGITS)))
        w->failed = true;
    if (w->tree != NULL)
        tree_add(w, key, json_incref((json_t *)(uintptr_t)v));
}

void jw_stored(struct json_writer *w, const char *key, const char *text)
{
    json_t *v = json_loads(text, JSON_DECODE_ANY, NULL);

    jw_value(w, key, v);
    json_decref(v);
}

/* ---- text of other writers ---- */

/* The bytes of the value at s. */
static size_t value_length(const char *s, size_t n)
{
    unsigned open = 0;
    size_t i = 0;

    while (i < n) {
        char c = s[i];

        if (open == 0 && (c == ',' || c == ']' || c == '}'))
            break;
        i += c == '"' ? json_string_len(s + i, n - i) : 1;
        open += c == '{' || c == '[';
        open -= c == '}' || c == ']';
        if (open == 0 && (c == '"' || c == '}' || c == ']'))
            break;
    }
    return i;
}

/* The text of a string with its quotation marks. */
static const char *string_text(struct json_writer *w, const char *s, size_t n)
{
    json_t *v;
    const char *text;

    if (memchr(s, '\\', n) == NULL)
        return arena_strndup(w->arena, s + 1, n - 2);
    v = json_loadb(s, n, JSON_DECODE_ANY, NULL);
    text = v == NULL ? "" : arena_strdup(w->arena, json_string_value(v));
    json_decref(v);
    return text;
}

/* The members or items of a value, each for itself. */
static void parts_write(struct json_writer *w, const char *text, size_t len, const json_t *tree)
{
    const char *s = text + 1, *end = text + len - 1;

    for (size_t i = 0, n; s < end && !w->failed; i++) {
        const char *name = NULL;
        const json_t *part = json_array_get(tree, i);

        if (text[0] == '{') {
            n = json_string_len(s, (size_t)(end - s));
            name = string_text(w, s, n);
            part = json_object_get(tree, name);
            s += n + 1; /* and the colon */
        }
        n = value_length(s, (size_t)(end - s));
        jw_raw(w, name, s, n, part);
        s += n + 1; /* and the comma */
    }
}

void jw_raw(struct json_writer *w, const char *key, const char *text, size_t len, const json_t *tree)
{
    static const char null[] = "null";

    if (left_out_inside(w, key) != NULL && (text[0] == '{' || text[0] == '[')) {
        container_begin(w, key, text[0] == '[');
        if (w->silent == 0)
            parts_write(w, text, len, tree);
        jw_end(w);
        return;
    }
    if (!value_begin_as(w, key, len == strlen(null) && memcmp(text, null, len) == 0))
        return;
    text_add(w, text, len);
    if (w->tree != NULL)
        tree_add(w, key, json_incref((json_t *)(uintptr_t)tree));
}

void jw_members(struct json_writer *w, const char *text, size_t len, const json_t *tree)
{
    const char *key;
    json_t *v;

    if (len < 2 || text[0] != '{' || w->depth == 0 || (w->arrays >> (w->depth - 1) & 1) != 0)
        w->failed = true;
    if (w->failed || len == 2)
        return;
    if (w->silent > 0 || left_out_inside(w, NULL) != NULL) {
        if (w->silent == 0)
            parts_write(w, text, len, tree);
        return;
    }
    if (w->comma)
        text_add(w, ",", 1);
    w->comma = true;
    text_add(w, text + 1, len - 2);
    if (w->tree == NULL)
        return;
    json_object_foreach((json_t *)(uintptr_t)tree, key, v)
    {
        tree_add(w, key, json_incref(v));
    }
}

/* ---- the end ---- */

const char *jw_finish(struct json_writer *w)
{
    char *end = w->depth == 0 && w->len > 0 ? text_room(w, 1) : NULL;

    if (end == NULL)
        return NULL;
    *end = '\0';
    return w->text;
}

json_t *jw_tree(const struct json_writer *w)
{
    return w->tree == NULL || w->failed ? NULL : w->tree->root;
}

char *jw_text_of(struct arena *a, const json_t *v, size_t flags)
{
    size_t n = json_dumpb(v, NULL, 0, JSON_COMPACT | flags);
    char *text = arena_alloc(a, n + 1);

    json_dumpb(v, text, n, JSON_COMPACT | flags);
    return text;
}
