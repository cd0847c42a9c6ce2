/* keyctl: the operator's command for the service's keys and for the signer that uses them. `create` creates
 * what is missing, `verify` loads everything and says what it found, `rotate` changes the master key of a
 * running service, `backup` copies the keys and the settings, `import` brings back wallets that an older dump
 * of the database lacks; `stop` and `resume` are the kill switch of this host's signer, and `audit-verify`
 * verifies its audit file line by line. No key is ever printed. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "base/program.h"
#include "codec/hex.h"
#include "jobs/settings_copy.h"
#include "jobs/wallet_import.h"
#include "keys/keyfile.h"
#include "keys/keyring.h"
#include "keys/operator_mac.h"
#include "keys/secret.h"
#include "service/conf.h"
#include "signer/audit_log.h"
#include "signer/kill_switch.h"
#include "store/restore_guard.h"

enum { EXIT_USAGE = 2, WHY_MAX = 512 };

static const char usage[] =
    "usage: keyctl [-c FILE] COMMAND\n"
    "       keyctl --help | --version\n"
    "  -c FILE  the settings, which name key_dir, service_key_file and signer_dir\n"
    "  create                 creates what is missing; existing keys are left alone\n"
    "  verify                 loads all keys and says what it found\n"
    "  rotate                 a new master key; wallets and a running signer are not affected\n"
    "  backup DIR             copies all keys and the settings into DIR, which it creates\n"
    "  import FILE            brings back what an older dump lacks of signer_dir/wallets\n"
    "  stop [REASON]          signs nothing on this host from now on\n"
    "  resume                 signs again\n"
    "  audit-verify [FILE...] whether each line follows the one before it, oldest file first;\n"
    "                         without FILE, the current audit file\n";

static int keyctl_usage(void)
{
    fputs(usage, stderr);
    return EXIT_USAGE;
}

static int keyctl_failed(const char *why)
{
    fprintf(stderr, "keyctl: %s\n", why);
    return EXIT_FAILURE;
}

static void path_in(char out[static PATH_MAX], const char *dir, const char *name)
{
    if (snprintf(out, PATH_MAX, "%s/%s", dir, name) >= PATH_MAX)
        log_fatal("setting_wrong", "msg=\"the name of a directory is too long\" name=%s", dir);
}

/* ---- Keys ---- */

static int keys_verify(const char *key_dir, const char *service_key_file)
{
    char why[WHY_MAX];
    struct keyring *k = keyring_load(key_dir, why, sizeof why);
    struct secret *service;

    if (k == NULL)
        return keyctl_failed(why);
    printf("%s: master key and %zu data key%s, sound\n", key_dir, keyring_size(k),
           keyring_size(k) == 1 ? "" : "s");
    keyring_free(k);
    service = keyfile_secret(service_key_file, why, sizeof why);
    if (service == NULL)
        return keyctl_failed(why);
    secret_free(service);
    printf("%s: service key, sound\n", service_key_file);
    return EXIT_SUCCESS;
}

static int keyctl_verify(const struct conf *c, char **args)
{
    return args[0] == NULL ? keys_verify(c->key_dir, c->service_key_file) : keyctl_usage();
}

/* Ends with a look at what is there now, since existing files were not touched. */
static int keyctl_create(const struct conf *c, char **args)
{
    char operator_key[PATH_MAX], why[WHY_MAX];

    if (args[0] != NULL)
        return keyctl_usage();
    path_in(operator_key, c->key_dir, OPERATOR_KEY);
    if (!keyring_create(c->key_dir, why, sizeof why) ||
        !keyfile_create_random(c->service_key_file, why, sizeof why) ||
        !keyfile_create_random(operator_key, why, sizeof why))
        return keyctl_failed(why);
    return keyctl_verify(c, args);
}

static int keyctl_rotate(const struct conf *c, char **args)
{
    char why[WHY_MAX];

    if (args[0] != NULL)
        return keyctl_usage();
    if (!keyring_rotate(c->key_dir, why, sizeof why))
        return keyctl_failed(why);
    puts("The master key is new. Earlier backups hold the former one, which still opens their keys.");
    return keyctl_verify(c, args);
}

static int keyctl_backup(const struct conf *c, char **args)
{
    char service[PATH_MAX], operator_key[PATH_MAX], copy[PATH_MAX], why[WHY_MAX];

    if (args[0] == NULL || args[1] != NULL)
        return keyctl_usage();
    path_in(service, args[0], "service.key");
    path_in(operator_key, c->key_dir, OPERATOR_KEY);
    path_in(copy, args[0], OPERATOR_KEY);
    if (!keyring_backup(c->key_dir, args[0], why, sizeof why) ||
        !keyfile_copy(c->service_key_file, service, why, sizeof why) ||
        (access(operator_key, F_OK) == 0 && !keyfile_copy(operator_key, copy, why, sizeof why)) ||
        !settings_copy(c, args[0], why, sizeof why))
        return keyctl_failed(why);
    return keys_verify(args[0], service);
}

/* ---- Wallets that an older dump lacks ---- */

enum { SLACK_MS = 60 * 1000 }; /* of what was in progress when the dump was made */

/* Beats as the gateway does when it starts, which may come later: then it is too late to see the dump's
 * age. */
static const char *dump_recognise(const struct conf *c, struct db *db, int64_t *since_ms)
{
    int pulse = restore_guard_open(c->signer_dir);
    enum lookup found = LOOKUP_ERROR;

    *since_ms = 0;
    if (pulse >= 0 && restore_guard_beat(db, pulse))
        found = restore_guard_lost_from(db, since_ms);
    if (pulse >= 0)
        (void)close(pulse);
    *since_ms -= SLACK_MS;
    return found == LOOKUP_ERROR ? "the database or signer_dir/" RESTORE_GUARD_FILE " failed" : NULL;
}

static int import_from(const struct conf *c, const struct keyring *keys, FILE *f)
{
    struct db *db = db_from_conf(c);
    struct wallet_import in = { .added = 0 };
    int64_t since_ms;
    const char *problem = dump_recognise(c, db, &since_ms);

    if (problem == NULL)
        problem = wallet_import(db, keys, f, since_ms, &in);
    db_free(db);
    printf("%u wallets are brought back, %u were there, %u are of agents deleted before the dump\n", in.added,
           in.there, in.former);
    if (problem != NULL)
        return keyctl_failed(problem);
    return in.bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int keyctl_import(const struct conf *c, char **args)
{
    char why[WHY_MAX];
    struct keyring *keys;
    FILE *f;
    int status;

    if (args[0] == NULL || args[1] != NULL)
        return keyctl_usage();
    if ((keys = keyring_load(c->key_dir, why, sizeof why)) == NULL)
        return keyctl_failed(why);
    f = fopen(args[0], "re");
    if (f == NULL)
        fprintf(stderr, "keyctl: %s: %s\n", args[0], strerror(errno));
    status = f == NULL ? EXIT_FAILURE : import_from(c, keys, f);
    if (f != NULL)
        (void)fclose(f);
    keyring_free(keys);
    return status;
}

/* ---- The kill switch ---- */

static int signing_set(const struct conf *c, const char *reason)
{
    char path[PATH_MAX];

    path_in(path, c->signer_dir, "stop");
    if (!kill_switch_set(path, reason)) {
        fprintf(stderr, "keyctl: %s: %s\n", path, strerror(errno));
        return EXIT_FAILURE;
    }
    puts(reason != NULL ? "Signing is stopped on this host." : "Signing is on again.");
    return EXIT_SUCCESS;
}

static int keyctl_stop(const struct conf *c, char **args)
{
    if (args[0] != NULL && args[1] != NULL)
        return keyctl_usage();
    return signing_set(c, args[0] != NULL ? args[0] : "by keyctl");
}

static int keyctl_resume(const struct conf *c, char **args)
{
    return args[0] == NULL ? signing_set(c, NULL) : keyctl_usage();
}

/* ---- The audit file ---- */

/* `head` is carried from file to file. */
static bool audit_file_verify(const char *path, uint8_t head[static HASH_LEN], bool known)
{
    FILE *f = fopen(path, "re");
    char hex[2 * HASH_LEN + 1];
    size_t lines = 0;
    bool ok;

    if (f == NULL) {
        fprintf(stderr, "keyctl: %s: %s\n", path, strerror(errno));
        return false;
    }
    ok = audit_log_verify(f, head, known, &lines);
    (void)fclose(f);
    hex_encode(hex, head, HASH_LEN);
    if (ok)
        printf("%s: %zu lines, each follows the one before; the last is %s\n", path, lines, hex);
    else
        fprintf(stderr, "keyctl: %s: line %zu does not follow the one before\n", path, lines + 1);
    return ok;
}

static int keyctl_audit_verify(const struct conf *c, char **args)
{
    uint8_t head[HASH_LEN] = { 0 };
    char present[PATH_MAX], *only[] = { present, NULL };

    path_in(present, c->signer_dir, "audit.log");
    if (args[0] == NULL)
        args = only;
    for (size_t i = 0; args[i] != NULL; i++)
        if (!audit_file_verify(args[i], head, i > 0))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}

static const struct keyctl_command {
    const char *name;
    int (*run)(const struct conf *, char **args);
    bool urgent; /* needs the signer's folder alone: other settings may be wrong */
} commands[] = {
    { "create", keyctl_create, false }, { "verify", keyctl_verify, false },
    { "rotate", keyctl_rotate, false }, { "backup", keyctl_backup, false },
    { "import", keyctl_import, false }, { "stop", keyctl_stop, true },
    { "resume", keyctl_resume, true },  { "audit-verify", keyctl_audit_verify, false },
};

static int command_begin(const struct keyctl_command *k, const struct conf *c, char **args)
{
    static const char *const needs[] = { "signer_dir", NULL };

    if (k->urgent)
        conf_insist_on(c, needs);
    else
        conf_insist(c);
    return k->run(c, args);
}

static int command_run(const struct conf *c, char **args)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, args[0]) == 0)
            return command_begin(&commands[i], c, args + 1);
    return keyctl_usage();
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    struct conf *conf;
    int c, status;

    log_init("keyctl");
    process_close();
    program_greet(argc, argv, "keyctl", usage);
    while ((c = getopt(argc, argv, "c:")) != -1) {
        if (c != 'c')
            return keyctl_usage();
        path = optarg;
    }
    if (optind == argc)
        return keyctl_usage();
    if (!secrets_init())
        return keyctl_failed("libsodium does not start");
    conf = conf_read(conf_path(path));
    status = command_run(conf, argv + optind);
    conf_free(conf);
    return status;
}
