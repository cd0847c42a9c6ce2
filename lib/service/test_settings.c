#include "base/test.h"
#include "service/settings.c"

static bool takes(const char *name, const char *value)
{
    return setting_allows(setting_find(name), value);
}

static void every_row_is_sound(void)
{
    for (size_t i = 0; i < settings_count; i++) {
        const struct setting *s = &settings[i];
        char words[SETTING_WORDS_MAX];

        CHECK(setting_find(s->name) == NULL || strchr(s->name, '<') == NULL);
        CHECK((s->at == SETTING_FAMILY) == (strchr(s->name, '<') != NULL));
        CHECK((s->dflt == NULL) == (s->at == SETTING_FAMILY));
        CHECK(s->dflt == NULL || setting_allows(s, s->dflt));
        CHECK(s->kind != SETTING_NUMBER || s->min < s->max);
        CHECK(strlen(setting_allowed(words, s)) > 0 && strlen(words) < SETTING_WORDS_MAX - 1);
        CHECK(s->meaning[strlen(s->meaning) - 1] == '.');
    }
}

static void families_have_places(void)
{
    char place[SETTING_PLACE_MAX + 1];
    const struct setting *s = setting_find("provider.0x.key_file");

    CHECK(s != NULL && setting_place(place, s, "provider.0x.key_file", "provider"));
    CHECK_STR(place, "0x");
    CHECK(!setting_place(place, s, "provider.0x.key_file", "chain"));
    CHECK_STR(setting_find("quota.gold.wallets")->name, "quota.<tier>.wallets");
    CHECK(setting_find("rpc.") == NULL && setting_find("rpc") == NULL && setting_find("rpc.a.b") == NULL);
    CHECK(setting_find("tier.a b") == NULL && setting_find("provider..url") == NULL);
    CHECK(setting_find("tier.abcdefghijklmnopqrstuvwxyzabcdefg") == NULL);
    CHECK_STR(setting_near("base_ulr")->name, "base_url");
    CHECK(setting_near("something_else") == NULL);
}

static void values_are_checked(void)
{
    static const struct {
        const char *name, *good, *bad;
    } rows[] = {
        { "base_url", "https://gw.example/api", "gw.test" },
        { "base_url", "http://127.0.0.1:8080", "https://gw.example?a" },
        { "base_url", "http://[::1]:8080", "https://gw.example?x=1" },
        { "base_url", "https://gw.example", "https://user@gw.example" },
        { "base_url", "https://gw.example:65535", "https://gw.example:65536" },
        { "base_url", "https://gw.example:1", "https://gw.example:x" },
        { "rpc.base", "http://a, https://u:p@b:1/k?x=y", "http://a, ftp://b" },
        { "rpc.base", "", "http://" },
        { "rpc.base", "http://a,http://b,http://c,http://d,http://e,http://f,http://g,http://h",
          "http://a,http://b,http://c,http://d,http://e,http://f,http://g,http://h,http://i" },
        { "rpc.base", "http://a\thttp://b", "http://a/\x01" },
        { "confirm_depth.base", "1", "0" },
        { "settle_depth.base", "100000", "100001" },
        { "tip_max.base", "10000000000000", "10000000000001" },
        { "a2a_wait_ms", "30000", "99999999" },
        { "mcp_wait_s", "30", "31" },
        { "waiting_calls", "2048", "2049" },
        { "allowed_origins", "https://a.example, http://b:1", "foo" },
        { "allowed_origins", "*", "https://a.example/page" },
        { "trusted_proxies", "10.0.0.0/8, ::1", "somebody" },
        { "key_dir", "/a", "a" },
        { "key_dir", "/a b", "" },
        { "db_tls", "verify", "maybe" },
        { "db_name", "gate-way_1", "gate way" },
        { "predict_builder_code", "0x1111111111111111111111111111111111111111111111111111111111111111",
          "0x11" },
        { "signer_floor", "0.90", "1.1" },
        { "delete_funded", "confirm", "maybe" },
        { "provider.lifi.fee_bps", "200", "201" },
        { "explorer.base", "https://x.example/?tx=", "x.example/tx/" },
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        CHECK(takes(rows[i].name, rows[i].good));
        CHECK(!takes(rows[i].name, rows[i].bad));
        if (!takes(rows[i].name, rows[i].good) || takes(rows[i].name, rows[i].bad))
            fprintf(stderr, "%s: %s, %s\n", rows[i].name, rows[i].good, rows[i].bad);
    }
}

static void keys_are_not_shown(void)
{
    static const struct {
        const char *name, *value, *shown;
    } rows[] = {
        { "rpc.base", "https://user:pass@node.example:1/v3/KEY, http://b",
          "https://...@node.example:1/..., http://b" },
        { "rpc.base", "KEY", "/..." },
        { "rpc.base", "", "" },
        { "price_feed_url", "https://api.example?key=KEY", "https://api.example/..." },
        { "db_password_file", "hunter2", "..." },
        { "db_password_file", "/etc/password", "/etc/password" },
        { "base_url", "gw.test", "gw.test" },
    };
    char shown[SETTING_SHOWN_MAX];

    for (size_t i = 0; i < COUNT(rows); i++)
        CHECK_STR(setting_shown(shown, setting_find(rows[i].name), rows[i].value), rows[i].shown);
}

static void allowed_values_are_described(void)
{
    static const char *const rows[][2] = {
        { "workers", "a whole number from 1 to 1024" },
        { "db_tls", "off, prefer or verify" },
        { "signer_tokens", "any or built-in" },
        { "delete_funded", "confirm, yes or no" },
        { "signer_floor", "a number from 0 to 1, such as 0.05" },
        { "lend_min_health_factor", "a number from 1 to 9, such as 1.05" },
        { "confirm_depth.base", "a whole number from 1 to 10000, or nothing" },
    };
    char words[SETTING_WORDS_MAX];

    for (size_t i = 0; i < COUNT(rows); i++)
        CHECK_STR(setting_allowed(words, setting_find(rows[i][0])), rows[i][1]);
}

TEST_MAIN(TEST(every_row_is_sound), TEST(families_have_places), TEST(values_are_checked),
          TEST(keys_are_not_shown), TEST(allowed_values_are_described))
