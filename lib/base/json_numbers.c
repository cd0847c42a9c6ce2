#include "base/json_numbers.h"

#include <string.h>

#include "base/buf.h"

static bool is_number_char(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Quotes all numbers, which a JSON reader would turn into floating point. What is not valid JSON stays
 * invalid. */
static void quote_numbers(struct buf *out, const char *in, size_t n)
{
    bool text = false;

    for (size_t i = 0; i < n; i++) {
        char c = in[i];

        if (c == '"') {
            text = !text;
        } else if (text && c == '\\' && i + 1 < n) {
            buf_addc(out, (uint8_t)c);
            c = in[++i];
        } else if (!text && (c == '-' || (c >= '0' && c <= '9'))) {
            buf_addc(out, '"');
            for (; i < n && is_number_char(in[i]); i++)
                buf_addc(out, (uint8_t)in[i]);
            buf_addc(out, '"');
            i--;
            continue;
        }
        buf_addc(out, (uint8_t)c);
    }
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

json_t *json_numbers_load(const char *text, size_t n)
{
    struct buf quoted = BUF_INIT(3 * (n + 1)); /* "1," becomes four characters */
    json_t *doc = NULL;

    quote_numbers(&quoted, text, n);
    if (!quoted.overflow && quoted.len > 0)
        doc = json_loadb(quoted.data, quoted.len, 0, NULL);
    buf_free(&quoted);
    return doc;
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
