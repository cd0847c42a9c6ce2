#include "drift/drift_record.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/json_writer.h"
#include "base/log.h"
#include "drift/redact.h"

enum { FILE_MODE = 0600, RECORD_MAX = 8 * 1024 * 1024 };

static char *redacted(struct arena *a, const char *text, size_t n, const char *const *secrets)
{
    char *copy = arena_strndup(a, text, n);

    redact_text(copy, n, secrets);
    return copy;
}

static const char *answer_text(const struct asking *k, const struct heard *h, const char *const *secrets)
{
    struct json_writer w;

    jw_init(&w, k->arena, RECORD_MAX);
    jw_object(&w, NULL);
    jw_string(&w, "source", k->report.name);
    jw_string(&w, "url", redacted(k->arena, h->url, strlen(h->url), secrets));
    jw_string(&w, "asked", redacted(k->arena, h->asked, strlen(h->asked), secrets));
    jw_integer(&w, "status", h->status);
    jw_string(&w, "deprecation", redacted(k->arena, h->deprecation, strlen(h->deprecation), secrets));
    jw_string(&w, "sunset", redacted(k->arena, h->sunset, strlen(h->sunset), secrets));
    jw_string(&w, "answer", redacted(k->arena, h->text, h->len, secrets));
    jw_end(&w);
    return jw_finish(&w);
}

bool record_write(const struct asking *k, const char *folder, const char *const *secrets)
{
    char *name = arena_strdup(k->arena, k->report.name);
    unsigned written = 0;
    bool all = true;

    for (char *c = strchr(name, '/'); c != NULL; c = strchr(c, '/'))
        *c = '-';
    for (size_t i = 0; i < k->count && all; i++) {
        const char *text;

        if (!heard_below(&k->heard[i], k->base))
            continue;
        text = answer_text(k, &k->heard[i], secrets);
        all = text != NULL && file_replace(arena_printf(k->arena, "%s/%s-%u.json", folder, name, ++written),
                                           text, strlen(text), FILE_MODE);
    }
    if (!all)
        log_error("record_failed", "msg=\"an answer could not be written down\" source=%s reason=\"%s\"",
                  k->report.name, strerror(errno));
    return all;
}
