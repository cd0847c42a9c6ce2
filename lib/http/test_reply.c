#include "base/test.h"
#include "http/reply.c"

#include "http/io_mem.h"

static struct arena *a;
static struct io_mem io;

static struct request request_of(enum method method)
{
    struct request rq = { .arena = a, .io = &io.io, .method = method, .id = "id-1" };

    io_mem_free(&io);
    io_mem_init(&io, NULL, NULL, 0);
    return rq;
}

static const char *body_of(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");

    return end == NULL ? "no end of the headers" : end + 4;
}

/* The value of the header of that name, which must be there once. */
static const char *header_of(const char *answer, const char *name)
{
    const char *found = NULL;
    size_t n = strlen(name);

    for (const char *line = answer; *line != '\r' && *line != '\0'; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, name, n) != 0 || line[n] != ':')
            continue;
        CHECK(found == NULL);
        found = arena_strndup(a, line + n + 2, strcspn(line + n + 2, "\r\n"));
    }
    return found;
}

static const char *sent(struct request *rq, struct reply *rp)
{
    const char *answer;
    unsigned returns = 0, ends = 0;

    reply_send(rq, rp);
    answer = buf_text(&io.out);
    for (const char *p = answer; p < body_of(answer); p++) {
        returns += *p == '\r';
        ends += p[0] == '\n' && p > answer && p[-1] == '\r';
    }
    CHECK(returns > 0 && returns == ends); /* lines end with both, and with nothing else */
    return answer;
}

static void success_comes_first(void)
{
    struct request rq = request_of(GET);
    struct json_writer *w = reply_open(&rq, 200);
    const char *answer;

    jw_string(w, "status", "ok");
    answer = sent(&rq, reply_close(w));
    CHECK(strncmp(answer, "Status: 200 OK\r\n", 16) == 0);
    CHECK_STR(body_of(answer), "{\"success\":true,\"status\":\"ok\"}");
    CHECK_STR(header_of(answer, "Content-Type"), "application/json");
    CHECK_STR(header_of(answer, "Content-Length"), "30");
    CHECK_STR(header_of(answer, "X-Request-Id"), "id-1");
    CHECK_STR(header_of(answer, "Cache-Control"), "no-store");
    CHECK_STR(header_of(answer, "X-Content-Type-Options"), "nosniff");
    CHECK_STR(header_of(answer, "Access-Control-Allow-Origin"), "*");
    CHECK(header_of(answer, "Access-Control-Allow-Credentials") == NULL);

    rq = request_of(GET);
    w = reply_open(&rq, 503);
    jw_string(w, "status", "not ready");
    answer = sent(&rq, reply_close(w));
    CHECK(strncmp(answer, "Status: 503 Service Unavailable\r\n", 33) == 0);
    CHECK_STR(body_of(answer), "{\"success\":false,\"status\":\"not ready\"}");
}

static void errors_in_the_envelope(void)
{
    struct request rq = request_of(POST);
    const char *answer = sent(&rq, reply_err(&rq, &E_WALLET_NOT_FOUND));
    struct json_writer *w;

    CHECK(strncmp(answer, "Status: 404 Not Found\r\n", 23) == 0);
    CHECK_STR(
        body_of(answer),
        "{\"success\":false,\"error\":\"No managed wallet found\",\"error_code\":\"WALLET_NOT_FOUND\",\"hint\":\"POST /wallets creates one; fund it before you execute\",\"request_id\":\"id-1\"}");
    CHECK(header_of(answer, "WWW-Authenticate") == NULL);

    rq = request_of(POST);
    w = reply_err_open(&rq, &E_SWAP_NOT_FOUND, NULL);
    jw_integer(w, "swap_id", 7);
    answer = sent(&rq, reply_close(w));
    CHECK_STR(
        body_of(answer),
        "{\"success\":false,\"error\":\"Swap not found\",\"error_code\":\"SWAP_NOT_FOUND\",\"swap_id\":7,\"request_id\":\"id-1\"}");

    rq = request_of(GET);
    answer = sent(&rq, reply_err(&rq, &E_UNAUTHORIZED));
    CHECK_STR(header_of(answer, "WWW-Authenticate"), "Bearer realm=\"agent-gateway\"");
}

/* Statuses without a text of their own would be a hole in the table. */
static void every_error_has_a_reason(void)
{
#define X(name, status, rpc, code, text, hint)                                                               \
    CHECK(status_reason(status)[0] != '\0');                                                                 \
    CHECK((code)[strspn(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0');
    ERR_LIST(X)
#undef X
}

static void head_gets_no_body(void)
{
    struct request rq = request_of(HEAD);
    const char *answer = sent(&rq, reply_close(reply_open(&rq, 200)));

    CHECK_STR(body_of(answer), "");
    CHECK_STR(header_of(answer, "Content-Length"), "16"); /* as a GET would have */
}

static void empty_and_fixed_ones(void)
{
    static const struct document document = {
        .max_age_s = 300, .content_type = "text/plain", .body = "a\0b", .len = 3
    };
    struct request rq = request_of(OPTIONS);
    struct reply *rp = reply_empty(&rq, 204);
    const char *answer;

    reply_header(rp, "Allow: GET");
    CHECK(reply_status(rp) == 204);
    answer = sent(&rq, rp);
    CHECK(strncmp(answer, "Status: 204 No Content\r\n", 24) == 0);
    CHECK_STR(body_of(answer), "");
    CHECK(header_of(answer, "Content-Type") == NULL && header_of(answer, "Content-Length") == NULL);
    CHECK_STR(header_of(answer, "Allow"), "GET");

    rq = request_of(GET);
    answer = sent(&rq, reply_document(&rq, &document));
    CHECK_STR(header_of(answer, "Cache-Control"), "public, max-age=300");
    CHECK_STR(header_of(answer, "Content-Length"), "3");
    CHECK(io.out.len > 3 && memcmp(io.out.data + io.out.len - 3, "a\0b", 3) == 0);
}

/* A client's text comes back inside of JSON: line ends are replaced, quotes escaped. */
static void texts_of_clients_stay_inside(void)
{
    struct request rq = request_of(GET);
    const struct err *e = err_fmt(a, &E_CHAIN_UNKNOWN, "x\r\nSet-Cookie: a=b\r\n\r\n\"</script>", NULL);
    const char *answer = sent(&rq, reply_err(&rq, e));

    CHECK(header_of(answer, "Set-Cookie") == NULL);
    CHECK(strstr(body_of(answer), "x\xef\xbf\xbd\xef\xbf\xbdSet-Cookie: a=b\xef\xbf\xbd") != NULL);
    CHECK(strstr(body_of(answer), "\\\"</script>") != NULL);
    CHECK(strchr(body_of(answer), '\n') == NULL);
}

static void no_json_is_no_reply(void)
{
    struct request rq = request_of(GET);

    struct json_writer *w = reply_open(&rq, 200);
    struct err bad = E_GAS;
    struct reply *rp;

    jw_string(w, "text", "\xff");
    CHECK(reply_close(w) == NULL);
    bad.text = "\xff"; /* what is said instead needs no such text */
    rp = reply_err(&rq, &bad);
    CHECK(reply_status(rp) == 500 && err_is(reply_error(rp), &E_INTERNAL));
    CHECK_STR(reply_text(rp), reply_text(reply_err(&rq, &E_INTERNAL)));
}

static void answers_are_values_too_when_asked_for(void)
{
    static const struct document list = { .content_type = "application/json", .body = "[1]", .len = 3 };
    struct request rq = request_of(POST);
    const struct err *e = err_hint(a, &E_GAS, "Fund it");
    struct json_writer *w;
    struct reply *rp;

    CHECK(json_is_false(json_object_get(reply_value(reply_err(&rq, e)), "success"))); /* it is parsed */
    rq.values = true;
    rp = reply_err(&rq, e);
    CHECK(!reply_succeeds(rp) && reply_error(rp) == e);
    CHECK_STR(json_string_value(json_object_get(reply_value(rp), "hint")), "Fund it");

    w = reply_open(&rq, 201);
    jw_real(w, "x", 0.1);
    rp = reply_close(w);
    CHECK(reply_succeeds(rp) && reply_error(rp) == NULL && json_object_size(reply_value(rp)) == 2);
    CHECK_STR(reply_text(rp), "{\"success\":true,\"x\":0.1}");
    CHECK(reply_text(rp) == reply_text(rp));
    CHECK_STR(body_of(sent(&rq, rp)), reply_text(rp));

    rp = reply_recorded(&rq, 200, "{\"success\":true,\"y\":2}");
    CHECK(json_integer_value(json_object_get(reply_value(rp), "y")) == 2);
    CHECK_STR(reply_text(rp), "{\"success\":true,\"y\":2}");

    rq = request_of(POST);
    rp = reply_empty(&rq, 204);
    CHECK(json_is_true(json_object_get(reply_value(rp), "success")));
    CHECK_STR(reply_text(rp), "{\"success\":true}");
    CHECK_STR(body_of(sent(&rq, rp)), "");

    CHECK(reply_value(reply_as(&rq, "text/plain", "{}")) == NULL);
    CHECK(json_array_size(reply_value(reply_document(&rq, &list))) == 1);
}

static void headers_have_a_ceiling(void)
{
    struct request rq = request_of(GET);
    struct reply *rp = reply_close(reply_open(&rq, 200));

    for (int i = 0; i < 100; i++)
        reply_header(rp, arena_printf(a, "X-%d: y", i));
    CHECK_STR(header_of(sent(&rq, rp), "X-0"), "y");
    CHECK_STR(body_of(buf_text(&io.out)), "{\"success\":true}");
}

static void reply_test_start(void)
{
    a = arena_new();
}

static void reply_test_end(void)
{
    io_mem_free(&io);
    arena_free(a);
}

TEST_MAIN(TEST(reply_test_start), TEST(success_comes_first), TEST(errors_in_the_envelope),
          TEST(every_error_has_a_reason), TEST(head_gets_no_body), TEST(empty_and_fixed_ones),
          TEST(texts_of_clients_stay_inside), TEST(no_json_is_no_reply),
          TEST(answers_are_values_too_when_asked_for), TEST(headers_have_a_ceiling), TEST(reply_test_end))
