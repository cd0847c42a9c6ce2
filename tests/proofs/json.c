/* In the place of Jansson: any values, as a text of any content could have made them. A member or an item
 * that is asked for twice is the same both times; what contains a value comes before it, so that nothing
 * contains itself. A text has no NUL in it, as no reader is allowed to take one. What Jansson is given to
 * read has to be there. */
#include <jansson.h>

#include "proof.h"

enum { VALUES = 6, TEXT_MAX = 3, ITEMS_MAX = 2 };

static struct {
    json_t json;
    char text[TEXT_MAX + 1];
    size_t len;
    json_int_t number;
} values[VALUES];

size_t __CPROVER_uninterpreted_member(size_t of, char first, char second, char last, size_t len);
size_t __CPROVER_uninterpreted_item(size_t of, size_t index);
size_t __CPROVER_uninterpreted_size(size_t of);
size_t __CPROVER_uninterpreted_len(size_t of);

static size_t index_of(const json_t *v)
{
    for (size_t i = 0; i < VALUES; i++)
        if (v == &values[i].json)
            return i;
    return VALUES;
}

json_t *json_any(void)
{
    for (size_t i = 0; i < VALUES; i++) {
        ANY(json_type, type);

        SUPPOSE(type >= JSON_OBJECT && type <= JSON_NULL);
        values[i].json.type = type;
        values[i].json.refcount = (size_t)-1;
        __CPROVER_havoc_slice(values[i].text, TEXT_MAX);
        values[i].len = __CPROVER_uninterpreted_len(i);
        SUPPOSE(values[i].len <= TEXT_MAX);
        values[i].text[values[i].len] = '\0';
        for (size_t j = 0; j < TEXT_MAX; j++)
            SUPPOSE(j >= values[i].len || values[i].text[j] != '\0');
        ANY(json_int_t, number);
        values[i].number = number;
    }
    return &values[0].json;
}

static json_t *after(size_t parent, size_t child)
{
    return child > parent && child < VALUES ? &values[child].json : NULL;
}

json_t *json_object_get(const json_t *object, const char *key)
{
    size_t n = strlen(key), of = index_of(object);

    if (!json_is_object(object))
        return NULL;
    return after(
        of, __CPROVER_uninterpreted_member(of, key[0], n > 1 ? key[1] : '\0', n > 0 ? key[n - 1] : '\0', n));
}

size_t json_array_size(const json_t *array)
{
    size_t n = __CPROVER_uninterpreted_size(index_of(array));

    return json_is_array(array) && n <= ITEMS_MAX ? n : 0;
}

/* Each that the array has is there. */
json_t *json_array_get(const json_t *array, size_t index)
{
    size_t of = index_of(array), item = __CPROVER_uninterpreted_item(of, index);

    if (index >= json_array_size(array))
        return NULL;
    SUPPOSE(item > of && item < VALUES);
    return &values[item].json;
}

const char *json_string_value(const json_t *v)
{
    return json_is_string(v) ? values[index_of(v)].text : NULL;
}

size_t json_string_length(const json_t *v)
{
    return json_is_string(v) ? values[index_of(v)].len : 0;
}

json_int_t json_integer_value(const json_t *v)
{
    return json_is_integer(v) ? values[index_of(v)].number : 0;
}

/* ---- reading ---- */

static json_t *any_value(void)
{
    ANY(bool, refused);

    return refused ? NULL : &values[0].json;
}

json_t *json_loadb(const char *text, size_t n, size_t flags, json_error_t *error)
{
    (void)flags;
    (void)error;
    MUST(__CPROVER_r_ok(text, n));
    return any_value();
}

json_t *json_stringn_nocheck(const char *text, size_t n)
{
    MUST(__CPROVER_r_ok(text, n));
    return any_value();
}

json_t *json_integer(json_int_t v)
{
    (void)v;
    return any_value();
}

json_t *json_object(void)
{
    return any_value();
}

json_t *json_array(void)
{
    return any_value();
}

int json_array_append_new(json_t *array, json_t *v)
{
    MUST(array != NULL && v != NULL);
    return 0;
}

int json_object_set_new_nocheck(json_t *object, const char *key, json_t *v)
{
    (void)key;
    MUST(object != NULL && v != NULL);
    return 0;
}

int json_object_setn_new_nocheck(json_t *object, const char *key, size_t n, json_t *v)
{
    MUST(object != NULL && v != NULL && __CPROVER_r_ok(key, n));
    return 0;
}

void json_delete(json_t *v)
{
    (void)v;
}
