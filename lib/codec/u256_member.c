#include "codec/u256_member.h"

bool u256_member(struct u256 *out, const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL && u256_parse(out, text);
}
