#include "base/test.h"
#include "service/conf.c"
#include "service/conf_file.c"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/test_conf.XXXXXX";

static const char *path_of(const char *name)
{
    static char path[64];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *write_file(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");

    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        log_fatal("test", "cannot write %s", path_of(name));
    return path_of(name);
}

static struct conf *load(const char *text)
{
    return conf_load(write_file("main.conf", text));
}

/* Whether there is exactly one problem, and its line is named. */
static bool refused(const char *text)
{
    struct conf *c = conf_read(write_file("main.conf", text));
    const struct conf_problem *p = conf_problems(c);
    bool one = p != NULL && p->next == NULL && p->allowed != NULL && p->line > 0;

    conf_free(c);
    return one;
}

static void defaults(void)
{
    struct conf *c = load("");

    CHECK_STR(c->base_url, "http://127.0.0.1:8080");
    CHECK_STR(c->db_servers, "/run/mysqld/mysqld.sock");
    CHECK(c->workers == 64 && c->register_per_minute == 5);
    CHECK(c->public_per_minute > 0 && c->unknown_keys_per_minute > 0 && c->hosts == 1);
    CHECK_STR(c->allowed_origins, "");
    CHECK(!c->webhook_allow_http_loopback);
    conf_free(c);
}

static void lines(void)
{
    struct conf *c = load("# a comment\n"
                          "\n"
                          "   \t\n"
                          "  workers\t=  8  \n"
                          "base_url=https://x.example/a/\r\n"
                          "webhook_allow_http_loopback = yes\n"
                          "predict_trading = on\n"
                          "trusted_proxies = \n"
                          "db_name = last-line-without-an-end");

    CHECK(c->workers == 8 && c->webhook_allow_http_loopback && c->predict_trading);
    CHECK_STR(c->base_url, "https://x.example/a");
    CHECK_STR(c->trusted_proxies, "");
    CHECK_STR(c->db_name, "last-line-without-an-end");
    conf_free(c);
}

static void quotas_by_tier(void)
{
    static const char *const bad[] = { "quota.standard.nothing = 5",  "quota.standard = 5",
                                       "quota.wallets = 5",           "quota..wallets = 5",
                                       "quota.standard.wallets = -1", "quota.standard.wallets = many" };
    struct conf *c = load("quota.standard.wallets = 7\nquota.gold.wallets = 0\nquota.low.wallets = 3\n");

    CHECK(conf_quota(c, "standard", QUOTA_WALLETS) == 7 &&
          conf_quota(c, "gold", QUOTA_WALLETS) == QUOTA_NONE);
    CHECK(conf_quota(c, "premium", QUOTA_WALLETS) == 500 && conf_quota(c, "silver", QUOTA_WALLETS) == 100);
    CHECK(conf_quota(c, "unlimited", QUOTA_WALLETS) == QUOTA_NONE && conf_quota_least(c, QUOTA_WALLETS) == 3);
    CHECK(conf_quota(c, "standard", QUOTA_TASK_BYTES) == 8000000 &&
          conf_quota(c, "standard", QUOTA_RECORD_BYTES) == 8000000);
    CHECK(conf_quota(c, "standard", QUOTA_MESSAGE_BYTES) == 16384 &&
          conf_quota(c, "standard", QUOTA_POLICIES) == 50 && conf_quota(c, "standard", QUOTA_PUSHES) == 100 &&
          conf_quota_least(c, QUOTA_EVENTS) == 1000);
    conf_free(c);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(refused(bad[i]));
}

static void tiers(void)
{
    static const char *const bad[] = { "tier. = 5",
                                       "tier.gold = 0",
                                       "tier.gold = 1000001",
                                       "tier.gold =",
                                       "tier.gold = -1",
                                       "tier.go\"ld = 5",
                                       "tier.unlimited = 5",
                                       "tier.a b = 5",
                                       "tier.abcdefghijklmnopqrstuvwxyzabcdefg = 5",
                                       "tiers.gold = 5",
                                       "public_per_minute = 1000001",
                                       "hosts = 0" };
    struct conf *c = load("tier.gold = 2000\ntier.gold = 2500\ntier.premium = 700\n");
    unsigned n;

    CHECK(conf_tier(c, "standard", &n) && n == 120);
    CHECK(conf_tier(c, "premium", &n) && n == 700);
    CHECK(conf_tier(c, "gold", &n) && n == 2500);
    CHECK(conf_tier(c, "unlimited", &n) && n == 0);
    CHECK(!conf_tier(c, "golden", &n) && !conf_tier(c, "", &n) && !conf_tier(c, "Gold", &n));
    conf_free(c);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(refused(bad[i]));
}

static void later_lines_override(void)
{
    struct conf *c = load("workers = 1\nrpc.base = http://a\nworkers = 2\nrpc.base = http://b\n");

    CHECK(c->workers == 2);
    CHECK_STR(conf_chain(c, "rpc", "base"), "http://b");
    conf_free(c);
}

static void included_files(void)
{
    struct conf *c;
    char text[128];

    write_file("inner.conf", "workers = 3\ndb_user = inner\ninclude innermost.conf\n");
    write_file("innermost.conf", "db_name = innermost\n");
    c = load("db_user = before\ninclude inner.conf\nworkers = 4\n");
    CHECK(c->workers == 4);
    CHECK_STR(c->db_user, "inner");
    CHECK_STR(c->db_name, "innermost");
    conf_free(c);

    snprintf(text, sizeof text, "include %s/inner.conf\n", folder);
    c = load(text);
    CHECK(c->workers == 3);
    conf_free(c);

    setenv("TEST_CONF_NAME", "inner", 1);
    c = load("include ${TEST_CONF_NAME}.conf\n");
    CHECK(c->workers == 3);
    conf_free(c);
}

static void variables(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        { "${TEST_CONF_SET}", "value" },
        { "a${TEST_CONF_SET}b${TEST_CONF_SET}", "avaluebvalue" },
        { "${TEST_CONF_SET:-other}", "value" },
        { "${TEST_CONF_EMPTY:-other}", "other" },
        { "${TEST_CONF_UNSET:-other}", "other" },
        { "${TEST_CONF_UNSET:-}", "" },
        { "x${TEST_CONF_UNSET}y", "xy" },
        { "$TEST_CONF_SET", "$TEST_CONF_SET" },
        { "${TEST_CONF_NESTED}", "${TEST_CONF_SET}" }, /* what comes out is not looked at again */
        { "${TEST_CONF_UNSET:-http://h:1/}", "http://h:1/" },
    };

    setenv("TEST_CONF_SET", "value", 1);
    setenv("TEST_CONF_EMPTY", "", 1);
    setenv("TEST_CONF_NESTED", "${TEST_CONF_SET}", 1);
    unsetenv("TEST_CONF_UNSET");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[128];
        struct conf *c;

        snprintf(text, sizeof text, "signer_chains = %s\n", rows[i].text);
        c = load(text);
        CHECK_STR(c->signer_chains, rows[i].want);
        conf_free(c);
    }
}

static void settings_of_a_chain(void)
{
    struct conf *c = load("rpc.ethereum = http://a,http://b\n"
                          "rpc.base =\n"
                          "confirm_depth.ethereum = 1\n"
                          "settle_depth.ethereum =\n"
                          "tip_max.polygon = 500000000000\n"
                          "tip_min.polygon = 10000000000000\n");

    CHECK_STR(conf_chain(c, "rpc", "ethereum"), "http://a,http://b");
    CHECK_STR(conf_chain(c, "rpc", "base"), "");
    CHECK(conf_chain(c, "rpc", "optimism") == NULL);
    CHECK(conf_chain_number(c, "confirm_depth", "ethereum", 9) == 1);
    CHECK(conf_chain_number(c, "confirm_depth", "base", 9) == 9);
    CHECK(conf_chain_number(c, "settle_depth", "ethereum", 64) == 64);
    /* wei, beyond 32 bits */
    CHECK(conf_chain_number(c, "tip_max", "polygon", 0) == 500000000000);
    CHECK(conf_chain_number(c, "tip_min", "polygon", 0) == 10000000000000);
    conf_free(c);
}

static bool is_lifi(const char *key)
{
    return strcmp(key, "lifi") == 0;
}

static void settings_of_a_provider(void)
{
    struct conf *c = load("provider.lifi.url = http://127.0.0.1/lifi\nprovider.lifi.rate =\n");

    CHECK_STR(conf_provider(c, "lifi", "url"), "http://127.0.0.1/lifi");
    CHECK_STR(conf_provider(c, "lifi", "rate"), "");
    CHECK(conf_provider(c, "lifi", "key_file") == NULL && conf_provider(c, "odos", "url") == NULL);
    CHECK(conf_refuse_unknown(c, "provider", is_lifi) == 0 && conf_problems(c) == NULL);
    conf_free(c);
    c = load("provider.0x.key_file = /k\nprovider.lifi.fee_bps = 3\n");
    CHECK(conf_refuse_unknown(c, "provider", is_lifi) == 1 && conf_refuse_unknown(c, "chain", is_lifi) == 0);
    CHECK_STR(conf_problems(c)->name, "provider.0x.key_file");
    CHECK(conf_problems(c)->line == 1);
    conf_free(c);
}

static void malformed_settings_are_refused(void)
{
    static const char *const rows[] = {
        "worker = 8\n",
        "Workers = 8\n",
        "workers\n",
        "= 8\n",
        "workers = many\n",
        "workers = 8x\n",
        "workers = -1\n",
        "workers = +1\n",
        "workers =\n",
        "workers = 4294967296\n",
        "workers = 99999999999999999999\n",
        "webhook_allow_http_loopback = true\n",
        "log_requests = none\n",
        "rpcs.ethereum = http://a\n",
        "provider.lifi = http://a\n",
        "provider..url = http://a\n",
        "provider.lifi.port = 1\n",
        "rpc = http://a\n",
        "confirm_depth.ethereum = deep\n",
        "tip_max.ethereum = 18446744073709551616\n",
        "tip_min.ethereum = -1\n",
        "db_name = ${TEST_CONF_SET\n",
        "include nowhere.conf\n",
        "include main.conf\n", /* itself, for ever */
        "include\n",
    };

    CHECK(!refused("workers = 8\n"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        CHECK(refused(rows[i]));
        if (!refused(rows[i]))
            fprintf(stderr, "taken: %s", rows[i]);
    }
}

/* Cut in two, the rest of a line would be taken for another setting or for a comment. */
static void lines_that_are_too_long(void)
{
    static char text[2 * MAX_LINE];
    size_t n = (size_t)snprintf(text, sizeof text, "signer_chains = ");

    memset(text + n, 'a', MAX_LINE);
    text[MAX_LINE - 1] = '#';
    text[n + MAX_LINE] = '\0';
    CHECK(refused(text));
    text[MAX_LINE - 2] = '\0';
    conf_free(load(text));
}

static char names_seen[256];

static void name_see(void *arg, const char *path)
{
    size_t n = strlen(names_seen);

    (void)arg;
    (void)snprintf(names_seen + n, sizeof names_seen - n, " %s", strrchr(path, '/') + 1);
}

/* Not what a later line overrides, and nothing that a default names. */
static void files_that_settings_name(void)
{
    struct conf *c = load("db_password_file = /a/former\ndb_password_file = /a/password\n"
                          "provider.0x.key_file = /a/0x.key\nkey_dir = /a/keys\nbackup_dir =\n");

    names_seen[0] = '\0';
    conf_each_file(c, name_see, NULL);
    CHECK_STR(names_seen, " main.conf 0x.key password");
    conf_free(c);
}

static void a_folder_is_read_in_the_order_of_names(void)
{
    struct conf *c;

    CHECK(mkdir(path_of("conf.d"), 0700) == 0);
    write_file("conf.d/20-b.conf", "workers = 20\ndb_user = b\n");
    write_file("conf.d/10-a.conf", "workers = 10\ndb_name = a\n");
    write_file("conf.d/.hidden.conf", "workers = 30\n");
    write_file("conf.d/30-c.conf.old", "no such thing\n");
    c = load("workers = 5\ninclude conf.d\nhosts = 3\n");
    CHECK(c->workers == 20 && c->hosts == 3);
    CHECK_STR(c->db_user, "b");
    CHECK_STR(c->db_name, "a");
    names_seen[0] = '\0';
    conf_each_file(c, name_see, NULL);
    CHECK_STR(names_seen, " 20-b.conf 10-a.conf main.conf");
    conf_free(c);
    write_file("conf.d/20-b.conf", "\nworkers = many\n");
    c = conf_read(write_file("main.conf", "include conf.d\n"));
    CHECK_STR(strrchr(conf_problems(c)->file, '/'), "/20-b.conf");
    CHECK(conf_problems(c)->line == 2 && conf_problems(c)->next == NULL);
    conf_free(c);
    for (size_t i = 0; i < 4; i++) {
        static const char *const names[] = { "20-b.conf", "10-a.conf", ".hidden.conf", "30-c.conf.old" };
        char name[32];

        snprintf(name, sizeof name, "conf.d/%s", names[i]);
        CHECK(unlink(path_of(name)) == 0);
    }
    CHECK(rmdir(path_of("conf.d")) == 0);
}

static void everything_wrong_is_named_at_once(void)
{
    static const struct {
        unsigned line;
        const char *name, *value, *allowed;
    } want[] = {
        { 1, "workers", "many", "a whole number from 1 to 1024" },
        { 2, "worker", NULL, "one of gateway.conf(5), such as workers" },
        { 4, "rpc.base", "ftp://node/...",
          "up to 8 URLs with http:// or https://, separated by commas, or nothing" },
        { 5, NULL, NULL, "name = value" },
    };
    struct conf *c = conf_read(write_file("main.conf", "workers = many\nworker = 3\n# fine\n"
                                                       "rpc.base = ftp://node/key\nhunter2\nhosts = 2\n"));
    const struct conf_problem *p = conf_problems(c);

    for (size_t i = 0; i < COUNT(want) && p != NULL; i++, p = p->next) {
        CHECK(p->line == want[i].line);
        CHECK_STR(p->name != NULL ? p->name : "", want[i].name != NULL ? want[i].name : "");
        CHECK_STR(p->value != NULL ? p->value : "", want[i].value != NULL ? want[i].value : "");
        CHECK_STR(p->allowed, want[i].allowed);
    }
    CHECK(p == NULL && c->workers == 64 && c->hosts == 2); /* what is wrong is as if it were not set */
    CHECK(conf_chain(c, "rpc", "base") == NULL);
    conf_free(c);
}

static void problems_found_later_have_their_line(void)
{
    struct conf *c = load("hosts = 2\ndb_servers = x:0\n");

    conf_refuse(c, "db_servers", NULL);
    conf_refuse(c, "service_key_file", "a file that can be read");
    CHECK(conf_problems(c)->line == 2 && conf_problems(c)->next->line == 0);
    CHECK_STR(conf_problems(c)->value, "x:0");
    CHECK_STR(conf_problems(c)->next->file, path_of("main.conf"));
    CHECK_STR(conf_problems(c)->next->value, "/etc/agent-gateway/service.key");
    conf_free(c);
}

static unsigned shown_rows;
static char shown_workers[128];

static void show_row(const char *name, const char *value, const char *file, unsigned line)
{
    shown_rows++;
    if (strcmp(name, "workers") == 0)
        snprintf(shown_workers, sizeof shown_workers, "%s %d %u", value, file != NULL, line);
}

static void settings_in_force_are_shown_once(void)
{
    struct conf *c = load("workers = 1\nworkers = 2\nrpc.base = http://u:p@a/key, https://b?k=1\n");
    size_t fixed = 0;

    for (size_t i = 0; i < settings_count; i++)
        fixed += settings[i].at != SETTING_FAMILY;
    conf_show(c, show_row);
    CHECK(shown_rows == fixed + 1);
    CHECK_STR(shown_workers, "2 1 2");
    conf_free(c);
}

static void a_file_that_is_not_there(void)
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(99);
        conf_free(conf_load(path_of("absent.conf")));
        _exit(0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

static void fractions(void)
{
    static const struct {
        const char *text;
        uint32_t ppm;
    } rows[] = { { "0", 0 },        { "1", 1000000 },   { "1.000", 1000000 },     { "0.05", 50000 },
                 { "0.000001", 1 }, { "0.0000019", 1 }, { "0.123456789", 123456 } };
    static const char *const none[] = { "",    "2",  "1.000001", ".5",   "0.", "00.5",
                                        "0,5", "5%", "-0.1",     "0.5x", "x" };
    struct conf *c = load("");

    CHECK(c->price_impact_max == 50000);
    conf_free(c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[64];

        snprintf(line, sizeof line, "price_impact_max = %s", rows[i].text);
        c = load(line);
        CHECK(c->price_impact_max == rows[i].ppm);
        conf_free(c);
    }
    for (size_t i = 0; i < COUNT(none); i++) {
        char line[64];

        snprintf(line, sizeof line, "price_impact_max = %s", none[i]);
        CHECK(refused(line));
    }
}

static void settings_file_is_found(void)
{
    unsetenv("GATEWAY_CONF");
    CHECK_STR(conf_path("x.conf"), "x.conf");
    CHECK_STR(conf_path(NULL), "/etc/agent-gateway/gateway.conf");
    setenv("GATEWAY_CONF", "", 1);
    CHECK_STR(conf_path(NULL), "/etc/agent-gateway/gateway.conf");
    setenv("GATEWAY_CONF", "y.conf", 1);
    CHECK_STR(conf_path(NULL), "y.conf");
    CHECK_STR(conf_path("x.conf"), "x.conf");
}

static void conf_test_start(void)
{
    CHECK(mkdtemp(folder) != NULL);
}

static void conf_test_end(void)
{
    static const char *const names[] = { "main.conf", "inner.conf", "innermost.conf" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)unlink(path_of(names[i]));
    CHECK(rmdir(folder) == 0);
}

TEST_MAIN(TEST(conf_test_start), TEST(defaults), TEST(lines), TEST(quotas_by_tier), TEST(tiers),
          TEST(later_lines_override), TEST(included_files), TEST(variables), TEST(settings_of_a_chain),
          TEST(settings_of_a_provider), TEST(malformed_settings_are_refused), TEST(lines_that_are_too_long),
          TEST(a_file_that_is_not_there), TEST(fractions), TEST(settings_file_is_found),
          TEST(files_that_settings_name), TEST(a_folder_is_read_in_the_order_of_names),
          TEST(everything_wrong_is_named_at_once), TEST(problems_found_later_have_their_line),
          TEST(settings_in_force_are_shown_once), TEST(conf_test_end))
