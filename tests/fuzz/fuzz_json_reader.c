/* The JSON reader: what it makes of any bytes is what jansson makes of them, but for whole numbers that are
 * too large. */
#include "base/json_reader.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *want = json_loadb((const char *)data, size, 0, NULL), *got = json_read((const char *)data, size);
    json_t *loose = json_loadb((const char *)data, size, JSON_DECODE_INT_AS_REAL, NULL);

    MUST((loose == NULL) == (got == NULL));
    MUST(want == NULL || json_equal(got, want));
    json_decref(want);
    json_decref(loose);
    json_decref(got);
    return 0;
}
