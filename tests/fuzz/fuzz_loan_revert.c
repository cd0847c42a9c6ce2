/* Any bytes that a lender or a token reverts with: there is always an error, and what it says can be shown.
 * The first byte chooses the lender and what was tried. */
#include <string.h>

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "fuzz.h"
#include "venue/aave_calls.h"
#include "venue/loan_revert.h"
#include "venue/morpho_calls.h"

enum { LENDER = 1, ACT = 2, ACTS = LOAN_COLLATERAL + 1, JSON_MAX = 4096 };

static void check_shown(struct arena *a, const struct err *e)
{
    struct json_writer w;
    const char *text;
    json_t *doc;

    jw_init(&w, a, JSON_MAX);
    jw_object(&w, NULL);
    jw_string(&w, "error", e->text);
    jw_string_or_null(&w, "hint", e->hint);
    jw_end(&w);
    text = jw_finish(&w);
    MUST(text != NULL);
    doc = json_read(text, strlen(text));
    MUST(json_is_object(doc));
    json_decref(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct loan_revert r = { .floor = "1.05" };
    uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees a read past the end */
    const struct err *e;

    MUST(exact != NULL);
    if (size > 0) {
        memcpy(exact, data, size);
        r.lender = (data[0] & LENDER) != 0 ? &morpho_blue : &aave_pool;
        r.act = (enum loan_act)(data[0] / ACT % ACTS);
        r.data = exact + 1;
        r.len = size - 1;
        e = loan_revert_error(a, &r);
        MUST(e != NULL && e->status >= 400 && strstr(e->text, "%s") == NULL);
        MUST(!err_is(e, &E_LEND_REFUSED) || e->hint != NULL);
        check_shown(a, e);
    }
    free(exact);
    arena_free(a);
    return 0;
}
