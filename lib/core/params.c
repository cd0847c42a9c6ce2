#include "core/params.h"

#include <string.h>

#include "core/frac.h"
#include "core/hex.h"

static void *field(const struct param *p, void *out)
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

static void wrong(struct param_faults *faults, const struct param *p, const char *what)
{
    params_fault(faults, p->bad != NULL ? p->bad : &E_VALIDATION, p->name, what);
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
static const char *text_value(const struct param *p, const json_t *v, struct arena *a,
                              struct param_faults *faults)
{
    const char *s = json_string_value(v);

    if (s == NULL) {
        wrong(faults, p, "must be a string");
        return NULL;
    }
    if (strlen(s) != json_string_length(v)) {
        wrong(faults, p, "must not contain NUL");
        return NULL;
    }
    s = p->min > 0 ? trimmed(a, s) : arena_strdup(a, s);
    if (p->max > 0 && utf8_length(s) > p->max) {
        wrong(faults, p, arena_printf(a, "must have at most %llu characters", (unsigned long long)p->max));
        return NULL;
    }
    return s;
}

static void missing(const struct param *p, struct arena *a, struct param_faults *faults)
{
    const struct err *e = p->absent != NULL ? p->absent : err_fmt(a, &E_REQUIRED, p->name, NULL);

    params_fault(faults, e, p->name, "is required");
}

static void read_text(const struct param *p, const json_t *v, void *out, struct arena *a,
                      struct param_faults *faults)
{
    const char *s = text_value(p, v, a, faults);

    if (s == NULL)
        return;
    if (*s == '\0' && (p->required || p->min > 0)) {
        missing(p, a, faults);
        return;
    }
    *(const char **)field(p, out) = s;
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

static void read_amount(const struct param *p, const json_t *v, void *out, struct arena *a,
                        struct param_faults *faults)
{
    const char *s = json_string_value(v);

    if (s == NULL || strlen(s) != json_string_length(v) || !positive_decimal(s))
        wrong(faults, p, "must be a string with a positive number in plain decimal digits");
    else
        *(const char **)field(p, out) = arena_strdup(a, s);
}

static void read_fraction(const struct param *p, const json_t *v, void *out, struct param_faults *faults)
{
    if (!frac_ppm(field(p, out), v))
        wrong(faults, p, "must be a number between 0 and 1");
}

/* Digits only; false above 2^64 - 1 too. */
static bool whole_text(uint64_t *out, const char *s)
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

static void read_whole(const struct param *p, const json_t *v, bool query, void *out, struct arena *a,
                       struct param_faults *faults)
{
    uint64_t n = 0;
    bool ok = query ? json_is_string(v) && whole_text(&n, json_string_value(v))
                    : json_is_integer(v) && json_integer_value(v) >= 0;

    if (ok && !query)
        n = (uint64_t)json_integer_value(v);
    if (!ok || n < p->min || n > p->max)
        wrong(faults, p,
              arena_printf(a, "must be a whole number from %llu to %llu", (unsigned long long)p->min,
                           (unsigned long long)p->max));
    else
        *(uint64_t *)field(p, out) = n;
}

static void read_nullable(const struct param *p, const json_t *v, void *out, struct arena *a,
                          struct param_faults *faults)
{
    struct param_text *t = field(p, out);

    t->given = true;
    if (!json_is_null(v))
        t->value = text_value(p, v, a, faults);
}

static void read_object(const struct param *p, const json_t *v, void *out, struct arena *a,
                        struct param_faults *faults)
{
    struct param_text *o = field(p, out);
    size_t n;
    char *text;

    if (!json_is_object(v)) {
        wrong(faults, p, "must be an object");
        return;
    }
    n = json_dumpb(v, NULL, 0, JSON_COMPACT);
    if (n > p->max) {
        wrong(faults, p, arena_printf(a, "must have at most %llu bytes", (unsigned long long)p->max));
        return;
    }
    text = arena_alloc(a, n + 1);
    json_dumpb(v, text, n, JSON_COMPACT);
    o->given = true;
    o->value = text;
}

static void set_default(const struct param *p, void *out)
{
    switch (p->kind) {
    case P_TEXT:
    case P_AMOUNT:
        *(const char **)field(p, out) = p->dflt;
        break;
    case P_FRACTION:
        *(uint32_t *)field(p, out) = (uint32_t)p->number;
        break;
    case P_WHOLE:
        *(uint64_t *)field(p, out) = p->number;
        break;
    case P_NULLABLE:
    case P_OBJECT:
        break;
    }
}

static bool null_means_absent(enum param_kind k)
{
    return k != P_NULLABLE;
}

static void read_one(const struct param *p, const json_t *v, bool query, void *out, struct arena *a,
                     struct param_faults *faults)
{
    set_default(p, out);
    if (v == NULL || (json_is_null(v) && null_means_absent(p->kind))) {
        if (p->required)
            missing(p, a, faults);
        return;
    }
    switch (p->kind) {
    case P_TEXT:
        read_text(p, v, out, a, faults);
        break;
    case P_AMOUNT:
        read_amount(p, v, out, a, faults);
        break;
    case P_FRACTION:
        read_fraction(p, v, out, faults);
        break;
    case P_WHOLE:
        read_whole(p, v, query, out, a, faults);
        break;
    case P_NULLABLE:
        read_nullable(p, v, out, a, faults);
        break;
    case P_OBJECT:
        read_object(p, v, out, a, faults);
        break;
    }
}

void params_read(const struct param *table, const json_t *object, bool query, void *out, struct arena *a,
                 struct param_faults *faults)
{
    for (const struct param *p = table; p->name != NULL; p++)
        read_one(p, json_object_get(object, p->name), query, out, a, faults);
}

char *params_unescape(struct arena *a, const char *s, size_t n, bool form)
{
    char *out = arena_alloc(a, n + 1), *to = out;

    for (size_t i = 0; i < n; i++, to++) {
        *to = form && s[i] == '+' ? ' ' : s[i];
        if (s[i] != '%')
            continue;
        if (n - i < 3 || !hex_decode((uint8_t *)to, 1, s + i + 1, 2) || *to == '\0')
            return NULL;
        i += 2;
    }
    *to = '\0';
    return out;
}

static bool query_pair(json_t *object, const char *s, size_t n, struct arena *a)
{
    const char *eq = memchr(s, '=', n);
    size_t name_len = eq == NULL ? n : (size_t)(eq - s);
    char *name = params_unescape(a, s, name_len, true);
    char *value = eq == NULL ? arena_strdup(a, "") : params_unescape(a, eq + 1, n - name_len - 1, true);

    if (name == NULL || value == NULL)
        return false;
    if (*name == '\0' || json_object_get(object, name) != NULL)
        return true;
    return json_object_set_new(object, name, json_string(value)) == 0;
}

json_t *params_query(const char *query, struct arena *a)
{
    json_t *object = json_object();
    bool ok = true;

    while (ok && *query != '\0') {
        size_t n = strcspn(query, "&");

        ok = n == 0 || query_pair(object, query, n, a);
        query += n;
        query += *query == '&';
    }
    if (ok)
        return object;
    json_decref(object);
    return NULL;
}
