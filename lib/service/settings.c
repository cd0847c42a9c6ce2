#include "service/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/edit_distance.h"
#include "base/ip_address.h"
#include "codec/hex.h"
#include "service/conf.h"

enum { ONE = 1000000, DAY_S = 86400, PORT_MAX = 65535, NAME_LEN_MAX = 64, HASH_BYTES = 32 };

#define ETC          "/etc/agent-gateway"
#define STATE        "/var/lib/agent-gateway"
#define RUN          "/run/agent-gateway"
#define PROGRAMS     "/usr/local/lib/agent-gateway"

#define AT(member)   offsetof(struct conf, member)
#define OF(what)     SETTING_##what
#define DOLLARS      "dollars, such as 25000 or 0.5"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct setting settings[] = {
    { "base_url", OF(BASE_URL), 0, "http://127.0.0.1:8080", 0, 0, NULL, AT(base_url),
      "The URL under which agents reach the service. Answers and documents contain it." },
    { "fastcgi_socket", OF(PATH), 0, RUN "/gateway.sock", 0, 0, NULL, AT(fastcgi_socket),
      "The socket on which the web server finds the gateway. Beside it are fast.sock, the documents and the "
      "lock by which there is one gateway at a time." },
    { "pid_file", OF(PATH), 0, RUN "/gateway.pid", 0, 0, NULL, AT(pid_file),
      "Where the gateway's parent writes its process id once all others have begun." },
    { "workers", OF(NUMBER), 0, "64", 1, CONF_WORKERS_MAX, NULL, AT(workers),
      "Worker processes that may wait for third parties, at most." },
    { "fast_workers", OF(NUMBER), 0, "0", 0, CONF_WORKERS_MAX, NULL, AT(fast_workers),
      "Worker processes that never wait. 0: two for each core." },
    { "shm_file", OF(PATH), 0, RUN "/counters", 0, 0, NULL, AT(shm_file),
      "Counters and rate limits of this host, best on a file system in memory." },
    { "tier.<tier>", OF(NUMBER), 0, NULL, 1, CONF_PER_MINUTE_MAX, NULL, SETTING_FAMILY,
      "Requests a minute of an agent of the tier. standard (120), premium (600) and unlimited are built in; "
      "the last one cannot be changed." },
    { "quota.<tier>.message_bytes", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Bytes of an A2A message. 0 is no limit, here and in all quotas." },
    { "quota.<tier>.task_bytes", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Bytes of all A2A tasks of a week, their messages and answers." },
    { "quota.<tier>.record_bytes", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Bytes of a day's answers under an Idempotency-Key." },
    { "quota.<tier>.wallets", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Wallets of an agent." },
    { "quota.<tier>.policies", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Policies of an agent." },
    { "quota.<tier>.addresses", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Addresses for withdrawals that are not removed." },
    { "quota.<tier>.pushes", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Push configs of A2A tasks." },
    { "quota.<tier>.events", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Webhook events that were delivered or have failed, of which the oldest are removed." },
    { "quota.<tier>.audit_lines", OF(NUMBER), 0, NULL, 0, UINT32_MAX, NULL, SETTING_FAMILY,
      "Changes of keys and policies a day." },
    { "register_per_minute", OF(NUMBER), 0, "5", 0, CONF_PER_MINUTE_MAX, NULL, AT(register_per_minute),
      "Registrations a minute from one address. 0 is no limit, here and in the next two." },
    { "disk_free_min", OF(NUMBER), 0, "256", 0, CONF_PER_MINUTE_MAX, NULL, AT(disk_free_min),
      "Free megabytes below which nothing new is stored: no agents, wallets, quotes and tasks." },
    { "register_per_day", OF(NUMBER), 0, "100", 0, CONF_PER_MINUTE_MAX, NULL, AT(register_per_day),
      "Registrations a day from one address; 0: no limit." },
    { "quotes_per_day", OF(NUMBER), 0, "20000", 0, CONF_PER_MINUTE_MAX, NULL, AT(quotes_per_day),
      "Quotes of an agent a day; 0: no limit." },
    { "quotes_per_day_untraded", OF(NUMBER), 0, "2000", 0, CONF_PER_MINUTE_MAX, NULL,
      AT(quotes_per_day_untraded), "The same until it has traded." },
    { "untraded_percent", OF(NUMBER), 0, "10", 1, 100, NULL, AT(untraded_percent),
      "How much of its quotas for tasks, records and push configs an agent has until it has traded." },
    { "public_per_minute", OF(NUMBER), 0, "1200", 0, CONF_PER_MINUTE_MAX, NULL, AT(public_per_minute),
      "Other calls without a key, a minute from one address." },
    { "unknown_keys_per_minute", OF(NUMBER), 0, "300", 0, CONF_PER_MINUTE_MAX, NULL,
      AT(unknown_keys_per_minute), "Calls with keys that were never issued, a minute from one address." },
    { "hosts", OF(NUMBER), 0, "1", 1, 1000, NULL, AT(hosts),
      "Hosts that serve at the same time: each grants its share of a limit." },
    { "trusted_proxies", OF(ADDRESSES), OF(EMPTY), "", 0, 0, NULL, AT(trusted_proxies),
      "Proxies whose X-Forwarded-For names the client, and X-Forwarded-Proto whether it came by TLS." },
    { "plain_http", OF(CHOICE), 0, "refuse", 0, 0, "refuse|allow", AT(plain_http),
      "What becomes of calls that came over HTTP without TLS from another host." },
    { "metrics_from", OF(ADDRESSES), OF(EMPTY), "", 0, 0, NULL, AT(metrics_from), "Who may read /metrics." },
    { "operator_from", OF(ADDRESSES), OF(EMPTY), "127.0.0.0/8, ::1", 0, 0, NULL, AT(operator_from),
      "Who may reach the operator's page and API, with a token." },
    { "allowed_origins", OF(ORIGINS), OF(EMPTY), "", 0, 0, NULL, AT(allowed_origins),
      "Web pages whose scripts may use MCP, besides those of base_url and of this machine." },
    { "log_requests", OF(CHOICE), 0, "failed", 0, 0, "failed|slow|all", AT(log_requests),
      "Which requests the log tells of: those that failed, those too that took a second, or all." },
    { "log_dir", OF(PATH), 0, "/var/log/agent-gateway", 0, 0, NULL, AT(log_dir),
      "Where cron keeps the logs, for agentctl find. The programs themselves write to standard error." },
    { "backup_dir", OF(PATH), OF(EMPTY), "", 0, 0, NULL, AT(backup_dir),
      "Where conf/backup puts dumps of the database each night: best a disk of its own, or another host's. Empty: no "
      "dumps are made on this host." },
    { "backup_age_h", OF(NUMBER), 0, "26", 1, 8760, NULL, AT(backup_age_h),
      "Hours after which agentctl check warns that the newest whole dump is old." },
    { "backup_beside_keys", OF(CHOICE), 0, "warn", 0, 0, "warn|allow", AT(backup_beside_keys),
      "What agentctl check says of dumps on the file system that has the keys." },
    { "a2a_wait_ms", OF(NUMBER), 0, "2000", 0, 30000, NULL, AT(a2a_wait_ms),
      "Milliseconds that an A2A message waits for its task to end, unless its `wait` says otherwise. 0: it does not." },
    { "mcp_wait_s", OF(NUMBER), 0, "4", 0, 30, NULL, AT(mcp_wait_s),
      "Seconds that a tool of MCP waits for what it begins or looks at to end, unless its `wait` says otherwise. 0: it does not." },
    { "waiting_calls", OF(NUMBER), 0, "100", 0, 2048, NULL, AT(waiting_calls),
      "Calls with `wait` that this host holds at once; more are answered at once. Each has a connection of the web server "
      "meanwhile, of which Apache has 150 unless MaxRequestWorkers says otherwise." },
    { "webhook_allow_http_loopback", OF(YES_NO), 0, "no", 0, 0, NULL, AT(webhook_allow_http_loopback),
      "Whether callback URLs may be http://127.0.0.1, for development only." },
    { "delete_funded", OF(CHOICE), 0, "confirm", 0, 0, "confirm|yes|no", AT(delete_funded),
      "Whether agents may delete themselves while they hold funds, which are then lost: once they repeat their name, at once, or not." },
    { "key_dir", OF(PATH), 0, ETC "/keys", 0, 0, NULL, AT(key_dir),
      "The signer's master key and data keys: a directory of mode 0700." },
    { "service_key_file", OF(PATH), 0, ETC "/service.key", 0, 0, NULL, AT(service_key_file),
      "The key that seals webhook secrets." },
    { "signer_socket", OF(PATH), 0, RUN "/signer.sock", 0, 0, NULL, AT(signer_socket),
      "Where the signer listens, whom the gateway starts." },
    { "signer_uid", OF(NUMBER), 0, "0", 0, INT32_MAX, NULL, AT(signer_uid),
      "The signer's user id where root starts the gateway. 0: none of its own; so the next." },
    { "worker_uid", OF(NUMBER), 0, "0", 0, INT32_MAX, NULL, AT(worker_uid),
      "The user id of workers and jobs where root starts them." },
    { "signer_dir", OF(PATH), 0, STATE "/signer", 0, 0, NULL, AT(signer_dir),
      "The signer's audit log, daily sums and kill switch." },
    { "signer_chains", OF(TEXT), OF(EMPTY), "", 0, 0, "chains such as ethereum, separated by commas",
      AT(signer_chains), "Chains for which the signer signs. Empty: all." },
    { "signer_tx_max.<chain>", OF(TEXT), OF(EMPTY), NULL, 0, 0,
      "tokens with smallest units, such as ETH 5000000000000000000, separated by commas", SETTING_FAMILY,
      "The most that one transaction or order may take." },
    { "signer_day_max.<chain>", OF(TEXT), OF(EMPTY), NULL, 0, 0,
      "tokens with smallest units, such as ETH 5000000000000000000, separated by commas", SETTING_FAMILY,
      "The most that all transactions of a day may take, on this host." },
    { "withdraw_day_max.<chain>", OF(TEXT), OF(EMPTY), NULL, 0, 0,
      "tokens with smallest units, such as ETH 5000000000000000000, separated by commas", SETTING_FAMILY,
      "The most that all withdrawals of a day may take out, on this host." },
    { "withdrawal_delay", OF(NUMBER), 0, "86400", 1, 30 * DAY_S, NULL, AT(withdrawal_delay),
      "Seconds before a withdrawal address counts: an hour at least, unless webhook_allow_http_loopback is set." },
    { "signer_tokens", OF(CHOICE), 0, "any", 0, 0, "any|built-in", AT(signer_tokens),
      "What swaps may buy: any token, or those that the program itself knows." },
    { "signer_markets", OF(CHOICE), 0, "any", 0, 0, "any|listed", AT(signer_markets),
      "Where at Morpho wallets may lend and borrow: in any market, or in those of morpho_markets." },
    { "signer_floor", OF(FRACTION), 0, "0", 0, ONE, NULL, AT(signer_floor),
      "The least that a trade has to bring of what is given for it. 0: unchecked." },
    { "signer_floor_age_s", OF(NUMBER), 0, "900", 1, DAY_S, NULL, AT(signer_floor_age_s),
      "Seconds after which the prices for signer_floor are too old." },
    { "db_servers", OF(TEXT), 0, "/run/mysqld/mysqld.sock", 0, 0,
      "up to 8 of /path/of/socket, host, host:port and [address]:port, separated by commas", AT(db_servers),
      "The database's servers, the preferred one first." },
    { "db_name", OF(NAME), 0, "gateway", 0, 0, NULL, AT(db_name), "The database." },
    { "db_user", OF(NAME), 0, "gateway", 0, 0, NULL, AT(db_user), "The database's user." },
    { "db_password_file", OF(PATH), OF(EMPTY) | OF(KEY), "", 0, 0, NULL, AT(db_password_file),
      "A file that contains only the password. Empty: the server knows the user by the socket." },
    { "db_tls", OF(CHOICE), 0, "prefer", 0, 0, "off|prefer|verify", AT(db_tls),
      "TLS to servers on other hosts." },
    { "db_tls_ca", OF(PATH), OF(EMPTY), "", 0, 0, NULL, AT(db_tls_ca),
      "Certificate of the authority that db_tls = verify trusts. Empty: those of the system." },
    { "sql_dir", OF(PATH), 0, PROGRAMS "/sql", 0, 0, NULL, AT(sql_dir),
      "Where schema-migrate finds the schema." },
    { "rpc.<chain>", OF(URLS), OF(EMPTY) | OF(KEY), NULL, 0, CONF_NODES_MAX, NULL, SETTING_FAMILY,
      "Nodes of the chain, the best one first. Empty: the chain is off." },
    { "send.<chain>", OF(URLS), OF(EMPTY) | OF(KEY), NULL, 0, CONF_NODES_MAX, NULL, SETTING_FAMILY,
      "Where transactions are sent instead: relays that keep them private." },
    { "send_fallback", OF(YES_NO), 0, "no", 0, 0, NULL, AT(send_fallback),
      "Whether nodes of rpc.<chain> take transactions too when none of send.<chain> does." },
    { "verify.<chain>", OF(URLS), OF(EMPTY) | OF(KEY), NULL, 0, CONF_NODES_MAX, NULL, SETTING_FAMILY,
      "Independent nodes that are asked for the price of each quote too." },
    { "verify_divergence_max", OF(FRACTION), 0, "0.01", 0, ONE, NULL, AT(verify_divergence_max),
      "How far their price may differ." },
    { "explorer.<chain>", OF(URL), OF(EMPTY), NULL, 0, 0, NULL, SETTING_FAMILY,
      "A URL that a transaction's hash completes, shown with swaps. Empty: none." },
    { "confirm_depth.<chain>", OF(NUMBER), OF(EMPTY), NULL, 1, 10000, NULL, SETTING_FAMILY,
      "Blocks after which a swap counts as completed. 1 is the block that it is in." },
    { "settle_depth.<chain>", OF(NUMBER), OF(EMPTY), NULL, 1, 100000, NULL, SETTING_FAMILY,
      "Blocks after which no reorganisation is expected any more." },
    { "measure_block_times", OF(YES_NO), 0, "yes", 0, 0, NULL, AT(measure_block_times),
      "Whether depths cover more blocks where nodes show them to be faster than usual: no for chains whose "
      "blocks do not come by the clock." },
    { "tip_min.<chain>", OF(NUMBER), OF(EMPTY), NULL, 0, 10000000000000, NULL, SETTING_FAMILY,
      "The least priority fee, in wei." },
    { "tip_max.<chain>", OF(NUMBER), OF(EMPTY), NULL, 0, 10000000000000, NULL, SETTING_FAMILY,
      "The highest priority fee, in wei." },
    { "gas_price_max.<chain>", OF(NUMBER), OF(EMPTY), NULL, 1, 1000000000000000, NULL, SETTING_FAMILY,
      "The highest price of gas, in wei, on a chain where the bid is the price: bsc, fantom, scroll." },
    { "data_fee_max.<chain>", OF(NUMBER), OF(EMPTY), NULL, 1, 9000000000000000000, NULL, SETTING_FAMILY,
      "The most that a rollup may charge for the data of one trade, in wei: optimism, base, mantle, scroll." },
    { "second_look_s", OF(NUMBER), 0, "600", 1, DAY_S, NULL, AT(recheck_s),
      "Seconds after which a swap that failed for good is checked once more." },
    { "provider.<provider>.url", OF(URL), OF(EMPTY) | OF(KEY), NULL, 0, 0, NULL, SETTING_FAMILY,
      "Where the provider of routes is asked. Empty: not at all." },
    { "provider.<provider>.key_file", OF(PATH), OF(EMPTY) | OF(KEY), NULL, 0, 0, NULL, SETTING_FAMILY,
      "A file with the key that it knows the operator by." },
    { "provider.<provider>.rate", OF(TEXT), OF(EMPTY), NULL, 0, 0,
      "questions per time, such as 3/s, 50/m or 75/2h", SETTING_FAMILY, "How often it may be asked." },
    { "provider.<provider>.fee_receiver", OF(TEXT), OF(EMPTY), NULL, 0, 0,
      "an account that the provider can pay, together with fee_bps", SETTING_FAMILY,
      "The account for the operator's share of what is bought." },
    { "provider.<provider>.fee_bps", OF(NUMBER), OF(EMPTY), NULL, 1, 200, NULL, SETTING_FAMILY,
      "That share in basis points." },
    { "provider.<provider>.bridges", OF(TEXT), OF(EMPTY), NULL, 0, 0, "names of bridges, separated by commas",
      SETTING_FAMILY, "The bridges that lifi may use." },
    { "provider.<provider>.integrator", OF(TEXT), OF(EMPTY), NULL, 0, 0, "0x and four hexadecimal digits",
      SETTING_FAMILY, "The id that across knows the operator's trades by." },
    { "drift_watch", OF(YES_NO), 0, "yes", 0, 0, NULL, AT(drift_watch),
      "Whether the job drift-watch asks providers, venues and nodes a known question once an hour, and at once "
      "one whose answers leave doubts." },
    { "provider.<provider>.second_door", OF(YES_NO), OF(EMPTY), NULL, 0, 0, NULL, SETTING_FAMILY,
      "Whether jupiter's older questions are put where its orders fail." },
    { "price_feed_url", OF(URL), OF(EMPTY) | OF(KEY), "", 0, 0, NULL, AT(price_feed_url),
      "A price feed that answers like CoinGecko's /simple/price. Empty: none." },
    { "price_impact_max", OF(FRACTION), 0, "0.05", 0, ONE, NULL, AT(price_impact_max),
      "How much worse than a small trade's the price of a trade may be, unless its caller allows more." },
    { "solana_fee_max", OF(NUMBER), 0, "5000000", 5000, 1000000000, NULL, AT(solana_fee_max),
      "The most that the fees of one transaction on Solana may be, in lamports." },
    { "bridge_max_usd", OF(NUMBER), 0, "0", 0, UINT32_MAX, NULL, AT(bridge_max_usd),
      "The most that one swap between two chains may be worth, in dollars. 0: as much as it is." },
    { "price_divergence_max", OF(FRACTION), 0, "0.10", 0, ONE, NULL, AT(price_divergence_max),
      "How far the prices that policies in dollars are based on may differ." },
    { "predict_gamma_url", OF(URL), OF(EMPTY), "https://gamma-api.polymarket.com", 0, 0, NULL,
      AT(predict_gamma_url), "Polymarket's catalogue." },
    { "predict_clob_url", OF(URL), OF(EMPTY), "https://clob.polymarket.com", 0, 0, NULL, AT(predict_clob_url),
      "Polymarket's exchange." },
    { "predict_data_url", OF(URL), OF(EMPTY), "https://data-api.polymarket.com", 0, 0, NULL,
      AT(predict_data_url), "Polymarket's trades." },
    { "predict_relayer_url", OF(URL), OF(EMPTY), "https://relayer-v2.polymarket.com", 0, 0, NULL,
      AT(predict_relayer_url),
      "Polymarket's relayer, which carries the calls of deposit wallets to the chain." },
    { "predict_trading", OF(YES_NO), 0, "no", 0, 0, NULL, AT(predict_trading),
      "Whether wallets sign for Polymarket at all." },
    { "predict_wallet", OF(CHOICE), 0, "deposit", 0, 0, "deposit|eoa", AT(predict_wallet),
      "Who holds what a wallet trades: a contract that it owns, or the wallet itself." },
    { "predict_relayer_key_file", OF(PATH), OF(EMPTY) | OF(KEY), "", 0, 0, NULL, AT(predict_relayer_key_file),
      "A file with what the relayer knows the operator by." },
    { "predict_geoblock_url", OF(URL), OF(EMPTY), "https://polymarket.com/api/geoblock", 0, 0, NULL,
      AT(predict_geoblock_url), "Says whether Polymarket serves the country of this server." },
    { "predict_builder_code", OF(HASH), OF(EMPTY), "", 0, 0, NULL, AT(predict_builder_code),
      "The operator's builder code, which orders then bear." },
    { "lend_min_health_factor", OF(FRACTION), 0, "1.05", ONE, 9 * ONE, NULL, AT(lend_min_health_factor),
      "Borrowing and withdrawing may not take a wallet's health factor at a lender below it." },
    { "lend_alert", OF(FRACTION), 0, "1.15", ONE, 9 * ONE, NULL, AT(lend_alert),
      "An agent is told when the health factor of its wallet at a lender falls below it." },
    { "lend_morpho_api", OF(URL), OF(EMPTY), "", 0, 0, NULL, AT(lend_morpho_api),
      "Morpho's catalogue, from which markets are listed beside those of morpho_markets. Empty: none." },
    { "perps_url", OF(URL), 0, "https://api.hyperliquid.xyz", 0, 0, NULL, AT(perps_url),
      "Hyperliquid, the venue of perpetuals." },
    { "perps_assets", OF(TEXT), 0, "BTC ETH SOL AVAX BNB ARB DOGE SUI LINK XRP", 0, 0,
      "up to 32 names of letters and digits, each once, separated by spaces", AT(perps_assets),
      "The assets whose perpetuals are listed, as the venue spells them." },
    { "perps_max_leverage", OF(NUMBER), 0, "20", 1, 20, NULL, AT(perps_max_leverage),
      "The most leverage that agents may ask for, where the venue does not allow less." },
    { "perps_weight", OF(NUMBER), 0, "900", 0, 1000000, NULL, AT(perps_weight),
      "How much weight the venue may be asked for in a minute by this host, as it counts it; orders come first. 0: no "
      "limit." },
    { "perps_trading", OF(YES_NO), 0, "no", 0, 0, NULL, AT(perps_trading),
      "Whether wallets sign for Hyperliquid at all." },
    { "perps_network", OF(CHOICE), 0, "mainnet", 0, 0, "mainnet|testnet", AT(perps_network),
      "Which of Hyperliquid's networks they sign for." },
    { "perps_route", OF(CHOICE), 0, "auto", 0, 0, "auto|bridge|cctp", AT(perps_route),
      "How USDC gets there and back: as the venue recommends, by its own bridge on Arbitrum, or by Circle's "
      "protocol on Arbitrum, Base and Ethereum." },
    { "perps_circle_url", OF(URL), 0, "https://iris-api.circle.com", 0, 0, NULL, AT(perps_circle_url),
      "Circle, which says what its protocol costs." },
    { "perps_order_max", OF(TEXT), OF(EMPTY), "", 0, 0, DOLLARS, AT(perps_order_max),
      "The most that one order may be worth that opens or enlarges a position. Empty: no limit; so the next "
      "two." },
    { "perps_day_max", OF(TEXT), OF(EMPTY), "", 0, 0, DOLLARS, AT(perps_day_max),
      "The most that all such orders of a day may be worth, on this host." },
    { "perps_withdraw_day_max", OF(TEXT), OF(EMPTY), "", 0, 0, DOLLARS, AT(perps_withdraw_day_max),
      "The most that wallets may take out of Hyperliquid in a day, on this host." },
    { "morpho_markets.<chain>", OF(TEXT), OF(EMPTY), NULL, 0, 0,
      "up to 64 ids of 0x and 64 hexadecimal digits, separated by commas", SETTING_FAMILY,
      "The markets of Morpho that lists of lending markets have. Empty: none." },
};
const size_t settings_count = COUNT(settings);

/* ---- names ---- */

static size_t place_length(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return n <= SETTING_PLACE_MAX ? n : 0;
}

/* Whether a name is one of a pattern's. What stands at the place `what` is then the `n` bytes at `*at`, if
 * the pattern has that place. */
static bool name_matches(const char *pattern, const char *name, const char *what, const char **at, size_t *n)
{
    while (*pattern != '\0') {
        const char *end = *pattern == '<' ? strchr(pattern, '>') : NULL;
        size_t len = end != NULL ? place_length(name) : (size_t)(*pattern == *name);

        if (len == 0)
            return false;
        if (end != NULL && strlen(what) == (size_t)(end - pattern) - 1 &&
            strncmp(pattern + 1, what, strlen(what)) == 0) {
            *at = name;
            *n = len;
        }
        pattern = end != NULL ? end + 1 : pattern + 1;
        name += len;
    }
    return *name == '\0';
}

const struct setting *setting_find(const char *name)
{
    const char *at;
    size_t n;

    for (size_t i = 0; i < settings_count; i++)
        if (name_matches(settings[i].name, name, "", &at, &n))
            return &settings[i];
    return NULL;
}

const struct setting *setting_near(const char *name)
{
    const struct setting *near = NULL;
    unsigned least = EDIT_DISTANCE_MAX + 1;

    for (size_t i = 0; i < settings_count; i++) {
        unsigned distance = edit_distance(settings[i].name, name);

        if (distance < least) {
            least = distance;
            near = &settings[i];
        }
    }
    return near;
}

bool setting_place(char out[static SETTING_PLACE_MAX + 1], const struct setting *s, const char *name,
                   const char *what)
{
    const char *at = NULL;
    size_t n = 0;

    if (!name_matches(s->name, name, what, &at, &n) || at == NULL)
        return false;
    (void)snprintf(out, SETTING_PLACE_MAX + 1, "%.*s", (int)n, at);
    return true;
}

/* ---- values ---- */

static bool is_one_of(const char *choices, const char *value)
{
    size_t n;

    for (; *choices != '\0'; choices += n + (choices[n] == '|')) {
        n = strcspn(choices, "|");
        if (strlen(value) == n && strncmp(choices, value, n) == 0)
            return true;
    }
    return false;
}

static bool number_ok(const struct setting *s, const char *value)
{
    char *end;
    unsigned long long n;

    errno = 0;
    n = strtoull(value, &end, 10);
    return errno == 0 && *value >= '0' && *value <= '9' && *end == '\0' && n >= s->min && n <= s->max;
}

static bool yes_no_ok(const struct setting *s, const char *value)
{
    (void)s;
    return is_one_of("yes|no|on|off", value);
}

/* "0.05" in millionths; further places are dropped. */
static bool fraction_read(uint32_t *ppm, const char *value)
{
    const char *p = value + 1;

    if (*value < '0' || *value > '9')
        return false;
    *ppm = (uint32_t)(*value - '0') * ONE;
    if (*p == '.' && *++p == '\0')
        return false;
    for (uint32_t unit = ONE / 10; *p >= '0' && *p <= '9' && p > value + 1; unit /= 10, p++)
        *ppm += (uint32_t)(*p - '0') * unit;
    return *p == '\0';
}

static bool fraction_ok(const struct setting *s, const char *value)
{
    uint32_t ppm;

    return fraction_read(&ppm, value) && ppm >= s->min && ppm <= s->max;
}

static bool choice_ok(const struct setting *s, const char *value)
{
    return is_one_of(s->allowed, value);
}

static bool name_ok(const struct setting *s, const char *value)
{
    size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$");

    (void)s;
    return n > 0 && n <= NAME_LEN_MAX && value[n] == '\0';
}

static bool path_ok(const struct setting *s, const char *value)
{
    (void)s;
    return *value == '/' && strlen(value) < PATH_MAX;
}

/* "host", "host:port", "[address]:port" of `n` bytes. */
static bool host_ok(const char *host, size_t n)
{
    size_t name = *host == '['
                      ? strspn(host + 1, "0123456789abcdefABCDEF:.") + 2
                      : strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.");
    char *end;
    unsigned long port;

    if (name == 0 || name > n || (*host == '[' && (name < 4 || host[name - 1] != ']')))
        return false;
    if (name == n)
        return true;
    if (host[name] != ':' || host[name + 1] < '0' || host[name + 1] > '9')
        return false;
    port = strtoul(host + name + 1, &end, 10);
    return end == host + n && port > 0 && port <= PORT_MAX;
}

/* The length of "https://" or "http://"; 0: it is neither. */
static size_t scheme_length(const char *url)
{
    return strncmp(url, "https://", 8) == 0 ? 8 : strncmp(url, "http://", 7) == 0 ? 7 : 0;
}

/* Checks a URL of `n` bytes; `may_have` are the characters that may end the host. */
static bool url_ok_n(const char *url, size_t n, const char *may_have)
{
    size_t scheme = scheme_length(url), authority = scheme + strcspn(url + scheme, "/?#, \t");
    const char *at = memchr(url + scheme, '@', authority - scheme);
    const char *host = at == NULL ? url + scheme : at + 1;

    if (scheme == 0 || authority > n || (at != NULL && strchr(may_have, '@') == NULL) ||
        !host_ok(host, (size_t)(url + authority - host)))
        return false;
    if (authority < n && strchr(may_have, url[authority]) == NULL)
        return false;
    for (size_t i = authority; i < n; i++)
        if (url[i] <= ' ' || url[i] > '~' || url[i] == '#' || url[i] == '"')
            return false;
    return true;
}

static bool url_ok(const struct setting *s, const char *value)
{
    (void)s;
    return url_ok_n(value, strlen(value), "/?@");
}

static bool base_url_ok(const struct setting *s, const char *value)
{
    (void)s;
    return url_ok_n(value, strlen(value), "/") && strchr(value, '?') == NULL;
}

/* Calls `ok` for each item of a list; false when there are more than `max`. */
static bool items_ok(const char *list, const char *separators, uint64_t max,
                     bool (*ok)(const char *item, size_t n))
{
    size_t n;

    for (list += strspn(list, separators); *list != '\0'; list += n, list += strspn(list, separators)) {
        n = strcspn(list, separators);
        if (max-- == 0 || !ok(list, n))
            return false;
    }
    return true;
}

static bool node_url_ok(const char *url, size_t n)
{
    return url_ok_n(url, n, "/?@");
}

static bool urls_ok(const struct setting *s, const char *value)
{
    return items_ok(value, ", \t", s->max, node_url_ok);
}

static bool addresses_ok(const struct setting *s, const char *value)
{
    (void)s;
    return ip_address_list_ok(value);
}

static bool origin_ok(const char *origin, size_t n)
{
    return (n == 1 && *origin == '*') || url_ok_n(origin, n, "");
}

static bool origins_ok(const struct setting *s, const char *value)
{
    (void)s;
    return items_ok(value, ", ", UINT64_MAX, origin_ok);
}

static bool hash_ok(const struct setting *s, const char *value)
{
    uint8_t hash[HASH_BYTES];
    size_t n;

    (void)s;
    return hex_decode_0x(hash, sizeof hash, &n, value) && n == sizeof hash;
}

static bool text_ok(const struct setting *s, const char *value)
{
    (void)s;
    (void)value;
    return true;
}

static const struct {
    bool (*ok)(const struct setting *, const char *value);
    const char *allowed;
} kinds[SETTING_KINDS] = {
    [SETTING_NUMBER] = { number_ok, "a whole number" },
    [SETTING_YES_NO] = { yes_no_ok, "yes or no" },
    [SETTING_FRACTION] = { fraction_ok, "a number" },
    [SETTING_CHOICE] = { choice_ok, NULL },
    [SETTING_NAME] = { name_ok, "a name of up to 64 letters, digits and the signs _-.$" },
    [SETTING_PATH] = { path_ok, "an absolute path" },
    [SETTING_BASE_URL] = { base_url_ok, "a URL such as https://gateway.example.com, without query" },
    [SETTING_URL] = { url_ok, "a URL with http:// or https://" },
    [SETTING_URLS] = { urls_ok, "URLs with http:// or https://, separated by commas" },
    [SETTING_ADDRESSES] = { addresses_ok, "addresses and networks such as 10.0.0.0/8, separated by commas" },
    [SETTING_ORIGINS] = { origins_ok,
                          "origins such as https://console.example, separated by commas, or * for any" },
    [SETTING_HASH] = { hash_ok, "0x and 64 hexadecimal digits" },
    [SETTING_TEXT] = { text_ok, NULL },
};

bool setting_allows(const struct setting *s, const char *value)
{
    if (*value == '\0')
        return (s->flags & SETTING_EMPTY) != 0;
    return kinds[s->kind].ok(s, value);
}

/* "any or built-in", "off, prefer or verify" */
static void choices_words(char out[static SETTING_WORDS_MAX], const char *choices)
{
    size_t at = 0, n;

    for (const char *p = choices; *p != '\0'; p += n + (p[n] == '|')) {
        bool more = p[n = strcspn(p, "|")] != '\0', last = more && strchr(p + n + 1, '|') == NULL;

        at += (size_t)snprintf(out + at, SETTING_WORDS_MAX - at, "%.*s%s", (int)n, p,
                               last   ? " or "
                               : more ? ", "
                                      : "");
    }
}

const char *setting_allowed(char out[static SETTING_WORDS_MAX], const struct setting *s)
{
    size_t n;

    if (s->kind == SETTING_CHOICE)
        choices_words(out, s->allowed);
    else if (s->kind == SETTING_NUMBER)
        (void)snprintf(out, SETTING_WORDS_MAX, "a whole number from %llu to %llu", (unsigned long long)s->min,
                       (unsigned long long)s->max);
    else if (s->kind == SETTING_FRACTION)
        (void)snprintf(out, SETTING_WORDS_MAX, "a number from %llu to %llu, such as %s",
                       (unsigned long long)s->min / ONE, (unsigned long long)s->max / ONE,
                       s->min < ONE ? "0.05" : "1.05");
    else if (s->kind == SETTING_URLS)
        (void)snprintf(out, SETTING_WORDS_MAX, "up to %u %s", (unsigned)s->max, kinds[s->kind].allowed);
    else
        (void)snprintf(out, SETTING_WORDS_MAX, "%s",
                       s->allowed != NULL ? s->allowed : kinds[s->kind].allowed);
    n = strlen(out);
    if ((s->flags & SETTING_EMPTY) != 0)
        (void)snprintf(out + n, SETTING_WORDS_MAX - n, ", or nothing");
    return out;
}

/* Scheme and host of each URL: a key may be in what is before the host or behind it. */
static void urls_shown(char out[static SETTING_SHOWN_MAX], const char *value)
{
    size_t at = 0;

    while (*value != '\0' && at < SETTING_SHOWN_MAX - 1) {
        size_t between = strspn(value, ", \t"), n = strcspn(value + between, ", \t");
        const char *url = value + between, *slashes = memmem(url, n, "://", 3);
        const char *host = slashes == NULL ? url : slashes + 3, *at_sign;
        size_t authority = strcspn(host, "/?#, \t");

        if (slashes == NULL)
            authority = 0;
        at_sign = memchr(host, '@', authority);
        if (at_sign != NULL) {
            authority -= (size_t)(at_sign + 1 - host);
            host = at_sign + 1;
        }
        at += (size_t)snprintf(out + at, SETTING_SHOWN_MAX - at, "%.*s%.*s%s%.*s%s", (int)between, value,
                               slashes == NULL ? 0 : (int)(slashes + 3 - url), url,
                               at_sign != NULL ? "...@" : "", (int)authority, host,
                               host + authority < url + n ? "/..." : "");
        value = url + n;
    }
}

const char *setting_shown(char out[static SETTING_SHOWN_MAX], const struct setting *s, const char *value)
{
    out[0] = '\0';
    if ((s->flags & SETTING_KEY) == 0 || (s->kind == SETTING_PATH && (*value == '/' || *value == '\0')))
        (void)snprintf(out, SETTING_SHOWN_MAX, "%s", value);
    else if (s->kind == SETTING_PATH) /* perhaps not the file's name but what should be in it */
        (void)snprintf(out, SETTING_SHOWN_MAX, "...");
    else
        urls_shown(out, value);
    return out;
}

uint64_t setting_number(const char *value)
{
    return strtoull(value, NULL, 10);
}

bool setting_yes(const char *value)
{
    return is_one_of("yes|on", value);
}

uint32_t setting_millionths(const char *value)
{
    uint32_t ppm = 0;

    (void)fraction_read(&ppm, value);
    return ppm;
}
