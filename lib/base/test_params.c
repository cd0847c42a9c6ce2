#include "base/params.c"
#include "base/test.h"

static const struct err OWN_ABSENT = {
    .status = 400, .rpc = -32602, .code = "VALIDATION_ERROR", .text = "Name the thing"
};
static const struct err OWN_BAD = {
    .status = 400, .rpc = -32602, .code = "VALIDATION_ERROR", .text = "Count is out of bounds"
};

struct in {
    const char *name, *plain, *chain, *amount;
    uint32_t slippage;
    uint64_t count;
    int64_t since_ms;
    struct param_text note, extra;
    const char *const *list;
};

static const struct param table[] = {
    { "name", P_TEXT, INTO(struct in, name), .required = true, .min = 1, .max = 4 },
    { "plain", P_TEXT, INTO(struct in, plain), .max = 4 },
    { "chain", P_TEXT, INTO(struct in, chain), .dflt = "ethereum" },
    { "amount", P_AMOUNT, INTO(struct in, amount), .bad = &E_AMOUNT },
    { "slippage", P_FRACTION, INTO(struct in, slippage), .number = 30000, .bad = &E_SLIPPAGE },
    { "count", P_WHOLE, INTO(struct in, count), .number = 20, .min = 2, .max = 100, .bad = &OWN_BAD },
    { "since", P_TIME, INTO(struct in, since_ms) },
    { "note", P_NULLABLE, INTO(struct in, note), .max = 4 },
    { "extra", P_OBJECT, INTO(struct in, extra), .max = 16 },
    { "list", P_TEXTS, INTO(struct in, list), .max = 2 },
    { 0 },
};

static struct arena *a;

/* Reads one object with a table; the faults' fields as sorted text, "" when there are none. */
static const char *read_with(const struct param *params, json_t *object, bool query, void *out,
                             const char **first)
{
    struct param_faults faults = { NULL, NULL };
    const char *fields = "";
    char *text;

    params_read(params, object, query, NULL, out, a, &faults);
    *first = faults.first != NULL ? faults.first->text : "";
    if (faults.fields != NULL) {
        text = json_dumps(faults.fields, JSON_COMPACT | JSON_SORT_KEYS);
        fields = arena_strdup(a, text);
        free(text);
    }
    params_faults_free(&faults);
    return fields;
}

static const char *read_json(const char *text, struct in *in, const char **first)
{
    json_t *object = json_loads(text, JSON_ALLOW_NUL, NULL);
    const char *fields;

    CHECK(object != NULL);
    *in = (struct in){ .name = NULL };
    fields = read_with(table, object, false, in, first);
    json_decref(object);
    return fields;
}

static void all_members_are_read(void)
{
    const char *first;
    struct in in;

    CHECK_STR(
        read_json(
            "{\"name\":\" bot\\n\",\"plain\":\" x \",\"chain\":\"base\",\"amount\":\"1.50\",\"slippage\":0.5,\"count\":2,\"since\":\"1970-01-01T00:00:07.5Z\",\"note\":\"hi\",\"extra\":{\"a\": [1, 2]},\"list\":[\"x\",\"y\"],\"unknown\":{\"b\":1}}",
            &in, &first),
        "");
    CHECK_STR(in.name, "bot");
    CHECK_STR(in.plain, " x ");
    CHECK_STR(in.chain, "base");
    CHECK_STR(in.amount, "1.50");
    CHECK(in.slippage == 500000 && in.count == 2 && in.since_ms == 7500);
    CHECK(in.note.given && in.extra.given);
    CHECK_STR(in.note.value, "hi");
    CHECK_STR(in.extra.value, "{\"a\":[1,2]}");
    CHECK_STR(in.list[0], "x");
    CHECK(in.list[1][0] == 'y' && in.list[2] == NULL);
}

static void absent_and_null_take_the_default(void)
{
    static const char *const bodies[] = {
        "{\"name\":\"bot\"}",
        "{\"name\":\"bot\",\"plain\":null,\"chain\":null,\"amount\":null,\"slippage\":null,\"count\":null,\"extra\":null}",
    };

    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const char *first;
        struct in in;

        CHECK_STR(read_json(bodies[i], &in, &first), "");
        CHECK_STR(in.chain, "ethereum");
        CHECK(in.plain == NULL && in.amount == NULL && in.slippage == 30000 && in.count == 20);
        CHECK(!in.note.given && !in.extra.given && in.list == NULL);
    }
}

static void null_has_a_meaning_where_it_says_so(void)
{
    const char *first;
    struct in in;

    CHECK_STR(read_json("{\"name\":\"bot\",\"note\":null}", &in, &first), "");
    CHECK(in.note.given && in.note.value == NULL);
    CHECK_STR(read_json("{\"name\":\"bot\",\"note\":\"\"}", &in, &first), "");
    CHECK_STR(in.note.value, "");
}

static void faults(void)
{
    static const struct {
        const char *body, *first, *fields;
    } rows[] = {
        { "{}", "name is required", "{\"name\":\"is required\"}" },
        { "{\"name\":\"b\",\"list\":[]}", "Validation failed",
          "{\"list\":\"must be a list of 1 to 2 strings\"}" },
        { "{\"name\":\"b\",\"list\":[\"1\",\"2\",\"3\"]}", "Validation failed",
          "{\"list\":\"must be a list of 1 to 2 strings\"}" },
        { "{\"name\":\"b\",\"list\":\"x\"}", "Validation failed",
          "{\"list\":\"must be a list of 1 to 2 strings\"}" },
        { "{\"name\":\"b\",\"list\":[\"x\",7]}", "Validation failed",
          "{\"list\":\"must hold strings that are not empty\"}" },
        { "{\"name\":\"b\",\"since\":\"2026-01-31\"}", "Validation failed",
          "{\"since\":\"must be a time of ISO 8601, such as 2026-01-31T23:59:59Z\"}" },
        { "{\"name\":\"b\",\"since\":7}", "Validation failed",
          "{\"since\":\"must be a time of ISO 8601, such as 2026-01-31T23:59:59Z\"}" },
        { "{\"name\":null}", "name is required", "{\"name\":\"is required\"}" },
        { "{\"name\":\"\"}", "name is required", "{\"name\":\"is required\"}" },
        { "{\"name\":\" \\t\\r\\n\"}", "name is required", "{\"name\":\"is required\"}" },
        { "{\"name\":7}", "Validation failed", "{\"name\":\"must be a string\"}" },
        { "{\"name\":[\"x\"]}", "Validation failed", "{\"name\":\"must be a string\"}" },
        { "{\"name\":true}", "Validation failed", "{\"name\":\"must be a string\"}" },
        { "{\"name\":\"a\\u0000b\"}", "Validation failed", "{\"name\":\"must not contain NUL\"}" },
        { "{\"name\":\"abcde\"}", "Validation failed", "{\"name\":\"must have at most 4 characters\"}" },
        { "{\"name\":\"a\",\"plain\":\"    x\"}", "Validation failed",
          "{\"plain\":\"must have at most 4 characters\"}" },
        { "{\"name\":\"a\",\"note\":5}", "Validation failed", "{\"note\":\"must be a string\"}" },
        { "{\"name\":\"a\",\"note\":\"abcde\"}", "Validation failed",
          "{\"note\":\"must have at most 4 characters\"}" },
        { "{\"name\":\"a\",\"extra\":\"{}\"}", "Validation failed", "{\"extra\":\"must be an object\"}" },
        { "{\"name\":\"a\",\"extra\":{\"a\":[1.7976931348623157e308]}}", "Validation failed",
          "{\"extra\":\"must not have a number out of range\"}" },
        { "{\"name\":\"a\",\"count\":1.7976931348623157e308}", "Count is out of bounds",
          "{\"count\":\"must be a whole number from 2 to 100\"}" },
        { "{\"name\":\"a\",\"slippage\":-1.7976931348623157e308}", "Slippage must be between 0 and 1",
          "{\"slippage\":\"must be a number between 0 and 1\"}" },
        { "{\"name\":\"a\",\"extra\":[]}", "Validation failed", "{\"extra\":\"must be an object\"}" },
        { "{\"name\":\"a\",\"extra\":{\"a\":\"1234567890\"}}", "Validation failed",
          "{\"extra\":\"must have at most 16 bytes\"}" },
        /* the first in the table's order names the error, all are told */
        { "{\"slippage\":2,\"amount\":1,\"name\":\"a\",\"count\":1}", "Amount must be a positive number",
          "{\"amount\":\"must be a string with a positive number in plain decimal digits\",\"count\":\"must be a whole number from 2 to 100\",\"slippage\":\"must be a number between 0 and 1\"}" },
        { "{\"slippage\":2,\"count\":-1}", "name is required",
          "{\"count\":\"must be a whole number from 2 to 100\",\"name\":\"is required\",\"slippage\":\"must be a number between 0 and 1\"}" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *first;
        struct in in;

        CHECK_STR(read_json(rows[i].body, &in, &first), rows[i].fields);
        CHECK_STR(first, rows[i].first);
    }
}

static void lengths_count_characters(void)
{
    const char *first;
    struct in in;

    CHECK_STR(read_json("{\"name\":\"  \\u00e4\\u20ac\\ud83d\\ude00x  \"}", &in, &first), "");
    CHECK_STR(in.name, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80x");
    CHECK_STR(read_json("{\"name\":\"\\u00e4\\u00e4\\u00e4\\u00e4\\u00e4\"}", &in, &first),
              "{\"name\":\"must have at most 4 characters\"}");
    CHECK_STR(read_json("{\"name\":\"a\",\"extra\":{\"a\":\"12345678\"}}", &in, &first), "");
}

static void an_own_error_for_an_absent_one(void)
{
    static const struct param own[] = {
        { "thing", P_TEXT, INTO(struct in, name), .required = true, .absent = &OWN_ABSENT, .bad = &OWN_BAD },
        { 0 },
    };
    static const struct {
        const char *body, *first;
    } rows[] = {
        { "{}", "Name the thing" },
        { "{\"thing\":\"\"}", "Name the thing" },
        { "{\"thing\":1}", "Count is out of bounds" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *object = json_loads(rows[i].body, 0, NULL);
        struct in in = { .name = NULL };
        const char *first;

        (void)read_with(own, object, false, &in, &first);
        CHECK_STR(first, rows[i].first);
        json_decref(object);
    }
}

static const char *no_spaces(const char *value, const void *env)
{
    return strchr(value, ' ') == NULL ? NULL : (const char *)env;
}

/* Values of a list, and checks of the caller's own, which see what the reader's caller handed over. */
static void checks_that_are_declared(void)
{
    static const char *const sides[] = { "buy", "sell", NULL };
    static const struct param own[] = {
        { "side", P_TEXT, INTO(struct in, name), .choices = sides, .bad = &OWN_BAD },
        { "kind", P_TEXT, INTO(struct in, name), .choices = sides, .any_case = true },
        { "word", P_TEXT, INTO(struct in, plain), .check = no_spaces },
        { "note", P_NULLABLE, INTO(struct in, note), .check = no_spaces },
        { 0 },
    };
    static const struct {
        const char *body, *first, *field, *what;
    } rows[] = {
        { "{\"side\":\"buy\",\"word\":\"a\",\"note\":\"b\"}", NULL, NULL, NULL },
        { "{\"side\":null,\"note\":null}", NULL, NULL, NULL },
        { "{\"kind\":\"BUY\"}", NULL, NULL, NULL },
        { "{\"kind\":\"buys\"}", "Validation failed", "kind", "must be one of buy, sell" },
        { "{\"side\":\"Buy\"}", "Count is out of bounds", "side", "must be one of buy, sell" },
        { "{\"side\":\"\"}", "Count is out of bounds", "side", "must be one of buy, sell" },
        { "{\"side\":[]}", "Count is out of bounds", "side", "must be a string" },
        { "{\"word\":\"a b\"}", "Validation failed", "word", "no blanks" },
        { "{\"note\":\"a b\"}", "Validation failed", "note", "no blanks" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *object = json_loads(rows[i].body, 0, NULL);
        struct param_faults got = { NULL, NULL };
        struct in in = { .name = NULL };

        params_read(own, object, false, "no blanks", &in, a, &got);
        CHECK((got.first == NULL) == (rows[i].first == NULL));
        CHECK(rows[i].first != NULL || in.name == NULL || strcmp(in.name, "buy") == 0);
        if (rows[i].first != NULL && got.first != NULL) {
            CHECK_STR(got.first->text, rows[i].first);
            CHECK_STR(json_string_value(json_object_get(got.fields, rows[i].field)), rows[i].what);
            CHECK(in.name == NULL && in.plain == NULL);
        }
        params_faults_free(&got);
        json_decref(object);
    }
}

static void amounts(void)
{
    static const struct {
        const char *json;
        bool ok;
    } rows[] = {
        { "\"1\"", true },        { "\"1.5\"", true },       { "\"007.50\"", true },
        { "\"0.000001\"", true }, { "\"1e3\"", false },      { "\"+1\"", false },
        { "\".5\"", false },      { "\"5.\"", false },       { "\"0\"", false },
        { "\"0.0\"", false },     { "\"-1\"", false },       { "\"\"", false },
        { "\" 1\"", false },      { "\"1 \"", false },       { "\"1.2.3\"", false },
        { "\"1,5\"", false },     { "\"0x10\"", false },     { "\"1\\u0000\"", false },
        { "\"NaN\"", false },     { "\"Infinity\"", false }, { "\"\\u0661\"", false },
        { "1", false },           { "1.5", false },          { "true", false },
        { "[\"1\"]", false },     { "\".\"", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *body = arena_printf(a, "{\"name\":\"a\",\"amount\":%s}", rows[i].json), *first;
        struct in in;

        (void)read_json(body, &in, &first);
        CHECK_STR(first, rows[i].ok ? "" : "Amount must be a positive number");
        CHECK((in.amount != NULL) == rows[i].ok);
    }
}

static void fractions(void)
{
    static const struct {
        const char *json;
        bool ok;
        uint32_t ppm;
    } rows[] = {
        { "0", true, 0 },         { "1", true, 1000000 },   { "0.03", true, 30000 },
        { "1.0", true, 1000000 }, { "3e-2", true, 30000 },  { "0.0000004", true, 0 },
        { "-0.0", true, 0 },      { "-0.01", false, 0 },    { "1.0000001", false, 0 },
        { "3", false, 0 },        { "\"0.03\"", false, 0 }, { "true", false, 0 },
        { "[0.03]", false, 0 },   { "1e300", false, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *body = arena_printf(a, "{\"name\":\"a\",\"slippage\":%s}", rows[i].json), *first;
        struct in in;

        (void)read_json(body, &in, &first);
        CHECK_STR(first, rows[i].ok ? "" : "Slippage must be between 0 and 1");
        CHECK(!rows[i].ok || in.slippage == rows[i].ppm);
    }
}

static void whole_numbers_in_json(void)
{
    static const struct {
        const char *json;
        bool ok;
    } rows[] = {
        { "2", true },    { "100", true },
        { "1", false },   { "101", false },
        { "-2", false },  { "5.0", false },
        { "5.5", false }, { "\"5\"", false },
        { "[5]", false }, { "9223372036854775807", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *body = arena_printf(a, "{\"name\":\"a\",\"count\":%s}", rows[i].json), *first;
        struct in in;

        (void)read_json(body, &in, &first);
        CHECK_STR(first, rows[i].ok ? "" : "Count is out of bounds");
    }
}

static void whole_numbers_in_a_query(void)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t n;
    } rows[] = {
        { "2", true, 2 },     { "100", true, 100 },
        { "007", true, 7 },   { "1", false, 0 },
        { "101", false, 0 },  { "", false, 0 },
        { "-5", false, 0 },   { "5.0", false, 0 },
        { "5x", false, 0 },   { "+5", false, 0 },
        { "0x5", false, 0 },  { "18446744073709551616", false, 0 },
        { "null", false, 0 }, { "18446744073709551621", false, 0 }, /* 5 after 2^64 */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *object = json_pack("{s:s, s:s}", "name", "a", "count", rows[i].text);
        struct in in = { .name = NULL };
        const char *first;

        (void)read_with(table, object, true, &in, &first);
        CHECK_STR(first, rows[i].ok ? "" : "Count is out of bounds");
        CHECK(!rows[i].ok || in.count == rows[i].n);
        json_decref(object);
    }
}

/* Two ways to say the same could say two things. */
static void members_that_exclude_others_stand_alone(void)
{
    struct said {
        const char *quote, *amount, *wallet;
    };
    static const char *const beside[] = { "wallet", NULL };
    static const struct param own[] = { { "quote", P_TEXT, INTO(struct said, quote), .beside = beside },
                                        { "amount", P_AMOUNT, INTO(struct said, amount) },
                                        { "wallet", P_TEXT, INTO(struct said, wallet) },
                                        { 0 } };
    static const struct {
        const char *json, *fields; /* NULL: no fault */
    } rows[] = {
        { "{\"quote\":\"q\",\"wallet\":\"w\"}", NULL },
        { "{\"amount\":\"1\",\"wallet\":\"w\"}", NULL },
        { "{\"quote\":null,\"amount\":\"1\"}", NULL },
        { "{\"quote\":\"q\",\"amount\":null}", NULL },
        { "{\"quote\":\"q\",\"amount\":\"1\"}",
          "{\"amount\":\"cannot be given with quote, which says it\"}" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *object = json_loads(rows[i].json, 0, NULL);
        struct param_faults got = { NULL, NULL };
        struct said in = { NULL, NULL, NULL };

        params_read(own, object, false, NULL, &in, a, &got);
        CHECK((got.first == NULL) == (rows[i].fields == NULL));
        if (got.fields != NULL && rows[i].fields != NULL)
            CHECK_STR(jw_text_of(a, got.fields, 0), rows[i].fields);
        params_faults_free(&got);
        json_decref(object);
    }
}

static void arguments_as_text_and_empty_ones(void)
{
    static const struct param inside[] = { { .name = "n", .kind = P_WHOLE, .max = 9 }, { 0 } };
    static const struct param *const insides[] = { inside, NULL };
    static const struct param params[] = {
        { .name = "name", .kind = P_TEXT, .required = true },
        { .name = "plain", .kind = P_TEXT },
        { .name = "amount", .kind = P_QUANTITY },
        { .name = "part", .kind = P_FRACTION },
        { .name = "count", .kind = P_WHOLE, .max = 100 },
        { .name = "flag", .kind = P_FLAG },
        { .name = "note", .kind = P_NULLABLE },
        { .name = "extra", .kind = P_OBJECT },
        { .name = "rule", .kind = P_OBJECT, .of = insides },
        { .name = "list", .kind = P_TEXTS },
        { 0 },
    };
    static const struct {
        const char *given, *meant;
    } rows[] = {
        { "{\"count\":\"5\",\"part\":\"0.5\",\"flag\":\"true\"}",
          "{\"count\":5,\"flag\":true,\"part\":0.5}" },
        { "{\"count\":5.0,\"flag\":\"False\"}", "{\"count\":5,\"flag\":false}" },
        { "{\"count\":\"5.0\"}", "{\"count\":5}" },
        { "{\"count\":5.5,\"flag\":\"1\",\"part\":\"half\"}",
          "{\"count\":5.5,\"flag\":\"1\",\"part\":\"half\"}" },
        { "{\"count\":9007199254740994.0}", "{\"count\":9007199254740994.0}" },
        { "{\"count\":-5.0}", "{\"count\":-5.0}" },
        { "{\"extra\":\"{\\\"a\\\":[1]}\",\"list\":\"[\\\"x\\\"]\"}",
          "{\"extra\":{\"a\":[1]},\"list\":[\"x\"]}" },
        { "{\"extra\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}", "{\"extra\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}" },
        { "{\"extra\":\"[1]\",\"list\":\"x\"}", "{\"extra\":\"[1]\",\"list\":[\"x\"]}" },
        { "{\"rule\":\"{\\\"n\\\":\\\"7\\\",\\\"m\\\":\\\"7\\\"}\"}", "{\"rule\":{\"m\":\"7\",\"n\":7}}" },
        { "{\"rule\":{\"n\":\"7\"}}", "{\"rule\":{\"n\":7}}" },
        { "{\"name\":\"\",\"plain\":\"\",\"amount\":\"\",\"note\":\"\",\"list\":[],\"rule\":\"\"}",
          "{\"name\":\"\"}" },
        { "{\"plain\":\"5\",\"amount\":\"5\",\"note\":\"{}\",\"other\":\"\"}",
          "{\"amount\":\"5\",\"note\":\"{}\",\"other\":\"\",\"plain\":\"5\"}" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *object = json_loads(rows[i].given, 0, NULL);
        char *text;

        params_unquote(params, object);
        text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
        CHECK_STR(text, rows[i].meant);
        free(text);
        json_decref(object);
    }
}

static void one_that_another_stands_for_is_not_required(void)
{
    static const struct param both[] = {
        { .name = "address_id", .kind = P_WHOLE, .needed = true, .unless = "to" },
        { .name = "to", .kind = P_TEXT },
        { 0 }
    };
    static const struct param alone[] = {
        { .name = "address_id", .kind = P_WHOLE, .needed = true, .unless = "to" }, { 0 }
    };
    static const struct param plain[] = { { .name = "symbols", .kind = P_TEXT, .needed = true }, { 0 } };

    CHECK(!param_is_required(both, both) && !param_is_required(both, both + 1));
    CHECK(param_is_required(alone, alone) && param_is_required(plain, plain));
}

static void a_fields_first_fault_stays(void)
{
    struct param_faults faults = { NULL, NULL };

    params_fault(&faults, &OWN_BAD, "x", "one");
    params_fault(&faults, &OWN_ABSENT, "x", "two");
    params_fault(&faults, &OWN_ABSENT, "y", "three");
    CHECK(faults.first == &OWN_BAD);
    CHECK_STR(json_string_value(json_object_get(faults.fields, "x")), "one");
    CHECK_STR(json_string_value(json_object_get(faults.fields, "y")), "three");
    params_faults_free(&faults);
    CHECK(faults.fields == NULL);
}

static void params_test_start(void)
{
    a = arena_new();
}

static void params_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(params_test_start), TEST(all_members_are_read), TEST(absent_and_null_take_the_default),
          TEST(null_has_a_meaning_where_it_says_so), TEST(faults), TEST(lengths_count_characters),
          TEST(an_own_error_for_an_absent_one), TEST(checks_that_are_declared), TEST(amounts),
          TEST(fractions), TEST(whole_numbers_in_json), TEST(whole_numbers_in_a_query),
          TEST(members_that_exclude_others_stand_alone), TEST(arguments_as_text_and_empty_ones),
          TEST(one_that_another_stands_for_is_not_required), TEST(a_fields_first_fault_stays),
          TEST(params_test_end))
