/* A request as the web server hands it over: method, target and some headers, each a line of the input, and
 * behind an empty line the body. The answer is always one whole answer in the envelope. There is no
 * database here, so nothing may ask for it before it has a key of the right form; such keys are changed. */
#include "api/admission/dispatch.h"
#include "api/documents/documents.h"
#include "base/buf.h"
#include "chain/rpc/node.h"
#include "fuzz.h"
#include "http/io_mem.h"
#include "service/conf.h"

enum { MAX_PARAMS = 12 };

static const struct conf conf = { .base_url = "https://gateway.test",
                                  .allowed_origins = "",
                                  .plain_http = "refuse" };
static struct ctx ctx = { .conf = &conf };

/* Not to be reached: it needs the database and the signer, and no key. */
static bool needs_more(const char *target)
{
    return strncmp(target, "/readyz", 7) == 0;
}

/* Lines become "NAME=value"; the first two are the method and the target. */
static const char *read_head(struct arena *a, const char *p, const char **params)
{
    static const char *const names[] = { "REQUEST_METHOD=%s", "REQUEST_URI=%s" };
    unsigned n = 0;

    while (*p != '\0' && *p != '\n' && n < MAX_PARAMS) {
        char *line = arena_strndup(a, p, strcspn(p, "\n")), *key = strstr(line, "svc_sk_");

        p += strlen(line);
        p += *p == '\n';
        if (key != NULL)
            key[0] = 'x';
        params[n] = n == 0   ? arena_printf(a, names[0], line)
                    : n == 1 ? arena_printf(a, names[1], needs_more(line) ? "/none" : line)
                             : line;
        n++;
    }
    params[n] = NULL;
    return *p == '\n' ? p + 1 : p;
}

static void check_answer(const struct request *rq, const char *answer, size_t n)
{
    const char *body = strstr(answer, "\r\n\r\n");
    json_t *o;

    MUST(strncmp(answer, "Status: ", 8) == 0 && body != NULL);
    body += 4;
    for (const char *c = answer; c < body; c++)
        MUST(*c == '\r' || *c == '\n' || (unsigned char)*c >= 0x20);
    if (rq->method == HEAD || strncmp(answer + 8, "204", 3) == 0 || strncmp(answer + 8, "304", 3) == 0) {
        MUST(*body == '\0');
        return;
    }
    if (strstr(answer, "\r\nETag: ") != NULL) { /* a document is no envelope */
        MUST(strncmp(answer + 8, "200", 3) == 0 && *body != '\0');
        return;
    }
    o = json_loadb(body, n - (size_t)(body - answer), JSON_REJECT_DUPLICATES, NULL);
    MUST(json_is_boolean(json_object_get(o, "success")));
    MUST(json_is_true(json_object_get(o, "success")) == (answer[8] == '2'));
    MUST(answer[8] == '2' ||
         (json_is_string(json_object_get(o, "error")) && json_is_string(json_object_get(o, "error_code"))));
    MUST(answer[8] != '5' || rq->refused >= 500);
    json_decref(o);
}

/* A registration that is complete is the database's; protocols have envelopes and targets of their own. */
static bool elsewhere(const char *path)
{
    return strstr(path, "register") != NULL || strcmp(path, "/mcp") == 0 || strcmp(path, "/a2a") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    const char *text = arena_strndup(a, (const char *)data, size), *params[MAX_PARAMS + 1];
    const char *rest = read_head(a, text, params);
    struct io_mem io;
    struct request rq;

    if (ctx.documents == NULL) {
        ctx.nodes = nodes_new(&conf);
        ctx.documents = documents_new("http://127.0.0.1", &ctx);
    }
    io_mem_init(&io, params, (const char *)data + (rest - text), size - (size_t)(rest - text));
    request_read(&rq, a, &io.io);
    MUST(io.read_at == io.body_len);
    if (rq.refused != 0 || rq.method != POST || !elsewhere(rq.path)) {
        reply_send(&rq, dispatch(&ctx, &rq));
        check_answer(&rq, buf_text(&io.out), io.out.len);
    }
    io_mem_free(&io);
    arena_free(a);
    return 0;
}
