/* Typed data from any client: it is refused, or it has one digest. */
#include <string.h>

#include "chain/evm/eip712_json.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t one[HASH_LEN], two[HASH_LEN];
    struct arena *a = arena_new();
    json_t *doc = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);

    if (doc != NULL && eip712_digest(one, a, doc)) {
        MUST(eip712_digest(two, a, doc) && memcmp(one, two, HASH_LEN) == 0);
        MUST(eip712_encode_type(a, json_object_get(doc, "types"),
                                json_string_value(json_object_get(doc, "primaryType"))) != NULL);
    }
    json_decref(doc);
    arena_free(a);
    return 0;
}
