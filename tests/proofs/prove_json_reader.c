/* json_read, json_read_texts, json_read_texts_without
 * @bounds all inputs up to 6 bytes, from any value on to those within it, and so on
 * @shows no access outside of the input while members are read, left out or refused; nothing outside of it is
 * handed to Jansson
 * @unwind 4
 * @options --unwindset skip_value.0:8,index_of.0:7,strchr.0:9,string_end_any.0:8
 * @replace read_value:value_any string_end:string_end_any skip_space:skip_any
 * @with tests/proofs/json.c
 */
#include "base/json_reader.c"
#include "proof.h"

enum { INPUT_MAX = 6 };

/* A value within one: what is shown here of the one is what is taken for granted of the other. Its words are
 * shown by themselves. */
static size_t within(const struct reader *r)
{
    ANY(size_t, taken);

    MUST(r->at <= r->end);
    SUPPOSE(taken <= (size_t)(r->end - r->at));
    return taken;
}

json_t *value_any(struct reader *r)
{
    ANY(bool, is_one);
    size_t n = within(r);

    SUPPOSE(!is_one || n > 0);
    r->at += n;
    return is_one ? json_integer(0) : NULL;
}

const char *string_end_any(const struct reader *r, bool *plain)
{
    ANY(bool, is_plain_one);
    size_t n = within(r);

    MUST(r->at < r->end && *r->at == '"');
    *plain = is_plain_one;
    SUPPOSE(n < 2 || r->at[n - 1] == '"');
    for (size_t i = 0; i < INPUT_MAX; i++)
        SUPPOSE(i >= n || !is_plain_one || r->at[i] != '\0');
    return n < 2 ? NULL : r->at + n;
}

void skip_any(struct reader *r)
{
    r->at += within(r);
}

void harness(void)
{
    ANY_BYTES(bytes, n, INPUT_MAX);
    static const char *const unwanted[] = { "a", NULL };
    const char *text = (const char *)bytes;
    ANY(bool, texts);
    struct reader r = { .at = text, .end = text + n, .numbers_are_texts = texts };

    r.unwanted = texts ? unwanted : NULL;
    if (n > 0 && (*text == '{' || *text == '['))
        (void)read_nested(&r);
    MUST(r.at >= text && r.at <= text + n && r.end == text + n);
}
