#include "chain/evm/eip712_json.h"

#include "base/buf.h"
#include "chain/evm/eip712.h"
#include "chain/evm/evm_addr.h"
#include "codec/hex.h"
#include "codec/u256.h"

enum {
    MAX_TYPES = 64, /* struct types that one type may need, itself included */
    MAX_DEPTH = 32, /* of values: structs and arrays within each other */
    MAX_NAME = 128, /* of a type or a member */
    MAX_TYPE_TEXT = 32 * 1024,
    WORD = 32,
};

static const char DOMAIN_TYPE[] = "EIP712Domain";

struct type_hash {
    const char *name;
    uint8_t hash[HASH_LEN];
};

struct encoder {
    struct arena *a;
    const json_t *types;
    unsigned depth;
    struct type_hash known[MAX_TYPES]; /* a long array of structs looks its type up once */
    size_t known_count;
};

/* ---- type names ---- */

static bool is_name(const char *s, size_t n)
{
    if (n == 0 || n > MAX_NAME || (s[0] >= '0' && s[0] <= '9'))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool letter = (s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z');

        if (!letter && !(s[i] >= '0' && s[i] <= '9') && s[i] != '_' && s[i] != '$')
            return false;
    }
    return true;
}

/* A string member without NUL bytes inside, or NULL. */
static const char *member_text(const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    const char *text = json_string_value(v);

    return text != NULL && strlen(text) == json_string_length(v) ? text : NULL;
}

/* The number at the end of a type name: 1 to max, no leading zero. */
static bool type_number(unsigned *out, const char *digits, unsigned max)
{
    *out = 0;
    if (*digits == '0' || *digits == '\0')
        return false;
    for (; *digits != '\0'; digits++) {
        if (*digits < '0' || *digits > '9')
            return false;
        *out = *out * 10 + (unsigned)(*digits - '0');
        if (*out > max)
            return false;
    }
    return true;
}

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

enum kind { KIND_STRUCT, KIND_UINT, KIND_INT, KIND_BOOL, KIND_ADDRESS, KIND_FIXED, KIND_BYTES, KIND_STRING };

static bool is_int_width(unsigned *size, const char *digits)
{
    return type_number(size, digits, 256) && *size % 8 == 0;
}

/* The kind of a type name without brackets; *size is bits of integers, bytes of bytesN. A name that is not
 * one of the standard's own types counts as the name of a struct. */
static enum kind kind_of(unsigned *size, const char *type)
{
    if (starts_with(type, "uint") && is_int_width(size, type + 4))
        return KIND_UINT;
    if (starts_with(type, "int") && is_int_width(size, type + 3))
        return KIND_INT;
    if (starts_with(type, "bytes") && type_number(size, type + 5, WORD))
        return KIND_FIXED;
    if (strcmp(type, "bool") == 0)
        return KIND_BOOL;
    if (strcmp(type, "address") == 0)
        return KIND_ADDRESS;
    if (strcmp(type, "bytes") == 0)
        return KIND_BYTES;
    if (strcmp(type, "string") == 0)
        return KIND_STRING;
    return KIND_STRUCT;
}

/* Cuts the last "[]" or "[n]" from a type: *item is what is left, *fixed its count or -1. False when the type
 * ends in no brackets, or in bad ones (it then fails as a name). */
static bool split_array(char **item, long *fixed, struct arena *a, const char *type)
{
    const char *open = strrchr(type, '[');
    size_t n = strlen(type);
    unsigned count;
    char *digits;

    if (open == NULL || type[n - 1] != ']')
        return false;
    digits = arena_strndup(a, open + 1, (size_t)(type + n - 1 - (open + 1)));
    *fixed = -1;
    if (*digits != '\0') {
        if (!type_number(&count, digits, 1U << 20))
            return false;
        *fixed = (long)count;
    }
    *item = arena_strndup(a, type, (size_t)(open - type));
    return true;
}

/* The type of the innermost items. */
static const char *base_type(struct arena *a, const char *type)
{
    char *item;
    long fixed;

    while (split_array(&item, &fixed, a, type))
        type = item;
    return type;
}

/* ---- the struct types that a type needs ---- */

struct needed {
    const char *name[MAX_TYPES];
    bool open[MAX_TYPES]; /* its members are being looked at: meeting it again is a cycle */
    size_t count;
};

static bool need_struct(struct encoder *e, struct needed *set, const char *name);

/* A member is {name, type}, both sound, and no other of the struct has its name. */
static bool check_member(const json_t *members, size_t index)
{
    const json_t *member = json_array_get(members, index);
    const char *name = member_text(member, "name"), *type = member_text(member, "type");

    if (name == NULL || type == NULL || !is_name(name, strlen(name)) || strlen(type) > MAX_NAME)
        return false;
    for (size_t i = 0; i < index; i++) {
        if (strcmp(member_text(json_array_get(members, i), "name"), name) == 0)
            return false;
    }
    return true;
}

static bool need_members(struct encoder *e, struct needed *set, const json_t *members)
{
    unsigned size;

    if (!json_is_array(members) || json_array_size(members) > MAX_NAME)
        return false;
    for (size_t i = 0; i < json_array_size(members); i++) {
        const char *base;

        if (!check_member(members, i))
            return false;
        base = base_type(e->a, member_text(json_array_get(members, i), "type"));
        if (kind_of(&size, base) == KIND_STRUCT && !need_struct(e, set, base))
            return false;
    }
    return true;
}

/* "uint", "int7", "bytes99": names that only an atomic type could have, whether it exists or not. */
static bool looks_atomic(const char *name)
{
    static const char *const prefixes[] = { "uint", "int", "bytes" };
    unsigned size;

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const char *rest = name + strlen(prefixes[i]);

        if (starts_with(name, prefixes[i]) && strspn(rest, "0123456789") == strlen(rest))
            return true;
    }
    return kind_of(&size, name) != KIND_STRUCT;
}

static bool need_struct(struct encoder *e, struct needed *set, const char *name)
{
    size_t at = 0;

    while (at < set->count && strcmp(set->name[at], name) != 0)
        at++;
    if (at < set->count)
        return !set->open[at];
    if (at == MAX_TYPES || !is_name(name, strlen(name)) || looks_atomic(name))
        return false;
    set->name[at] = name;
    set->open[at] = true;
    set->count++;
    if (!need_members(e, set, json_object_get(e->types, name)))
        return false;
    set->open[at] = false;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_definition(struct buf *out, const char *name, const json_t *members)
{
    const json_t *member;
    size_t i;

    buf_addf(out, "%s(", name);
    json_array_foreach(members, i, member)
        buf_addf(out, "%s%s %s", i > 0 ? "," : "", member_text(member, "type"), member_text(member, "name"));
    buf_addc(out, ')');
}

/* encodeType: the type itself, then what it needs in the order of names. */
static char *type_text(struct encoder *e, const char *type)
{
    struct buf text = BUF_INIT(MAX_TYPE_TEXT);
    struct needed set = { .count = 0 };
    char *copy = NULL;

    if (!need_struct(e, &set, type))
        return NULL;
    qsort(set.name + 1, set.count - 1, sizeof set.name[0], by_name);
    for (size_t i = 0; i < set.count; i++)
        add_definition(&text, set.name[i], json_object_get(e->types, set.name[i]));
    if (!text.overflow)
        copy = arena_strdup(e->a, buf_text(&text));
    buf_free(&text);
    return copy;
}

static bool type_hash(uint8_t out[static HASH_LEN], struct encoder *e, const char *type)
{
    struct type_hash *known = e->known;
    char *text;

    while (known < e->known + e->known_count && strcmp(known->name, type) != 0)
        known++;
    if (known == e->known + e->known_count) {
        text = type_text(e, type);
        if (text == NULL || e->known_count == MAX_TYPES)
            return false;
        known->name = type;
        keccak256(known->hash, text, strlen(text));
        e->known_count++;
    }
    memcpy(out, known->hash, HASH_LEN);
    return true;
}

/* ---- values ---- */

static bool encode_value(uint8_t out[static WORD], struct encoder *e, const char *type, const json_t *v);

/* A number as text, decimal or "0x…", with an optional minus before a decimal; or a JSON integer. */
static bool read_number(struct u256 *magnitude, bool *negative, const json_t *v)
{
    const char *text = json_string_value(v);
    json_int_t i = json_integer_value(v);

    *negative = false;
    if (json_is_integer(v)) {
        *negative = i < 0;
        *magnitude = u256_from_u64(i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
        return true;
    }
    if (text == NULL || strlen(text) != json_string_length(v))
        return false;
    if (starts_with(text, "0x"))
        return u256_parse_hex(magnitude, text);
    *negative = text[0] == '-';
    return u256_parse(magnitude, text + *negative);
}

/* 2^bits, for bits < 256. */
static struct u256 power_of_two(unsigned bits)
{
    struct u256 v = U256_ZERO;

    v.limb[bits / 64] = (uint64_t)1 << bits % 64;
    return v;
}

static bool encode_uint(uint8_t out[static WORD], unsigned bits, const json_t *v)
{
    struct u256 n;
    bool negative;

    if (!read_number(&n, &negative, v) || negative)
        return false;
    if (bits < 256 && u256_cmp(n, power_of_two(bits)) >= 0)
        return false;
    u256_to_be(out, n);
    return true;
}

/* The two's complement, ~(n - 1); false for "-0", which is no number's text. */
static bool negate(struct u256 *n)
{
    if (!u256_sub(n, *n, u256_from_u64(1)))
        return false;
    for (size_t i = 0; i < 4; i++)
        n->limb[i] = ~n->limb[i];
    return true;
}

static bool encode_int(uint8_t out[static WORD], unsigned bits, const json_t *v)
{
    struct u256 n, limit = power_of_two(bits - 1);
    bool negative;
    int order;

    if (!read_number(&n, &negative, v))
        return false;
    order = u256_cmp(n, limit);
    if (order > 0 || (order == 0 && !negative))
        return false;
    if (negative && !negate(&n))
        return false;
    u256_to_be(out, n);
    return true;
}

static bool encode_bool(uint8_t out[static WORD], const json_t *v)
{
    memset(out, 0, WORD);
    out[WORD - 1] = json_is_true(v);
    return json_is_boolean(v);
}

static bool encode_address(uint8_t out[static WORD], const json_t *v)
{
    struct evm_addr addr;

    if (!json_is_string(v) || strlen(json_string_value(v)) != json_string_length(v) ||
        !evm_addr_parse(&addr, json_string_value(v)))
        return false;
    memset(out, 0, WORD);
    memcpy(out + WORD - EVM_ADDR_LEN, addr.bytes, EVM_ADDR_LEN);
    return true;
}

static bool read_hex(uint8_t **p, size_t *n, struct arena *a, const json_t *v)
{
    size_t len = json_string_length(v);

    if (!json_is_string(v) || strlen(json_string_value(v)) != len)
        return false;
    *p = arena_alloc(a, len / 2 + 1);
    return hex_decode_0x(*p, len / 2, n, json_string_value(v));
}

static bool encode_fixed(uint8_t out[static WORD], struct arena *a, unsigned size, const json_t *v)
{
    uint8_t *p;
    size_t n;

    if (!read_hex(&p, &n, a, v) || n != size)
        return false;
    memset(out, 0, WORD);
    memcpy(out, p, n);
    return true;
}

static bool encode_bytes(uint8_t out[static WORD], struct arena *a, const json_t *v)
{
    uint8_t *p;
    size_t n;

    if (!read_hex(&p, &n, a, v))
        return false;
    keccak256(out, p, n);
    return true;
}

static bool encode_string(uint8_t out[static WORD], const json_t *v)
{
    if (!json_is_string(v))
        return false;
    keccak256(out, json_string_value(v), json_string_length(v));
    return true;
}

static bool encode_array(uint8_t out[static WORD], struct encoder *e, const char *item, long fixed,
                         const json_t *v)
{
    size_t n = json_array_size(v);
    uint8_t *words;

    if (!json_is_array(v) || (fixed >= 0 && n != (size_t)fixed))
        return false;
    words = arena_calloc(e->a, n, WORD);
    for (size_t i = 0; i < n; i++) {
        if (!encode_value(words + i * WORD, e, item, json_array_get(v, i)))
            return false;
    }
    keccak256(out, words, n * WORD);
    return true;
}

/* hashStruct. A value must have exactly the type's members: one that is not encoded would not be signed. */
static bool encode_struct(uint8_t out[static WORD], struct encoder *e, const char *type, const json_t *v)
{
    const json_t *members = json_object_get(e->types, type);
    size_t n = json_array_size(members);
    uint8_t *words = arena_calloc(e->a, n + 1, WORD);

    if (!type_hash(words, e, type) || !json_is_object(v) || json_object_size(v) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const json_t *member = json_array_get(members, i);
        const json_t *value = json_object_get(v, member_text(member, "name"));

        if (!encode_value(words + (i + 1) * WORD, e, member_text(member, "type"), value))
            return false;
    }
    keccak256(out, words, (n + 1) * WORD);
    return true;
}

static bool encode_plain(uint8_t out[static WORD], struct encoder *e, const char *type, const json_t *v)
{
    unsigned size;

    switch (kind_of(&size, type)) {
    case KIND_STRUCT:
        return encode_struct(out, e, type, v);
    case KIND_UINT:
        return encode_uint(out, size, v);
    case KIND_INT:
        return encode_int(out, size, v);
    case KIND_BOOL:
        return encode_bool(out, v);
    case KIND_ADDRESS:
        return encode_address(out, v);
    case KIND_FIXED:
        return encode_fixed(out, e->a, size, v);
    case KIND_BYTES:
        return encode_bytes(out, e->a, v);
    case KIND_STRING:
        return encode_string(out, v);
    }
    return false;
}

/* One word: the value itself, or the hash of what does not fit into one. */
static bool encode_value(uint8_t out[static WORD], struct encoder *e, const char *type, const json_t *v)
{
    bool done = false;
    char *item;
    long fixed;

    if (v == NULL || e->depth == MAX_DEPTH)
        return false;
    e->depth++;
    if (split_array(&item, &fixed, e->a, type))
        done = encode_array(out, e, item, fixed, v);
    else
        done = encode_plain(out, e, type, v);
    e->depth--;
    return done;
}

/* ---- the interface ---- */

char *eip712_encode_type(struct arena *a, const json_t *types, const char *type)
{
    struct encoder e = { .a = a, .types = types };

    return type_text(&e, type);
}

bool eip712_struct_hash(uint8_t out[static HASH_LEN], struct arena *a, const json_t *types, const char *type,
                        const json_t *value)
{
    struct encoder e = { .a = a, .types = types };

    return encode_struct(out, &e, type, value);
}

/* The domain's type from the members it has, in the standard's order. Unknown members make the count differ,
 * and the value is then refused. */
static json_t *derived_domain_type(const json_t *domain)
{
    static const char *const known[][2] = { { "name", "string" },
                                            { "version", "string" },
                                            { "chainId", "uint256" },
                                            { "verifyingContract", "address" },
                                            { "salt", "bytes32" } };
    json_t *members = json_array();

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (json_object_get(domain, known[i][0]) != NULL)
            json_array_append_new(members, json_pack("{s:s,s:s}", "name", known[i][0], "type", known[i][1]));
    }
    return json_pack("{s:o}", DOMAIN_TYPE, members);
}

bool eip712_domain_separator(uint8_t out[static HASH_LEN], struct arena *a, const json_t *typed_data)
{
    const json_t *types = json_object_get(typed_data, "types");
    const json_t *domain = json_object_get(typed_data, "domain");
    json_t *derived;
    bool done;

    if (json_object_get(types, DOMAIN_TYPE) != NULL)
        return eip712_struct_hash(out, a, types, DOMAIN_TYPE, domain);
    derived = derived_domain_type(domain);
    done = eip712_struct_hash(out, a, derived, DOMAIN_TYPE, domain);
    json_decref(derived);
    return done;
}

bool eip712_digest(uint8_t out[static HASH_LEN], struct arena *a, const json_t *typed_data)
{
    uint8_t separator[HASH_LEN], message[HASH_LEN];
    const char *primary = member_text(typed_data, "primaryType");

    /* Wallets disagree on what a message of the domain's own type means. */
    if (primary == NULL || strcmp(primary, DOMAIN_TYPE) == 0)
        return false;
    if (!eip712_domain_separator(separator, a, typed_data) ||
        !eip712_struct_hash(message, a, json_object_get(typed_data, "types"), primary,
                            json_object_get(typed_data, "message")))
        return false;
    eip712_seal(out, separator, message);
    return true;
}
