#include "venue/form.h"

#include <string.h>

#include "chain/evm/abi.h"

/* ---- types ---- */

struct type {
    const char *text, *end;
    bool array, dynamic;
    size_t words;     /* that it takes where it stands; an offset takes one */
    unsigned members; /* as form.h counts them */
    bool item_dynamic;
    size_t item_words; /* of an array's element */
};

static struct type type_at(const char *text);

static struct type type_struct(const char *text)
{
    struct type t = { .text = text, .end = text + 1 };

    while (*t.end != ')') {
        struct type m = type_at(t.end);

        t.dynamic |= m.dynamic;
        t.words += m.words;
        t.members += m.members;
        t.end = *m.end == ',' ? m.end + 1 : m.end;
    }
    t.end++;
    return t;
}

static struct type type_plain(const char *text)
{
    size_t n = strcspn(text, ",)[");
    bool bytes = n == 5 && memcmp(text, "bytes", n) == 0, string = n == 6 && memcmp(text, "string", n) == 0;

    return (
        struct type){ .text = text, .end = text + n, .dynamic = bytes || string, .words = 1, .members = 1 };
}

static struct type type_at(const char *text)
{
    struct type t = *text == '(' ? type_struct(text) : type_plain(text);

    t.item_dynamic = t.dynamic;
    t.item_words = t.dynamic ? 1 : t.words;
    if (*t.end == '[') {
        t.array = t.dynamic = true;
        t.members++;
        t.end += 2;
    }
    if (t.dynamic)
        t.words = 1;
    return t;
}

static struct type type_item(struct type array)
{
    array.array = false;
    array.dynamic = array.item_dynamic;
    array.words = array.item_words;
    return array;
}

/* ---- reading ---- */

static bool read_value(struct form *f, struct type t, size_t at, size_t base, unsigned member);

/* The words at `at` have to be there. */
static bool has_words(const struct form *f, size_t at, uint64_t words)
{
    return at <= f->len && words <= (f->len - at) / ABI_WORD;
}

static bool read_size(uint64_t *out, const struct form *f, size_t at)
{
    return has_words(f, at, 1) && abi_get_u64(out, f->data + at, ABI_WORD, 0);
}

static void member_note(struct form *f, unsigned member, size_t at)
{
    if (f->first[member] == NULL)
        f->first[member] = f->data + at;
    f->last[member] = f->data + at;
}

/* The number of a word's bits that its type has. */
static unsigned type_bits(const char *type)
{
    unsigned bits = 0;

    if (strncmp(type, "address", 7) == 0)
        return EVM_ADDR_LEN * 8;
    if (strncmp(type, "bool", 4) == 0)
        return 1;
    if (strncmp(type, "uint", 4) == 0)
        for (const char *p = type + 4; *p >= '0' && *p <= '9'; p++)
            bits = bits * 10 + (unsigned)(*p - '0');
    return bits == 0 ? ABI_WORD * 8 : bits;
}

static bool read_word(struct form *f, struct type t, size_t at, unsigned member)
{
    unsigned bits = type_bits(t.text), unused = ABI_WORD - (bits + 7) / 8;

    if (!has_words(f, at, 1))
        return false;
    for (unsigned i = 0; i < unused; i++)
        if (f->data[at + i] != 0)
            return false;
    member_note(f, member, at);
    return bits % 8 == 0 || f->data[at + unused] >> bits % 8 == 0;
}

/* The zeros behind it belong to it. */
static bool read_bytes(struct form *f, size_t at, unsigned member)
{
    uint64_t n, words;

    if (!read_size(&n, f, at) || n > f->len)
        return false;
    words = (n + ABI_WORD - 1) / ABI_WORD;
    if (!has_words(f, at, 1 + words))
        return false;
    f->next = at + ABI_WORD + (size_t)words * ABI_WORD;
    for (size_t i = at + ABI_WORD + (size_t)n; i < f->next; i++)
        if (f->data[i] != 0)
            return false;
    member_note(f, member, at);
    return true;
}

static bool read_array(struct form *f, struct type t, size_t at, unsigned member)
{
    const struct type item = type_item(t);
    size_t base = at + ABI_WORD;
    uint64_t count;

    if (!read_size(&count, f, at) || count > f->len || !has_words(f, base, count * item.words))
        return false;
    member_note(f, member, at);
    f->next = base + (size_t)count * item.words * ABI_WORD;
    for (size_t i = 0; i < count; i++)
        if (!read_value(f, item, base + i * item.words * ABI_WORD, base, member + 1))
            return false;
    return true;
}

static bool read_struct(struct form *f, struct type t, size_t at, unsigned member)
{
    size_t base = at;

    for (const char *p = t.text + 1; *p != ')';) {
        struct type m = type_at(p);

        if (!read_value(f, m, at, base, member))
            return false;
        at += m.words * ABI_WORD;
        member += m.members;
        p = *m.end == ',' ? m.end + 1 : m.end;
    }
    return true;
}

/* Its head is followed by the tails of its members. */
static bool read_dynamic_struct(struct form *f, struct type t, size_t at, unsigned member)
{
    size_t words = type_struct(t.text).words;

    if (!has_words(f, at, words))
        return false;
    f->next = at + words * ABI_WORD;
    return read_struct(f, t, at, member);
}

/* At `at` stands what is static, or the offset of what is not, counted from `base`. */
static bool read_value(struct form *f, struct type t, size_t at, size_t base, unsigned member)
{
    uint64_t offset;

    if (!t.dynamic)
        return *t.text == '(' ? read_struct(f, t, at, member) : read_word(f, t, at, member);
    if (!read_size(&offset, f, at) || offset != f->next - base)
        return false;
    if (t.array)
        return read_array(f, t, f->next, member);
    return *t.text == '(' ? read_dynamic_struct(f, t, f->next, member) : read_bytes(f, f->next, member);
}

bool form_read(struct form *out, const char *types, const uint8_t *data, size_t len)
{
    const struct type t = type_struct(types);

    *out = (struct form){ .data = data, .len = len };
    return t.members <= FORM_MEMBERS && read_dynamic_struct(out, t, 0, 0) && out->next == len;
}

size_t form_length(const uint8_t *member)
{
    uint64_t n = 0;

    (void)abi_get_u64(&n, member, ABI_WORD, 0);
    return (size_t)n;
}

const uint8_t *form_content(const uint8_t *member)
{
    return member + ABI_WORD;
}
