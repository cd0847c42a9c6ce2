#include "api/discovery.c"
#include "base/test.h"

#include "chain/rpc/node.h"
#include "http/io_mem.h"

static struct arena *a;
static const struct conf conf;
static struct nodes *nodes;
static struct ctx of_documents = { .conf = &conf };
static struct documents *documents;

static const char *document_get(const char *path, const char *if_none_match)
{
    const char *params[] = { "REQUEST_METHOD=GET", arena_printf(a, "REQUEST_URI=%s", path),
                             if_none_match == NULL ? NULL
                                                   : arena_printf(a, "HTTP_IF_NONE_MATCH=%s", if_none_match),
                             NULL };
    struct ctx ctx = { .documents = documents };
    const struct openapi_in whole = { .operation = NULL };
    struct io_mem io;
    struct request rq;
    struct api_call c;
    const char *out;

    io_mem_init(&io, params, NULL, 0);
    request_read(&rq, a, &io.io);
    c = api_call_of(&ctx, &rq);
    reply_send(&rq, strcmp(path, "/") == 0 ? get_index(&c, NULL) : get_openapi(&c, &whole));
    out = arena_strdup(a, buf_text(&io.out));
    io_mem_free(&io);
    return out;
}

static void documents_are_not_sent_twice(void)
{
    const char *etag = documents->openapi.etag;
    const char *answer = document_get("/v1/agent/openapi", NULL);

    CHECK(strncmp(answer, "Status: 200 OK\r\n", 16) == 0 && strlen(etag) == 2 * ETAG_BYTES + 4);
    CHECK(strstr(answer, arena_printf(a, "\r\nETag: %s\r\n", etag)) != NULL);
    CHECK(strstr(answer, "\r\nCache-Control: public, max-age=") != NULL);
    CHECK(strcmp(strstr(answer, "\r\n\r\n") + 4, documents->openapi.body) == 0);

    answer = document_get("/v1/agent/openapi", etag);
    CHECK(strncmp(answer, "Status: 304 Not Modified\r\n", 26) == 0);
    CHECK(strstr(answer, etag) != NULL && strstr(answer, "Cache-Control: public") != NULL);
    CHECK(strstr(answer, "\r\nContent-Type:") == NULL && strcmp(strstr(answer, "\r\n\r\n"), "\r\n\r\n") == 0);
    CHECK(strncmp(document_get("/v1/agent/openapi", arena_printf(a, "\"x\", %s", etag + 2)), "Status: 304",
                  11) == 0);
    CHECK(strncmp(document_get("/v1/agent/openapi", "*"), "Status: 304", 11) == 0);
    CHECK(strncmp(document_get("/v1/agent/openapi", documents->card.etag), "Status: 200", 11) == 0);
    CHECK(strstr(document_get("/", NULL), "\r\nLink: </llms.txt>; rel=\"describedby\"\r\n") != NULL);
    CHECK(strstr(document_get("/", NULL), "\r\nVary: Accept\r\n") != NULL);
}

static void discovery_test_start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    of_documents.nodes = nodes;
    documents = documents_new("https://gateway.test", &of_documents);
}

static void discovery_test_end(void)
{
    documents_free(documents);
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(discovery_test_start), TEST(documents_are_not_sent_twice), TEST(discovery_test_end))
