#include "api/documents/documents.c"
#include "base/test.h"

#include <ftw.h>
#include <unistd.h>

#include "api/endpoint/endpoint.h"
#include "chain/rpc/node.h"

static struct arena *a;
static const struct conf conf;
static struct nodes *nodes;
static struct ctx ctx = { .conf = &conf };
static struct documents *documents;
static json_t *openapi;

/* ---- writes ---- */

static json_t *operation_at(const char *path, const char *method)
{
    return json_object_get(json_object_get(json_object_get(openapi, "paths"), path), method);
}

static void every_row_is_described(void)
{
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;

        if (!endpoint_is_documented(ep))
            continue;
        CHECK(operation_at(ep->path + strlen(V1), endpoint_method_key(ep)) != NULL);
        CHECK(strstr(documents->llms_sections[doc_tags[ep->tag].toolset].body,
                     arena_printf(a, "**%s %s** %s", method_text(ep->method), ep->path + strlen(V1),
                                  ep->tool)) != NULL);
        CHECK(strstr(documents->llms.body, ep->tool) != NULL);
    }
    CHECK(json_object_get(json_object_get(openapi, "paths"), "/healthz") == NULL);
    CHECK(strstr(documents->openapi.body, "svc_op_") == NULL &&
          strstr(documents->llms.body, "/operator") == NULL);
}

static void the_operators_rows_have_a_document_of_their_own(void)
{
    json_t *whole = json_loads(documents->operator.body, JSON_REJECT_DUPLICATES, NULL),
           *paths = json_object_get(whole, "paths"),
           *server = json_array_get(json_object_get(whole, "servers"), 0);
    size_t n = 0;

    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        const json_t *operation =
            endpoint_audience(ep) != FOR_OPERATOR
                ? NULL
                : json_object_get(json_object_get(paths, ep->path + strlen(V1_OPERATOR)),
                                  endpoint_method_key(ep));

        if (endpoint_audience(ep) != FOR_OPERATOR)
            continue;
        n++;
        CHECK(operation != NULL &&
              operation_at(ep->path + strlen(V1_OPERATOR), endpoint_method_key(ep)) != operation);
        CHECK(json_object_get(json_object_get(operation, "responses"), "403") != NULL);
    }
    CHECK(n > 0 && json_object_get(whole, "webhooks") == NULL);
    CHECK_STR(json_string_value(json_object_get(server, "url")), "https://gateway.test/sub" V1_OPERATOR);
    CHECK(documents->operator.max_age_s == 0);
    json_decref(whole);
}

static void names_are_made_of_tools(void)
{
    CHECK_STR(json_string_value(json_object_get(operation_at("/swap/status/{swapId}", "get"), "operationId")),
              "getSwapStatus");
    CHECK(json_object_get(json_object_get(json_object_get(openapi, "components"), "schemas"),
                          "ExecuteSwapRequest") != NULL);
}

/* Whether a chain's `trading` has that word; NULL: whether it is empty. */
static bool trades(const char *chain, const char *word)
{
    json_t *o = json_loads(documents->chains.body, JSON_REJECT_DUPLICATES, NULL), *c, *w;
    bool found = false;
    size_t i, j;

    json_array_foreach(json_object_get(o, "chains"), i, c)
    {
        const json_t *trading = json_object_get(c, "trading");

        if (strcmp(json_string_value(json_object_get(c, "key")), chain) != 0)
            continue;
        found = word == NULL && json_is_array(trading) && json_array_size(trading) == 0;
        json_array_foreach(trading, j, w) found |= word != NULL && strcmp(json_string_value(w), word) == 0;
    }
    json_decref(o);
    return found;
}

static void all_chains_are_listed(void)
{
    json_t *o = json_loads(documents->chains.body, JSON_REJECT_DUPLICATES, NULL);

    CHECK(json_is_true(json_object_get(o, "success")));
    CHECK(json_array_size(json_object_get(o, "chains")) == 15);
    CHECK(trades("ethereum", "swap") && !trades("ethereum", "bridge")); /* no service is configured */
    CHECK(trades("sui", NULL) && trades("ton", NULL));
    json_decref(o);
}

/* No shape is left as the empty object that reserves its place, and every reference leads somewhere. */
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
    CHECK(strstr(documents->llms.body, "API=https://gateway.test/sub/v1/agent KEY=") != NULL);
    CHECK(strstr(documents->card.body, "\"documentationUrl\":\"https://gateway.test/sub/llms.txt\"") != NULL);
    CHECK(strstr(documents->index.body, "\"openapi\":\"https://gateway.test/sub/v1/agent/openapi\"") != NULL);
    CHECK(strstr(documents->llms.body, "sub//") == NULL && strstr(documents->card.body, "sub//") == NULL);
}

static const char *text_member(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* Both versions find the one endpoint, each in the members it knows. */
static void the_card_declares_both_versions(void)
{
    static const char A2A[] = "https://gateway.test/sub/a2a";
    json_t *both = json_loads(documents->card.body, 0, NULL),
           *v10 = json_loads(documents->card_v10.body, 0, NULL), *each;
    size_t i;

    CHECK_STR(text_member(both, "url"), A2A);
    CHECK_STR(text_member(both, "preferredTransport"), "JSONRPC");
    CHECK_STR(text_member(both, "protocolVersion"), "0.3.0");
    CHECK(json_object_get(v10, "url") == NULL && json_object_get(v10, "protocolVersion") == NULL);
    CHECK(json_equal(json_object_get(both, "supportedInterfaces"),
                     json_object_get(v10, "supportedInterfaces")));
    CHECK(json_array_size(json_object_get(v10, "supportedInterfaces")) == 2);
    json_array_foreach(json_object_get(v10, "supportedInterfaces"), i, each)
    {
        CHECK_STR(text_member(each, "url"), A2A);
        CHECK_STR(text_member(each, "protocolVersion"), i == 0 ? "1.0" : "0.3");
    }
    CHECK(json_array_size(json_object_get(both, "skills")) == DOC_SKILLS - 1);
    CHECK(json_is_false(json_object_get(json_object_get(v10, "capabilities"), "streaming")));
    json_decref(both);
    json_decref(v10);
}

/* Labels in reverse order; a port is none of them, and what is no name of DNS gives none. */
static void the_registry_entry_is_named_after_its_address(void)
{
    static const char *const names[][2] = {
        { "https://gateway.test/sub", "test.gateway/" GATEWAY_ID },
        { "https://Api.Gateway.Example.com:8443", "com.example.gateway.api/" GATEWAY_ID },
        { "http://localhost:8080", "localhost/" GATEWAY_ID },
        { "http://127.0.0.1:8080", "1.0.0.127/" GATEWAY_ID },
        { "http://[::1]:8080", "invalid/" GATEWAY_ID },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *entry = registry_entry_write(a, names[i][0]);

        CHECK_STR(text_member(entry, "name"), names[i][1]);
        json_decref(entry);
    }
    CHECK(strstr(documents->registry_entry.body, "\"url\":\"https://gateway.test/sub/mcp\"") != NULL);
}

/* What this server cannot do is no task. */
static void the_skill_has_the_tasks_that_are_offered(void)
{
    static const char *const always[] = { "Begin",   "Swap",       "Prediction markets",
                                          "Lending", "Perpetuals", "Withdraw" };

    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        CHECK(strstr(documents->skill.body, arena_printf(a, "\n## %s\n", always[i])) != NULL);
    CHECK(strstr(documents->skill.body, "\n## Bridge\n") == NULL);
    CHECK(strstr(documents->skill.body, "(https://gateway.test/sub//") == NULL);
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
    char root[] = "/tmp/test-documents.XXXXXX";
    const char *dir, *llms, *leftover;

    CHECK(mkdtemp(root) != NULL);
    dir = arena_printf(a, "%s/documents", root);
    llms = arena_printf(a, "%s/llms.txt", dir);
    documents_publish(documents, dir);
    CHECK(is_file(llms, &documents->llms));
    CHECK(is_file(arena_printf(a, "%s/llms-full.txt", dir), &documents->llms_full));
    CHECK(is_file(arena_printf(a, "%s" V1 "/openapi", dir), &documents->openapi));
    CHECK(is_file(arena_printf(a, "%s/llms/perps.txt", dir), &documents->llms_sections[TOOLSET_PERPS]));
    CHECK(is_file(arena_printf(a, "%s/llms/a2a.txt", dir), &documents->llms_sections[LLMS_A2A]));
    CHECK(is_file(arena_printf(a, "%s/skill.md", dir), &documents->skill));
    CHECK(is_file(arena_printf(a, "%s/.well-known/mcp/server.json", dir), &documents->registry_entry));
    CHECK(is_file(arena_printf(a, "%s/.well-known/agent.json", dir), &documents->card));
    CHECK(is_file(arena_printf(a, "%s/.well-known/agent-card.json", dir), &documents->card));

    /* A document of a previous version that cannot be replaced loses its ETag. */
    leftover = arena_printf(a, "%s.new", llms);
    CHECK(symlink("/dev/null", leftover) == 0);
    documents_publish(documents, dir);
    CHECK(access(arena_printf(a, "%s.etag", llms), F_OK) != 0 && unlink(leftover) == 0);
    CHECK(is_file(arena_printf(a, "%s/llms-full.txt", dir), &documents->llms_full));
    documents_publish(documents, dir);
    CHECK(is_file(llms, &documents->llms));
    CHECK(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

static void documents_test_start(void)
{
    a = arena_new();
    nodes = nodes_new(&conf);
    ctx.nodes = nodes;
    documents = documents_new("https://gateway.test/sub//", &ctx);
    openapi = json_loads(documents->openapi.body, JSON_REJECT_DUPLICATES, NULL);
    CHECK(openapi != NULL);
}

static void documents_test_end(void)
{
    json_decref(openapi);
    documents_free(documents);
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(documents_test_start), TEST(every_row_is_described),
          TEST(the_operators_rows_have_a_document_of_their_own), TEST(names_are_made_of_tools),
          TEST(all_chains_are_listed), TEST(all_references_lead_somewhere),
          TEST(addresses_come_from_the_settings), TEST(the_card_declares_both_versions),
          TEST(the_registry_entry_is_named_after_its_address), TEST(the_skill_has_the_tasks_that_are_offered),
          TEST(documents_lie_where_their_addresses_are), TEST(documents_test_end))
