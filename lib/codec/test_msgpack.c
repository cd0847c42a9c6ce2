#include "codec/msgpack.c"

#define TEST_VECTORS "tests/vectors/hyperliquid.json"
#include "base/test.h"
#include "codec/test_vectors.h"

static struct buf out = BUF_INIT(1 << 20);

/* The bytes written since the last call. */
static const char *written(void)
{
    const char *hex = test_hex(out.data, out.len);

    buf_reset(&out);
    return hex;
}

static void integers_are_short(void)
{
    static const struct {
        int64_t v;
        const char *hex;
    } rows[] = {
        { 0, "0x00" },
        { 127, "0x7f" },
        { 128, "0xcc80" },
        { 255, "0xccff" },
        { 256, "0xcd0100" },
        { 65535, "0xcdffff" },
        { 65536, "0xce00010000" },
        { 4294967295, "0xceffffffff" },
        { 4294967296, "0xcf0000000100000000" },
        { INT64_MAX, "0xcf7fffffffffffffff" },
        { -1, "0xff" },
        { -32, "0xe0" },
        { -33, "0xd0df" },
        { -128, "0xd080" },
        { -129, "0xd1ff7f" },
        { -32768, "0xd18000" },
        { -32769, "0xd2ffff7fff" },
        { INT32_MIN, "0xd280000000" },
        { (int64_t)INT32_MIN - 1, "0xd3ffffffff7fffffff" },
        { INT64_MIN, "0xd38000000000000000" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        msgpack_integer(&out, rows[i].v);
        CHECK_STR(written(), rows[i].hex);
        if (rows[i].v < 0)
            continue;
        msgpack_unsigned(&out, (uint64_t)rows[i].v);
        CHECK_STR(written(), rows[i].hex);
    }
    msgpack_unsigned(&out, UINT64_MAX);
    CHECK_STR(written(), "0xcfffffffffffffffff");
}

static void counts_are_short(void)
{
    static const struct {
        uint32_t n;
        const char *map, *array;
    } rows[] = {
        { 0, "0x80", "0x90" },
        { 15, "0x8f", "0x9f" },
        { 16, "0xde0010", "0xdc0010" },
        { 65535, "0xdeffff", "0xdcffff" },
        { 65536, "0xdf00010000", "0xdd00010000" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        msgpack_map(&out, rows[i].n);
        CHECK_STR(written(), rows[i].map);
        msgpack_array(&out, rows[i].n);
        CHECK_STR(written(), rows[i].array);
    }
}

static void texts_are_short(void)
{
    static const struct {
        size_t n;
        const char *head;
    } rows[] = { { 0, "a0" },       { 31, "bf" },        { 32, "d920" },         { 255, "d9ff" },
                 { 256, "da0100" }, { 65535, "daffff" }, { 65536, "db00010000" } };
    static char text[65536 + 1];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t head = strlen(rows[i].head) / 2;

        memset(text, 'x', rows[i].n);
        text[rows[i].n] = '\0';
        msgpack_text(&out, text);
        CHECK(out.len == head + rows[i].n && memcmp(buf_text(&out) + head, text, rows[i].n) == 0);
        CHECK(strncmp(written() + 2, rows[i].head, 2 * head) == 0);
    }
}

static void words(void)
{
    msgpack_nil(&out);
    msgpack_bool(&out, false);
    msgpack_bool(&out, true);
    CHECK_STR(written(), "0xc0c2c3");
}

/* ---- bytes of other encoders ---- */

static void put_value(const json_t *v);

static void put_object(const json_t *v)
{
    const char *key;
    json_t *member;

    msgpack_map(&out, (uint32_t)json_object_size(v));
    json_object_foreach((json_t *)(uintptr_t)v, key, member)
    {
        msgpack_text(&out, key);
        put_value(member);
    }
}

static void put_list(const json_t *v)
{
    const json_t *item;
    size_t i;

    msgpack_array(&out, (uint32_t)json_array_size(v));
    json_array_foreach(v, i, item) put_value(item);
}

static void put_value(const json_t *v)
{
    if (json_is_object(v))
        put_object(v);
    else if (json_is_array(v))
        put_list(v);
    else if (json_is_string(v))
        msgpack_text(&out, json_string_value(v));
    else if (json_is_integer(v))
        msgpack_integer(&out, json_integer_value(v));
    else if (json_is_boolean(v))
        msgpack_bool(&out, json_is_true(v));
    else
        CHECK(false);
}

static void actions_of_the_vectors(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("l1_actions"), i, row)
    {
        json_t *action = json_loads(test_text(row, "action_json"), 0, NULL);

        put_value(action);
        CHECK_STR(written(), test_text(row, "msgpack"));
        json_decref(action);
    }
    CHECK(i == 54);
    buf_free(&out);
}

TEST_MAIN(TEST(integers_are_short), TEST(counts_are_short), TEST(texts_are_short), TEST(words),
          TEST(actions_of_the_vectors))
