#include "contrib/cli/show.h"

#include <stdint.h>
#include <string.h>

#include "base/safe_text.h"

enum { COLUMNS_MAX = 16, LINES_MAX = 128 };

struct line {
    const char *label, *value;
};

struct lines {
    struct line lines[LINES_MAX];
    size_t count;
};

/* Characters of a UTF-8 text, as wide as one column each. */
static int width_of(const char *text)
{
    int n = 0;

    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void print_padded(const char *text, int width)
{
    printf("%s%*s", text, width - width_of(text) + 2, "");
}

/* A token of an answer: its symbol and its chain. */
static bool is_token(const json_t *v)
{
    return json_is_string(json_object_get(v, "symbol")) && json_is_string(json_object_get(v, "chain")) &&
           json_is_string(json_object_get(v, "address"));
}

static const char *list_text(struct arena *a, const json_t *list);

/* NULL: it is shown otherwise. */
static const char *value_text(struct arena *a, const json_t *v)
{
    char *text;
    const char *kept;

    if (json_is_string(v))
        return safe_text_terminal(a, json_string_value(v));
    if (json_is_null(v))
        return "-";
    if (json_is_boolean(v))
        return json_is_true(v) ? "yes" : "no";
    if (is_token(v))
        return safe_text_terminal(a,
                                  arena_printf(a, "%s on %s", json_string_value(json_object_get(v, "symbol")),
                                               json_string_value(json_object_get(v, "chain"))));
    if (json_is_array(v))
        return list_text(a, v);
    if (!json_is_number(v))
        return NULL;
    text = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    kept = arena_strdup(a, text != NULL ? text : "?");
    free(text);
    return kept;
}

/* NULL: a list of objects. */
static const char *list_text(struct arena *a, const json_t *list)
{
    const char *out = "";

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *text = json_is_object(item) && !is_token(item) ? NULL : value_text(a, item);

        if (text == NULL)
            return NULL;
        out = arena_printf(a, "%s%s%s", out, i > 0 ? ", " : "", text);
    }
    return *out == '\0' ? "-" : out;
}

/* Whether it is a map of objects, which is shown as a table. */
static bool is_map(const json_t *v)
{
    const char *name;
    json_t *each;

    json_object_foreach((json_t *)(uintptr_t)v, name, each)
    {
        (void)name;
        if (!json_is_object(each))
            return false;
    }
    return json_object_size(v) > 0;
}

/* ---- tables ---- */

/* Of a list the key is NULL, of a map it is the first column. */
struct row {
    const char *key;
    const json_t *object;
};

struct table {
    const char *columns[COLUMNS_MAX]; /* "": the keys */
    int widths[COLUMNS_MAX];
    size_t columns_count;
    struct row *rows;
    size_t rows_count;
};

static void column_add(struct table *t, const char *name)
{
    for (size_t i = 0; i < t->columns_count; i++)
        if (strcmp(t->columns[i], name) == 0)
            return;
    if (t->columns_count < COLUMNS_MAX) {
        t->widths[t->columns_count] = width_of(name);
        t->columns[t->columns_count++] = name;
    }
}

static const char *cell_text(struct arena *a, const struct row *row, const char *column)
{
    const json_t *v = json_object_get(row->object, column);
    const char *text = *column == '\0' ? safe_text_terminal(a, row->key) : v == NULL ? "-" : value_text(a, v);

    return text != NULL ? text : "...";
}

static void row_add(struct arena *a, struct table *t, const char *key, const json_t *object)
{
    const char *name;
    json_t *v;

    t->rows = arena_grow(a, t->rows, t->rows_count, sizeof *t->rows);
    t->rows[t->rows_count++] = (struct row){ key, object };
    if (key != NULL)
        column_add(t, "");
    json_object_foreach((json_t *)(uintptr_t)object, name, v)
    {
        if (value_text(a, v) != NULL)
            column_add(t, name);
    }
}

/* The last column ends where its text does. */
static void cell_print(const struct table *t, size_t column, const char *text)
{
    if (column + 1 < t->columns_count)
        print_padded(text, t->widths[column]);
    else
        puts(text);
}

/* A list or a map of objects. */
static void show_table(struct arena *a, const json_t *rows)
{
    struct table t = { .rows = NULL };
    const char *key;
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) row_add(a, &t, NULL, row);
    json_object_foreach((json_t *)(uintptr_t)rows, key, row)
    {
        row_add(a, &t, key, row);
    }
    for (size_t r = 0; r < t.rows_count; r++)
        for (size_t c = 0; c < t.columns_count; c++) {
            int width = width_of(cell_text(a, &t.rows[r], t.columns[c]));

            t.widths[c] = width > t.widths[c] ? width : t.widths[c];
        }
    for (size_t c = 0; c < t.columns_count; c++)
        cell_print(&t, c, safe_text_terminal(a, t.columns[c]));
    for (size_t r = 0; r < t.rows_count; r++)
        for (size_t c = 0; c < t.columns_count; c++)
            cell_print(&t, c, cell_text(a, &t.rows[r], t.columns[c]));
}

/* ---- lines ---- */

static void lines_add(struct lines *out, const char *label, const char *value)
{
    if (out->count < LINES_MAX)
        out->lines[out->count++] = (struct line){ label, value };
}

/* Scalars of the object, and of objects in it with their names before theirs. */
static void lines_of(struct arena *a, struct lines *out, const char *inside, const json_t *object)
{
    const char *name;
    json_t *v;

    json_object_foreach((json_t *)(uintptr_t)object, name, v)
    {
        const char *label = safe_text_terminal(a, arena_printf(a, "%s%s", inside, name)),
                   *value = value_text(a, v);

        if (*inside == '\0' && (strcmp(name, "success") == 0 || strcmp(name, "pagination") == 0))
            continue;
        if (value != NULL && !(json_is_array(v) && json_array_size(v) == 0))
            lines_add(out, label, value);
        else if (json_is_object(v) && !is_map(v))
            lines_of(a, out, arena_printf(a, "%s.", label), v);
    }
}

static void show_lines(const struct lines *lines)
{
    int width = 0;

    for (size_t i = 0; i < lines->count; i++)
        if (width_of(lines->lines[i].label) > width)
            width = width_of(lines->lines[i].label);
    for (size_t i = 0; i < lines->count; i++) {
        print_padded(lines->lines[i].label, width);
        puts(lines->lines[i].value);
    }
}

static void show_page(const json_t *page)
{
    json_int_t offset = json_integer_value(json_object_get(page, "offset")),
               limit = json_integer_value(json_object_get(page, "limit"));

    if (json_is_true(json_object_get(page, "has_more")))
        printf("There is more: --offset %lld\n", (long long)(offset + limit));
}

void show_answer(struct arena *a, const json_t *answer)
{
    struct lines lines = { .count = 0 };
    const char *name;
    bool first = true;
    json_t *v;

    lines_of(a, &lines, "", answer);
    show_lines(&lines);
    json_object_foreach((json_t *)(uintptr_t)answer, name, v)
    {
        bool rows = json_is_array(v) ? json_array_size(v) > 0 && list_text(a, v) == NULL
                                     : json_is_object(v) && is_map(v) && !is_token(v);

        if (!rows && !(json_is_array(v) && json_array_size(v) == 0))
            continue;
        printf("%s", first && lines.count == 0 ? "" : "\n");
        first = false;
        if (!rows)
            printf("%s: none\n", safe_text_terminal(a, name));
        else {
            printf("%s:\n", safe_text_terminal(a, name));
            show_table(a, v);
        }
    }
    show_page(json_object_get(answer, "pagination"));
}

static const char *member(struct arena *a, const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text == NULL ? NULL : safe_text_terminal(a, text);
}

void show_error(struct arena *a, const json_t *answer)
{
    const char *error = member(a, answer, "error"), *code = member(a, answer, "error_code"),
               *hint = member(a, answer, "hint"), *name;
    json_t *v;

    fprintf(stderr, "gw: %s (%s)\n", error != NULL ? error : "refused", code != NULL ? code : "no code");
    json_object_foreach(json_object_get(answer, "fields"), name, v)
    {
        fprintf(stderr, "  %s %s\n", safe_text_terminal(a, name),
                json_is_string(v) ? safe_text_terminal(a, json_string_value(v)) : "is wrong");
    }
    if (hint != NULL)
        fprintf(stderr, "  hint: %s\n", hint);
}
