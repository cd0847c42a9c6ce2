#include "service/conf.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/incident.h"
#include "base/log.h"
#include "service/conf_file.h"
#include "service/settings.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Tiers that need no setting. "tier.<name> = N" changes them or adds others; `unlimited` stays as it is. */
static const struct {
    const char *name;
    unsigned per_minute;
} built_in_tiers[] = { { "standard", 120 }, { "premium", 600 }, { CONF_TIER_UNLIMITED, 0 } };

/* The quotas of the built-in tiers. "quota.<tier>.<name> = N" sets it for any tier, 0 for no limit. */
static const struct {
    const char *name;
    uint64_t standard, premium, unlimited;
} quotas[QUOTAS] = {
    [QUOTA_MESSAGE_BYTES] = { "message_bytes", 16384, 16384, 16384 },
    [QUOTA_TASK_BYTES] = { "task_bytes", 8000000, 40000000, QUOTA_NONE },
    [QUOTA_RECORD_BYTES] = { "record_bytes", 8000000, 40000000, QUOTA_NONE },
    [QUOTA_WALLETS] = { "wallets", 100, 500, QUOTA_NONE },
    [QUOTA_POLICIES] = { "policies", 50, 50, 50 },
    [QUOTA_ADDRESSES] = { "addresses", 20, 20, 20 },
    [QUOTA_PUSHES] = { "pushes", 100, 500, QUOTA_NONE },
    [QUOTA_EVENTS] = { "events", 1000, 5000, QUOTA_NONE },
    [QUOTA_AUDIT_LINES] = { "audit_lines", 500, 2500, QUOTA_NONE },
};

/* A file that `make install` leaves next to the folder of this program; NULL when it is not there. */
static const char *installed_file(char found[static PATH_MAX], const char *name)
{
    char self[PATH_MAX], beside[PATH_MAX + NAME_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    if (n <= 0)
        return NULL;
    self[n] = '\0';
    (void)snprintf(beside, sizeof beside, "%s/../%s", dirname(self), name);
    return realpath(beside, found);
}

const char *conf_path(const char *from_option)
{
    static char found[PATH_MAX];
    const char *env = getenv("GATEWAY_CONF");
    const char *installed;

    if (from_option != NULL)
        return from_option;
    if (env != NULL && *env != '\0')
        return env;
    installed = installed_file(found, "gateway.conf");
    return installed != NULL ? installed : "/etc/agent-gateway/gateway.conf";
}

/* ---- reading ---- */

/* FNV-1a */
static size_t name_place(const char *name)
{
    uint32_t hash = 2166136261;

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619;
    return hash % CONF_NAMED;
}

/* The line that counts, or NULL. Workers ask for each request. */
static const struct conf_pair *pair_of(const struct conf *c, const char *name)
{
    const struct conf_pair *p = c->named[name_place(name)];

    while (p != NULL && strcmp(p->name, name) != 0)
        p = p->sharing;
    return p;
}

static const char *setting_value(const struct conf *c, const char *name)
{
    const struct conf_pair *p = pair_of(c, name);

    return p == NULL ? NULL : p->value;
}

static void setting_fill(struct conf *c, const struct setting *s)
{
    const char *given = setting_value(c, s->name);
    const char *value = given != NULL ? given : s->dflt;
    void *at = (char *)c + s->at;

    switch (s->kind) {
    case SETTING_NUMBER:
        *(unsigned *)at = (unsigned)setting_number(value);
        break;
    case SETTING_YES_NO:
        *(bool *)at = setting_yes(value);
        break;
    case SETTING_FRACTION:
        *(uint32_t *)at = setting_millionths(value);
        break;
    case SETTING_CHOICE:
    case SETTING_NAME:
    case SETTING_PATH:
    case SETTING_BASE_URL:
    case SETTING_URL:
    case SETTING_URLS:
    case SETTING_ADDRESSES:
    case SETTING_ORIGINS:
    case SETTING_HASH:
    case SETTING_TEXT:
    case SETTING_KINDS:
        *(const char **)at = value;
        break;
    }
}

struct conf *conf_read(const char *path)
{
    struct conf *c = calloc(1, sizeof *c);
    char found[PATH_MAX];
    const char *paths = installed_file(found, "paths.conf"); /* the defaults of another PREFIX */

    if (c == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    c->path = path;
    c->problems = conf_problems_new();
    c->warnings = conf_problems_new();
    if (paths != NULL) {
        c->pairs = conf_file_read(c->pairs, &c->files, paths, c->problems);
        conf_names_free(c->files); /* of the programs, not of the settings */
        c->files = NULL;
    }
    c->pairs = conf_file_read(c->pairs, &c->files, path, c->problems);
    /* If several lines have one name, the one that counts stays first. */
    for (struct conf_pair *p = c->pairs; p != NULL; p = p->next) {
        struct conf_pair **at = &c->named[name_place(p->name)];

        while (*at != NULL)
            at = &(*at)->sharing;
        *at = p;
    }
    for (size_t i = 0; i < settings_count; i++)
        if (settings[i].at != SETTING_FAMILY)
            setting_fill(c, &settings[i]);
    return c;
}

const struct conf_problem *conf_problems(const struct conf *c)
{
    return conf_problems_first(c->problems);
}

const struct conf_problem *conf_warnings(const struct conf *c)
{
    return conf_problems_first(c->warnings);
}

static void pair_tell(struct conf_problems *to, const struct conf_pair *p, const char *what,
                      const char *allowed)
{
    char shown[SETTING_SHOWN_MAX];

    conf_problem_add(to, p->file, p->line, what, p->name, setting_shown(shown, p->row, p->value), allowed);
}

static const char WRONG[] = "wrong setting";

void conf_refuse(const struct conf *c, const char *name, const char *allowed)
{
    const struct conf_pair *p = pair_of(c, name);
    const struct setting *s = setting_find(name);
    char words[SETTING_WORDS_MAX];

    if (allowed == NULL)
        allowed = setting_allowed(words, s);
    if (p != NULL)
        pair_tell(c->problems, p, WRONG, allowed);
    else
        conf_problem_add(c->problems, c->path, 0, WRONG, name, s->dflt, allowed);
}

void conf_refuse_file(const struct conf *c, const char *name, const char *allowed, const char *why)
{
    char text[256];

    (void)snprintf(text, sizeof text, "%s: %s", allowed, why);
    conf_refuse(c, name, text);
}

void conf_warn(const struct conf *c, const char *name, const char *why)
{
    const struct conf_pair *p = pair_of(c, name);

    if (p != NULL)
        pair_tell(c->warnings, p, "it cannot be used, and is off", why);
}

/* With the zero behind it. */
static uint64_t text_add(uint64_t n, const char *text)
{
    do
        n = (n ^ (unsigned char)*text) * 0x100000001b3;
    while (*text++ != '\0');
    return n;
}

uint64_t conf_fingerprint(const struct conf *c)
{
    uint64_t n = 0xcbf29ce484222325; /* FNV-1a */

    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        n = text_add(text_add(n, p->name), p->value);
    return n;
}

size_t conf_refuse_unknown(const struct conf *c, const char *what, bool (*known)(const char *))
{
    char place[SETTING_PLACE_MAX + 1], allowed[SETTING_WORDS_MAX];
    size_t refused = 0;

    (void)snprintf(allowed, sizeof allowed, "of a %s that this program knows", what);
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (setting_place(place, p->row, p->name, what) && !known(place)) {
            pair_tell(c->problems, p, "unknown setting", allowed);
            refused++;
        }
    return refused;
}

bool conf_has_place(const struct conf *c, const char *what, const char *place)
{
    char found[SETTING_PLACE_MAX + 1];

    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (setting_place(found, p->row, p->name, what) && strcmp(found, place) == 0)
            return true;
    return false;
}

static void problems_log(const struct conf *c)
{
    for (const struct conf_problem *p = conf_problems(c); p != NULL; p = p->next)
        log_error("setting_wrong", "msg=\"%s\" file=%s line=%u name=%s value=\"%s\" allowed=\"%s\"", p->what,
                  p->file, p->line, p->name != NULL ? p->name : "", p->value != NULL ? p->value : "",
                  p->allowed != NULL ? p->allowed : "");
}

void conf_insist(const struct conf *c)
{
    /* A job says so at each of its starts. */
    char about[INCIDENT_ABOUT_MAX + 1];

    for (const struct conf_problem *p = conf_warnings(c); p != NULL; p = p->next) {
        (void)snprintf(about, sizeof about, "name=%s", p->name);
        log_repeated("setting_off", about, "msg=\"%s\" file=%s line=%u value=\"%s\" reason=\"%s\"", p->what,
                     p->file, p->line, p->value, p->allowed);
    }
    if (conf_problems(c) == NULL)
        return;
    problems_log(c);
    log_fatal("settings_wrong", "msg=\"the settings are wrong\"");
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* A file that cannot be read may set any of them, and one that is nearly called so was meant. */
static bool problem_is_of(const struct conf_problem *p, const char *const *names)
{
    const struct setting *near = p->name == NULL ? NULL : setting_near(p->name);

    return p->name != NULL && (strchr(p->name, '/') != NULL || is_among(names, p->name) ||
                               (near != NULL && is_among(names, near->name)));
}

bool conf_lacks(const struct conf *c, const char *const *names)
{
    for (const struct conf_problem *p = conf_problems(c); p != NULL; p = p->next)
        if (problem_is_of(p, names))
            return true;
    return false;
}

void conf_insist_on(const struct conf *c, const char *const *names)
{
    if (conf_lacks(c, names))
        conf_insist(c);
    problems_log(c);
}

struct conf *conf_load(const char *path)
{
    struct conf *c = conf_read(path);

    conf_insist(c);
    return c;
}

void conf_free(struct conf *c)
{
    conf_pairs_free(c->pairs);
    conf_names_free(c->files);
    conf_problems_free(c->problems);
    conf_problems_free(c->warnings);
    free(c);
}

void conf_show(const struct conf *c,
               void (*show)(const char *name, const char *value, const char *file, unsigned line))
{
    char shown[SETTING_SHOWN_MAX];

    for (size_t i = 0; i < settings_count; i++) {
        const struct setting *s = &settings[i];

        if (s->at != SETTING_FAMILY && pair_of(c, s->name) == NULL)
            show(s->name, setting_shown(shown, s, s->dflt), NULL, 0);
        for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
            if (p->row == s && pair_of(c, p->name) == p) /* no later line overrides it */
                show(p->name, setting_shown(shown, s, p->value), p->file, p->line);
    }
}

/* Files of keys and passwords have no default; folders are left out by who copies plain files. */
static bool names_file(const struct conf *c, const struct conf_pair *p)
{
    return p->row->kind == SETTING_PATH && (p->row->flags & SETTING_EMPTY) != 0 && p->value[0] != '\0' &&
           pair_of(c, p->name) == p;
}

void conf_each_file(const struct conf *c, void (*see)(void *arg, const char *path), void *arg)
{
    for (const struct conf_names *n = c->files; n != NULL; n = n->next)
        see(arg, n->name);
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (names_file(c, p))
            see(arg, p->value);
}

/* ---- settings of chains and providers ---- */

const char *conf_chain(const struct conf *c, const char *name, const char *chain_key)
{
    char full[128];

    (void)snprintf(full, sizeof full, "%s.%s", name, chain_key);
    return setting_value(c, full);
}

uint64_t conf_chain_number(const struct conf *c, const char *name, const char *chain_key, uint64_t dflt)
{
    const char *value = conf_chain(c, name, chain_key);

    return value == NULL || *value == '\0' ? dflt : setting_number(value);
}

const char *conf_provider(const struct conf *c, const char *provider_key, const char *name)
{
    char full[128];

    (void)snprintf(full, sizeof full, "provider.%s.%s", provider_key, name);
    return setting_value(c, full);
}

/* ---- tiers ---- */

bool conf_tier(const struct conf *c, const char *tier, unsigned *per_minute)
{
    char full[sizeof "tier." + CONF_TIER_MAX];
    const char *value;

    (void)snprintf(full, sizeof full, "tier.%s", tier);
    value = setting_value(c, full);
    if (value != NULL) {
        *per_minute = (unsigned)setting_number(value);
        return true;
    }
    for (size_t i = 0; i < COUNT(built_in_tiers); i++)
        if (strcmp(built_in_tiers[i].name, tier) == 0) {
            *per_minute = built_in_tiers[i].per_minute;
            return true;
        }
    return false;
}

/* 0 is how no limit is written. */
static uint64_t quota_number(const char *value)
{
    uint64_t n = setting_number(value);

    return n == 0 ? QUOTA_NONE : n;
}

uint64_t conf_quota(const struct conf *c, const char *tier, enum quota kind)
{
    char name[CONF_TIER_MAX + 64];
    const char *value;

    (void)snprintf(name, sizeof name, "quota.%s.%s", tier, quotas[kind].name);
    value = setting_value(c, name);
    if (value != NULL)
        return quota_number(value);
    if (strcmp(tier, CONF_TIER_UNLIMITED) == 0)
        return quotas[kind].unlimited;
    return strcmp(tier, "premium") == 0 ? quotas[kind].premium : quotas[kind].standard;
}

uint64_t conf_quota_least(const struct conf *c, enum quota kind)
{
    uint64_t least = conf_quota(c, "standard", kind);
    char family[64];

    (void)snprintf(family, sizeof family, "quota.<tier>.%s", quotas[kind].name);
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (strcmp(p->row->name, family) == 0 && quota_number(p->value) < least)
            least = quota_number(p->value);
    return least;
}
