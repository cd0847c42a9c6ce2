#include "api/endpoint/call_names.h"

#include <ctype.h>
#include <string.h>

#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "base/edit_distance.h"
#include "base/json_writer.h"

enum {
    TEXT_MAX = 64 * 1024,
    LIKE_MAX = 3,
    SEGMENT_MAX = 48,
    SHORT = 3 /* letters: more than one wrong makes another word */
};

/* ---- calls in a text ---- */

static bool goes_on(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '{' || c == '}';
}

/* The length of the row's path at the text, where an id or {name} stands for the row's {name}; 0: it is not
 * there. */
static size_t path_at(const char *text, const char *path)
{
    const char *at = text;

    for (; *path != '\0'; path++) {
        if (*path != '{') {
            if (*at++ != *path)
                return 0;
            continue;
        }
        if (!goes_on(*at))
            return 0;
        while (goes_on(*at))
            at++;
        path = strchr(path, '}');
    }
    return goes_on(*at) || (*at == '/' && goes_on(at[1])) ? 0 : (size_t)(at - text);
}

/* The row that a text names by its path and this method; *len is the length of the path. */
static const struct endpoint *row_at(enum method method, const char *text, size_t *len)
{
    const struct endpoint *found = NULL;

    *len = 0;
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++) {
        size_t n =
            (*ep)->tool == NULL || (*ep)->method != method ? 0 : path_at(text, (*ep)->path + strlen(V1));

        if (n > *len) {
            found = *ep;
            *len = n;
        }
    }
    return found;
}

/* The length of a method and the blank behind it; 0: the text begins with none. */
static size_t method_at(const char *text, enum method *method)
{
    static const enum method all[] = { GET, POST, PATCH, DELETE };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const char *name = method_text(all[i]);
        size_t n = strlen(name);

        if (strncmp(text, name, n) == 0 && text[n] == ' ' && text[n + 1] == '/') {
            *method = all[i];
            return n + 1;
        }
    }
    return 0;
}

const char *tools_named(struct arena *a, const char *text)
{
    struct buf out = BUF_INIT(TEXT_MAX);
    enum method method = GET;
    bool follows = false; /* another call */
    const char *named;
    size_t n;

    for (const char *s = text; *s != '\0'; s += n) {
        bool begins = s == text || !goes_on(s[-1]);
        size_t before = begins ? method_at(s, &method) : 0;
        const struct endpoint *ep =
            before > 0 || (follows && begins && *s == '/') ? row_at(method, s + before, &n) : NULL;

        if (ep != NULL) {
            buf_adds(&out, ep->tool);
            n += before;
            follows = true;
            if (s[n] == '?') {
                buf_adds(&out, " with ");
                n++;
            }
        } else {
            buf_add(&out, s, n = 1);
        }
    }
    named = out.overflow ? text : arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return named;
}

static void member_name(struct arena *a, json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name)), *named;

    if (text == NULL || strchr(text, '/') == NULL)
        return;
    named = tools_named(a, text);
    if (strcmp(named, text) != 0)
        json_object_set_new(object, name, json_string(named));
}

void tools_name_in(struct arena *a, json_t *answer)
{
    json_t *fields = json_object_get(answer, "fields"), *value;
    const char *name;
    void *next;

    member_name(a, answer, "hint");
    member_name(a, answer, "message");
    json_object_foreach_safe(fields, next, name, value)
    {
        member_name(a, fields, name);
    }
}

const char *answer_name_tools(struct arena *a, const char *text)
{
    json_t *answer = json_loads(text, 0, NULL);

    tools_name_in(a, answer);
    text = jw_text_of(a, answer, JSON_REAL_PRECISION(15));
    json_decref(answer);
    return text;
}

/* ---- names like another one ---- */

static bool tool_is_like(const char *tool, const char *name, bool nearly)
{
    if (nearly)
        return edit_distance(tool, name) <= EDIT_DISTANCE_MAX;
    return name_contains(tool, name) || name_contains(name, tool);
}

const char *tools_like(struct arena *a, const char *name)
{
    const char *found = NULL;
    unsigned n = 0;

    for (int nearly = 1; nearly >= 0 && found == NULL && *name != '\0'; nearly--)
        for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL && n < LIKE_MAX; ep++)
            if ((*ep)->tool != NULL && tool_is_like((*ep)->tool, name, nearly != 0)) {
                found = n++ == 0 ? (*ep)->tool : arena_printf(a, "%s, %s", found, (*ep)->tool);
            }
    return found;
}

/* The text up to the next '/' into `out`, "" where it is too long for a name of ours; returns its end. */
static const char *segment_take(char out[static SEGMENT_MAX], const char *s)
{
    size_t n = strcspn(s, "/");

    out[0] = '\0';
    if (n < SEGMENT_MAX) {
        memcpy(out, s, n);
        out[n] = '\0';
    }
    return s[n] == '/' ? s + n + 1 : s + n;
}

/* How many letters differ in all, of short words twice; more than EDIT_DISTANCE_MAX: they are not alike. */
static unsigned path_distance(const char *ours, const char *path)
{
    char mine[SEGMENT_MAX], theirs[SEGMENT_MAX];
    unsigned distance = 0;

    while ((*ours != '\0' || *path != '\0') && distance <= EDIT_DISTANCE_MAX) {
        ours = segment_take(mine, ours);
        path = segment_take(theirs, path);
        if (mine[0] == '\0' || theirs[0] == '\0')
            return EDIT_DISTANCE_MAX + 1;
        if (mine[0] != '{')
            distance += edit_distance(mine, theirs) * (strlen(mine) <= SHORT ? EDIT_DISTANCE_MAX : 1);
    }
    return distance;
}

const char *call_like(struct arena *a, enum method method, const char *path)
{
    const struct endpoint *found = NULL;
    unsigned least = 2 * (EDIT_DISTANCE_MAX + 1);
    size_t prefix = strlen(V1);

    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++) {
        unsigned whole, rest;

        if (!endpoint_is_documented(*ep))
            continue;
        whole = path_distance((*ep)->path + 1, path + strspn(path, "/"));
        rest = path_distance((*ep)->path + prefix + 1, path + strspn(path, "/"));
        whole = 2 * (rest < whole ? rest : whole) + ((*ep)->method != method);
        if (whole < least) {
            found = *ep;
            least = whole;
        }
    }
    return found == NULL ? NULL : arena_printf(a, "%s %s", method_text(found->method), found->path);
}
