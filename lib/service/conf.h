/* The settings file: lines "name = value", "#" comments, "include PATH" (a file, or a folder whose files
 * *.conf are read in the order of their names; relative to the including file), ${NAME} and ${NAME:-default}
 * from the environment. Later lines override earlier ones; an unknown name is an error, so that typos are
 * noticed. What there is to set is in service/settings.h. */
#ifndef SERVICE_CONF_H
#define SERVICE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CONF_TIER_MAX = 32,
    CONF_PER_MINUTE_MAX = 1000000,
    CONF_WORKERS_MAX = 1024,
    CONF_NODES_MAX = 8, /* of one chain, for one role */
    CONF_NAMED = 128,   /* places of settings by their names */
};
#define CONF_TIER_UNLIMITED "unlimited"

/* The quotas of an agent, by its tier. */
enum quota {
    QUOTA_MESSAGE_BYTES, /* of one A2A message */
    QUOTA_TASK_BYTES,    /* A2A tasks, their messages and answers together */
    QUOTA_RECORD_BYTES,  /* answers recorded under an Idempotency-Key */
    QUOTA_WALLETS,
    QUOTA_POLICIES,
    QUOTA_ADDRESSES,   /* for withdrawals, that are not removed */
    QUOTA_PUSHES,      /* push configs of tasks */
    QUOTA_EVENTS,      /* webhook events that were delivered or have failed */
    QUOTA_AUDIT_LINES, /* that it causes in a day */
    QUOTAS
};
#define QUOTA_NONE UINT64_MAX

struct conf {
    const char *base_url; /* as agents see it; never taken from a request */
    const char *fastcgi_socket;
    const char *pid_file;  /* of the gateway's parent */
    unsigned workers;      /* that may wait for third parties */
    unsigned fast_workers; /* that never do; 0: two for each core */
    const char *signer_socket;
    const char *key_dir;          /* master key and data keys: the signer's and keyctl's */
    const char *service_key_file; /* service secrets: gateway and jobs */
    const char *signer_dir;       /* audit, ledger, kill switch: the signer's and keyctl's */
    unsigned signer_uid;          /* where started as root; so the next; 0: none of its own */
    unsigned worker_uid;
    const char *signer_chains;   /* comma list of chains; "": all. signer/signer_limits.h has the others */
    const char *signer_tokens;   /* that swaps may buy: "any" or "built-in" */
    const char *signer_markets;  /* of Morpho that may be entered: "any" or "listed" */
    uint32_t signer_floor;       /* millionths of what is given that a trade brings at least; 0: unchecked */
    unsigned signer_floor_age_s; /* of the prices for it, at most */
    unsigned withdrawal_delay;   /* seconds before a new address may be paid */
    const char *db_servers;      /* comma list of sockets, hosts, host:port */
    const char *db_user;
    const char *db_password_file; /* "" when there is none */
    const char *db_name;
    const char *db_tls;    /* over the network: off, prefer, verify */
    const char *db_tls_ca; /* "": the system's authorities */
    const char *sql_dir;
    const char *shm_file;           /* counters of this host */
    const char *log_dir;            /* where its logs are kept; the programs themselves do not write there */
    const char *backup_dir;         /* dumps of the database; "": none are made here */
    unsigned backup_age_h;          /* of the newest one, at most */
    const char *backup_beside_keys; /* "warn" or "allow": dumps on the file system of the keys */
    unsigned register_per_minute;   /* per client address; so the next two; 0: no limit */
    bool measure_block_times;       /* chain/rpc/block_time.h */
    unsigned disk_free_min;         /* MB below which nothing new is stored; 0: no floor */
    unsigned register_per_day;      /* likewise, in a day */
    unsigned quotes_per_day;        /* of an agent; 0: no limit, here and in the next */
    unsigned quotes_per_day_untraded; /* of one that has not traded yet */
    unsigned untraded_percent;        /* of its quotas that such an agent has */
    unsigned public_per_minute;       /* calls without a key */
    unsigned unknown_keys_per_minute; /* calls with a key that was never issued */
    unsigned hosts;                   /* that serve at the same time, each counting for itself */
    bool webhook_allow_http_loopback;
    const char *trusted_proxies;
    const char *plain_http;      /* "refuse" or "allow" */
    const char *metrics_from;    /* who may read /metrics */
    const char *operator_from;   /* who may reach /v1/operator */
    const char *allowed_origins; /* of web pages that may use MCP, besides our own and loopback; "*": any */
    const char *delete_funded; /* whether agents that hold something may be deleted: "confirm", "yes", "no" */
    const char *log_requests;  /* "failed", "slow" (those too that take a second), "all" */
    unsigned recheck_s;        /* until a swap that failed is looked at once more */
    unsigned a2a_wait_ms;      /* how long an A2A message waits for the end of its task */
    unsigned mcp_wait_s;       /* how long a tool of MCP waits for the end of what it begins or looks at */
    unsigned waiting_calls;    /* that the host holds at once */
    bool drift_watch;          /* known questions are asked without being told to */
    bool send_fallback;        /* nodes of rpc.<chain> take transactions too where send.<chain> is set */
    uint32_t verify_divergence_max; /* millionths; by which the price of verify.<chain> may differ */
    const char *price_feed_url;     /* "": none */
    uint32_t price_divergence_max;  /* likewise: how far the sources of a price may differ */
    uint32_t price_impact_max;      /* millionths; beyond it a trade has to be allowed by its caller */
    unsigned solana_fee_max;        /* lamports, of one transaction */
    unsigned bridge_max_usd; /* the most that a swap between chains may be worth; 0: as much as it is */
    const char *predict_gamma_url, *predict_clob_url, *predict_data_url; /* Polymarket's services */
    const char *predict_relayer_url, *predict_geoblock_url;
    bool predict_trading;                 /* agents may bet on prediction markets */
    const char *predict_wallet;           /* who holds what is traded: "deposit", "eoa" */
    const char *predict_relayer_key_file; /* predict/relayer_key.h; "": none */
    const char *predict_builder_code;     /* the operator's, "0x" and 64 digits; "": none */
    const char *lend_morpho_api;          /* of Morpho's catalogue; "": it is not asked */
    uint32_t lend_alert;                  /* millionths; agents are told of a health factor below it */
    uint32_t lend_min_health_factor;      /* millionths; no operation may lead below it */
    const char *perps_url, *perps_assets; /* the venue of perpetuals; perps/universe.h */
    unsigned perps_max_leverage;
    unsigned perps_weight;        /* that its venue is asked in a minute; 0: no limit */
    bool perps_trading;           /* agents may trade perpetuals */
    const char *perps_route;      /* "auto", "bridge" or "cctp" */
    const char *perps_circle_url; /* Circle, whose protocol that is */
    const char *perps_network;    /* "mainnet" or "testnet" */
    const char *perps_order_max, *perps_day_max, *perps_withdraw_day_max; /* dollars; "": no limit */
    const char *path;                                                     /* of the file */
    struct conf_pair *pairs;                                              /* everything, by name */
    struct conf_pair *named[CONF_NAMED]; /* the same, by a hash of the name */
    struct conf_names *files;            /* that it was read from */
    struct conf_problems *problems, *warnings;
};

/* A fault in a line of the settings. */
struct conf_problem {
    char *file;
    unsigned line;      /* 0: the file as a whole, or a setting that no line sets */
    const char *what;   /* such as "wrong setting" */
    char *name, *value; /* as far as they are known; without what may be a key */
    char *allowed;      /* what it must be, or of a warning why; NULL when `what` says it all */
    struct conf_problem *next;
};

/* The file named by -c, else by GATEWAY_CONF, else the one installed with this program, else the system's. */
const char *conf_path(const char *from_option);
/* Never NULL. What is wrong with the file is kept, and is as if it were not set. */
struct conf *conf_read(const char *path);
/* The first problem in the order of their discovery, or NULL. */
const struct conf_problem *conf_problems(const struct conf *c);
/* Adds a problem: code that reads a setting in more depth than the table has found it to be wrong. `allowed`
 * is what it must be, or NULL for the table's text. */
void conf_refuse(const struct conf *c, const char *name, const char *allowed);
/* The same for a setting that names a file: and why the file is none. */
void conf_refuse_file(const struct conf *c, const char *name, const char *allowed, const char *why);
/* Adds a warning: the setting's subject is optional and is off, and all else works. */
void conf_warn(const struct conf *c, const char *name, const char *why);
/* The first of these, or NULL. */
const struct conf_problem *conf_warnings(const struct conf *c);
/* Calls `see` for each file that the settings are read from and for each that one of them names, as far as it
 * is there: what another host needs besides the keys. */
void conf_each_file(const struct conf *c, void (*see)(void *arg, const char *path), void *arg);
/* A number that other lines of settings hardly have. */
uint64_t conf_fingerprint(const struct conf *c);
/* Refuses the settings with a place `what`, such as "chain", at which stands what `known` rejects; how many.
 */
size_t conf_refuse_unknown(const struct conf *c, const char *what, bool (*known)(const char *));
/* Whether a setting has that place `what`, such as "odos" of a "provider". */
bool conf_has_place(const struct conf *c, const char *what, const char *place);
/* Logs all problems and exits, if there are any: nothing works with wrong settings. Logs warnings, too. */
void conf_insist(const struct conf *c);
/* The same only for the settings of these names, which end with NULL, and for files that cannot be read:
 * other problems are logged, and the caller goes on without these settings. */
void conf_insist_on(const struct conf *c, const char *const *names);
/* Whether it would exit. */
bool conf_lacks(const struct conf *c, const char *const *names);
/* Reads and insists. */
struct conf *conf_load(const char *path);
void conf_free(struct conf *c);

/* Calls `show` for each setting in force: a line of the file, or a default where `file` is NULL. Values are
 * without what may be a key. */
void conf_show(const struct conf *c,
               void (*show)(const char *name, const char *value, const char *file, unsigned line));

/* A setting per chain, such as "rpc.ethereum"; NULL when it is not set, "" when it is set to an empty value.
 */
const char *conf_chain(const struct conf *c, const char *name, const char *chain_key);
/* The same for a setting of a provider of routes, such as "provider.lifi.url". */
const char *conf_provider(const struct conf *c, const char *provider_key, const char *name);
/* The setting of the chain as a number; dflt when it is not set. */
uint64_t conf_chain_number(const struct conf *c, const char *name, const char *chain_key, uint64_t dflt);

/* Requests a minute of an agent of the tier, 0: no limit; false when there is no such tier. */
bool conf_tier(const struct conf *c, const char *tier, unsigned *per_minute);
/* The tier's quota of a kind; QUOTA_NONE: no limit. Tiers that the operator added default to the limits of
 * `standard`. */
uint64_t conf_quota(const struct conf *c, const char *tier, enum quota kind);
/* The smallest of all tiers. */
uint64_t conf_quota_least(const struct conf *c, enum quota kind);

#endif
