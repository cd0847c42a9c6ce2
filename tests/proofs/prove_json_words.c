/* string_end, skip_space, read_string, read_bare of json_reader.c
 * @bounds all inputs up to 5 bytes
 * @shows no access outside of the input; each ends within it, and nothing outside of it is handed to Jansson
 * @unwind 8
 * @with tests/proofs/json.c
 */
#include "base/json_reader.c"
#include "proof.h"

enum { INPUT_MAX = 5 };

static void check(const uint8_t *bytes, size_t n)
{
    const char *text = (const char *)bytes, *end;
    ANY(bool, texts);
    ANY(unsigned, what);
    bool plain;
    struct reader r = { .at = text, .end = text + n, .numbers_are_texts = texts };

    if (what == 0)
        skip_space(&r);
    if (what > 0 && n > 0 && *text == '"') {
        end = string_end(&r, &plain);
        MUST(end == NULL || (end >= text + 2 && end <= text + n && end[-1] == '"'));
        (void)read_string(&r);
    } else if (what > 0 && n > 0) {
        (void)read_bare(&r);
    }
    MUST(r.at >= text && r.at <= text + n && r.end == text + n);
}

EACH_BYTES(check, INPUT_MAX)
