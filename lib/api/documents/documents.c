#include "api/documents/documents.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/endpoint/endpoint.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/log.h"
#include "service/ctx.h"

/* The time that they may be cached; conf/lighttpd.conf and conf/apache.conf have the same for the files. */
enum { SHORT_S = 300, HOUR_S = 3600 };

/* The memory for writing them, many times their size, is freed: all workers would keep it. */
struct writing {
    struct arena *kept, *scratch;
};

static void typed_set(const struct writing *w, struct document *out, const char *type, const char *text)
{
    document_set(w->kept, out, SHORT_S, type, text, strlen(text));
}

static void text_set(const struct writing *w, struct document *out, const char *text)
{
    typed_set(w, out, "text/plain; charset=utf-8", text);
}

static void json_set(const struct writing *w, struct document *out, int max_age_s, json_t *document)
{
    const char *text;

    if (document == NULL)
        log_fatal("program_broken", "msg=\"a document cannot be written\"");
    text = jw_text_of(w->scratch, document, JSON_REAL_PRECISION(6));
    json_decref(document);
    document_set(w->kept, out, max_age_s, "application/json", text, strlen(text));
}

/* For visitors of the bare address. */
static json_t *index_write(struct arena *a, const char *base_url)
{
    return json_pack("{s:b, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "success", 1, "name",
                     GATEWAY_NAME, "version", GATEWAY_VERSION, "api", arena_printf(a, "%s" V1, base_url),
                     "documentation", arena_printf(a, "%s/llms.txt", base_url), "openapi",
                     arena_printf(a, "%s" V1 "/openapi", base_url), "agent_card",
                     arena_printf(a, "%s/.well-known/agent-card.json", base_url), "skill",
                     arena_printf(a, "%s/skill.md", base_url), "mcp_registry_entry",
                     arena_printf(a, "%s/.well-known/mcp/server.json", base_url), "mcp",
                     arena_printf(a, "%s/mcp", base_url), "a2a", arena_printf(a, "%s/a2a", base_url));
}

struct documents *documents_new(const char *base_url, const struct ctx *ctx)
{
    struct writing w = { arena_new(), arena_new() };
    struct documents *d = ARENA_NEW(w.kept, struct documents);
    struct arena *a = w.scratch;
    size_t n = strlen(base_url);

    while (n > 0 && base_url[n - 1] == '/')
        n--;
    d->base_url = base_url = arena_strndup(w.kept, base_url, n);
    d->arena = w.kept;
    json_set(&w, &d->openapi, SHORT_S, openapi_write(a, base_url, FOR_AGENTS, NULL));
    json_set(&w, &d->operator, 0, openapi_write(a, base_url, FOR_OPERATOR, NULL));
    json_set(&w, &d->card, HOUR_S, card_write(a, base_url, false, ctx));
    json_set(&w, &d->card_v10, HOUR_S, card_write(a, base_url, true, ctx));
    json_set(&w, &d->index, SHORT_S, index_write(a, base_url));
    json_set(&w, &d->chains, SHORT_S, chains_write(ctx));
    text_set(&w, &d->llms, llms_write(a, base_url, ctx));
    for (size_t i = 0; i < TOOLSETS; i++)
        text_set(&w, &d->llms_sections[i], llms_section_write(a, base_url, i));
    text_set(&w, &d->llms_full, llms_full_write(a, base_url, ctx));
    typed_set(&w, &d->skill, "text/markdown; charset=utf-8", skill_write(a, base_url, ctx));
    json_set(&w, &d->registry_entry, SHORT_S, registry_entry_write(a, base_url));
    arena_free(a);
    return d;
}

void documents_free(struct documents *d)
{
    arena_free(d->arena);
}

/* Creates the directories above a file, readable for all like the documents. */
static bool make_directories(char *path, size_t below)
{
    for (char *slash = path + below; (slash = strchr(slash, '/')) != NULL; slash++) {
        bool ok;

        *slash = '\0';
        ok = (mkdir(path, 0755) == 0 || errno == EEXIST) && chmod(path, 0755) == 0;
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

/* The ETag is written last and read first: it is never newer than the text that it is sent with. */
static bool document_publish(const struct document *d, char *path, size_t below, struct arena *a)
{
    return make_directories(path, below) && file_replace(path, d->body, d->len, 0644) &&
           file_replace(arena_printf(a, "%s.gz", path), d->gzip, d->gzip_len, 0644) &&
           file_replace(arena_printf(a, "%s.etag", path), d->etag, strlen(d->etag), 0644);
}

/* Below the directory `dir`; `a` is for names. */
static void publish_one(const struct document *document, const char *dir, const char *address,
                        struct arena *a)
{
    char *path = arena_printf(a, "%s%s", dir, address);

    if (document_publish(document, path, strlen(dir), a))
        return;
    log_warn("document_not_written", "msg=\"no file for the web server\" file=%s reason=\"%s\"", path,
             strerror(errno));
    (void)unlink(arena_printf(a, "%s.etag", path));
}

void documents_publish(const struct documents *d, const char *dir)
{
    const struct {
        const char *address;
        const struct document *document;
    } files[] = {
        { V1 "/chains", &d->chains },
        { V1 "/openapi", &d->openapi },
        { "/llms.txt", &d->llms },
        { "/llms-full.txt", &d->llms_full },
        { "/skill.md", &d->skill },
        { "/.well-known/mcp/server.json", &d->registry_entry },
        { "/.well-known/agent.json", &d->card },
        { "/.well-known/agent-card.json", &d->card },
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        publish_one(files[i].document, dir, files[i].address, d->arena);
    for (size_t i = 0; i < TOOLSETS; i++)
        publish_one(&d->llms_sections[i], dir, arena_printf(d->arena, "/llms/%s.txt", llms_section_name(i)),
                    d->arena);
}
