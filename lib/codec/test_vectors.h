/* For tests: the files of tests/vectors, read from the repository's root. What is read lives until the end.
 */
#ifndef CODEC_TEST_VECTORS_H
#define CODEC_TEST_VECTORS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "codec/hex.h"

#ifndef TEST_VECTORS /* another file, defined before the inclusion */
#define TEST_VECTORS "tests/vectors/evm-signing.json"
#endif

static struct arena *test_arena;

/* A member of the file. A missing one ends the test: without its vectors it would prove nothing. */
static inline const json_t *test_member(const char *name)
{
    static const char path[] = TEST_VECTORS;
    static json_t *doc;

    if (test_arena == NULL)
        test_arena = arena_new();
    if (doc == NULL)
        doc = json_load_file(path, 0, NULL);
    if (json_object_get(doc, name) == NULL) {
        fprintf(stderr, "%s: no %s\n", path, name);
        exit(1);
    }
    return json_object_get(doc, name);
}

/* One that is a list. */
static inline const json_t *test_section(const char *name)
{
    const json_t *rows = test_member(name);

    if (!json_is_array(rows)) {
        fprintf(stderr, "%s is no list\n", name);
        exit(1);
    }
    return rows;
}

static inline const char *test_text(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text != NULL ? text : "";
}

/* The bytes of a "0x…" member; none when it is missing. */
static inline const uint8_t *test_bytes(const json_t *row, const char *name, size_t *n)
{
    const char *text = test_text(row, name);
    uint8_t *bytes = arena_alloc(test_arena, strlen(text) / 2 + 1);

    if (!hex_decode_0x(bytes, strlen(text) / 2, n, text))
        *n = 0;
    return bytes;
}

/* The bytes of a member without prefix; ends the test when they are no hex. */
static inline const uint8_t *test_plain_bytes(const json_t *row, const char *name, size_t *n)
{
    const char *text = test_text(row, name);
    uint8_t *bytes = arena_alloc(test_arena, strlen(text) / 2 + 1);

    *n = strlen(text) / 2;
    if (!json_is_string(json_object_get(row, name)) || !hex_decode(bytes, *n, text, strlen(text))) {
        fprintf(stderr, "%s is no hex\n", name);
        exit(1);
    }
    return bytes;
}

/* "0x…" of bytes, to compare as text. */
static inline const char *test_hex(const void *p, size_t n)
{
    char *text;

    if (test_arena == NULL)
        test_arena = arena_new();
    text = arena_alloc(test_arena, 2 * n + 3);
    text[0] = '0';
    text[1] = 'x';
    hex_encode(text + 2, p, n);
    return text;
}

#endif
