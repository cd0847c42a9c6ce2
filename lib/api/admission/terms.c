#include "api/admission/terms.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "base/decimal_text.h"
#include "model/amount.h"

static const char APPROVAL[] = "approval_id";

static const struct param *param_named(const struct endpoint *ep, const char *name)
{
    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

const char **terms_text_at(const struct api_call *c, void *in, const char *name)
{
    const struct param *p = param_named(c->endpoint, name);

    return p != NULL && p->kind == P_TEXT ? (const char **)((char *)in + p->at) : NULL;
}

static bool text_ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && strcmp(s + n - m, end) == 0;
}

static const void *value_at(const struct param *p, const void *in)
{
    return (const char *)in + p->at;
}

enum { CASE_MATTERS_FROM = 32 }; /* characters of a text that no 0x begins: a key in base58 */

static bool is_in_capitals(const char *s)
{
    bool any = false;

    for (; *s != '\0'; s++) {
        if (islower((unsigned char)*s))
            return false;
        any = any || isupper((unsigned char)*s);
    }
    return any;
}

/* Names and addresses in hexadecimal digits are the same in capitals and without; so are labels. A chain is
 * the same by each of its names. */
static const char *text_folded(struct arena *a, const struct param *p, const char *s)
{
    bool hex = strncasecmp(s, "0x", 2) == 0,
         capitals = !hex && p->example != NULL && is_in_capitals(p->example);
    const char *chain = text_ends_with(p->name, "chain") ? param_chain_key(s) : NULL;
    char *copy;

    if (chain != NULL)
        return chain;
    if (!hex && strlen(s) >= CASE_MATTERS_FROM)
        return s;
    copy = arena_strdup(a, s);
    for (char *c = copy; *c != '\0'; c++)
        *c = (char)(capitals ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
    return copy;
}

static void text_write(struct json_writer *w, const struct param *p, const char *s)
{
    const char *plain;

    if (s == NULL || (*s == '\0' && !p->required))
        s = p->assumed;
    if (s == NULL)
        return;
    plain = p->kind == P_TEXT ? NULL : decimal_plain(w->arena, s);
    jw_string(w, p->name, plain != NULL ? plain : text_folded(w->arena, p, s));
}

static void texts_write(struct json_writer *w, const struct param *p, const char *const *list)
{
    if (list == NULL)
        return;
    jw_array(w, p->name);
    for (; *list != NULL; list++)
        jw_string(w, NULL, text_folded(w->arena, p, *list));
    jw_end(w);
}

static void member_write(struct json_writer *w, const struct param *p, const void *in)
{
    const void *at = value_at(p, in);

    switch (p->kind) {
    case P_TEXT:
    case P_AMOUNT:
    case P_QUANTITY:
    case P_DECIMAL:
        text_write(w, p, *(const char *const *)at);
        break;
    case P_FRACTION:
        if (*(const uint32_t *)at != PPM_NONE)
            jw_integer(w, p->name, *(const uint32_t *)at);
        break;
    case P_WHOLE:
        jw_integer(w, p->name, (int64_t) * (const uint64_t *)at);
        break;
    case P_TIME:
        jw_integer(w, p->name, *(const int64_t *)at);
        break;
    case P_FLAG:
        jw_true_if(w, p->name, *(const bool *)at);
        break;
    case P_NULLABLE:
    case P_OBJECT:
        if (((const struct param_text *)at)->given)
            jw_string_or_null(w, p->name, ((const struct param_text *)at)->value);
        break;
    case P_TEXTS:
        texts_write(w, p, *(const char *const *const *)at);
        break;
    }
}

static bool is_in(const char *const *list, const char *name)
{
    while (*list != NULL && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

void terms_write(struct json_writer *w, const struct api_call *c, const void *in, const char *const *but)
{
    static const char *const expiring[] = { "quote_id", APPROVAL, NULL };

    for (const struct param *p = c->endpoint->params; p != NULL && p->name != NULL; p++)
        if (!p->aside && !is_in(expiring, p->name) && !is_in(but, p->name))
            member_write(w, p, in);
}

const char *terms_sentence(struct arena *a, const char *said)
{
    static const struct param word = { .name = "word" };
    char *rest = arena_strdup(a, said), *next;
    const char *out = "";

    for (const char *each = strtok_r(rest, " \t\r\n", &next); each != NULL;
         each = strtok_r(NULL, " \t\r\n", &next)) {
        const char *plain = decimal_plain(a, each);

        out = arena_printf(a, "%s%s%s", out, *out == '\0' ? "" : " ",
                           plain != NULL ? plain : text_folded(a, &word, each));
    }
    return out;
}

/* Whether an approval_id was sent alone, in place of what it is about. */
static bool approval_stands_in(const struct endpoint *ep, const void *in)
{
    const struct param *approval = param_named(ep, APPROVAL);

    if (approval == NULL || *(const char *const *)value_at(approval, in) == NULL)
        return false;
    for (const struct param *p = ep->params; p->name != NULL; p++)
        if (p->needed && (p->kind == P_TEXT || p->kind == P_QUANTITY || p->kind == P_DECIMAL) &&
            *(const char *const *)value_at(p, in) != NULL)
            return false;
    return true;
}

const char *terms_of_members(struct api_call *c, const void *in)
{
    static const char *const all[] = { NULL };
    struct json_writer w;

    if (approval_stands_in(c->endpoint, in))
        return NULL;
    jw_init(&w, c->arena, TERMS_BYTES);
    jw_object(&w, NULL);
    terms_write(&w, c, in, all);
    jw_end(&w);
    return jw_finish(&w);
}
