/* A member's text, out of any bytes: it lies within them, and what it says is what jansson reads there. */
#include <jansson.h>

#include "base/json_slice.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct json_slice in = { (const char *)data, size };
    struct json_slice got;
    json_t *doc, *want, *value;

    if (!json_slice_member(&got, in, "a"))
        return 0;
    MUST(got.len > 0 && got.text > in.text && got.text + got.len < in.text + size);
    doc = json_loadb(in.text, size, JSON_REJECT_DUPLICATES, NULL);
    want = json_object_get(doc, "a");
    if (want != NULL) {
        value = json_loadb(got.text, got.len, JSON_DECODE_ANY, NULL);
        MUST(json_equal(value, want));
        json_decref(value);
    }
    json_decref(doc);
    return 0;
}
