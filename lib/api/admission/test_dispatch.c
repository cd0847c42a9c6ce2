#include "api/admission/dispatch.c"
#include "base/test.h"

#include <jansson.h>

#include "base/buf.h"
#include "http/io_mem.h"
#include "model/amount.h"
#include "service/conf.h"

/* There is no database, signer or net: code that touched them would crash, so every answer here does
 * without. */
static struct conf conf;
static struct ctx ctx = { .conf = &conf };
static struct arena *a;

static const char KEY[] = "svc_sk_0123456789012345678901234567890123456789012";

struct answer {
    int status;
    const char *head; /* the header lines */
    const char *body;
};

static const char *body_start(const char *out)
{
    const char *end = strstr(out, "\r\n\r\n");

    return end == NULL ? "" : end + 4;
}

/* `headers`: further "NAME=value", up to three, NULL behind two; NULL: none. */
static struct answer ask_with(const char *method, const char *uri, const char *const *headers,
                              const char *body, size_t n)
{
    const char *params[] = { arena_printf(a, "REQUEST_METHOD=%s", method),
                             arena_printf(a, "REQUEST_URI=%s", uri),
                             headers != NULL ? headers[0] : NULL,
                             headers != NULL && headers[0] != NULL ? headers[1] : NULL,
                             headers != NULL && headers[0] != NULL && headers[1] != NULL ? headers[2] : NULL,
                             NULL };
    struct io_mem io;
    struct request rq;
    struct answer answer;

    io_mem_init(&io, params, body, n);
    request_read(&rq, a, &io.io);
    reply_send(&rq, dispatch(&ctx, &rq));
    answer.head = arena_strdup(a, buf_text(&io.out));
    io_mem_free(&io);
    answer.body = body_start(answer.head);
    CHECK(strncmp(answer.head, "Status: ", 8) == 0);
    answer.status = (int)strtol(answer.head + 8, NULL, 10);
    return answer;
}

static struct answer ask_for(const char *method, const char *uri)
{
    return ask_with(method, uri, NULL, NULL, 0);
}

static struct answer post(const char *uri, const char *body)
{
    return ask_with("POST", uri, NULL, body, strlen(body));
}

/* A text member of the answer; "" when it has none. */
static const char *member(struct answer answer, const char *name)
{
    json_t *o = json_loads(answer.body, 0, NULL);
    const char *text = json_string_value(json_object_get(o, name));
    char *copy = arena_strdup(a, text != NULL ? text : "");

    json_decref(o);
    return copy;
}

static const char *field(struct answer answer, const char *name)
{
    json_t *o = json_loads(answer.body, 0, NULL);
    const char *text = json_string_value(json_object_get(json_object_get(o, "fields"), name));
    char *copy = arena_strdup(a, text != NULL ? text : "");

    json_decref(o);
    return copy;
}

static bool has_line(struct answer answer, const char *line)
{
    return strstr(answer.head, arena_printf(a, "\r\n%s\r\n", line)) != NULL;
}

/* ---- the table ---- */

static const char *example_path(const struct endpoint *ep)
{
    size_t fixed = strcspn(ep->path, "{");

    if (ep->path[fixed] == '\0')
        return ep->path;
    return arena_printf(a, "%.*s7%s", (int)fixed, ep->path, strchr(ep->path, '}') + 1);
}

static size_t size_of_kind(enum param_kind k)
{
    switch (k) {
    case P_TEXT:
    case P_AMOUNT:
    case P_QUANTITY:
    case P_DECIMAL:
        return sizeof(const char *);
    case P_FRACTION:
        return sizeof(uint32_t);
    case P_WHOLE:
        return sizeof(uint64_t);
    case P_TIME:
        return sizeof(int64_t);
    case P_FLAG:
        return sizeof(bool);
    case P_NULLABLE:
    case P_OBJECT:
        return sizeof(struct param_text);
    case P_TEXTS:
        return sizeof(const char *const *);
    }
    return 0;
}

static void params_are_sound(const struct endpoint *ep)
{
    for (const struct param *p = ep->params; p->name != NULL; p++) {
        CHECK(p->name[0] != '\0' && p->about != NULL && p->about[0] != '\0');
        CHECK(size_of_kind(p->kind) > 0 && (p->aside ? p->kind == P_WHOLE && p->at == ep->size
                                                     : p->at + size_of_kind(p->kind) <= ep->size));
        CHECK(p->bad == NULL || p->bad->status == 400);
        CHECK(p->kind != P_WHOLE || p->number == 0 || (p->min <= p->number && p->number <= p->max));
        CHECK(p->kind != P_FRACTION || p->number <= PPM_ONE || p->number == PPM_NONE);
        CHECK((p->kind != P_OBJECT && p->kind != P_TEXTS) || p->max > 0);
        CHECK(!p->required || p->dflt == NULL);
        CHECK(ep->method != GET ||
              (p->kind != P_NULLABLE && p->kind != P_OBJECT && p->kind != P_FRACTION && p->kind != P_FLAG));
        for (const struct param *q = p + 1; q->name != NULL; q++) {
            CHECK(strcmp(p->name, q->name) != 0);
            CHECK(p->at + size_of_kind(p->kind) <= q->at || q->at + size_of_kind(q->kind) <= p->at);
        }
    }
}

/* What is begun is shown by another row, which runs again when a wait is over: work that waited is not done
 * again. */
static void begins_is_sound(const struct endpoint *ep)
{
    const struct endpoint *shown;

    if (ep->begins.execution == NULL)
        return;
    CHECK((ep->method == GET) == (ep->begins.kind == 0) &&
          (ep->begins.kind == 0) == (ep->begins.shown == NULL));
    shown = ep->begins.shown == NULL ? ep : endpoints_find(GET, ep->begins.shown);
    CHECK(shown != NULL && shown->method == GET && shown->begins.execution != NULL);
    CHECK(shown->answer == ep->answer || shown->answer == ep->or_answer);
    CHECK(endpoint_wait_param(ep) != NULL && endpoint_wait_param(shown) != NULL);
}

static void rows_are_sound(void)
{
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;

        CHECK(ep->method == GET || ep->method == POST || ep->method == PATCH || ep->method == DELETE);
        CHECK(ep->path[0] == '/' && ep->handler != NULL && ep->summary != NULL);
        CHECK(ep->internal != NULL && ep->internal->status == 500);
        CHECK(ep->auth == AUTH_NONE || ep->denied != NULL);
        CHECK(ep->denied == NULL || ep->denied->status == 401);
        CHECK((ep->params == NULL) == (ep->size == 0));
        if (ep->params != NULL)
            params_are_sound(ep);
        begins_is_sound(ep);
        for (const struct endpoint *const *other = endpoints_all(); other < each; other++) {
            CHECK(ep->method != (*other)->method || strcmp(ep->path, (*other)->path) != 0);
            CHECK(ep->tool == NULL || (*other)->tool == NULL || strcmp(ep->tool, (*other)->tool) != 0);
        }
    }
}

static void every_row_is_found(void)
{
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        struct request rq = { .arena = a, .method = ep->method, .path = example_path(ep) };
        struct api_call c = api_call_of(&ctx, &rq);
        struct route r = route_find(&c);

        CHECK(r.row == ep && (r.allowed & ep->method) != 0);
        CHECK(r.operators == (endpoint_audience(ep) == FOR_OPERATOR));
        CHECK(r.guarded == (strcmp(ep->path, "/mcp") == 0 || r.operators));
        CHECK((c.captured != NULL) == (strchr(ep->path, '{') != NULL));
    }
}

/* ---- path and method ---- */

static void paths_that_are_not_there(void)
{
    static const char *const paths[] = {
        "",
        "*",
        "/v1",
        "/v1/agent",
        "/v1/agent/",
        "/v1/agent/chain",
        "/v1/agent/chains/",
        "/v1/agent/chainsx",
        "/v1/agent/chains/x",
        "//v1/agent/chains",
        "/v1//agent/chains",
        "/V1/agent/chains",
        "/v1/agent/%63hains",
        "/v1/agent/chains%00",
        "/v1/agent/./chains",
        "/v1/agent/x/../chains",
        "/v1/agent/swap/status",
        "/v1/agent/swap/status/",
        "/v1/agent/swap/status/1/",
        "/v1/agent/swap/status/1/2",
        "http://127.0.0.1/v1/agent/chains",
    };

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct answer answer = ask_for("GET", paths[i]);

        CHECK(answer.status == 404);
        CHECK_STR(member(answer, "error"), "Not found");
        CHECK_STR(member(answer, "error_code"), "NOT_FOUND");
        CHECK(ask_for("POST", paths[i]).status == 404 && ask_for("PUT", paths[i]).status == 404);
    }
}

static void ids_that_are_paths(void)
{
    static const char *const paths[][2] = {
        { V1 "/swap/status/..", "Swap not found" },
        { V1 "/swap/status/%2e%2E", "Swap not found" },
        { V1 "/swap/status/.", "Swap not found" },
        { V1 "/swap/status/1%2f..%2f2", "Swap not found" },
        { V1 "/predict/market/..%2F..%2fme", "Market not found" },
        { V1 "/perps/market/a%5Cb", "Market not found" },
    };

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct answer answer = ask_for("GET", paths[i][0]);

        CHECK(answer.status == 404);
        CHECK_STR(member(answer, "error"), paths[i][1]);
        ctx.never_waits = true;
        CHECK(ask_for("GET", paths[i][0]).status == 404);
        ctx.never_waits = false;
    }
}

static void methods_that_a_path_does_not_have(void)
{
    static const struct {
        const char *method, *path, *allow;
    } rows[] = {
        { "POST", "/v1/agent/chains", "Allow: GET, HEAD, OPTIONS" },
        { "GET", "/v1/agent/quote", "Allow: POST, OPTIONS" },
        { "HEAD", "/v1/agent/quote", "Allow: POST, OPTIONS" },
        { "DELETE", "/v1/agent/wallets", "Allow: GET, POST, HEAD, OPTIONS" },
        { "PUT", "/v1/agent/wallets", "Allow: GET, POST, HEAD, OPTIONS" },
        { "post", "/v1/agent/register", "Allow: POST, OPTIONS" },
        { "TRACE", "/v1/agent/swap/status/7", "Allow: GET, HEAD, OPTIONS" },
        { "PATCH", "/healthz", "Allow: GET, HEAD, OPTIONS" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct answer answer = ask_for(rows[i].method, rows[i].path);

        CHECK(answer.status == 405 && has_line(answer, rows[i].allow));
        if (strcmp(rows[i].method, "HEAD") != 0)
            CHECK_STR(member(answer, "error"), "Method not allowed");
    }
}

static void options_for_browsers(void)
{
    static const char *const preflight[] = { "HTTP_ORIGIN=https://app.example",
                                             "HTTP_ACCESS_CONTROL_REQUEST_METHOD=PATCH", NULL };
    struct answer answer = ask_with("OPTIONS", "/v1/agent/me", preflight, NULL, 0);

    CHECK(answer.status == 204 && *answer.body == '\0');
    CHECK(has_line(answer, "Allow: GET, PATCH, DELETE, HEAD, OPTIONS"));
    CHECK(has_line(answer, "Access-Control-Allow-Methods: GET, PATCH, DELETE, HEAD, OPTIONS"));
    CHECK(has_line(answer, "Access-Control-Allow-Origin: *"));
    CHECK(strstr(answer.head, "\r\nAccess-Control-Allow-Headers: Authorization, Content-Type") != NULL);
    CHECK(strstr(answer.head, "Access-Control-Allow-Credentials") == NULL);
}

/* ---- calls without a key ---- */

static void public_endpoints(void)
{
    struct answer answer = ask_for("GET", "/healthz");

    CHECK(answer.status == 200);
    CHECK_STR(answer.body, "{\"success\":true,\"status\":\"ok\"}");
    CHECK(ask_for("HEAD", "/healthz").status == 200 && *ask_for("HEAD", "/healthz").body == '\0');
    CHECK(ask_for("GET", "/healthz?x=1").status == 200);
}

static void registrations_that_are_refused(void)
{
    static const struct {
        const char *body, *error, *field, *what;
    } rows[] = {
        { "", "name is required", "name", "is required" },
        { "{}", "name is required", "name", "is required" },
        { "{\"name\":\"  \"}", "name is required", "name", "is required" },
        { "{\"name\":1}", "Validation failed", "name", "must be a string" },
        { "{\"name\":\"a\",\"metadata\":[]}", "Validation failed", "metadata", "must be an object" },
        { "{\"name\":\"a\"", "Validation failed", "_root", "must be well-formed JSON" },
        { "[]", "Validation failed", "_root", "must be a JSON object" },
        { "{\"name\":\"a\",\"name\":\"b\"}", "Validation failed", "_root", "must not have a key twice" },
    };
    struct answer answer;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        answer = post("/v1/agent/register", rows[i].body);
        CHECK(answer.status == 400);
        CHECK_STR(member(answer, "error"), rows[i].error);
        CHECK_STR(member(answer, "error_code"), "VALIDATION_ERROR");
        CHECK_STR(field(answer, rows[i].field), rows[i].what);
    }
    answer = post("/v1/agent/register", "{\"name\":\"a\",\"callback_url\":\"http://127.0.0.1/\"}");
    CHECK(answer.status == 400 && *field(answer, "callback_url") != '\0');
}

/* ---- keys ---- */

static void without_a_good_key(void)
{
    static const char *const headers[][2] = {
        { NULL, NULL },
        { "HTTP_AUTHORIZATION=", NULL },
        { "HTTP_AUTHORIZATION=Bearer", NULL },
        { "HTTP_AUTHORIZATION=Bearer ", NULL },
        { "HTTP_AUTHORIZATION=Bearer x", NULL },
        { "HTTP_AUTHORIZATION=Basic YTpi", NULL },
        { "HTTP_AUTHORIZATION=svc_sk_0123456789012345678901234567890123456789012", NULL },
        { "HTTP_AUTHORIZATION=Bearer sk_01234567890123456789012345678901234567890123456789", NULL },
        { "HTTP_AUTHORIZATION=Bearer svc_sk_0123456789012345678901234567890123456789' OR '1'='1", NULL },
        { "HTTP_X_API_KEY=svc_sk_0123456789012345678901234567890123456789012", NULL },
    };

    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;

        if (ep->auth == AUTH_NONE || ep->auth == AUTH_OPERATOR)
            continue;
        for (size_t j = 0; j < sizeof headers / sizeof headers[0]; j++) {
            struct answer answer = ask_with(method_text(ep->method), example_path(ep), headers[j], "{}",
                                            ep->method == GET ? 0 : 2);

            CHECK(answer.status == 401);
            CHECK(has_line(answer,
                           headers[j][0] != NULL && strncmp(headers[j][0], "HTTP_AUTHORIZATION=", 19) == 0 &&
                                   headers[j][0][19] != '\0'
                               ? "WWW-Authenticate: Bearer realm=\"agent-gateway\", error=\"invalid_token\""
                               : "WWW-Authenticate: Bearer realm=\"agent-gateway\""));
            if (ep->flags & ENVELOPE) {
                CHECK(strstr(answer.body, "\"code\":-31401") != NULL);
                continue;
            }
            CHECK_STR(member(answer, "error"), ep->denied->text);
            CHECK_STR(member(answer, "error_code"), "INVALID_API_KEY");
        }
    }
}

/* A key in the query or in the body does not count, and appears in no answer. */
static void keys_in_the_wrong_place(void)
{
    struct answer answer = ask_for("GET", arena_printf(a, "/v1/agent/me?api_key=%s", KEY));

    CHECK(answer.status == 401 && strstr(answer.head, KEY) == NULL);
    answer = post("/v1/agent/quote", arena_printf(a, "{\"api_key\":\"%s\"}", KEY));
    CHECK(answer.status == 401 && strstr(answer.head, KEY) == NULL);
}

/* ---- the order of checks ---- */

static void checks_run_in_order(void)
{
    static const char *const text[] = { "CONTENT_TYPE=text/plain", NULL };
    static const char *const json[] = { "CONTENT_TYPE=application/json", NULL };
    char *large = calloc(1, MAX_BODY + 1);
    struct answer answer;

    if (large == NULL)
        return;
    memset(large, 'x', MAX_BODY + 1);

    /* path and method before everything */
    CHECK(ask_with("POST", "/v1/agent/none", text, large, MAX_BODY + 1).status == 404);
    CHECK(ask_with("POST", "/v1/agent/me", text, large, MAX_BODY + 1).status == 405);
    /* then size, type, key, body */
    answer = ask_with("POST", "/v1/agent/quote", text, large, MAX_BODY + 1);
    CHECK(answer.status == 413);
    CHECK_STR(member(answer, "error_code"), "PAYLOAD_TOO_LARGE");
    CHECK(ask_with("GET", "/v1/agent/me", json, large, MAX_BODY + 1).status == 413);
    answer = ask_with("POST", "/v1/agent/quote", text, large, MAX_BODY);
    CHECK(answer.status == 415);
    CHECK_STR(member(answer, "error_code"), "UNSUPPORTED_MEDIA_TYPE");
    CHECK(ask_with("POST", "/v1/agent/quote", json, large, MAX_BODY).status == 401);
    CHECK(ask_with("POST", "/v1/agent/quote", NULL, large, MAX_BODY).status == 401);
    answer = ask_with("POST", "/v1/agent/register", json, large, MAX_BODY);
    CHECK(answer.status == 400);
    CHECK_STR(field(answer, "_root"), "must be well-formed JSON");
    /* a type without a body, or on a GET, is no matter */
    CHECK(ask_with("POST", "/v1/agent/register", text, NULL, 0).status == 400);
    CHECK(ask_with("GET", "/healthz", text, "x", 1).status == 200);
    free(large);
}

static void bad_query_strings(void)
{
    struct answer answer = ask_for("GET", "/v1/agent/chains?a=%zz");

    CHECK(answer.status == 400);
    CHECK_STR(member(answer, "error"), "Validation failed");
    CHECK_STR(field(answer, "_root"), "must be a well-formed query string");
    answer = ask_for("GET", "/v1/agent/chains?a=1&a=2");
    CHECK_STR(field(answer, "_root"), "must not have a name twice");
    CHECK(ask_for("GET", "/healthz?%ff").status == 400);
    CHECK(ask_for("GET", "/healthz?probe=1").status == 200);    /* no parameters, and none of an agent's */
    CHECK(ask_for("GET", "/v1/agent/swaps?%ff").status == 401); /* the key comes first */
}

/* A query string next to a body is refused, since it would be ignored. */
static void query_strings_beside_a_body(void)
{
    struct answer answer = post("/v1/agent/register?name=x", "{\"name\":\"y\"}");

    CHECK(answer.status == 400);
    CHECK_STR(member(answer, "error"), "Unknown field 'name'");
    CHECK_STR(field(answer, "name"), "belongs in the body");
    answer = post("/v1/agent/register?_=1&_name=x", "{}");
    CHECK_STR(member(answer, "error"), "name is required");
    CHECK_STR(field(answer, "_name"), "");
    answer = ask_for("GET", "/v1/agent/chains?q=x&_=1");
    CHECK(answer.status == 400);
    CHECK_STR(field(answer, "q"), "is not known here");
    CHECK_STR(member(answer, "hint"), "This call takes no members");
}

/* An id that is the name of another path is none. */
static void the_longer_path_counts(void)
{
    struct answer answer = ask_for("GET", "/v1/agent/webhooks/test");

    CHECK(answer.status == 405 && has_line(answer, "Allow: POST, OPTIONS"));
    CHECK(ask_for("GET", "/v1/agent/webhooks/secret").status == 405);
    CHECK(ask_for("GET", "/v1/agent/webhooks/other").status == 401);
}

static void errors_of_the_web_server_get_an_envelope(void)
{
    static const struct {
        const char *status;
        int want;
        const char *code;
    } rows[] = {
        { "REDIRECT_STATUS=400", 400, "VALIDATION_ERROR" },
        { "REDIRECT_STATUS=403", 200, "" }, /* a document without a file is ours to answer */
        { "REDIRECT_STATUS=404", 200, "" },
        { "REDIRECT_STATUS=413", 413, "PAYLOAD_TOO_LARGE" },
        { "REDIRECT_STATUS=414", 400, "VALIDATION_ERROR" },
        { "REDIRECT_STATUS=431", 400, "VALIDATION_ERROR" },
        { "REDIRECT_STATUS=500", 500, "INTERNAL_ERROR" },
        { "REDIRECT_STATUS=405", 405, "METHOD_NOT_ALLOWED" },
        { "REDIRECT_STATUS=501", 405, "METHOD_NOT_ALLOWED" },
        { "REDIRECT_STATUS=200", 200, "" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *headers[] = { rows[i].status, NULL };
        struct answer answer = ask_with("GET", "/healthz", headers, NULL, 0);

        CHECK(answer.status == rows[i].want);
        CHECK_STR(member(answer, "error_code"), rows[i].code);
    }
}

static void every_error_names_the_request(void)
{
    static const char *const headers[] = { "HTTP_X_REQUEST_ID=mine-1", NULL };
    struct answer answer = ask_with("GET", "/none", headers, NULL, 0);

    CHECK_STR(member(answer, "request_id"), "mine-1");
    CHECK(has_line(answer, "X-Request-Id: mine-1"));
}

static void a_worker_that_never_waits_refuses_what_may(void)
{
    static const struct {
        const char *method, *path;
        int status, status_there;
    } calls[] = {
        { "POST", V1 "/quote", 401, 500 }, { "DELETE", V1 "/me", 401, 500 },
        { "GET", V1 "/prices", 401, 500 }, { "POST", "/mcp", 400, 500 },
        { "GET", V1 "/me", 401, 401 },     { "GET", V1 "/quote", 405, 405 },
        { "OPTIONS", "/a2a", 204, 204 },   { "GET", "/nothing", 404, 404 },
    };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        CHECK(ask_for(calls[i].method, calls[i].path).status == calls[i].status);
        ctx.never_waits = true;
        CHECK(ask_for(calls[i].method, calls[i].path).status == calls[i].status_there);
        ctx.never_waits = false;
    }
}

static int asked_from(const char *method, const char *path, const char *remote, const char *further)
{
    const char *const headers[] = { remote, further, NULL };

    return ask_with(method, path, headers, NULL, 0).status;
}

/* For remote callers the operator's endpoints do not exist, by any method; on the host they want the
 * operator's token. */
static void the_operators_part_is_hidden(void)
{
    static const char HOME[] = "REMOTE_ADDR=127.0.0.1", LOCAL[] = "HTTP_HOST=localhost:8080";

    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        const char *method = method_text(ep->method), *path = example_path(ep);

        if (ep->auth != AUTH_OPERATOR)
            continue;
        CHECK(asked_from(method, path, HOME, LOCAL) == 401);
        CHECK(asked_from("OPTIONS", path, HOME, LOCAL) == 204 &&
              asked_from("PATCH", path, HOME, LOCAL) == 405);
        CHECK(asked_from(method, path, "REMOTE_ADDR=192.0.2.1", LOCAL) == 404);
        CHECK(asked_from(method, path, HOME, "HTTP_HOST=gateway.test") == 404);
        CHECK(asked_from("OPTIONS", path, HOME, "HTTP_HOST=gateway.test") == 404);
        CHECK(asked_from("PATCH", path, "REMOTE_ADDR=192.0.2.1", LOCAL) == 404);
        CHECK(asked_from(method, path, LOCAL, NULL) == 404);
    }
    CHECK(asked_from("GET", V1_OPERATOR "/nowhere", HOME, LOCAL) == 404);
}

/* The rule is for agents' calls, not for documents and monitoring. */
static void a_key_on_the_network_is_refused(void)
{
    static const char AWAY[] = "REMOTE_ADDR=192.0.2.1", PLAIN[] = "REQUEST_SCHEME=http",
                      PROXY[] = "REMOTE_ADDR=10.1.1.1", HTTPS[] = "HTTP_X_FORWARDED_PROTO=https";
    static const struct {
        const char *from, *said, *further;
        bool refused;
    } calls[] = {
        { AWAY, PLAIN, NULL, true },
        { AWAY, PLAIN, HTTPS, true }, /* which anyone can say */
        { AWAY, "REQUEST_SCHEME=https", NULL, false },
        { AWAY, NULL, NULL, false }, /* a web server that does not say */
        { "REMOTE_ADDR=127.0.0.1", PLAIN, NULL, false },
        { "REMOTE_ADDR=::1", PLAIN, HTTPS, false },
        { "REMOTE_ADDR=127.0.0.1", PLAIN, "HTTP_X_FORWARDED_PROTO=http", true },
        { PROXY, PLAIN, NULL, true },
        { PROXY, PLAIN, HTTPS, false },
        { PROXY, PLAIN, "HTTP_X_FORWARDED_PROTO=HTTPS, http", false },
        { PROXY, PLAIN, "HTTP_X_FORWARDED_PROTO=http, https", true },
        { PROXY, PLAIN, "HTTP_X_FORWARDED_PROTO=httpsish", true },
        { PROXY, "REQUEST_SCHEME=https", "HTTP_X_FORWARDED_PROTO=http", true },
    };

    conf.trusted_proxies = "10.0.0.0/8";
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const char *const headers[] = { calls[i].from, calls[i].said, calls[i].further };

        CHECK(ask_with("POST", V1 "/wallets", headers, NULL, 0).status == (calls[i].refused ? 403 : 401));
        CHECK((ask_with("POST", "/mcp", headers, NULL, 0).status == 403) == calls[i].refused);
        CHECK(ask_with("OPTIONS", "/a2a", headers, NULL, 0).status == (calls[i].refused ? 403 : 204));
        CHECK(ask_with("GET", "/healthz", headers, NULL, 0).status == 200);
    }
    conf.plain_http = "allow";
    CHECK(asked_from("POST", V1 "/wallets", AWAY, PLAIN) == 401);
    conf.plain_http = "refuse";
    conf.trusted_proxies = "";
    CHECK(asked_from("GET", V1_OPERATOR "/queues", AWAY, PLAIN) == 404);
}

static void dispatch_test_start(void)
{
    a = arena_new();
    conf.base_url = "https://gateway.test";
    conf.trusted_proxies = conf.allowed_origins = "";
    conf.plain_http = "refuse";
    conf.operator_from = "127.0.0.0/8";
}

static void dispatch_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(dispatch_test_start), TEST(rows_are_sound), TEST(every_row_is_found),
          TEST(paths_that_are_not_there), TEST(ids_that_are_paths), TEST(methods_that_a_path_does_not_have),
          TEST(options_for_browsers), TEST(public_endpoints), TEST(registrations_that_are_refused),
          TEST(without_a_good_key), TEST(the_operators_part_is_hidden), TEST(a_key_on_the_network_is_refused),
          TEST(keys_in_the_wrong_place), TEST(checks_run_in_order), TEST(bad_query_strings),
          TEST(query_strings_beside_a_body), TEST(the_longer_path_counts),
          TEST(errors_of_the_web_server_get_an_envelope), TEST(every_error_names_the_request),
          TEST(a_worker_that_never_waits_refuses_what_may), TEST(dispatch_test_end))
