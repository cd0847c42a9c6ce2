/* The JSON writer: any calls in any order. Either it fails, or its text is what jansson writes of the same
 * values, and jansson reads it. */
#include <string.h>

#include "base/json_writer.h"
#include "fuzz.h"

struct input {
    const uint8_t *at, *end;
};

static uint8_t byte_next(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

/* Up to 31 bytes, which may end early in a NUL. */
static const char *text_next(struct input *in, char text[static 32])
{
    size_t n = byte_next(in) & 31, left = (size_t)(in->end - in->at);

    if (n > left)
        n = left;
    memcpy(text, in->at, n);
    text[n] = '\0';
    in->at += n;
    return text;
}

static uint64_t number_next(struct input *in)
{
    uint64_t n = 0;

    for (int i = 0; i < 8; i++)
        n = n << 8 | byte_next(in);
    return n;
}

static double real_next(struct input *in)
{
    uint64_t bits = number_next(in);
    double v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

static void call_next(struct json_writer *w, struct input *in)
{
    char name[32], text[32];
    uint8_t what = byte_next(in);
    const char *key = what & 0x80 ? text_next(in, name) : NULL;

    switch (what & 0x0f) {
    case 0:
        jw_object(w, key);
        break;
    case 1:
        jw_array(w, key);
        break;
    case 2:
        jw_end(w);
        break;
    case 3:
        jw_integer(w, key, (int64_t)number_next(in));
        break;
    case 4:
        jw_real(w, key, real_next(in));
        break;
    case 5:
        jw_bool(w, key, what & 0x40);
        break;
    case 6:
        jw_string_or_null(w, key, what & 0x40 ? text_next(in, text) : NULL);
        break;
    case 7:
        jw_time(w, key, (int64_t)number_next(in));
        break;
    default:
        jw_string(w, key, text_next(in, text));
    }
}

static void check_text(struct json_writer *w, const char *text)
{
    char *dumped = json_dumps(jw_tree(w), JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    json_t *read = json_loadb(text, w->len, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);

    MUST(dumped != NULL && strcmp(text, dumped) == 0);
    MUST(read != NULL && strlen(text) == w->len);
    json_decref(read);
    free(dumped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, data + size };
    struct arena *a = arena_new();
    struct json_writer w;
    const char *text;

    jw_init(&w, a, 4096);
    jw_make_tree(&w);
    while (in.at < in.end && !w.failed)
        call_next(&w, &in);
    while (w.depth > 0 && !w.failed)
        jw_end(&w);
    text = jw_finish(&w);
    if (text != NULL)
        check_text(&w, text);
    arena_free(a);
    return 0;
}
