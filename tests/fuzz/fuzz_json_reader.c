/* The JSON reader: what it makes of any bytes is what jansson makes of them. */
#include "base/json_reader.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *want = json_loadb((const char *)data, size, 0, NULL), *got = json_read((const char *)data, size);

    MUST((want == NULL) == (got == NULL));
    MUST(want == NULL || json_equal(got, want));
    json_decref(want);
    json_decref(got);
    return 0;
}
