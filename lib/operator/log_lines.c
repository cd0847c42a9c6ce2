#include "operator/log_lines.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/conf.h"

enum { LATEST = 64 * 1024 * 1024, LINE_MAX_LEN = 8192 };

struct log_search {
    struct arena *arena;
    const char *mark; /* "request_id=ID " */
    struct log_line *out;
    size_t count, most;
};

static void search_line(struct log_search *s, const char *file, const char *line)
{
    if (s->count == s->most || strstr(line, s->mark) == NULL)
        return;
    s->out[s->count++] =
        (struct log_line){ file, arena_printf(s->arena, "%.*s", (int)strcspn(line, "\n"), line) };
}

/* A line that is cut off at the start of the read has no mark, or only the end of one. */
static void search_file(struct log_search *s, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = arena_strdup(s->arena, slash != NULL ? slash + 1 : path);
    FILE *f = fopen(path, "re");
    char line[LINE_MAX_LEN];

    if (f == NULL)
        return;
    if (fseek(f, -LATEST, SEEK_END) != 0)
        rewind(f);
    while (s->count < s->most && fgets(line, sizeof line, f) != NULL)
        search_line(s, name, line);
    (void)fclose(f);
}

static void search_files(struct log_search *s, const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        search_file(s, found.gl_pathv[i]);
    globfree(&found);
}

size_t operator_log_lines(const struct ctx *ctx, struct arena *a, const char *request_id,
                          struct log_line *out, size_t most)
{
    struct log_search s = { a, arena_printf(a, "request_id=%s ", request_id), out, 0, most };

    search_files(&s, arena_printf(a, "%s/*.log", ctx->conf->log_dir));
    search_files(&s, arena_printf(a, "%s/*.log.1", ctx->conf->log_dir));
    return s.count;
}
