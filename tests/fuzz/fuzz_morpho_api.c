/* Any answer of Morpho's catalogue: what is taken over has an id and warnings that can be stored and shown.
 */
#include <jansson.h>
#include <string.h>

#include "base/json_reader.h"
#include "fuzz.h"
#include "lend/morpho_api.h"

static void check_listing(const struct lend_listing *l)
{
    json_t *warnings = json_read(l->warnings, strlen(l->warnings));

    MUST(json_is_array(warnings));
    MUST(l->created_ms >= 0);
    json_decref(warnings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct buf answer = BUF_INIT(MORPHO_API_BYTES);
    struct lend_listing *list;
    size_t count;

    buf_add(&answer, data, size);
    if (morpho_api_read(a, chain_by_id(8453), &answer, &list, &count)) {
        MUST(count <= MORPHO_API_MARKETS);
        for (size_t i = 0; i < count; i++) {
            check_listing(&list[i]);
            for (size_t k = 0; k < i; k++)
                MUST(memcmp(list[i].id, list[k].id, HASH_LEN) != 0);
        }
    } else {
        MUST(count == 0);
    }
    buf_free(&answer);
    arena_free(a);
    return 0;
}
