#include "service/conf.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

enum { MAX_LINE = 4096, MAX_DEPTH = 4 };

struct conf_pair {
    char *name;
    char *value;
    struct conf_pair *next; /* a later line stands before an earlier one */
};

struct conf_tier {
    char name[CONF_TIER_MAX + 1];
    unsigned per_minute;
    struct conf_tier *next;
};

enum kind { TEXT, NUMBER, YES_NO, FRACTION };

static const struct setting {
    const char *name;
    enum kind kind;
    size_t at;
    const char *dflt;
} settings[] = {
    { "base_url", TEXT, offsetof(struct conf, base_url), "http://127.0.0.1:8080" },
    { "fastcgi_socket", TEXT, offsetof(struct conf, fastcgi_socket), "/run/agent-gateway/gateway.sock" },
    { "pid_file", TEXT, offsetof(struct conf, pid_file), "/run/agent-gateway/gateway.pid" },
    { "workers", NUMBER, offsetof(struct conf, workers), "64" },
    { "fast_workers", NUMBER, offsetof(struct conf, fast_workers), "0" },
    { "signer_socket", TEXT, offsetof(struct conf, signer_socket), "/run/agent-gateway/signer.sock" },
    { "key_dir", TEXT, offsetof(struct conf, key_dir), "/var/lib/agent-gateway/keys" },
    { "service_key_file", TEXT, offsetof(struct conf, service_key_file),
      "/var/lib/agent-gateway/service.key" },
    { "signer_dir", TEXT, offsetof(struct conf, signer_dir), "/var/lib/agent-gateway/signer" },
    { "signer_uid", NUMBER, offsetof(struct conf, signer_uid), "0" },
    { "worker_uid", NUMBER, offsetof(struct conf, worker_uid), "0" },
    { "signer_chains", TEXT, offsetof(struct conf, signer_chains), "" },
    { "signer_tokens", TEXT, offsetof(struct conf, signer_tokens), "any" },
    { "signer_floor", FRACTION, offsetof(struct conf, signer_floor), "0" },
    { "signer_floor_age_s", NUMBER, offsetof(struct conf, signer_floor_age_s), "900" },
    { "db_servers", TEXT, offsetof(struct conf, db_servers), "/run/mysqld/mysqld.sock" },
    { "db_user", TEXT, offsetof(struct conf, db_user), "agent_gateway" },
    { "db_password_file", TEXT, offsetof(struct conf, db_password_file), "" },
    { "db_name", TEXT, offsetof(struct conf, db_name), "agent_gateway" },
    { "db_tls", TEXT, offsetof(struct conf, db_tls), "prefer" },
    { "db_tls_ca", TEXT, offsetof(struct conf, db_tls_ca), "" },
    { "sql_dir", TEXT, offsetof(struct conf, sql_dir), "/usr/local/lib/agent-gateway/sql" },
    { "shm_file", TEXT, offsetof(struct conf, shm_file), "/run/agent-gateway/counters" },
    { "register_per_minute", NUMBER, offsetof(struct conf, register_per_minute), "5" },
    { "public_per_minute", NUMBER, offsetof(struct conf, public_per_minute), "1200" },
    { "unknown_keys_per_minute", NUMBER, offsetof(struct conf, unknown_keys_per_minute), "300" },
    { "hosts", NUMBER, offsetof(struct conf, hosts), "1" },
    { "webhook_allow_http_loopback", YES_NO, offsetof(struct conf, webhook_allow_http_loopback), "no" },
    { "delete_funded", YES_NO, offsetof(struct conf, delete_funded), "yes" },
    { "trusted_proxies", TEXT, offsetof(struct conf, trusted_proxies), "" },
    { "metrics_from", TEXT, offsetof(struct conf, metrics_from), "" },
    { "allowed_origins", TEXT, offsetof(struct conf, allowed_origins), "" },
    { "log_requests", TEXT, offsetof(struct conf, log_requests), "failed" },
    { "second_look_s", NUMBER, offsetof(struct conf, second_look_s), "600" },
    { "a2a_wait_ms", NUMBER, offsetof(struct conf, a2a_wait_ms), "2000" },
    { "send_fallback", YES_NO, offsetof(struct conf, send_fallback), "no" },
    { "verify_divergence_max", FRACTION, offsetof(struct conf, verify_divergence_max), "0.01" },
    { "price_feed_url", TEXT, offsetof(struct conf, price_feed_url), "" },
    { "price_divergence_max", FRACTION, offsetof(struct conf, price_divergence_max), "0.10" },
    { "price_impact_max", FRACTION, offsetof(struct conf, price_impact_max), "0.05" },
    { "solana_fee_max", NUMBER, offsetof(struct conf, solana_fee_max), "5000000" },
    { "bridge_max_usd", NUMBER, offsetof(struct conf, bridge_max_usd), "0" },
    { "predict_trading", YES_NO, offsetof(struct conf, predict_trading), "no" },
    { "predict_gamma_url", TEXT, offsetof(struct conf, predict_gamma_url),
      "https://gamma-api.polymarket.com" },
    { "predict_clob_url", TEXT, offsetof(struct conf, predict_clob_url), "https://clob.polymarket.com" },
    { "predict_data_url", TEXT, offsetof(struct conf, predict_data_url), "https://data-api.polymarket.com" },
    { "predict_relayer_url", TEXT, offsetof(struct conf, predict_relayer_url),
      "https://relayer-v2.polymarket.com" },
    { "predict_geoblock_url", TEXT, offsetof(struct conf, predict_geoblock_url),
      "https://polymarket.com/api/geoblock" },
    { "predict_wallet", TEXT, offsetof(struct conf, predict_wallet), "deposit" },
    { "predict_relayer_key_file", TEXT, offsetof(struct conf, predict_relayer_key_file), "" },
    { "predict_builder_code", TEXT, offsetof(struct conf, predict_builder_code), "" },
};

/* Settings of one chain each: "<name>.<chain key>". */
static const struct chain_setting {
    const char *name;
    enum kind kind;
} chain_settings[] = {
    { "rpc", TEXT },
    { "send", TEXT },
    { "explorer", TEXT },
    { "verify", TEXT },
    { "confirm_depth", NUMBER },
    { "settle_depth", NUMBER },
    { "tip_min", NUMBER },
    { "tip_max", NUMBER },
    { "signer_tx_max", TEXT },
    { "signer_day_max", TEXT },
};

/* Settings of one provider of routes each: "provider.<key>.<name>". */
static const char *const provider_settings[] = { "url",     "key_file", "rate",       "fee_receiver",
                                                 "fee_bps", "bridges",  "second_door" };
static const char PROVIDER_PREFIX[] = "provider.";
enum { PROVIDER_KEY_MAX = 32 };

/* Tiers that need no setting. "tier.<name> = N" changes them or adds others; `unlimited` stays as it is. */
static const struct {
    const char *name;
    unsigned per_minute;
} built_in_tiers[] = { { "standard", 120 }, { "premium", 600 }, { CONF_TIER_UNLIMITED, 0 } };

static const char TIER_PREFIX[] = "tier.";

/* What agents of the built-in tiers may store. "quota.<tier>.<name> = N" sets it for any tier, 0 for no
 * limit. */
static const struct {
    const char *name;
    uint64_t standard, premium, unlimited;
} quotas[QUOTAS] = {
    [QUOTA_MESSAGE_BYTES] = { "message_bytes", 16384, 16384, 16384 },
    [QUOTA_TASK_BYTES] = { "task_bytes", 8000000, 40000000, QUOTA_NONE },
    [QUOTA_RECORD_BYTES] = { "record_bytes", 8000000, 40000000, QUOTA_NONE },
    [QUOTA_WALLETS] = { "wallets", 100, 500, QUOTA_NONE },
    [QUOTA_POLICIES] = { "policies", 50, 50, 50 },
    [QUOTA_PUSHES] = { "pushes", 100, 500, QUOTA_NONE },
    [QUOTA_EVENTS] = { "events", 1000, 5000, QUOTA_NONE },
    [QUOTA_AUDIT_LINES] = { "audit_lines", 500, 2500, QUOTA_NONE },
};
static const char QUOTA_PREFIX[] = "quota.";

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What `make install` leaves beside the folder of this program; NULL when it is not there. */
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

static char *text_copy(const char *s)
{
    char *p = strdup(s);

    if (p == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    return p;
}

static const struct setting *setting_find(const char *name)
{
    for (size_t i = 0; i < COUNT(settings); i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

static const struct chain_setting *chain_setting_find(const char *name)
{
    const char *dot = strchr(name, '.');

    for (size_t i = 0; dot != NULL && i < COUNT(chain_settings); i++)
        if (strlen(chain_settings[i].name) == (size_t)(dot - name) &&
            strncmp(chain_settings[i].name, name, (size_t)(dot - name)) == 0)
            return &chain_settings[i];
    return NULL;
}

/* "quota.<tier>.<name>": the kind it is about, QUOTAS when it is about something else. */
static enum quota quota_setting(const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t i = QUOTAS;

    if (strncmp(name, QUOTA_PREFIX, sizeof QUOTA_PREFIX - 1) == 0 && dot - name >= (int)sizeof QUOTA_PREFIX)
        for (i = 0; i < QUOTAS && strcmp(quotas[i].name, dot + 1) != 0; i++)
            continue;
    return (enum quota)i;
}

/* The name of the tier that a setting is about, NULL when it is about something else. Names go into headers
 * as they are. */
static const char *tier_setting(const char *name)
{
    size_t prefix = sizeof TIER_PREFIX - 1, n;

    if (strncmp(name, TIER_PREFIX, prefix) != 0)
        return NULL;
    name += prefix;
    n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return n > 0 && n <= CONF_TIER_MAX && name[n] == '\0' && strcmp(name, CONF_TIER_UNLIMITED) != 0 ? name
                                                                                                    : NULL;
}

/* The key of the provider that a setting is about; false when it is about something else. */
static bool provider_setting(char key[static PROVIDER_KEY_MAX + 1], const char *name)
{
    const char *from = name + sizeof PROVIDER_PREFIX - 1, *dot = strrchr(name, '.');
    int n = (int)(dot - from);

    if (strncmp(name, PROVIDER_PREFIX, sizeof PROVIDER_PREFIX - 1) != 0 || n <= 0 || n > PROVIDER_KEY_MAX)
        return false;
    (void)snprintf(key, PROVIDER_KEY_MAX + 1, "%.*s", n, from);
    for (size_t i = 0; i < COUNT(provider_settings); i++)
        if (strcmp(provider_settings[i], dot + 1) == 0)
            return true;
    return false;
}

/* Of any kind. */
static bool setting_known(const char *name)
{
    char provider[PROVIDER_KEY_MAX + 1];

    return setting_find(name) != NULL || chain_setting_find(name) != NULL || tier_setting(name) != NULL ||
           quota_setting(name) != QUOTAS || provider_setting(provider, name);
}

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

static void setting_set(struct conf *c, const char *name, const char *value)
{
    struct conf_pair *p = calloc(1, sizeof *p);

    if (p == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    p->name = text_copy(name);
    p->value = text_copy(value);
    p->next = c->pairs;
    c->pairs = p;
}

static void file_load(struct conf *c, const char *path, int depth);

static void file_include(struct conf *c, const char *from, const char *path, int depth)
{
    char *base = text_copy(from);
    struct buf full = BUF_INIT(MAX_LINE);

    if (*path != '/')
        buf_addf(&full, "%s/", dirname(base));
    buf_adds(&full, path);
    file_load(c, buf_text(&full), depth + 1);
    buf_free(&full);
    free(base);
}

static void line_read(struct conf *c, const char *path, unsigned number, char *line, int depth)
{
    struct buf value = BUF_INIT(MAX_LINE);
    char *name = text_trim(line), *eq = strchr(name, '=');

    if (*name == '\0' || *name == '#')
        return;
    if (strncmp(name, "include ", 8) == 0) {
        if (!text_expand(&value, text_trim(name + 8)))
            log_fatal("setting_wrong", "msg=\"bad ${...}\" file=%s line=%u", path, number);
        file_include(c, path, buf_text(&value), depth);
    } else {
        if (eq == NULL)
            log_fatal("setting_wrong", "msg=\"expected name = value\" file=%s line=%u", path, number);
        *eq = '\0';
        name = text_trim(name);
        if (!setting_known(name))
            log_fatal("setting_wrong", "msg=\"unknown setting\" file=%s line=%u name=%s", path, number, name);
        if (!text_expand(&value, text_trim(eq + 1)))
            log_fatal("setting_wrong", "msg=\"bad ${...}\" file=%s line=%u", path, number);
        setting_set(c, name, buf_text(&value));
    }
    buf_free(&value);
}

static void file_load(struct conf *c, const char *path, int depth)
{
    char line[MAX_LINE];
    unsigned number = 0;
    FILE *f = depth > MAX_DEPTH ? NULL : fopen(path, "re");

    if (f == NULL)
        log_fatal("settings_unreadable", "msg=\"cannot read the settings\" file=%s reason=\"%s\"", path,
                  depth > MAX_DEPTH ? "included too deeply" : strerror(errno));
    while (fgets(line, sizeof line, f) != NULL) {
        number++;
        if (strlen(line) == sizeof line - 1 && line[sizeof line - 2] != '\n')
            log_fatal("setting_wrong", "msg=\"line too long\" file=%s line=%u", path, number);
        line_read(c, path, number, line, depth);
    }
    (void)fclose(f);
}

static const char *setting_value(const struct conf *c, const char *name)
{
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (strcmp(p->name, name) == 0)
            return p->value;
    return NULL;
}

static uint64_t setting_number(const char *name, const char *value, uint64_t max)
{
    char *end;
    unsigned long long n;

    errno = 0;
    n = strtoull(value, &end, 10);
    if (errno != 0 || *value < '0' || *value > '9' || *end != '\0' || n > max)
        log_fatal("setting_wrong", "msg=\"setting is not a number\" name=%s value=\"%s\"", name, value);
    return n;
}

static bool setting_yes_no(const char *name, const char *value)
{
    bool yes = strcmp(value, "yes") == 0 || strcmp(value, "on") == 0;

    if (!yes && strcmp(value, "no") != 0 && strcmp(value, "off") != 0)
        log_fatal("setting_wrong", "msg=\"setting is neither yes nor no\" name=%s value=\"%s\"", name, value);
    return yes;
}

/* "0.05" in millionths. */
static uint32_t setting_fraction(const char *name, const char *value)
{
    enum { ONE = 1000000 };
    size_t whole = strspn(value, "0123456789"), places = 0;
    uint32_t ppm = whole == 1 ? (uint32_t)(value[0] - '0') * ONE : 2 * ONE;
    const char *p = value + whole;

    if (*p == '.')
        for (uint32_t unit = ONE / 10; p[1] >= '0' && p[1] <= '9'; unit /= 10, places++, p++)
            ppm += (uint32_t)(p[1] - '0') * unit;
    if (ppm > ONE || p[places > 0] != '\0')
        log_fatal("setting_wrong", "msg=\"setting is not a number from 0 to 1\" name=%s value=\"%s\"", name,
                  value);
    return ppm;
}

static void settings_fill(struct conf *c, const struct setting *s)
{
    const char *given = setting_value(c, s->name);
    const char *value = given != NULL ? given : s->dflt;
    void *at = (char *)c + s->at;

    switch (s->kind) {
    case TEXT:
        *(const char **)at = value;
        break;
    case NUMBER:
        *(unsigned *)at = (unsigned)setting_number(s->name, value, UINT_MAX);
        break;
    case YES_NO:
        *(bool *)at = setting_yes_no(s->name, value);
        break;
    case FRACTION:
        *(uint32_t *)at = setting_fraction(s->name, value);
        break;
    }
}

/* A wrong one must end the start, not the first request that needs it. */
static void check_chain_numbers(const struct conf *c)
{
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next) {
        const struct chain_setting *s = chain_setting_find(p->name);

        if (s != NULL && s->kind == NUMBER && *p->value != '\0')
            (void)setting_number(p->name, p->value, UINT64_MAX);
    }
}

/* Every request asks for one. */
static void tier_add(struct conf *c, const struct conf_pair *p)
{
    struct conf_tier *t = calloc(1, sizeof *t), **end = &c->tiers;
    uint64_t n = setting_number(p->name, p->value, CONF_PER_MINUTE_MAX);

    if (n == 0)
        log_fatal("setting_wrong", "msg=\"a tier must allow something\" name=%s", p->name);
    if (t == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    (void)snprintf(t->name, sizeof t->name, "%s", tier_setting(p->name));
    t->per_minute = (unsigned)n;
    while (*end != NULL) /* a later line stands before an earlier one here too */
        end = &(*end)->next;
    *end = t;
}

/* 0 is how no limit is written. */
static uint64_t quota_number(const struct conf_pair *p)
{
    uint64_t n = setting_number(p->name, p->value, UINT32_MAX);

    return n == 0 ? QUOTA_NONE : n;
}

static void limits_read(struct conf *c)
{
    const unsigned per_minute[] = { c->register_per_minute, c->public_per_minute,
                                    c->unknown_keys_per_minute };

    for (size_t i = 0; i < COUNT(per_minute); i++)
        if (per_minute[i] > CONF_PER_MINUTE_MAX)
            log_fatal("setting_wrong", "msg=\"at most %d a minute\" value=%u", (int)CONF_PER_MINUTE_MAX,
                      per_minute[i]);
    if (c->hosts == 0)
        log_fatal("setting_wrong", "msg=\"hosts must be 1 or more\"");
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next) {
        if (tier_setting(p->name) != NULL)
            tier_add(c, p);
        if (quota_setting(p->name) != QUOTAS)
            (void)quota_number(p);
    }
}

struct conf *conf_load(const char *path)
{
    struct conf *c = calloc(1, sizeof *c);
    char found[PATH_MAX];
    const char *paths = installed_file(found, "paths.conf"); /* the defaults of another PREFIX */

    if (c == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    if (paths != NULL)
        file_load(c, paths, 0);
    file_load(c, path, 0);
    for (size_t i = 0; i < COUNT(settings); i++)
        settings_fill(c, &settings[i]);
    check_chain_numbers(c);
    if (strcmp(c->predict_wallet, "deposit") != 0 && strcmp(c->predict_wallet, "eoa") != 0)
        log_fatal("setting_wrong",
                  "msg=\"setting is neither deposit nor eoa\" name=predict_wallet value=\"%s\"",
                  c->predict_wallet);
    if (strcmp(c->log_requests, "failed") != 0 && strcmp(c->log_requests, "slow") != 0 &&
        strcmp(c->log_requests, "all") != 0)
        log_fatal("setting_wrong",
                  "msg=\"setting is neither failed nor slow nor all\" name=log_requests value=\"%s\"",
                  c->log_requests);
    limits_read(c);
    return c;
}

void conf_free(struct conf *c)
{
    struct conf_pair *next;
    struct conf_tier *next_tier;

    for (struct conf_pair *p = c->pairs; p != NULL; p = next) {
        next = p->next;
        free(p->name);
        free(p->value);
        free(p);
    }
    for (struct conf_tier *t = c->tiers; t != NULL; t = next_tier) {
        next_tier = t->next;
        free(t);
    }
    free(c);
}

const char *conf_chain(const struct conf *c, const char *name, const char *chain_key)
{
    char full[128];

    (void)snprintf(full, sizeof full, "%s.%s", name, chain_key);
    return setting_value(c, full);
}

uint64_t conf_chain_number(const struct conf *c, const char *name, const char *chain_key, uint64_t dflt)
{
    const char *value = conf_chain(c, name, chain_key);

    return value == NULL || *value == '\0' ? dflt : setting_number(name, value, UINT64_MAX);
}

const char *conf_unknown_chain(const struct conf *c, bool (*known)(const char *chain_key))
{
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (chain_setting_find(p->name) != NULL && !known(strchr(p->name, '.') + 1))
            return p->name;
    return NULL;
}

const char *conf_provider(const struct conf *c, const char *provider_key, const char *name)
{
    char full[128];

    (void)snprintf(full, sizeof full, "%s%s.%s", PROVIDER_PREFIX, provider_key, name);
    return setting_value(c, full);
}

const char *conf_unknown_provider(const struct conf *c, bool (*known)(const char *provider_key))
{
    char key[PROVIDER_KEY_MAX + 1];

    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (provider_setting(key, p->name) && !known(key))
            return p->name;
    return NULL;
}

bool conf_tier(const struct conf *c, const char *tier, unsigned *per_minute)
{
    for (const struct conf_tier *t = c->tiers; t != NULL; t = t->next)
        if (strcmp(t->name, tier) == 0) {
            *per_minute = t->per_minute;
            return true;
        }
    for (size_t i = 0; i < COUNT(built_in_tiers); i++)
        if (strcmp(built_in_tiers[i].name, tier) == 0) {
            *per_minute = built_in_tiers[i].per_minute;
            return true;
        }
    return false;
}

uint64_t conf_quota(const struct conf *c, const char *tier, enum quota kind)
{
    char name[sizeof QUOTA_PREFIX + CONF_TIER_MAX + 32];

    (void)snprintf(name, sizeof name, "%s%s.%s", QUOTA_PREFIX, tier, quotas[kind].name);
    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (strcmp(p->name, name) == 0)
            return quota_number(p);
    if (strcmp(tier, CONF_TIER_UNLIMITED) == 0)
        return quotas[kind].unlimited;
    return strcmp(tier, "premium") == 0 ? quotas[kind].premium : quotas[kind].standard;
}

uint64_t conf_quota_least(const struct conf *c, enum quota kind)
{
    uint64_t least = conf_quota(c, "standard", kind);

    for (const struct conf_pair *p = c->pairs; p != NULL; p = p->next)
        if (quota_setting(p->name) == kind && quota_number(p) < least)
            least = quota_number(p);
    return least;
}
