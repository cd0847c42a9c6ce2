/* For tests: what one says who lies. Each member of an answer as it was recorded
 * (tests/vectors/recorded.json) is falsified in six ways: it is absent, 0, one unit off, twice as much, a
 * million times as much, of another type. Of bytes in hex each word is a member, of Base64 each byte. */
#ifndef CODEC_TEST_LIAR_H
#define CODEC_TEST_LIAR_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "codec/base64.h"
#include "codec/u256.h"

enum liar_way { LIAR_ABSENT, LIAR_ZERO, LIAR_UNIT, LIAR_TWICE, LIAR_MILLION, LIAR_TYPE, LIAR_WAYS };

enum { LIAR_WORD = 64, LIAR_TEXT = 16384 };

/* An answer that is false in one member, whose path it has. */
typedef void liar_hears(const json_t *lie, const char *path, enum liar_way way, void *arg);

struct liar {
    liar_hears *hears;
    void *arg;
    json_t *root;
    char path[256];
    unsigned told;
};

static inline const json_t *liar_recorded(const char *name)
{
    static json_t *doc;

    if (doc == NULL)
        doc = json_load_file("tests/vectors/recorded.json", 0, NULL);
    if (json_object_get(doc, name) == NULL) {
        fprintf(stderr, "recorded.json has no %s\n", name);
        exit(1);
    }
    return json_object_get(doc, name);
}

/* False: there is nothing of the kind. */
static inline bool liar_scales(struct u256 *v, enum liar_way way)
{
    switch (way) {
    case LIAR_ZERO:
        *v = U256_ZERO;
        return true;
    case LIAR_UNIT:
        return u256_add(v, *v, u256_from_u64(1));
    case LIAR_TWICE:
        return u256_mul(v, *v, u256_from_u64(2));
    case LIAR_MILLION:
        return u256_mul(v, *v, u256_from_u64(1000000));
    default:
        return false;
    }
}

static inline void liar_says(struct liar *l, enum liar_way way)
{
    l->told++;
    l->hears(l->root, l->path, way, l->arg);
}

/* Puts it in the place of that member, says so, and puts the member back. NULL: the member is absent. */
static inline void liar_puts(struct liar *l, json_t *parent, const char *name, size_t i, json_t *lie,
                             enum liar_way way)
{
    json_t *was = json_incref(name != NULL ? json_object_get(parent, name) : json_array_get(parent, i));

    if (name != NULL && lie == NULL)
        json_object_del(parent, name);
    else if (name != NULL)
        json_object_set_new(parent, name, lie);
    else
        json_array_set_new(parent, i, lie == NULL ? json_null() : lie);
    liar_says(l, way);
    if (name != NULL)
        json_object_set_new(parent, name, was);
    else
        json_array_set_new(parent, i, was);
}

static inline bool liar_is_hex(const char *text)
{
    return strncmp(text, "0x", 2) == 0 && text[2] != '\0' &&
           strspn(text + 2, "0123456789abcdefABCDEF") == strlen(text + 2);
}

/* The text with the word at `at` (of `digits`) as it is after that lie. */
static inline json_t *liar_word(const char *text, size_t at, size_t digits, enum liar_way way)
{
    char out[LIAR_TEXT], word[LIAR_WORD + 3];
    uint8_t bytes[U256_BYTES];
    struct u256 v;

    snprintf(word, sizeof word, "0x%.*s", (int)digits, text + at);
    if (strlen(text) + 1 > sizeof out || !u256_parse_hex(&v, word) || !liar_scales(&v, way))
        return NULL;
    u256_to_be(bytes, v);
    for (size_t i = 0; i < U256_BYTES; i++)
        snprintf(word + 2 * i, 3, "%02x", bytes[i]);
    if (digits == LIAR_WORD) {
        snprintf(out, sizeof out, "%.*s%s%s", (int)at, text, word, text + at + digits);
    } else { /* a quantity has no zeros before it */
        const char *first = word + strspn(word, "0");

        snprintf(out, sizeof out, "0x%s", *first == '\0' ? "0" : first);
    }
    return json_string(out);
}

static inline void liar_of_hex(struct liar *l, json_t *parent, const char *name, size_t i, const char *text)
{
    size_t digits = strlen(text) - 2;
    bool words = digits % LIAR_WORD == 0;

    for (size_t at = 2; at < 2 + digits; at += words ? LIAR_WORD : digits)
        for (enum liar_way way = LIAR_ZERO; way < LIAR_TYPE; way++) {
            json_t *lie = liar_word(text, at, words ? LIAR_WORD : digits, way);

            if (lie != NULL)
                liar_puts(l, parent, name, i, lie, way);
        }
}

static inline void liar_of_base64(struct liar *l, json_t *parent, const char *name, size_t i,
                                  const uint8_t *bytes, size_t n)
{
    uint8_t lie[1024];
    char text[2048];

    for (size_t at = 0; at < n; at++)
        for (enum liar_way way = LIAR_ZERO; way < LIAR_MILLION; way++) {
            memcpy(lie, bytes, n);
            lie[at] = way == LIAR_ZERO ? 0 : (uint8_t)(way == LIAR_UNIT ? lie[at] + 1 : lie[at] * 2);
            base64_encode(text, lie, n);
            liar_puts(l, parent, name, i, json_string(text), way);
        }
}

/* Digits, perhaps with a point; else any text. */
static inline void liar_of_text(struct liar *l, json_t *parent, const char *name, size_t i, const char *text)
{
    char out[LIAR_TEXT], digits[U256_DECIMAL_LEN + 1];
    uint8_t bytes[1024];
    struct u256 v;
    size_t n;

    if (strlen(text) >= 64 && base64_decode(bytes, sizeof bytes, &n, text, strlen(text)) && n > 0) {
        liar_of_base64(l, parent, name, i, bytes, n);
        return;
    }
    for (enum liar_way way = LIAR_ZERO; way < LIAR_TYPE; way++) {
        if (u256_parse(&v, text) && liar_scales(&v, way)) {
            u256_decimal(digits, v);
            snprintf(out, sizeof out, "%s", digits);
        } else {
            static const char *const before[LIAR_WAYS] = {
                [LIAR_UNIT] = "1", [LIAR_TWICE] = "2", [LIAR_MILLION] = "1000000"
            };

            snprintf(out, sizeof out, "%s%s", way == LIAR_ZERO ? "0" : before[way],
                     way == LIAR_ZERO ? "" : text);
        }
        liar_puts(l, parent, name, i, json_string(out), way);
    }
}

static inline json_t *liar_number(const json_t *was, enum liar_way way)
{
    static const double times[LIAR_WAYS] = { [LIAR_TWICE] = 2, [LIAR_MILLION] = 1e6 };
    json_int_t n = json_integer_value(was);

    if (json_is_boolean(was))
        return json_boolean(json_is_false(was));
    if (json_is_real(was) || (way == LIAR_MILLION && n > INT64_MAX / 1000000))
        return json_real(way == LIAR_UNIT ? json_number_value(was) + 1 : json_number_value(was) * times[way]);
    return json_integer(way == LIAR_ZERO    ? 0
                        : way == LIAR_UNIT  ? n + 1
                        : way == LIAR_TWICE ? n * 2
                                            : n * 1000000);
}

static inline void liar_of_member(struct liar *l, json_t *parent, const char *name, size_t i);

static inline void liar_of_each(struct liar *l, json_t *of)
{
    size_t len = strlen(l->path), i;
    json_t *names = json_array(), *each;
    const char *name;

    json_object_foreach(of, name, each)
        json_array_append_new(names, json_string(name)); /* members come and go */
    json_array_foreach(names, i, each)
    {
        (void)snprintf(l->path + len, sizeof l->path - len, ".%s", json_string_value(each));
        liar_of_member(l, of, json_string_value(each), 0);
    }
    json_decref(names);
    json_array_foreach(of, i, each)
    {
        (void)snprintf(l->path + len, sizeof l->path - len, "[%zu]", i);
        liar_of_member(l, of, NULL, i);
    }
    l->path[len] = '\0';
}

static inline void liar_of_member(struct liar *l, json_t *parent, const char *name, size_t i)
{
    json_t *was = name != NULL ? json_object_get(parent, name) : json_array_get(parent, i);
    const char *text = json_string_value(was);

    liar_puts(l, parent, name, i, NULL, LIAR_ABSENT);
    liar_puts(l, parent, name, i, text != NULL ? json_integer(7) : json_string("seven"), LIAR_TYPE);
    liar_puts(l, parent, name, i, json_object(), LIAR_TYPE);
    if (json_is_object(was) || json_is_array(was)) {
        liar_of_each(l, was);
    } else if (text != NULL && liar_is_hex(text)) {
        liar_of_hex(l, parent, name, i, text);
    } else if (text != NULL) {
        liar_of_text(l, parent, name, i, text);
    } else {
        for (enum liar_way way = LIAR_ZERO; way < LIAR_TYPE; way++)
            liar_puts(l, parent, name, i, json_is_null(was) ? json_integer(way) : liar_number(was, way), way);
    }
}

/* All lies of an answer, one after the other. Returns how many there are. */
static inline unsigned liar_tells(const json_t *recorded, liar_hears *hears, void *arg)
{
    json_t *box = json_pack("[o]", json_deep_copy(recorded));
    struct liar l = { .hears = hears, .arg = arg, .root = NULL };

    /* The answer itself is a member of the box, so that it can be absent too. */
    l.root = box;
    liar_of_member(&l, box, NULL, 0);
    json_decref(box);
    return l.told;
}

/* ---- two sources, one of which lies ---- */

/* The decision; NULL: none for now, or a refusal. The answers are boxed: [answer]. The text lives until the
 * next call. */
typedef const char *liar_decides(const json_t *first, const json_t *second, void *arg);

struct liar_trial {
    liar_decides *decides;
    void *arg;
    const json_t *truth; /* boxed */
    const char *what;
    char honest[128];
    unsigned felt; /* lies that would decide otherwise if both told them */
};

static inline void liar_holds(const struct liar_trial *t, const char *got, const char *path,
                              enum liar_way way, const char *place)
{
    if (got == NULL || strcmp(got, t->honest) == 0)
        return;
    fprintf(stderr, "%s%s, lie %d of the %s: %s, and truly %s\n", t->what, path, (int)way, place, got,
            t->honest);
    test_case_failures++;
}

static inline void liar_tried(const json_t *lie, const char *path, enum liar_way way, void *arg)
{
    struct liar_trial *t = arg;
    const char *got;

    liar_holds(t, t->decides(lie, t->truth, t->arg), path, way, "first");
    liar_holds(t, t->decides(t->truth, lie, t->arg), path, way, "second");
    got = t->decides(lie, lie, t->arg);
    t->felt += got == NULL || strcmp(got, t->honest) != 0;
}

/* Whichever of two lies, however: what is decided is what both decide who tell the truth, or nothing. Both
 * together do decide otherwise. */
static inline void liar_alone_changes_nothing(const char *what, const json_t *truth, liar_decides *decides,
                                              void *arg)
{
    json_t *box = json_pack("[O]", truth);
    struct liar_trial t = { .decides = decides, .arg = arg, .truth = box, .what = what };
    const char *honest = decides(box, box, arg);

    CHECK(honest != NULL);
    (void)snprintf(t.honest, sizeof t.honest, "%s", honest == NULL ? "" : honest);
    CHECK(liar_tells(truth, liar_tried, &t) >= LIAR_WAYS && t.felt > 0);
    json_decref(box);
}

#endif
