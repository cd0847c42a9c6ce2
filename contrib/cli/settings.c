#include "contrib/cli/settings.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/secret_text.h"

enum { URL_MAX = 2048 };

static const char *environment(const char *name)
{
    const char *value = getenv(name);

    return value == NULL || *value == '\0' ? NULL : value;
}

static const char *folder_of(struct arena *a)
{
    const char *config = environment("XDG_CONFIG_HOME"), *home = environment("HOME");

    return config != NULL ? arena_printf(a, "%s/gw", config)
           : home != NULL ? arena_printf(a, "%s/.config/gw", home)
                          : NULL;
}

/* The address that is kept next to the key; NULL: there is none. */
static const char *url_kept(const struct settings *s, struct arena *a)
{
    char text[URL_MAX];
    FILE *f = s->folder == NULL ? NULL : fopen(arena_printf(a, "%s/url", s->folder), "re");
    bool got = f != NULL && fgets(text, sizeof text, f) != NULL;

    if (f != NULL)
        (void)fclose(f);
    if (got)
        text[strcspn(text, "\r\n")] = '\0';
    return got ? arena_strdup(a, text) : NULL;
}

static bool is_loopback(const char *host)
{
    struct in_addr v4;

    if (inet_pton(AF_INET, host, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == 127;
    return strcmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0;
}

static bool url_has(CURLU *u, CURLUPart part)
{
    char *text = NULL;
    bool has = curl_url_get(u, part, &text, 0) == CURLUE_OK;

    curl_free(text);
    return has;
}

/* What is wrong with the address, or NULL. */
static const char *url_fault(struct settings *s)
{
    CURLU *u = curl_url();
    char *scheme = NULL, *host = NULL;
    const char *fault = "the gateway's address must be a URL such as https://gateway.example.com";

    if (u != NULL && curl_url_set(u, CURLUPART_URL, s->url, 0) == CURLUE_OK &&
        curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
        curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK && !url_has(u, CURLUPART_USER) &&
        !url_has(u, CURLUPART_PASSWORD) && !url_has(u, CURLUPART_QUERY) && !url_has(u, CURLUPART_FRAGMENT)) {
        s->loopback = is_loopback(host);
        if (strcmp(scheme, "https") == 0 || (strcmp(scheme, "http") == 0 && s->loopback))
            fault = NULL;
        else
            fault = "the gateway's address must begin with https://, so that the key is encrypted on the way";
    }
    curl_free(scheme);
    curl_free(host);
    curl_url_cleanup(u);
    return fault;
}

const char *settings_open(struct settings *s, struct arena *a, const char *url, const char *key_file)
{
    const char *kept, *fault;
    size_t n;

    *s = (struct settings){ .folder = folder_of(a) };
    kept = url_kept(s, a);
    s->url = url != NULL ? url : environment("GATEWAY_URL") != NULL ? environment("GATEWAY_URL") : kept;
    if (s->url == NULL)
        return "which gateway? --url URL or $GATEWAY_URL names it";
    for (n = strlen(s->url); n > 0 && s->url[n - 1] == '/'; n--)
        ;
    s->url = arena_strndup(a, s->url, n);
    if ((fault = url_fault(s)) != NULL)
        return fault;
    s->key_file = key_file != NULL ? key_file : environment("GATEWAY_API_KEY_FILE");
    if (s->key_file == NULL && environment("GATEWAY_API_KEY") == NULL && s->folder != NULL) {
        s->key_file = arena_printf(a, "%s/key", s->folder);
        s->own = kept == NULL || strcmp(kept, s->url) == 0;
        /* A key is sent to the gateway that issued it, and to no other. */
        if (!s->own)
            s->key_file = NULL;
    }
    return NULL;
}

const char *settings_key(const struct settings *s, struct arena *a, char out[static KEY_MAX])
{
    const char *given = environment("GATEWAY_API_KEY"), *why;

    if (s->key_file != NULL) {
        why = secret_text_read(out, KEY_MAX, s->key_file);
        if (why != NULL && s->own && access(s->key_file, F_OK) != 0)
            return "no API key: `gw register NAME` gets one, or --key-file, $GATEWAY_API_KEY_FILE or $GATEWAY_API_KEY names one";
        if (why != NULL)
            return arena_printf(a, "%s: %s", s->key_file, why);
    } else if (given != NULL && strlen(given) < KEY_MAX) {
        (void)snprintf(out, KEY_MAX, "%s", given);
    } else {
        return given != NULL ? "$GATEWAY_API_KEY is too long"
                             : "no API key: the one that is kept is of another gateway; --key-file, "
                               "$GATEWAY_API_KEY_FILE or $GATEWAY_API_KEY names one";
    }
    out[strcspn(out, "\r\n")] = '\0';
    for (const char *c = out; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~')
            return "the API key has characters that no key has";
    return *out == '\0' ? "the API key is empty" : NULL;
}

const char *settings_reserve(struct settings *s, struct arena *a)
{
    int fd;

    if (s->key_file == NULL && s->folder == NULL)
        return "there is no home for the key: --key-file names a file";
    if (s->key_file == NULL) {
        s->key_file = arena_printf(a, "%s/key", s->folder);
        s->own = true;
    }
    if (s->folder != NULL && s->own) {
        char *parent = arena_strdup(a, s->folder);

        *strrchr(parent, '/') = '\0';
        (void)mkdir(parent, 0700);
        (void)mkdir(s->folder, 0700);
    }
    fd = open(s->key_file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno == EEXIST
                   ? arena_printf(a, "%s has a key already: --key-file names a file for another", s->key_file)
                   : arena_printf(a, "%s: %s", s->key_file, strerror(errno));
    (void)close(fd);
    return NULL;
}

void settings_release(const struct settings *s)
{
    (void)unlink(s->key_file);
}

bool settings_keep(const struct settings *s, struct arena *a, const char *key)
{
    const char *line = arena_printf(a, "%s\n", key), *url = arena_printf(a, "%s\n", s->url);

    return file_replace(s->key_file, line, strlen(line), 0600) &&
           (!s->own || file_replace(arena_printf(a, "%s/url", s->folder), url, strlen(url), 0644));
}
