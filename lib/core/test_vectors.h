/* For tests: the files of tests/vectors, read from the repository's root. What is read lives until the end.
 */
#ifndef CORE_TEST_VECTORS_H
#define CORE_TEST_VECTORS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/arena.h"
#include "core/hex.h"

static struct arena *test_arena;

/* An array of the file. A missing file ends the test: without its vectors it would prove nothing. */
static inline const json_t *test_section(const char *name)
{
    static const char path[] = "tests/vectors/evm-signing.json";
    static json_t *doc;

    if (test_arena == NULL)
        test_arena = arena_new();
    if (doc == NULL)
        doc = json_load_file(path, 0, NULL);
    if (!json_is_array(json_object_get(doc, name))) {
        fprintf(stderr, "%s: no %s\n", path, name);
        exit(1);
    }
    return json_object_get(doc, name);
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
