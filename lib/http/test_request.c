#include "base/test.h"
#include "http/request.c"

#include "base/buf.h"
#include "http/io_mem.h"

static struct arena *a;

/* Reads a request whose transport is freed afterwards: all but the headers must be copies. */
static void mem_read_request(struct request *rq, struct io_mem *io, const char *const *params,
                             const char *body, size_t n)
{
    io_mem_init(io, params, body, n);
    request_read(rq, a, &io->io);
    CHECK(io->read_at ==
          n); /* read to its end, or the next request on the connection would begin with the rest */
    io_mem_free(io);
}

static struct request with(const char *const *params)
{
    static struct io_mem io;
    struct request rq;

    mem_read_request(&rq, &io, params, NULL, 0);
    return rq;
}

static void paths_below_base_url(void)
{
    static const struct {
        const char *base_url, *uri, *want;
    } rows[] = {
        { "https://host/~bob/api", "REQUEST_URI=/~bob/api/v1/agent/me?x", "/v1/agent/me" },
        { "https://host/~bob/api/", "REQUEST_URI=/~bob/api/v1/agent/me", "/v1/agent/me" },
        { "https://host/~bob/api", "REQUEST_URI=/~bob/api", "/" },
        { "https://host/~bob/api", "REQUEST_URI=/~bob/api/", "/" },
        { "https://host/~bob/api", "REQUEST_URI=/~bob/apish/me", "/~bob/apish/me" },
        { "https://host/~bob/api", "REQUEST_URI=/v1/agent/me", "/v1/agent/me" },
        { "https://host/~bob/api", "REQUEST_URI=/~bo", "/~bo" },
        { "https://host/", "REQUEST_URI=/v1/agent/me", "/v1/agent/me" },
        { "https://host", "REQUEST_URI=/host/me", "/host/me" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const params[] = { "REQUEST_METHOD=GET", rows[i].uri, NULL };
        struct request rq = with(params);

        request_rebase(&rq, rows[i].base_url);
        CHECK_STR(rq.path, rows[i].want);
    }
}

static void truncated_bodies_are_refused(void)
{
    static const struct {
        const char *length;
        size_t came;
        int refused;
    } rows[] = {
        { "CONTENT_LENGTH=2", 2, 0 }, { "CONTENT_LENGTH=", 0, 0 },    { "CONTENT_LENGTH=0", 0, 0 },
        { "CONTENT_LENGTH=1", 2, 0 }, { "CONTENT_LENGTH=3", 2, 400 }, { "CONTENT_LENGTH=2", 0, 400 }
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const params[] = { "REQUEST_METHOD=POST", "REQUEST_URI=/", rows[i].length, NULL };
        struct io_mem io;
        struct request rq;

        mem_read_request(&rq, &io, params, "{}", rows[i].came);
        CHECK(rq.refused == rows[i].refused);
    }
}

static void http2_without_a_length_is_refused(void)
{
    static const char *const first[] = { "REDIRECT_STATUS=411", "SERVER_PROTOCOL=HTTP/1.1", NULL };
    static const char *const second[] = { "REDIRECT_STATUS=411", "SERVER_PROTOCOL=HTTP/2.0", NULL };
    struct request rq = with(first);

    CHECK(rq.refused == 0 && rq.method == POST);
    rq = with(second);
    CHECK(rq.refused == 411);
}

static void spellings_that_differ_are_known(void)
{
    static const char name[] = "HTTP_X_FORWARDED_FOR";
    static const char *const one[] = { "HTTP_X_FORWARDED_FOR=::1", NULL };
    static const char *const same[] = { "HTTP_X_FORWARDED_FOR=::1", "HTTP_X_FORWARDED_FOR=::1", NULL };
    static const char *const two[] = { "HTTP_X_FORWARDED_FOR=::1", "HTTP_X_FORWARDED_FOR_X=::3",
                                       "HTTP_X_FORWARDED_FOR=::2", NULL };
    struct io_mem io;
    struct request rq;

    mem_read_request(&rq, &io, one, NULL, 0);
    CHECK(!request_header_differs(&rq, name));
    mem_read_request(&rq, &io, same, NULL, 0);
    CHECK(!request_header_differs(&rq, name));
    mem_read_request(&rq, &io, two, NULL, 0);
    CHECK(request_header_differs(&rq, name) && !request_header_differs(&rq, "HTTP_X_FORWARDED_FOR_X"));
}

static void methods_paths_and_queries(void)
{
    static const struct {
        const char *method, *uri;
        enum method want;
        const char *path, *query;
    } rows[] = {
        { "REQUEST_METHOD=GET", "REQUEST_URI=/a/b", GET, "/a/b", "" },
        { "REQUEST_METHOD=POST", "REQUEST_URI=/a?x=1&y=2", POST, "/a", "x=1&y=2" },
        { "REQUEST_METHOD=PATCH", "REQUEST_URI=/a?", PATCH, "/a", "" },
        { "REQUEST_METHOD=DELETE", "REQUEST_URI=/a?b?c", DELETE, "/a", "b?c" },
        { "REQUEST_METHOD=HEAD", "REQUEST_URI=/%2e%2e/x", HEAD, "/%2e%2e/x", "" },
        { "REQUEST_METHOD=OPTIONS", "REQUEST_URI=*", OPTIONS, "*", "" },
        { "REQUEST_METHOD=PUT", "REQUEST_URI=/", OTHER_METHOD, "/", "" },
        { "REQUEST_METHOD=get", "REQUEST_URI=/", OTHER_METHOD, "/", "" },
        { "REQUEST_METHOD=", "REQUEST_URI=", OTHER_METHOD, "", "" },
        { "A=1", "B=1", OTHER_METHOD, "/", "" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *params[] = { rows[i].method, rows[i].uri, NULL };
        struct request rq = with(params);

        CHECK(rq.method == rows[i].want);
        CHECK_STR(rq.path, rows[i].path);
        CHECK_STR(rq.query, rows[i].query);
        CHECK(!rq.too_large && rq.body_len == 0 && rq.refused == 0);
        CHECK_STR(rq.body, "");
    }
    CHECK_STR(method_text(PATCH), "PATCH");
    CHECK_STR(method_text(OTHER_METHOD), "OTHER");
}

static void bodies_up_to_the_ceiling(void)
{
    static const struct {
        size_t n;
        bool too_large;
    } rows[] = { { 0, false },        { 1, false },           { 8191, false },        { 8193, false },
                 { MAX_BODY, false }, { MAX_BODY + 1, true }, { MAX_BODY * 40, true } };
    static const char *const params[] = { "REQUEST_METHOD=POST", "REQUEST_URI=/", NULL };
    char *bytes = calloc(1, MAX_BODY * 40);
    struct io_mem io;

    if (bytes == NULL)
        return;
    memset(bytes, 'x', MAX_BODY * 40);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct request rq;

        mem_read_request(&rq, &io, params, bytes, rows[i].n);
        CHECK(rq.too_large == rows[i].too_large);
        CHECK(rq.body_len == (rows[i].too_large ? 0 : rows[i].n));
        CHECK(strlen(rq.body) == rq.body_len);
    }
    free(bytes);
}

/* Every byte counts, a NUL too, and nothing beyond the length is read. */
static void bodies_may_have_any_byte(void)
{
    static const char *const params[] = { "REQUEST_METHOD=POST", NULL };
    char *bytes = calloc(1, MAX_BODY);
    const char *what;
    struct io_mem io;
    struct request rq;

    if (bytes == NULL)
        return;
    memset(bytes, '[', MAX_BODY);
    memcpy(bytes, "{\0\xff", 3);
    mem_read_request(&rq, &io, params, bytes, MAX_BODY);
    CHECK(rq.body_len == MAX_BODY && memcmp(rq.body, bytes, MAX_BODY) == 0 && rq.body[MAX_BODY] == '\0');
    CHECK(request_json(&rq, false, &what) == NULL && what != NULL);
    free(bytes);
}

static const char *nested(size_t depth, const char *open, const char *inside, const char *close)
{
    struct buf b = BUF_INIT(64 * 1024);
    const char *text;

    for (size_t i = 0; i < depth; i++)
        buf_adds(&b, open);
    buf_adds(&b, inside);
    for (size_t i = 0; i < depth; i++)
        buf_adds(&b, close);
    text = arena_strdup(a, buf_text(&b));
    buf_free(&b);
    return text;
}

#define MALFORMED "must be well-formed JSON"
#define TWICE     "must not have a key twice"
#define NO_OBJECT "must be a JSON object"
#define TOO_DEEP  "must not be nested deeper than 32"

struct json_row {
    const char *body;
    size_t n; /* 0: all of the text */
    const char *what;
};

static void check_json(const struct json_row *row)
{
    struct request rq = { .arena = a,
                          .body = row->body,
                          .body_len = row->n > 0 ? row->n : strlen(row->body) };
    const char *what = "?";
    json_t *v = request_json(&rq, false, &what);

    CHECK((v == NULL) == (row->what != NULL));
    if (row->what != NULL)
        CHECK_STR(what, row->what);
    else
        CHECK(json_is_object(v) && what == NULL);
    if ((v == NULL) != (row->what != NULL))
        fprintf(stderr, "%s\n", row->body);
    json_decref(v);
}

static const struct json_row json_rows[] = {
    { "", 0, NULL },
    { "{}", 0, NULL },
    { " \t\r\n{ } \n", 0, NULL },
    { "{\"a\":1}", 0, NULL },
    { "{\"a\":\"\\ud83d\\ude00 \\u00e4 \xc3\xa4\"}", 0, NULL },
    { "{\"a\":{\"b\":1},\"c\":{\"b\":1}}", 0, NULL },
    { "{\"a\":\"{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{[[[[\"}", 0, NULL },
    { "{\"a\":\"\\\"{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{[[[[\"}", 0, NULL },
    { "{\"a\":\"\\\\\",\"b\":\"{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{\"}", 0, NULL },
    { " ", 0, MALFORMED },
    { "{", 0, MALFORMED },
    { "}", 0, MALFORMED },
    { "{\"a\"}", 0, MALFORMED },
    { "{\"a\":}", 0, MALFORMED },
    { "{\"a\":1,}", 0, MALFORMED },
    { "{a:1}", 0, MALFORMED },
    { "{'a':1}", 0, MALFORMED },
    { "{\"a\":01}", 0, MALFORMED },
    { "{\"a\":+1}", 0, MALFORMED },
    { "{\"a\":.5}", 0, MALFORMED },
    { "{\"a\":NaN}", 0, MALFORMED },
    { "{\"a\":tru}", 0, MALFORMED },
    { "{\"a\":\"\t\"}", 0, MALFORMED },
    { "{\"a\":\"\\x\"}", 0, MALFORMED },
    { "{\"a\":\"", 0, MALFORMED },
    { "{\"a\":\"\\", 0, MALFORMED },
    { "{} {}", 0, MALFORMED },
    { "{}x", 0, MALFORMED },
    { "{}", 3, MALFORMED }, /* a NUL behind it */
    { "{\"a\":\"x\0y\"}", 11, MALFORMED },
    { "{\"a\":\"\\u0000\"}", 0, MALFORMED },
    { "{\"\\u0000\":1}", 0, MALFORMED },
    { "{\"a\":\"\\ud800\"}", 0, MALFORMED },
    { "{\"a\":\"\\udc00\"}", 0, MALFORMED },
    { "{\"a\":\"\\ud800\\ud800\"}", 0, MALFORMED },
    { "{\"a\":\"\xff\"}", 0, MALFORMED },
    { "{\"a\":\"\xc3\"}", 0, MALFORMED },
    { "{\"a\":\"\xc0\x80\"}", 0, MALFORMED },
    { "{\"a\":\"\xed\xa0\x80\"}", 0, MALFORMED },
    { "{\"a\":\"\xf4\x90\x80\x80\"}", 0, MALFORMED },
    { "\xef\xbb\xbf{}", 0, MALFORMED },
    { "{\"a\":1,\"a\":1}", 0, TWICE },
    { "{\"a\":1,\"\\u0061\":2}", 0, TWICE },
    { "{\"a\":{\"b\":1,\"b\":1}}", 0, TWICE },
    { "{\"a\":[{\"b\":1,\"b\":1}]}", 0, TWICE },
    { "{\"a\":9223372036854775807}", 0, NULL },
    { "{\"a\":9223372036854775808}", 0, NULL },
    { "{\"a\":-99999999999999999999}", 0, NULL },
    { "{\"a\":9223372036854775808,\"b\":{\"c\":1}}", 0, NULL },
    { "{\"a\":{\"b\":9223372036854775808}}", 0, NULL },
    { "{\"a\":9223372036854775808,\"a\":1}", 0, TWICE },
    { "{\"a\":9223372036854775808,}", 0, MALFORMED },
    { "[9223372036854775808]", 0, NO_OBJECT },
    { "{\"a\":1e400}", 0, NULL },
    { "[]", 0, NO_OBJECT },
    { "[{}]", 0, NO_OBJECT },
    { "\"a\"", 0, NO_OBJECT },
    { "1", 0, NO_OBJECT },
    { "null", 0, NO_OBJECT },
    { "true", 0, NO_OBJECT },
};

static void json_is_read_strictly(void)
{
    for (size_t i = 0; i < sizeof json_rows / sizeof json_rows[0]; i++)
        check_json(&json_rows[i]);
}

static void json_up_to_32_deep(void)
{
    const struct json_row rows[] = {
        { nested(31, "{\"a\":", "{}", "}"), 0, NULL },
        { nested(32, "{\"a\":", "{}", "}"), 0, TOO_DEEP },
        { arena_printf(a, "{\"a\":%s}", nested(31, "[", "", "]")), 0, NULL },
        { arena_printf(a, "{\"a\":%s}", nested(32, "[", "", "]")), 0, TOO_DEEP },
        /* side by side is not nested */
        { arena_printf(a, "{\"a\":[%s{}]}", nested(40, "{},", "", "")), 0, NULL },
        { arena_printf(a, "{\"x\\\"\":1,\"a\":%s}", nested(32, "[", "", "]")), 0, TOO_DEEP },
        { nested(5000, "[", "", "]"), 0, TOO_DEEP },
        { nested(5000, "{\"a\":", "1", ""), 0, TOO_DEEP },
        { nested(40, "]", "", "["), 0, MALFORMED },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_json(&rows[i]);
}

static void content_types(void)
{
    static const struct {
        const char *param;
        bool json;
    } rows[] = {
        { "X=1", true },
        { "CONTENT_TYPE=", true },
        { "CONTENT_TYPE=application/json", true },
        { "CONTENT_TYPE=Application/JSON", true },
        { "CONTENT_TYPE=application/json; charset=utf-8", true },
        { "CONTENT_TYPE=application/json;charset=utf-8", true },
        { "CONTENT_TYPE=application/json ; charset=utf-8", true },
        { "CONTENT_TYPE=application/jsonp", false },
        { "CONTENT_TYPE=application/jso", false },
        { "CONTENT_TYPE=application/x-www-form-urlencoded", false },
        { "CONTENT_TYPE=text/plain", false },
        { "CONTENT_TYPE=text/plain; application/json", false },
        { "CONTENT_TYPE=multipart/form-data; boundary=x", false },
        { "HTTP_CONTENT_ENCODING=gzip", false },
        { "HTTP_CONTENT_ENCODING=identity, gzip", false },
        { "HTTP_CONTENT_ENCODING=x", false },
        { "HTTP_CONTENT_ENCODING=Identity", true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *params[] = { rows[i].param, NULL };
        struct io_mem io;
        struct request rq;

        io_mem_init(&io, params, NULL, 0);
        request_read(&rq, a, &io.io);
        CHECK(request_is_json(&rq) == rows[i].json);
        io_mem_free(&io);
    }
}

static void bearer_tokens(void)
{
    static const struct {
        const char *param, *token; /* NULL: none */
    } rows[] = {
        { "HTTP_AUTHORIZATION=Bearer abc", "abc" },
        { "HTTP_AUTHORIZATION=bearer abc", "abc" },
        { "HTTP_AUTHORIZATION=BEARER abc", "abc" },
        { "HTTP_AUTHORIZATION=Bearer   abc", "abc" },
        { "HTTP_AUTHORIZATION=Bearer ", "" },
        { "HTTP_AUTHORIZATION=Bearer", NULL },
        { "HTTP_AUTHORIZATION=Bearerabc", NULL },
        { "HTTP_AUTHORIZATION=Basic YTpi", NULL },
        { "HTTP_AUTHORIZATION= Bearer abc", NULL },
        { "HTTP_AUTHORIZATION=abc", NULL },
        { "HTTP_AUTHORIZATION=", NULL },
        { "HTTP_AUTHORIZATION_X=Bearer abc", NULL },
        { "X=1", NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *params[] = { rows[i].param, NULL };
        struct io_mem io;
        struct request rq;
        const char *token;

        io_mem_init(&io, params, NULL, 0);
        request_read(&rq, a, &io.io);
        token = request_bearer(&rq);
        CHECK((token == NULL) == (rows[i].token == NULL));
        if (rows[i].token != NULL)
            CHECK_STR(token, rows[i].token);
        io_mem_free(&io);
    }
}

static void request_ids(void)
{
    char longest[32 + REQUEST_ID_MAX] = "HTTP_X_REQUEST_ID=", longer[33 + REQUEST_ID_MAX];
    const char *const sane[] = { "HTTP_X_REQUEST_ID=abc-DEF_1.2:3", longest };
    const char *const others[] = { "X=1",
                                   "HTTP_X_REQUEST_ID=",
                                   "HTTP_X_REQUEST_ID=a b",
                                   "HTTP_X_REQUEST_ID=a\r\nSet-Cookie: x",
                                   "HTTP_X_REQUEST_ID=a\"b",
                                   "HTTP_X_REQUEST_ID=<a>",
                                   "HTTP_X_REQUEST_ID=a%0a",
                                   "HTTP_X_REQUEST_ID=\xc3\xa4",
                                   longer };
    char first[REQUEST_ID_MAX + 1] = "";

    memset(longest + strlen(longest), 'x', REQUEST_ID_MAX);
    snprintf(longer, sizeof longer, "%sx", longest);
    for (size_t i = 0; i < sizeof sane / sizeof sane[0]; i++) {
        const char *params[] = { sane[i], NULL };
        struct request rq = with(params);

        CHECK_STR(rq.id, strchr(sane[i], '=') + 1);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const char *params[] = { others[i], NULL };
        struct request rq = with(params);
        struct uuid id;

        CHECK(uuid_parse(&id, rq.id));
        CHECK(strcmp(rq.id, first) != 0);
        memcpy(first, rq.id, sizeof first);
    }
}

/* The arrived part may look complete; it must not be carried out. */
static void a_body_that_breaks_off(void)
{
    static const char *const params[] = { "REQUEST_METHOD=POST", "REQUEST_URI=/v1/agent/register", NULL };
    struct io_mem io;
    struct request rq;

    io_mem_init(&io, params, "{\"name\":\"probe\"}", 16);
    io.io.broken = true;
    request_read(&rq, a, &io.io);
    CHECK(rq.refused == 400);
    io_mem_free(&io);
}

static void refusals_of_the_web_server_are_recognised(void)
{
    static const struct {
        const char *status;
        enum method method;
        int refused;
    } rows[] = {
        { "REDIRECT_STATUS=", GET, 0 },
        { "REDIRECT_STATUS=200", GET, 0 },
        { "REDIRECT_STATUS=302", GET, 0 },
        { "REDIRECT_STATUS=399", GET, 0 },
        { "REDIRECT_STATUS=400", GET, 400 },
        { "REDIRECT_STATUS=403", GET, 0 }, /* a document without a file is ours to answer */
        { "REDIRECT_STATUS=404", GET, 0 },
        { "REDIRECT_STATUS=413", GET, 413 },
        { "REDIRECT_STATUS=503", GET, 503 },
        { "REDIRECT_STATUS=600", GET, 0 },
        { "REDIRECT_STATUS=-400", GET, 0 },
        { "REDIRECT_STATUS=99999999999999999999", GET, 0 },
        { "REDIRECT_STATUS=x", GET, 0 },
        { "REDIRECT_STATUS=405", OTHER_METHOD, 0 },
        { "REDIRECT_STATUS=501", GET, 501 },
        { "REDIRECT_STATUS=411", POST, 0 },     /* a POST without a body needs no length */
        { "HTTP_REDIRECT_STATUS=404", GET, 0 }, /* a header of the client's does not count */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *params[] = { "REQUEST_METHOD=GET", rows[i].status, NULL };
        struct request rq = with(params);

        CHECK(rq.method == rows[i].method);
        CHECK(rq.refused == rows[i].refused);
    }
}

static void request_test_start(void)
{
    a = arena_new();
}

static void request_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(request_test_start), TEST(truncated_bodies_are_refused),
          TEST(http2_without_a_length_is_refused), TEST(spellings_that_differ_are_known),
          TEST(methods_paths_and_queries), TEST(paths_below_base_url), TEST(bodies_up_to_the_ceiling),
          TEST(bodies_may_have_any_byte), TEST(json_is_read_strictly), TEST(json_up_to_32_deep),
          TEST(content_types), TEST(bearer_tokens), TEST(request_ids), TEST(a_body_that_breaks_off),
          TEST(refusals_of_the_web_server_are_recognised), TEST(request_test_end))
