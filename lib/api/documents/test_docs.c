#include "api/documents/docs.c"
#include "base/test.h"

#include <ftw.h>
#include <unistd.h>

#include "api/documents/documents.h"
#include "chain/evm/node.h"
#include "http/io_mem.h"
#include "service/ctx.h"

static struct arena *a;
static const struct conf conf;
static struct nodes *nodes;
static struct documents *documents;
static json_t *openapi;

/* A fault of a row, with the row's name: whoever adds one shall know what to do. */
static void fault(const struct endpoint *ep, const char *what)
{
    test_case_failures++;
    fprintf(stderr, "%s %s: %s\n", method_text(ep->method), ep->path, what);
}

static bool under_v1(const struct endpoint *ep)
{
    return strncmp(ep->path, V1 "/", strlen(V1 "/")) == 0;
}

/* ---- the entries ---- */

static void every_row_has_an_entry(void)
{
    for (size_t i = 0; i < endpoints_count; i++) {
        const struct endpoint *ep = &endpoints[i];
        const struct endpoint_doc *doc = endpoint_doc(ep);

        if (under_v1(ep) && doc == NULL)
            fault(
                ep,
                "no entry in lib/api/documents/docs.c says what it answers: add one for its handler, with its shape in lib/api/documents/schemas.c");
        if (!under_v1(ep) && doc != NULL)
            fault(ep, "is not part of the API and needs no entry in lib/api/documents/docs.c");
        if (under_v1(ep) && ep->tool == NULL)
            fault(ep, "has no tool name, of which its operationId is made");
    }
}

static void entry_is_sound(const struct endpoint *ep, const struct endpoint_doc *doc)
{
    const char *brace = strchr(ep->path, '{');

    if (doc->tag == NULL || doc->about == NULL || strlen(doc->about) < 40)
        fault(ep, "its entry needs a tag and a description");
    if (strlen(ep->summary) > 60)
        fault(ep, "its summary is longer than 60 characters");
    if (doc->status != 204 ? doc->status / 100 != 2 || doc->answer == NULL : doc->answer != NULL)
        fault(ep, "its entry needs the status of success, and a shape unless that is 204");
    if ((brace != NULL) != (doc->path_param != NULL))
        fault(ep, "its entry must describe the {…} of the path, if there is one");
    if (brace != NULL && doc->path_param != NULL &&
        strncmp(brace + 1, doc->path_param->name, strcspn(brace + 1, "}")) != 0)
        fault(ep, "its entry describes another {…}");
    for (size_t i = 0; doc->errors != NULL && doc->errors[i] != NULL; i++)
        if (doc->errors[i]->status == 401)
            fault(ep, "its 401 belongs into the row");
    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
        if (p->required && p->example == NULL)
            fault(ep, "each required parameter needs an example");
}

static void entries_are_sound(void)
{
    for (size_t i = 0; i < endpoints_count; i++) {
        const struct endpoint_doc *doc = endpoint_doc(&endpoints[i]);

        if (doc != NULL)
            entry_is_sound(&endpoints[i], doc);
    }
}

static void every_entry_has_one_row(void)
{
    for (size_t i = 0; i < endpoint_docs_count; i++) {
        unsigned rows = 0;

        for (size_t j = 0; j < endpoints_count; j++)
            rows += endpoints[j].handler == endpoint_docs[i].handler;
        CHECK(rows == 1);
        for (size_t j = 0; j < i; j++)
            CHECK(endpoint_docs[j].handler != endpoint_docs[i].handler);
    }
}

static void every_tag_and_skill_is_used(void)
{
    for (size_t i = 0; i < doc_tags_count; i++) {
        unsigned uses = 0;

        for (size_t j = 0; j < endpoint_docs_count; j++)
            uses += endpoint_docs[j].tag == &doc_tags[i];
        CHECK(uses > 0 && doc_tags[i].name[0] != '\0' && doc_tags[i].about[0] != '\0');
    }
    for (size_t i = 0; i < doc_skills_count; i++) {
        unsigned uses = 0;

        for (size_t j = 0; j < endpoint_docs_count; j++)
            uses += endpoint_docs[j].skill == &doc_skills[i];
        CHECK(uses > 0 && doc_skills[i].tags[0] != NULL);
    }
}

/* ---- the shapes ---- */

static bool has_choice(const char *const *choices, const char *example)
{
    while (*choices != NULL && strcmp(*choices, example) != 0)
        choices++;
    return *choices != NULL;
}

static bool example_fits(const struct schema_field *f)
{
    if ((f->marks & MAY_BE_NULL) && f->example != NULL && strcmp(f->example, "null") == 0)
        return true;
    switch (f->kind) {
    case S_TRUE:
    case S_FALSE:
    case S_FREE:
    case S_STRINGS:
        return f->of == NULL && f->example == NULL;
    case S_OBJECT:
        return f->of != NULL;
    case S_MAP:
        return f->of != NULL && f->example != NULL;
    case S_LIST:
        return f->of != NULL && f->example == NULL;
    case S_CHOICE:
        return f->choices != NULL && f->example != NULL && has_choice(f->choices, f->example);
    case S_WHOLE:
        return f->example != NULL && strspn(f->example, "0123456789") == strlen(f->example);
    case S_FLAG:
        return f->example != NULL && (strcmp(f->example, "true") == 0 || strcmp(f->example, "false") == 0);
    case S_TEXT:
    case S_AMOUNT:
    case S_TIME:
    case S_UUID:
    case S_URI:
    case S_HEX:
    case S_NUMBER:
    case S_TEXTS:
        return f->example != NULL && f->example[0] != '\0';
    }
    return false;
}

static void shape_is_sound(const struct schema *s)
{
    for (const struct schema_field *f = s->fields; f->name != NULL; f++) {
        if (!example_fits(f) || f->about == NULL || f->about[0] == '\0') {
            test_case_failures++;
            fprintf(stderr, "%s.%s: needs a fitting example and a description\n", s->name, f->name);
        }
        for (const struct schema_field *g = s->fields; g < f; g++)
            CHECK(strcmp(f->name, g->name) != 0);
        if (f->of != NULL)
            shape_is_sound(f->of);
    }
    if (s->base != NULL)
        shape_is_sound(s->base);
}

static void shapes_are_sound(void)
{
    for (size_t i = 0; i < endpoint_docs_count; i++) {
        if (endpoint_docs[i].answer != NULL)
            shape_is_sound(endpoint_docs[i].answer);
        if (endpoint_docs[i].or_answer != NULL)
            shape_is_sound(endpoint_docs[i].or_answer);
    }
    shape_is_sound(&schema_error);
    shape_is_sound(&schema_swap_completed);
    shape_is_sound(&schema_swap_failed);
    shape_is_sound(&schema_approval_granted);
    shape_is_sound(&schema_approval_denied);
    shape_is_sound(&schema_approval_lapsed);
}

/* ---- what is written ---- */

static json_t *at(const char *path, const char *method)
{
    return json_object_get(json_object_get(json_object_get(openapi, "paths"), path), method);
}

static void every_row_is_described(void)
{
    for (size_t i = 0; i < endpoints_count; i++) {
        const struct endpoint *ep = &endpoints[i];

        if (under_v1(ep))
            CHECK(at(ep->path + strlen(V1), endpoint_method_key(ep)) != NULL);
        if (under_v1(ep))
            CHECK(strstr(documents->llms.body, arena_printf(a, "[%s %s](", method_text(ep->method),
                                                            ep->path + strlen(V1))) != NULL);
    }
    CHECK(json_object_get(json_object_get(openapi, "paths"), "/healthz") == NULL);
}

static void names_are_made_of_tools(void)
{
    CHECK_STR(json_string_value(json_object_get(at("/swap/status/{swapId}", "get"), "operationId")),
              "getSwapStatus");
    CHECK(json_object_get(json_object_get(json_object_get(openapi, "components"), "schemas"),
                          "ExecuteSwapRequest") != NULL);
}

/* No shape is left as the empty object that keeps its place, and every reference leads somewhere. */
static void references_lead_somewhere(const json_t *v)
{
    const char *target = json_string_value(json_object_get(v, "$ref")), *key;
    json_t *child, *components = json_object_get(openapi, "components");
    size_t i;

    if (target != NULL) {
        const char *name = strrchr(target, '/') + 1;
        bool schema = strstr(target, "/schemas/") != NULL;

        CHECK(json_object_size(
                  json_object_get(json_object_get(components, schema ? "schemas" : "responses"), name)) > 0);
    }
    json_object_foreach((json_t *)(uintptr_t)v, key, child)
    {
        references_lead_somewhere(child);
    }
    json_array_foreach((json_t *)(uintptr_t)v, i, child)
    {
        references_lead_somewhere(child);
    }
}

static void all_references_lead_somewhere(void)
{
    references_lead_somewhere(openapi);
}

static void addresses_come_from_the_settings(void)
{
    static const char BASE[] = "https://gateway.test/sub";
    const json_t *server = json_array_get(json_object_get(openapi, "servers"), 0);

    CHECK_STR(json_string_value(json_object_get(server, "url")),
              arena_printf(a, "%s" V1, BASE)); /* the slash at the end is gone */
    CHECK(strstr(documents->llms.body, "https://gateway.test/sub/v1/agent/quote") != NULL);
    CHECK(strstr(documents->card.body, "\"documentationUrl\":\"https://gateway.test/sub/llms.txt\"") != NULL);
    CHECK(strstr(documents->index.body, "\"openapi\":\"https://gateway.test/sub/v1/agent/openapi\"") != NULL);
    CHECK(strstr(documents->llms.body, "sub//") == NULL && strstr(documents->card.body, "sub//") == NULL);
}

static const char *member(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* Both versions find the one endpoint, each in its own words. */
static void the_card_declares_both_versions(void)
{
    static const char A2A[] = "https://gateway.test/sub/a2a";
    json_t *both = json_loads(documents->card.body, 0, NULL),
           *v10 = json_loads(documents->card_v10.body, 0, NULL), *each;
    size_t i;

    CHECK_STR(member(both, "url"), A2A);
    CHECK_STR(member(both, "preferredTransport"), "JSONRPC");
    CHECK_STR(member(both, "protocolVersion"), "0.3.0");
    CHECK(json_object_get(v10, "url") == NULL && json_object_get(v10, "protocolVersion") == NULL);
    CHECK(json_equal(json_object_get(both, "supportedInterfaces"),
                     json_object_get(v10, "supportedInterfaces")));
    CHECK(json_array_size(json_object_get(v10, "supportedInterfaces")) == 2);
    json_array_foreach(json_object_get(v10, "supportedInterfaces"), i, each)
    {
        CHECK_STR(member(each, "url"), A2A);
        CHECK_STR(member(each, "protocolVersion"), i == 0 ? "1.0" : "0.3");
    }
    CHECK(json_array_size(json_object_get(both, "skills")) == doc_skills_count);
    CHECK(json_is_false(json_object_get(json_object_get(v10, "capabilities"), "streaming")));
    json_decref(both);
    json_decref(v10);
}

/* ---- how they are answered ---- */

static const char *get(const char *path, const char *if_none_match)
{
    const char *params[] = { "REQUEST_METHOD=GET", arena_printf(a, "REQUEST_URI=%s", path),
                             if_none_match == NULL ? NULL
                                                   : arena_printf(a, "HTTP_IF_NONE_MATCH=%s", if_none_match),
                             NULL };
    struct ctx ctx = { .documents = documents };
    struct io_mem io;
    struct request rq;
    struct api_call c;
    const char *out;

    io_mem_init(&io, params, NULL, 0);
    request_read(&rq, a, &io.io);
    c = api_call_of(&ctx, &rq);
    reply_send(&rq, strcmp(path, "/") == 0 ? ep_index(&c, NULL) : ep_openapi(&c, NULL));
    out = arena_strdup(a, buf_text(&io.out));
    io_mem_free(&io);
    return out;
}

static void documents_are_not_sent_twice(void)
{
    const char *etag = documents->openapi.etag;
    const char *answer = get("/v1/agent/openapi", NULL);

    CHECK(strncmp(answer, "Status: 200 OK\r\n", 16) == 0 && strlen(etag) == 2 * ETAG_BYTES + 4);
    CHECK(strstr(answer, arena_printf(a, "\r\nETag: %s\r\n", etag)) != NULL);
    CHECK(strstr(answer, "\r\nCache-Control: public, max-age=") != NULL);
    CHECK(strcmp(strstr(answer, "\r\n\r\n") + 4, documents->openapi.body) == 0);

    answer = get("/v1/agent/openapi", etag);
    CHECK(strncmp(answer, "Status: 304 Not Modified\r\n", 26) == 0);
    CHECK(strstr(answer, etag) != NULL && strstr(answer, "Cache-Control: public") != NULL);
    CHECK(strstr(answer, "\r\nContent-Type:") == NULL && strcmp(strstr(answer, "\r\n\r\n"), "\r\n\r\n") == 0);
    CHECK(strncmp(get("/v1/agent/openapi", arena_printf(a, "\"x\", %s", etag + 2)), "Status: 304", 11) == 0);
    CHECK(strncmp(get("/v1/agent/openapi", "*"), "Status: 304", 11) == 0);
    CHECK(strncmp(get("/v1/agent/openapi", documents->card.etag), "Status: 200", 11) == 0);
    CHECK(strstr(get("/", NULL), "\r\nLink: </llms.txt>; rel=\"describedby\"\r\n") != NULL);
}

/* ---- as files ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static bool holds(const char *path, const char *bytes, size_t len)
{
    char *text = arena_alloc(a, len + 2);
    FILE *f = fopen(path, "r");
    size_t n = f == NULL ? 0 : fread(text, 1, len + 1, f);

    if (f != NULL)
        (void)fclose(f);
    return n == len && memcmp(text, bytes, n) == 0;
}

static bool is_file(const char *path, const struct document *d)
{
    return holds(path, d->body, d->len) && holds(arena_printf(a, "%s.gz", path), d->gzip, d->gzip_len) &&
           holds(arena_printf(a, "%s.etag", path), d->etag, strlen(d->etag));
}

static void documents_lie_where_their_addresses_are(void)
{
    char root[] = "/tmp/test-docs.XXXXXX";
    const char *dir, *llms, *leftover;

    CHECK(mkdtemp(root) != NULL);
    dir = arena_printf(a, "%s/documents", root);
    llms = arena_printf(a, "%s/llms.txt", dir);
    documents_publish(documents, dir);
    CHECK(is_file(llms, &documents->llms));
    CHECK(is_file(arena_printf(a, "%s/llms-full.txt", dir), &documents->llms_full));
    CHECK(is_file(arena_printf(a, "%s" V1 "/openapi", dir), &documents->openapi));
    CHECK(is_file(arena_printf(a, "%s/.well-known/agent.json", dir), &documents->card));
    CHECK(is_file(arena_printf(a, "%s/.well-known/agent-card.json", dir), &documents->card));

    /* One of a former version that cannot be replaced has no tag any more. */
    leftover = arena_printf(a, "%s.new", llms);
    CHECK(symlink("/dev/null", leftover) == 0);
    documents_publish(documents, dir);
    CHECK(access(arena_printf(a, "%s.etag", llms), F_OK) != 0 && unlink(leftover) == 0);
    CHECK(is_file(arena_printf(a, "%s/llms-full.txt", dir), &documents->llms_full));
    documents_publish(documents, dir);
    CHECK(is_file(llms, &documents->llms));
    CHECK(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

static void start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    documents = documents_new("https://gateway.test/sub//", nodes);
    openapi = json_loads(documents->openapi.body, JSON_REJECT_DUPLICATES, NULL);
    CHECK(openapi != NULL);
}

static void end(void)
{
    json_decref(openapi);
    documents_free(documents);
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(every_row_has_an_entry), TEST(entries_are_sound), TEST(every_entry_has_one_row),
          TEST(every_tag_and_skill_is_used), TEST(shapes_are_sound), TEST(start),
          TEST(every_row_is_described), TEST(names_are_made_of_tools), TEST(all_references_lead_somewhere),
          TEST(addresses_come_from_the_settings), TEST(the_card_declares_both_versions),
          TEST(documents_are_not_sent_twice), TEST(documents_lie_where_their_addresses_are), TEST(end))
