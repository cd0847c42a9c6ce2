#include "chain/evm/abi_form.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "chain/evm/abi.h"
#include "chain/evm/addr.h"

enum { WORDS_MAX = MAX_TX / ABI_WORD, DEPTH_MAX = 8, ADDRESS_BITS = 8 * EVM_ADDR_LEN, WORD_BITS = 256 };

struct reading {
    const uint8_t *args;
    size_t len;
    uint8_t taken[WORDS_MAX / 8]; /* words that were read, as bits */
    size_t taken_count;
    struct abi_leaves *out;
    unsigned depth;
};

/* ---- types, each given by where its text begins ---- */

static bool type_is_tuple(const char *t)
{
    return *t == '(';
}

static const char *tuple_end(const char *t)
{
    unsigned open = 0;

    do
        open += *t == '(' ? 1U : *t == ')' ? -1U : 0U;
    while (open > 0 && *++t != '\0');
    return t + (*t != '\0');
}

/* Behind the type itself; "[]" may follow. */
static const char *type_end_of_item(const char *t)
{
    return type_is_tuple(t) ? tuple_end(t) : t + strcspn(t, ",)[");
}

static bool type_is_array(const char *t)
{
    return *type_end_of_item(t) == '[';
}

static const char *type_end(const char *t)
{
    t = type_end_of_item(t);
    return *t == '[' ? t + 2 : t;
}

/* The next one of a list; NULL behind the last. */
static const char *type_next(const char *t)
{
    t = type_end(t);
    return *t == ',' ? t + 1 : NULL;
}

static bool type_is(const char *t, const char *name)
{
    size_t n = strlen(name);

    return strncmp(t, name, n) == 0 && strchr(",)[", t[n]) != NULL;
}

static bool type_is_bytes(const char *t)
{
    return type_is(t, "bytes") || type_is(t, "string");
}

static bool item_is_dynamic(const char *t);

static bool type_is_dynamic(const char *t)
{
    return type_is_array(t) || item_is_dynamic(t);
}

static bool item_is_dynamic(const char *t)
{
    bool any = false;

    if (!type_is_tuple(t))
        return type_is_bytes(t);
    for (t++; t != NULL; t = type_next(t))
        any = any || type_is_dynamic(t);
    return any;
}

/* Bytes of its place among others. */
static size_t item_head(const char *t)
{
    size_t n = 0;

    if (item_is_dynamic(t) || !type_is_tuple(t))
        return ABI_WORD;
    for (t++; t != NULL; t = type_next(t))
        n += type_is_array(t) ? (size_t)ABI_WORD : item_head(t);
    return n;
}

static size_t type_head(const char *t)
{
    return type_is_array(t) ? (size_t)ABI_WORD : item_head(t);
}

static unsigned item_leaves(const char *t)
{
    unsigned n = 0;

    if (!type_is_tuple(t))
        return 1;
    for (t++; t != NULL; t = type_next(t))
        n += item_leaves(t);
    return n;
}

/* ---- words ---- */

/* Each may be read once. */
static bool words_take(struct reading *r, size_t at, size_t n)
{
    if (at % ABI_WORD != 0 || at > r->len || n > r->len - at)
        return false;
    for (size_t i = at / ABI_WORD; i < (at + n) / ABI_WORD; i++) {
        if ((r->taken[i / 8] >> i % 8 & 1) != 0)
            return false;
        r->taken[i / 8] |= (uint8_t)(1U << i % 8);
        r->taken_count++;
    }
    return true;
}

static bool size_read(struct reading *r, size_t at, size_t *out)
{
    uint64_t v;

    if (!words_take(r, at, ABI_WORD) || !abi_get_u64(&v, r->args + at, ABI_WORD, 0) || v > r->len)
        return false;
    *out = (size_t)v;
    return true;
}

static bool is_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != 0)
            return false;
    return true;
}

/* Whether the word is a value of the elementary type. */
static bool word_fits(const char *t, const uint8_t *word)
{
    unsigned long bits = WORD_BITS;

    if (type_is(t, "bool"))
        return is_zero(word, ABI_WORD - 1) && word[ABI_WORD - 1] <= 1;
    if (strncmp(t, "bytes", 5) == 0) {
        size_t n = strtoul(t + 5, NULL, 10);

        return is_zero(word + n, ABI_WORD - n);
    }
    if (type_is(t, "address"))
        bits = ADDRESS_BITS;
    else if (strncmp(t, "uint", 4) == 0)
        bits = strtoul(t + 4, NULL, 10);
    return is_zero(word, (WORD_BITS - bits) / 8);
}

/* ---- values ---- */

static void leaf_add(struct reading *r, unsigned leaf, const uint8_t *p, size_t n)
{
    struct abi_leaf *l = &r->out->leaf[leaf];

    if (l->count++ == 0) {
        l->first = p;
        l->first_len = n;
    }
    l->last = p;
    l->last_len = n;
}

static bool read_bytes(struct reading *r, unsigned leaf, size_t at)
{
    size_t n, padded;

    if (!size_read(r, at, &n))
        return false;
    padded = (n + ABI_WORD - 1) / ABI_WORD * ABI_WORD;
    at += ABI_WORD;
    if (!words_take(r, at, padded) || !is_zero(r->args + at + n, padded - n))
        return false;
    leaf_add(r, leaf, r->args + at, n);
    return true;
}

static bool read_type(struct reading *r, const char *t, unsigned leaf, size_t base, size_t at);

/* Places one behind the other from `base`, to which their offsets count. */
static bool read_tuple(struct reading *r, const char *t, unsigned leaf, size_t base, size_t at)
{
    for (; t != NULL; t = type_next(t)) {
        if (!read_type(r, t, leaf, base, at))
            return false;
        leaf += item_leaves(t);
        at += type_head(t);
    }
    return true;
}

/* An item whose content, if it is dynamic, begins at `at`. */
static bool read_item(struct reading *r, const char *t, unsigned leaf, size_t base, size_t at)
{
    if (type_is_tuple(t))
        return read_tuple(r, t + 1, leaf, item_is_dynamic(t) ? at : base, at);
    if (type_is_bytes(t))
        return read_bytes(r, leaf, at);
    if (!words_take(r, at, ABI_WORD) || !word_fits(t, r->args + at))
        return false;
    leaf_add(r, leaf, r->args + at, ABI_WORD);
    return true;
}

/* An item in its place among others: itself, or the offset of its content. */
static bool read_place(struct reading *r, const char *t, unsigned leaf, size_t base, size_t at)
{
    size_t offset = at - base;

    if (item_is_dynamic(t) && !size_read(r, at, &offset))
        return false;
    return read_item(r, t, leaf, base, base + offset);
}

/* Its elements have no end but the data's: each takes a word at least. */
static bool read_array(struct reading *r, const char *t, unsigned leaf, size_t at)
{
    size_t count, base = at + ABI_WORD;

    if (!size_read(r, at, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!read_place(r, t, leaf, base, base + i * item_head(t)))
            return false;
    return true;
}

static bool read_type(struct reading *r, const char *t, unsigned leaf, size_t base, size_t at)
{
    size_t offset;
    bool read;

    if (r->depth == DEPTH_MAX)
        return false;
    r->depth++;
    if (type_is_array(t))
        read = size_read(r, at, &offset) && read_array(r, t, leaf, base + offset);
    else
        read = read_place(r, t, leaf, base, at);
    r->depth--;
    return read;
}

bool abi_read_form(struct abi_leaves *out, const char *form, const uint8_t *args, size_t n)
{
    struct reading r = { .args = args, .len = n, .out = out };

    *out = (struct abi_leaves){ .count = 0 };
    for (const char *t = *form == '\0' ? NULL : form; t != NULL; t = type_next(t))
        out->count += item_leaves(t);
    if (out->count > ABI_LEAVES_MAX || n > (size_t)WORDS_MAX * ABI_WORD || n % ABI_WORD != 0)
        return false;
    return (*form == '\0' || read_tuple(&r, form, 0, 0, 0)) && r.taken_count == n / ABI_WORD;
}
