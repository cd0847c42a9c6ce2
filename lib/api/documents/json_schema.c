#include "api/documents/json_schema.h"

#include <string.h>

#include "api/endpoint/schemas.h"
#include "base/err.h"
#include "model/amount.h"

/* ---- shapes of answers ---- */

static const struct {
    const char *type, *format, *pattern;
} kinds[] = {
    [S_TEXT] = { "string", NULL, NULL },
    [S_CHOICE] = { "string", NULL, NULL },
    [S_AMOUNT] = { "string", NULL, "^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$" },
    [S_DECIMAL] = { "string", NULL, "^(0|[1-9][0-9]*)(\\.[0-9]+)?$" },
    [S_TIME] = { "string", "date-time", NULL },
    [S_UUID] = { "string", "uuid", NULL },
    [S_URI] = { "string", "uri", NULL },
    [S_HEX] = { "string", NULL, "^0x[0-9a-fA-F]*$" },
    [S_WHOLE] = { "integer", "int64", NULL },
    [S_NUMBER] = { "number", NULL, NULL },
    [S_FLAG] = { "boolean", NULL, NULL },
    [S_TRUE] = { "boolean", NULL, NULL },
    [S_FALSE] = { "boolean", NULL, NULL },
    [S_TEXTS] = { "array", NULL, NULL },
    [S_NUMBERS] = { "array", NULL, NULL },
    [S_FREE] = { "object", NULL, NULL },
    [S_STRINGS] = { "object", NULL, NULL },
    [S_LIST] = { "array", NULL, NULL },
    [S_MAP] = { "object", NULL, NULL },
};

static json_t *choices_json(const char *const *choices, bool or_null)
{
    json_t *list = json_array();

    for (; *choices != NULL; choices++)
        json_array_append_new(list, json_string(*choices));
    if (or_null)
        json_array_append_new(list, json_null());
    return list;
}

json_t *schema_of_field(struct schema_writer *w, const struct schema_field *f)
{
    bool or_null = (f->marks & MAY_BE_NULL) != 0 && !(w->compact && (f->marks & FULL_IF_NULL) != 0);
    json_t *o = f->kind == S_OBJECT ? schema_ref(w, f->of) : json_object();

    if (f->kind != S_OBJECT)
        json_object_set_new(o, "type",
                            or_null ? json_pack("[s, s]", kinds[f->kind].type, "null")
                                    : json_string(kinds[f->kind].type));
    json_object_set_new(o, "description", json_string(f->about));
    if (f->kind == S_OBJECT)
        return o;
    if (kinds[f->kind].format != NULL)
        json_object_set_new(o, "format", json_string(kinds[f->kind].format));
    if (kinds[f->kind].pattern != NULL)
        json_object_set_new(o, "pattern", json_string(kinds[f->kind].pattern));
    if (f->kind == S_CHOICE)
        json_object_set_new(o, "enum", choices_json(f->choices, or_null));
    if (f->kind == S_TRUE || f->kind == S_FALSE)
        json_object_set_new(o, "const", json_boolean(f->kind == S_TRUE));
    if (f->kind == S_LIST)
        json_object_set_new(o, "items", schema_ref(w, f->of));
    if (f->kind == S_MAP)
        json_object_set_new(o, "additionalProperties", schema_ref(w, f->of));
    if (f->kind == S_TEXTS || f->kind == S_NUMBERS)
        json_object_set_new(o, "items", json_pack("{s:s}", "type", f->kind == S_TEXTS ? "string" : "number"));
    if (f->kind == S_FREE)
        json_object_set_new(o, "additionalProperties", json_true());
    if (f->kind == S_STRINGS)
        json_object_set_new(o, "additionalProperties", json_pack("{s:s}", "type", "string"));
    return o;
}

/* Says of a member of the full form that the compact form has it not, or not always. */
static void form_mark(const struct schema_writer *w, json_t *member, const struct schema_field *f)
{
    if (!w->compact)
        json_object_set_new(member, "x-compact", json_string(f->marks & FULL_ONLY ? "absent" : "sometimes"));
}

static void add_fields(struct schema_writer *w, const struct schema *s, json_t *properties, json_t *required)
{
    unsigned optional = MAY_BE_ABSENT | (w->compact ? FULL_IF_NULL : 0U);

    for (const struct schema_field *f = s->fields; f->name != NULL; f++) {
        if (w->compact && (f->marks & FULL_ONLY) != 0)
            continue;
        json_object_set_new(properties, f->name, schema_of_field(w, f));
        if ((f->marks & optional) == 0)
            json_array_append_new(required, json_string(f->name));
        if (f->marks & (FULL_ONLY | FULL_IF_NULL))
            form_mark(w, json_object_get(properties, f->name), f);
    }
    if (s->base != NULL)
        add_fields(w, s->base, properties, required);
}

/* Every error code, once. */
static json_t *error_codes(void)
{
    static const char *const codes[] = {
#define X(name, status, rpc, code, text, hint) code,
        ERR_LIST(X)
#undef X
    };
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        bool seen = false;

        for (size_t j = 0; j < i; j++)
            seen = seen || strcmp(codes[i], codes[j]) == 0;
        if (!seen)
            json_array_append_new(list, json_string(codes[i]));
    }
    return list;
}

json_t *schema_of_answer(struct schema_writer *w, const struct schema *s)
{
    json_t *properties = json_object(), *required = json_array(), *o;

    add_fields(w, s, properties, required);
    if (s == &error_schema)
        json_object_set_new(json_object_get(properties, "error_code"), "enum", error_codes());
    o = json_pack("{s:s, s:s, s:o, s:o}", "type", "object", "description", s->about, "properties", properties,
                  "required", required);
    if (s->open)
        json_object_set_new(o, "additionalProperties", json_true());
    return o;
}

json_t *schema_ref(struct schema_writer *w, const struct schema *s)
{
    if (json_object_get(w->shapes, s->name) == NULL) {
        json_object_set_new(w->shapes, s->name, json_object()); /* reserves the place and ends recursion */
        json_object_set_new(w->shapes, s->name, schema_of_answer(w, s));
    }
    return json_pack("{s:o}", "$ref", json_string(arena_printf(w->arena, "%s/%s", w->at, s->name)));
}

/* ---- examples ---- */

json_t *schema_field_example(const struct schema_field *f)
{
    if ((f->marks & MAY_BE_NULL) && strcmp(f->example, "null") == 0)
        return json_null();
    switch (f->kind) {
    case S_TRUE:
        return json_true();
    case S_FALSE:
        return json_false();
    case S_FREE:
    case S_STRINGS:
        return json_object();
    case S_OBJECT:
        return f->example != NULL ? json_loads(f->example, 0, NULL) : schema_example(f->of);
    case S_LIST:
        return json_pack("[o]", schema_example(f->of));
    case S_MAP:
        return json_pack("{s:o}", f->example, schema_example(f->of));
    case S_TEXTS:
        return json_pack("[s]", f->example);
    case S_NUMBERS:
        return json_pack("[o]", json_loads(f->example, JSON_DECODE_ANY, NULL));
    case S_WHOLE:
    case S_NUMBER:
    case S_FLAG:
        return json_loads(f->example, JSON_DECODE_ANY, NULL);
    case S_TEXT:
    case S_CHOICE:
    case S_AMOUNT:
    case S_DECIMAL:
    case S_TIME:
    case S_UUID:
    case S_URI:
    case S_HEX:
        return json_string(f->example);
    }
    return NULL;
}

json_t *schema_example(const struct schema *s)
{
    json_t *o = json_object();

    for (const struct schema_field *f = s->fields; f->name != NULL; f++)
        json_object_set_new(o, f->name, schema_field_example(f));
    if (s->base != NULL) {
        json_t *base = schema_example(s->base);

        json_object_update(o, base);
        json_decref(base);
    }
    return o;
}

/* ---- parameters ---- */

static void text_limits(json_t *o, const struct param *p)
{
    if (p->choices == NULL && (p->required || p->min > 0))
        json_object_set_new(o, "minLength", json_integer(1));
    if (p->max > 0)
        json_object_set_new(o, "maxLength", json_integer((json_int_t)p->max));
    if (p->choices != NULL)
        json_object_set_new(o, "enum", choices_json(p->choices, false));
    if (p->dflt != NULL)
        json_object_set_new(o, "default", json_string(p->dflt));
    if (p->assumed != NULL)
        json_object_set_new(o, "default", json_string(p->assumed));
}

static void schema_add_params(json_t *schema, const struct param *table);

/* An object within the body, which takes no other members. */
static json_t *closed_object(const struct param *const *tables)
{
    json_t *schema = json_pack("{s:s, s:{}}", "type", "object", "properties");

    while (*tables != NULL)
        schema_add_params(schema, *tables++);
    json_object_set_new(schema, "additionalProperties", json_false());
    return schema;
}

/* Texts; numbers are read too. */
static json_t *schema_of_quantity(const struct param *p)
{
    static const char number[] = "[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?";

    return p->word == NULL
               ? json_pack("{s:s, s:o}", "type", "string", "pattern", json_sprintf("^%s$", number))
               : json_pack("{s:s, s:o}", "type", "string", "pattern",
                           json_sprintf("^(%s|%s)$", p->word, number));
}

/* Readers that keep numbers in doubles would round a larger bound to one that no integer has. */
static json_t *schema_of_whole(const struct param *p)
{
    static const uint64_t exact = ((uint64_t)1 << 53) - 1;

    return json_pack(
        "{s:s, s:s, s:I, s:o*, s:o*}", "type", "integer", "format", p->max <= INT32_MAX ? "int32" : "int64",
        "minimum", (json_int_t)p->min, "maximum", p->max > exact ? NULL : json_integer((json_int_t)p->max),
        "default", p->needed || p->aside || p->number < p->min ? NULL : json_integer((json_int_t)p->number));
}

json_t *schema_of_param(const struct param *p)
{
    switch (p->kind) {
    case P_TEXT: {
        json_t *o = json_pack("{s:s}", "type", "string");

        text_limits(o, p);
        return o;
    }
    case P_AMOUNT:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9]+(\\.[0-9]+)?$");
    case P_QUANTITY:
        return schema_of_quantity(p);
    case P_DECIMAL:
        return json_pack("{s:[s, s]}", "type", "number", "string");
    case P_FRACTION:
        return json_pack("{s:s, s:i, s:i, s:o*}", "type", "number", "minimum", 0, "maximum", 1, "default",
                         p->number <= PPM_ONE ? json_real((double)p->number / 1e6) : NULL);
    case P_WHOLE:
        return schema_of_whole(p);
    case P_TIME:
        return json_pack("{s:s, s:s}", "type", "string", "format", "date-time");
    case P_FLAG:
        return p->required ? json_pack("{s:s}", "type", "boolean")
                           : json_pack("{s:s, s:b}", "type", "boolean", "default", 0);
    case P_NULLABLE: {
        json_t *o = json_pack("{s:[s, s]}", "type", "string", "null");

        text_limits(o, p);
        return o;
    }
    case P_TEXTS:
        return json_pack("{s:s, s:i, s:I, s:{s:s, s:i}}", "type", "array", "minItems", 1, "maxItems",
                         (json_int_t)p->max, "items", "type", "string", "minLength", 1);
    case P_OBJECT:
        return p->of != NULL ? closed_object(p->of)
                             : json_pack("{s:s, s:b}", "type", "object", "additionalProperties", 1);
    }
    return NULL;
}

json_t *schema_param_about(const struct param *table, const struct param *p)
{
    const char *const *known = p->known == NULL ? NULL : p->known();
    json_t *about = p->needed && !param_is_required(table, p)
                        ? json_sprintf("%s. Required without %s", p->about, p->unless)
                        : json_string(p->about);

    for (const char *mark = ": "; known != NULL && *known != NULL; known++, mark = ", ") {
        json_t *longer = json_sprintf("%s%s%s", json_string_value(about), mark, *known);

        json_decref(about);
        about = longer;
    }
    return about;
}

/* The example of a text is the text itself, of a number, a flag or an object its JSON. */
json_t *schema_param_example(const struct param *p)
{
    bool plain = p->kind == P_WHOLE || p->kind == P_FRACTION || p->kind == P_DECIMAL || p->kind == P_FLAG ||
                 p->kind == P_OBJECT;

    return plain ? json_loads(p->example, JSON_DECODE_ANY, NULL) : json_string(p->example);
}

static void schema_require(json_t *schema, const char *name)
{
    if (json_object_get(schema, "required") == NULL)
        json_object_set_new(schema, "required", json_array());
    json_array_append_new(json_object_get(schema, "required"), json_string(name));
}

static void schema_add_params(json_t *schema, const struct param *table)
{
    for (const struct param *p = table; p->name != NULL; p++) {
        json_t *o = schema_of_param(p);

        json_object_set_new(o, "description", schema_param_about(table, p));
        if (p->example != NULL)
            json_object_set_new(o, "examples", json_pack("[o]", schema_param_example(p)));
        json_object_set_new(json_object_get(schema, "properties"), p->name, o);
        if (param_is_required(table, p))
            schema_require(schema, p->name);
    }
}

json_t *schema_of_params(const struct param *table, bool open)
{
    json_t *schema = json_pack("{s:s, s:{}}", "type", "object", "properties");

    schema_add_params(schema, table);
    if (!open)
        json_object_set_new(schema, "additionalProperties", json_false());
    return schema;
}
