/* The JSON reader: what it makes of any bytes is what jansson makes of them, but for whole numbers that are
 * too large; and where numbers are to stay texts, what jansson makes of them between quotes, with members
 * that are not wanted or without them. */
#include "base/json_numbers.h"
#include "fuzz.h"

#include <string.h>

static const char *const unwanted[] = { "a", "data", NULL };

static void members_drop(json_t *value)
{
    const char *name;
    json_t *each;
    size_t i;

    for (const char *const *drop = unwanted; *drop != NULL; drop++)
        (void)json_object_del(value, *drop);
    json_object_foreach(value, name, each) members_drop(each);
    json_array_foreach(value, i, each) members_drop(each);
}

/* Names that are written with escapes stay. */
static void wanted_read(const char *text, size_t size, json_t *all)
{
    json_t *got = json_read_texts_without(text, size, unwanted);

    if (all != NULL && memchr(text, '\\', size) == NULL) {
        members_drop(all);
        MUST(json_equal(got, all));
    }
    json_decref(got);
}

static void texts_read(const char *text, size_t size, bool is_json)
{
    struct arena *a = arena_new();
    size_t len;
    const char *quoted = json_numbers_quote(a, text, size, &len);
    json_t *want = json_loadb(quoted, len, 0, NULL), *got = json_read_texts(text, size);

    MUST(got == NULL || json_equal(got, want));
    MUST(got != NULL || !is_json);
    wanted_read(text, size, got);
    json_decref(want);
    json_decref(got);
    arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *want = json_loadb((const char *)data, size, 0, NULL), *got = json_read((const char *)data, size);
    json_t *loose = json_loadb((const char *)data, size, JSON_DECODE_INT_AS_REAL, NULL);

    MUST((loose == NULL) == (got == NULL));
    MUST(want == NULL || json_equal(got, want));
    texts_read((const char *)data, size, loose != NULL);
    json_decref(want);
    json_decref(loose);
    json_decref(got);
    return 0;
}
