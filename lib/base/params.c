#include "base/params.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/decimal_text.h"
#include "base/fraction.h"
#include "base/json_input.h"
#include "base/json_range.h"
#include "base/json_writer.h"

static void *param_at(const struct param *p, void *out)
{
    return (char *)out + p->at;
}

void params_fault(struct param_faults *faults, const struct err *e, const char *name, const char *what)
{
    if (faults->first == NULL)
        faults->first = e;
    if (faults->fields == NULL)
        faults->fields = json_object();
    if (json_object_get(faults->fields, name) == NULL)
        json_object_set_new(faults->fields, name, json_string(what));
}

void params_faults_free(struct param_faults *faults)
{
    json_decref(faults->fields);
    faults->fields = NULL;
}

/* One pass over a table. */
struct reader {
    bool query;
    const void *env;
    struct arena *arena;
    struct param_faults *faults;
};

static void fault_wrong(struct reader *r, const struct param *p, const char *what)
{
    params_fault(r->faults, p->bad != NULL ? p->bad : &E_VALIDATION, p->name, what);
}

/* Characters of valid UTF-8 (jansson lets nothing else through). */
static size_t utf8_length(const char *s)
{
    size_t n = 0;

    for (; *s != '\0'; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static char *trimmed(struct arena *a, const char *s)
{
    size_t n;

    while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r')
        s++;
    n = strlen(s);
    while (n > 0 && strchr(" \t\n\r", s[n - 1]) != NULL)
        n--;
    return arena_strndup(a, s, n);
}

/* The text of a value within its limits, or NULL with the fault noted. */
static const char *param_text_value(struct reader *r, const struct param *p, const json_t *v)
{
    const char *s = json_string_value(v);

    if (s == NULL) {
        fault_wrong(r, p, "must be a string");
        return NULL;
    }
    if (strlen(s) != json_string_length(v)) {
        fault_wrong(r, p, "must not contain NUL");
        return NULL;
    }
    s = p->min > 0 ? trimmed(r->arena, s) : arena_strdup(r->arena, s);
    if (p->max > 0 && utf8_length(s) > p->max) {
        fault_wrong(r, p,
                    arena_printf(r->arena, "must have at most %llu characters", (unsigned long long)p->max));
        return NULL;
    }
    return s;
}

static void fault_missing(struct reader *r, const struct param *p)
{
    const struct err *e = p->absent != NULL ? p->absent : err_fmt(r->arena, &E_REQUIRED, p->name, NULL);

    params_fault(r->faults, e, p->name, "is required");
}

/* The choice as the table spells it; NULL: not in the table. */
static const char *choice_find(const struct param *p, const char *s)
{
    const char *const *choice = p->choices;

    while (*choice != NULL && (p->any_case ? strcasecmp(*choice, s) : strcmp(*choice, s)) != 0)
        choice++;
    return *choice;
}

static const char *must_be_one_of(struct arena *a, const char *const *choices)
{
    char *what = arena_printf(a, "must be one of %s", *choices);

    while (*++choices != NULL)
        what = arena_printf(a, "%s, %s", what, *choices);
    return what;
}

/* The declared checks of a text that has the right form; false with the fault noted. */
static bool param_text_passes(struct reader *r, const struct param *p, const char *s)
{
    const char *what = NULL;

    if (p->choices != NULL && choice_find(p, s) == NULL)
        what = must_be_one_of(r->arena, p->choices);
    else if (p->check != NULL)
        what = p->check(s, r->env);
    if (what != NULL)
        fault_wrong(r, p, what);
    return what == NULL;
}

static void param_read_text(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    const char *s = param_text_value(r, p, v);

    if (s == NULL)
        return;
    if (*s == '\0' && (p->required || p->min > 0)) {
        fault_missing(r, p);
        return;
    }
    if (param_text_passes(r, p, s))
        *(const char **)param_at(p, out) = p->choices != NULL ? choice_find(p, s) : s;
}

static bool positive_decimal(const char *s)
{
    bool nonzero = false;
    const char *p = s;

    for (; (*p >= '0' && *p <= '9') || (*p == '.' && p > s && p[1] >= '0' && p[1] <= '9'); p++) {
        if (*p == '.' && memchr(s, '.', (size_t)(p - s)) != NULL)
            return false;
        nonzero = nonzero || (*p >= '1' && *p <= '9');
    }
    return *p == '\0' && nonzero;
}

static void param_read_amount(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    const char *s = json_string_value(v);

    if (s == NULL || strlen(s) != json_string_length(v) || !positive_decimal(s))
        fault_wrong(r, p, "must be a string with a positive number in plain decimal digits");
    else
        *(const char **)param_at(p, out) = arena_strdup(r->arena, s);
}

static void param_read_quantity(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    const char *s = json_string_value(v), *plain;

    if (s != NULL && p->word != NULL && strcmp(s, p->word) == 0)
        plain = p->word;
    else
        plain = s == NULL || strlen(s) != json_string_length(v) ? NULL : decimal_plain(r->arena, s);
    if (plain == NULL || strcmp(plain, "0") == 0)
        fault_wrong(r, p,
                    p->word == NULL ? "must be a positive number"
                                    : arena_printf(r->arena, "must be a positive number or \"%s\"", p->word));
    else
        *(const char **)param_at(p, out) = plain;
}

bool params_keep_digits(const struct param *table, json_t *object, const json_t *quoted)
{
    bool any = false;

    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        if (p->kind != P_QUANTITY || !json_is_number(json_object_get(object, p->name)))
            continue;
        any = true;
        if (quoted != NULL)
            json_object_set(object, p->name, json_object_get(quoted, p->name));
    }
    return any;
}

/* The value that the text stands for where a member takes no text; NULL: none. */
static json_t *text_value(const struct param *p, const char *text)
{
    json_t *v = json_input_value(text);
    bool fits = p->kind == P_FLAG       ? json_is_boolean(v)
                : p->kind == P_FRACTION ? json_is_number(v)
                : p->kind == P_WHOLE    ? json_is_number(v)
                : p->kind == P_OBJECT   ? json_is_object(v)
                                        : json_is_array(v);

    if (fits)
        return v;
    json_decref(v);
    if (p->kind == P_FLAG && (strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0))
        return json_boolean(strcasecmp(text, "true") == 0);
    return p->kind == P_TEXTS ? json_pack("[s]", text) : NULL;
}

/* 5.0 as 5; NULL: it has a fraction, or a double does not hold it exactly. */
static json_t *whole_value(double n)
{
    static const double exact = 9007199254740992.0;

    return n >= 0 && n <= exact && (double)(int64_t)n == n ? json_integer((json_int_t)n) : NULL;
}

static bool takes_no_text(enum param_kind kind)
{
    return kind == P_FRACTION || kind == P_WHOLE || kind == P_FLAG || kind == P_OBJECT || kind == P_TEXTS;
}

/* A new reference to what the value stands for, or NULL: it stands for itself. */
static json_t *value_unquoted(const struct param *p, json_t *v)
{
    json_t *text = json_is_string(v) && takes_no_text(p->kind) ? text_value(p, json_string_value(v)) : NULL,
           *whole = NULL, *members;

    v = text != NULL ? text : v;
    if (p->kind == P_WHOLE && json_is_real(v))
        whole = whole_value(json_real_value(v));
    if (whole != NULL) {
        json_decref(text);
        return whole;
    }
    if (p->kind != P_OBJECT || p->of == NULL || !json_is_object(v))
        return text;
    members = json_copy(v);
    json_decref(text);
    for (const struct param *const *of = p->of; *of != NULL; of++)
        params_unquote(*of, members);
    return members;
}

static bool says_nothing(const json_t *v)
{
    return (json_is_string(v) && json_string_length(v) == 0) || (json_is_array(v) && json_array_size(v) == 0);
}

void params_unquote(const struct param *table, json_t *object)
{
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        json_t *v = json_object_get(object, p->name), *other = NULL;

        if (v == NULL)
            continue;
        if (!p->required && says_nothing(v))
            json_object_del(object, p->name);
        else if ((other = value_unquoted(p, v)) != NULL)
            json_object_set_new(object, p->name, other);
    }
}

bool param_is_required(const struct param *table, const struct param *p)
{
    if (!p->needed || p->unless == NULL)
        return p->required || p->needed;
    while (table->name != NULL && strcmp(table->name, p->unless) != 0)
        table++;
    return table->name == NULL;
}

static void param_read_decimal(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    const char *s = json_is_number(v) ? jw_text_of(r->arena, v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))
                                      : json_string_value(v);

    if (s == NULL || (json_is_string(v) && strlen(s) != json_string_length(v)))
        fault_wrong(r, p, "must be a number");
    else if (param_text_passes(r, p, s))
        *(const char **)param_at(p, out) = arena_strdup(r->arena, s);
}

static void param_read_fraction(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    if (!fraction_ppm(param_at(p, out), v))
        fault_wrong(r, p, "must be a number between 0 and 1");
}

bool params_whole(uint64_t *out, const char *s)
{
    *out = 0;
    if (*s == '\0')
        return false;
    for (; *s != '\0'; s++) {
        if (*s < '0' || *s > '9' || __builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(*s - '0'), out))
            return false;
    }
    return true;
}

static void param_read_whole(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    uint64_t n = 0;
    /* A member that is in every body may be in one whose numbers are quoted. */
    bool text = r->query || (p->aside && json_is_string(v));
    bool ok = text ? json_is_string(v) && params_whole(&n, json_string_value(v))
                   : json_is_integer(v) && json_integer_value(v) >= 0;

    if (ok && !text)
        n = (uint64_t)json_integer_value(v);
    if (!ok || n < p->min || n > p->max)
        fault_wrong(r, p,
                    arena_printf(r->arena, "must be a whole number from %llu to %llu",
                                 (unsigned long long)p->min, (unsigned long long)p->max));
    else
        *(uint64_t *)param_at(p, out) = n;
}

static void param_read_time(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    const char *s = json_string_value(v);

    if (s == NULL || strlen(s) != json_string_length(v) || !clock_parse_iso8601(param_at(p, out), s))
        fault_wrong(r, p, "must be a time of ISO 8601, such as 2026-01-31T23:59:59Z");
}

static void param_read_flag(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    if (!json_is_boolean(v))
        fault_wrong(r, p, "must be true or false");
    else
        *(bool *)param_at(p, out) = json_is_true(v);
}

static void param_read_nullable(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    struct param_text *t = param_at(p, out);

    t->given = true;
    if (json_is_null(v))
        return;
    t->value = param_text_value(r, p, v);
    if (t->value != NULL)
        (void)param_text_passes(r, p, t->value);
}

static void param_read_object(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    struct param_text *o = param_at(p, out);
    const char *text;

    if (!json_is_object(v)) {
        fault_wrong(r, p, "must be an object");
        return;
    }
    if (p->of == NULL && json_out_of_range(v)) { /* what is kept would not be what was sent */
        fault_wrong(r, p, "must not have a number out of range");
        return;
    }
    text = jw_text_of(r->arena, v, 0);
    if (strlen(text) > p->max) {
        fault_wrong(r, p, arena_printf(r->arena, "must have at most %llu bytes", (unsigned long long)p->max));
        return;
    }
    o->given = true;
    o->value = text;
}

/* One text of a list, or NULL with the fault noted. */
static const char *list_item(struct reader *r, const struct param *p, const json_t *v)
{
    const char *s = json_string_value(v);

    if (s == NULL || *s == '\0' || strlen(s) != json_string_length(v)) {
        fault_wrong(r, p, "must hold strings that are not empty");
        return NULL;
    }
    return param_text_passes(r, p, s) ? arena_strdup(r->arena, s) : NULL;
}

static void param_read_texts(struct reader *r, const struct param *p, const json_t *v, void *out)
{
    size_t n = json_array_size(v);
    const char **list;

    if (!json_is_array(v) || n == 0 || n > p->max) {
        fault_wrong(
            r, p, arena_printf(r->arena, "must be a list of 1 to %llu strings", (unsigned long long)p->max));
        return;
    }
    list = ARENA_ARRAY(r->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        if ((list[i] = list_item(r, p, json_array_get(v, i))) == NULL)
            return;
    *(const char *const **)param_at(p, out) = list;
}

static void param_set_default(const struct param *p, void *out)
{
    switch (p->kind) {
    case P_TEXT:
    case P_AMOUNT:
    case P_QUANTITY:
    case P_DECIMAL:
        *(const char **)param_at(p, out) = p->dflt;
        break;
    case P_FRACTION:
        *(uint32_t *)param_at(p, out) = (uint32_t)p->number;
        break;
    case P_WHOLE:
        *(uint64_t *)param_at(p, out) = p->number;
        break;
    case P_TIME:
    case P_FLAG:
    case P_NULLABLE:
    case P_OBJECT:
    case P_TEXTS:
        break;
    }
}

static bool null_means_absent(enum param_kind k)
{
    return k != P_NULLABLE;
}

static bool value_is_given(const json_t *v, enum param_kind kind)
{
    return v != NULL && !(json_is_null(v) && null_means_absent(kind));
}

static void param_read(struct reader *r, const struct param *p, const json_t *object, void *out)
{
    const json_t *v = json_object_get(object, p->name);

    param_set_default(p, out);
    if (!value_is_given(v, p->kind)) {
        if (p->required)
            fault_missing(r, p);
        return;
    }
    switch (p->kind) {
    case P_TEXT:
        param_read_text(r, p, v, out);
        break;
    case P_AMOUNT:
        param_read_amount(r, p, v, out);
        break;
    case P_QUANTITY:
        param_read_quantity(r, p, v, out);
        break;
    case P_DECIMAL:
        param_read_decimal(r, p, v, out);
        break;
    case P_FRACTION:
        param_read_fraction(r, p, v, out);
        break;
    case P_WHOLE:
        param_read_whole(r, p, v, out);
        break;
    case P_TIME:
        param_read_time(r, p, v, out);
        break;
    case P_FLAG:
        param_read_flag(r, p, v, out);
        break;
    case P_NULLABLE:
        param_read_nullable(r, p, v, out);
        break;
    case P_OBJECT:
        param_read_object(r, p, v, out);
        break;
    case P_TEXTS:
        param_read_texts(r, p, v, out);
        break;
    }
}

static bool list_has(const char *const *list, const char *name)
{
    while (*list != NULL && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

/* Faults what is given next to a member that says it otherwise. */
static void param_stand_alone(struct reader *r, const struct param *table, const struct param *p,
                              const json_t *object)
{
    if (p->beside == NULL || !value_is_given(json_object_get(object, p->name), p->kind))
        return;
    for (const struct param *other = table; other->name != NULL; other++)
        if (other != p && !other->aside &&
            value_is_given(json_object_get(object, other->name), other->kind) &&
            !list_has(p->beside, other->name))
            params_fault(r->faults, &E_VALIDATION, other->name,
                         arena_printf(r->arena, "cannot be given with %s, which says it", p->name));
}

void params_read(const struct param *table, const json_t *object, bool query, const void *env, void *out,
                 struct arena *a, struct param_faults *faults)
{
    struct reader r = { query, env, a, faults };

    for (const struct param *p = table; p->name != NULL; p++)
        param_read(&r, p, object, out);
    for (const struct param *p = table; p->name != NULL; p++)
        param_stand_alone(&r, table, p, object);
}
