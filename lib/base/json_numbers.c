#include "base/json_numbers.h"

#include <string.h>

#include "base/buf.h"

/* The end of the text that begins at `i`: after its closing quote. */
static size_t text_end(const char *in, size_t n, size_t i)
{
    for (i++; i < n && in[i] != '"'; i++)
        i += in[i] == '\\';
    return i < n ? i + 1 : n;
}

static size_t number_end(const char *in, size_t n, size_t i)
{
    while (i < n && json_is_number_char(in[i]))
        i++;
    return i;
}

/* Quotes all numbers, which a JSON reader would turn into floating point. What is not valid JSON stays
 * invalid. */
static void quote_numbers(struct buf *out, const char *in, size_t n)
{
    size_t copied = 0, end;

    for (size_t i = 0; i < n;) {
        if (in[i] == '"') {
            i = text_end(in, n, i);
        } else if (json_begins_number(in[i])) {
            end = number_end(in, n, i);
            buf_add(out, in + copied, i - copied);
            buf_addc(out, '"');
            buf_add(out, in + i, end - i);
            buf_addc(out, '"');
            copied = i = end;
        } else {
            i++;
        }
    }
    buf_add(out, in + copied, n - copied);
}

const char *json_numbers_quote(struct arena *a, const char *text, size_t n, size_t *len)
{
    struct buf quoted = BUF_INIT(3 * (n + 1)); /* "1," becomes four characters */
    const char *copy;

    quote_numbers(&quoted, text, n);
    *len = quoted.len;
    copy = arena_memdup(a, quoted.data, quoted.len);
    buf_free(&quoted);
    return copy;
}

bool json_numbers_plain(const char *text)
{
    size_t whole = *text == '0' ? 1 : strspn(text, "0123456789"), places = 1;

    text += whole;
    if (*text == '.') {
        places = strspn(++text, "0123456789");
        text += places;
    }
    return whole > 0 && places > 0 && *text == '\0';
}

const char *json_numbers_member(struct arena *a, const json_t *object, const char *name, size_t max)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL && strlen(text) <= max && json_numbers_plain(text) ? arena_strdup(a, text) : NULL;
}
