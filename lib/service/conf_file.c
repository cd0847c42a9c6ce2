#include "service/conf_file.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/log.h"

enum { MAX_LINE = 4096, MAX_DEPTH = 4 };

struct conf_problems {
    struct conf_problem *first, **end;
};

/* One file that is being read. */
struct reading {
    struct conf_pair **pairs;
    struct conf_names **files;
    struct conf_problems *problems;
    const char *path;
    unsigned line;
    int depth;
};

static void *checked(void *p)
{
    if (p == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    return p;
}

static char *copied(const char *s)
{
    return s == NULL ? NULL : checked(strdup(s));
}

/* ---- problems ---- */

struct conf_problems *conf_problems_new(void)
{
    struct conf_problems *all = checked(calloc(1, sizeof *all));

    all->end = &all->first;
    return all;
}

const struct conf_problem *conf_problems_first(const struct conf_problems *all)
{
    return all->first;
}

void conf_problems_free(struct conf_problems *all)
{
    struct conf_problem *next;

    for (struct conf_problem *p = all->first; p != NULL; p = next) {
        next = p->next;
        free(p->file);
        free(p->name);
        free(p->value);
        free(p->allowed);
        free(p);
    }
    free(all);
}

static bool is_known(const struct conf_problems *all, const char *file, unsigned line, const char *name)
{
    const struct conf_problem *p = all->first;

    while (p != NULL && (p->line != line || strcmp(p->file, file) != 0 || p->name == NULL || name == NULL ||
                         strcmp(p->name, name) != 0))
        p = p->next;
    return p != NULL;
}

void conf_problem_add(struct conf_problems *all, const char *file, unsigned line, const char *what,
                      const char *name, const char *value, const char *allowed)
{
    struct conf_problem *p;

    if (is_known(all, file, line, name))
        return;
    p = checked(calloc(1, sizeof *p));
    *p = (struct conf_problem){ .file = copied(file),
                                .line = line,
                                .what = what,
                                .name = copied(name),
                                .value = copied(value),
                                .allowed = copied(allowed) };
    *all->end = p;
    all->end = &p->next;
}

/* The value of what is no setting is not repeated: it may be anything, a password too. */
static void line_refuse(const struct reading *r, const char *what, const char *name, const char *allowed)
{
    conf_problem_add(r->problems, r->path, r->line, what, name, NULL, allowed);
}

/* ---- text ---- */

/* ${NAME} or ${NAME:-default} at p; returns the place behind it, NULL when it is not closed. */
static const char *variable_expand(struct buf *out, const char *p)
{
    const char *end = strchr(p, '}');
    char expr[256], *dflt;
    const char *value;
    size_t n = end == NULL ? sizeof expr : (size_t)(end - p) - 2;

    if (n >= sizeof expr)
        return NULL;
    memcpy(expr, p + 2, n);
    expr[n] = '\0';
    dflt = strstr(expr, ":-");
    if (dflt != NULL) {
        *dflt = '\0';
        dflt += 2;
    }
    value = getenv(expr);
    buf_adds(out, value != NULL && *value != '\0' ? value : dflt != NULL ? dflt : "");
    return end + 1;
}

static bool text_expand(struct buf *out, const char *text)
{
    while (*text != '\0') {
        if (text[0] == '$' && text[1] == '{') {
            text = variable_expand(out, text);
            if (text == NULL)
                return false;
        } else {
            buf_addc(out, (uint8_t)*text++);
        }
    }
    return !out->overflow;
}

static char *text_trim(char *s)
{
    size_t n;

    s += strspn(s, " \t");
    n = strlen(s);
    while (n > 0 && strchr(" \t\r\n", s[n - 1]) != NULL)
        n--;
    s[n] = '\0';
    return s;
}

/* ---- pairs ---- */

/* Names of tiers go into headers as they are, and this one has no limit. */
static bool is_tier_unlimited(const char *name)
{
    return strcmp(name, "tier." CONF_TIER_UNLIMITED) == 0;
}

/* A slash at the end of base_url means nothing: paths follow it. */
static size_t value_len(const struct setting *row, const char *value)
{
    size_t n = strlen(value);

    while (row->kind == SETTING_BASE_URL && n > 0 && value[n - 1] == '/')
        n--;
    return n;
}

static void pair_add(const struct reading *r, const struct setting *row, const char *name, const char *value)
{
    struct conf_pair *p = checked(calloc(1, sizeof *p));

    *p = (struct conf_pair){ .row = row,
                             .name = copied(name),
                             .value = checked(strndup(value, value_len(row, value))),
                             .file = copied(r->path),
                             .line = r->line,
                             .next = *r->pairs };
    *r->pairs = p;
}

static void name_refuse(const struct reading *r, const char *name)
{
    const struct setting *near = setting_near(name);
    char words[SETTING_WORDS_MAX];

    if (near != NULL)
        (void)snprintf(words, sizeof words, "one of gateway.conf(5), such as %s", near->name);
    else
        (void)snprintf(words, sizeof words, "one of gateway.conf(5)");
    line_refuse(r, "unknown setting", name, words);
}

static void pair_read(const struct reading *r, const char *name, const char *value)
{
    const struct setting *row = is_tier_unlimited(name) ? NULL : setting_find(name);
    char words[SETTING_WORDS_MAX], shown[SETTING_SHOWN_MAX];

    if (row == NULL)
        name_refuse(r, name);
    else if (!setting_allows(row, value))
        conf_problem_add(r->problems, r->path, r->line, "wrong setting", name,
                         setting_shown(shown, row, value), setting_allowed(words, row));
    else
        pair_add(r, row, name, value);
}

void conf_pairs_free(struct conf_pair *pairs)
{
    struct conf_pair *next;

    for (struct conf_pair *p = pairs; p != NULL; p = next) {
        next = p->next;
        free(p->name);
        free(p->value);
        free(p->file);
        free(p);
    }
}

/* ---- files ---- */

static void file_note(struct conf_names **files, const char *name)
{
    struct conf_names *n = checked(calloc(1, sizeof *n));

    *n = (struct conf_names){ .name = copied(name), .next = *files };
    *files = n;
}

void conf_names_free(struct conf_names *names)
{
    struct conf_names *next;

    for (struct conf_names *n = names; n != NULL; n = next) {
        next = n->next;
        free(n->name);
        free(n);
    }
}

static void path_read(const struct reading *from, const char *path);

static void unreadable(const struct reading *from, const char *path, const char *why)
{
    char allowed[SETTING_WORDS_MAX];

    (void)snprintf(allowed, sizeof allowed, "a file or a folder that can be read (%s)", why);
    line_refuse(from, "cannot read the settings", path, allowed);
}

static int is_settings_file(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return entry->d_name[0] != '.' && n > 5 && strcmp(entry->d_name + n - 5, ".conf") == 0;
}

static void folder_read(const struct reading *from, const char *path)
{
    struct dirent **entries;
    struct buf file = BUF_INIT(MAX_LINE);
    int n = scandir(path, &entries, is_settings_file, alphasort);

    if (n < 0) {
        unreadable(from, path, strerror(errno));
        return;
    }
    for (int i = 0; i < n; i++) {
        buf_reset(&file);
        buf_addf(&file, "%s/%s", path, entries[i]->d_name);
        path_read(from, buf_text(&file));
        free(entries[i]);
    }
    free(entries);
    buf_free(&file);
}

/* Relative to the file that includes it. */
static void include_read(const struct reading *r, const char *path)
{
    char *base = copied(r->path);
    struct buf full = BUF_INIT(MAX_LINE);
    struct stat st;

    if (*path != '/')
        buf_addf(&full, "%s/", dirname(base));
    buf_adds(&full, path);
    if (*path == '\0')
        line_refuse(r, "wrong include", NULL, "a file, or a folder with files *.conf");
    else if (stat(buf_text(&full), &st) == 0 && S_ISDIR(st.st_mode))
        folder_read(r, buf_text(&full));
    else
        path_read(r, buf_text(&full));
    buf_free(&full);
    free(base);
}

static void line_read(const struct reading *r, char *line)
{
    static const char INCLUDE[] = "include";
    struct buf value = BUF_INIT(MAX_LINE);
    char *name = text_trim(line), *eq = strchr(name, '=');
    bool includes =
        strncmp(name, INCLUDE, sizeof INCLUDE - 1) == 0 && strchr(" \t", name[sizeof INCLUDE - 1]);

    if (*name == '\0' || *name == '#')
        return;
    if (!includes && eq == NULL) {
        line_refuse(r, "wrong line", NULL, "name = value");
        return;
    }
    if (!includes)
        *eq = '\0';
    if (!text_expand(&value, text_trim(includes ? name + sizeof INCLUDE - 1 : eq + 1)))
        line_refuse(r, "wrong line", includes ? NULL : text_trim(name), "${NAME} or ${NAME:-default}");
    else if (includes)
        include_read(r, buf_text(&value));
    else
        pair_read(r, text_trim(name), buf_text(&value));
    buf_free(&value);
}

static void lines_read(struct reading *r, FILE *f)
{
    char line[MAX_LINE];
    bool whole = true, was_whole;

    while (fgets(line, sizeof line, f) != NULL) {
        was_whole = whole;
        whole = strlen(line) < sizeof line - 1 || line[sizeof line - 2] == '\n';
        r->line += was_whole;
        if (was_whole && whole)
            line_read(r, line);
        else if (was_whole)
            line_refuse(r, "line too long", NULL, "less than 4096 characters");
    }
}

/* `from` is what names it. */
static void path_read(const struct reading *from, const char *path)
{
    struct reading r = { from->pairs, from->files, from->problems, path, 0, from->depth + 1 };
    FILE *f = r.depth > MAX_DEPTH ? NULL : fopen(path, "re");

    if (f == NULL) {
        unreadable(from, path, r.depth > MAX_DEPTH ? "included too deeply" : strerror(errno));
        return;
    }
    file_note(r.files, path);
    lines_read(&r, f);
    (void)fclose(f);
}

struct conf_pair *conf_file_read(struct conf_pair *pairs, struct conf_names **files, const char *path,
                                 struct conf_problems *problems)
{
    const struct reading from = { &pairs, files, problems, path, 0, -1 };

    path_read(&from, path);
    return pairs;
}
