/* keyctl: the operator's command for the service's keys. `create` makes what is absent and leaves the rest
 * alone, `verify` loads everything and tells what it found. No key is ever printed. */
#include <unistd.h>

#include "core/conf.h"
#include "core/log.h"
#include "core/process.h"
#include "keys/keyfile.h"
#include "keys/keyring.h"
#include "keys/secret.h"

enum { EXIT_USAGE = 2 };

static int usage(void)
{
    fputs("usage: keyctl [-c FILE] create|verify\n"
          "  -c FILE  the settings, which name key_dir and service_key_file\n"
          "  create   makes what is absent; existing keys are left alone\n"
          "  verify   loads all keys and says what it found\n",
          stderr);
    return EXIT_USAGE;
}

static int failed(const char *why)
{
    fprintf(stderr, "keyctl: %s\n", why);
    return EXIT_FAILURE;
}

static int verify(const struct conf *c)
{
    char why[512];
    struct keyring *k = keyring_load(c->key_dir, why, sizeof why);
    struct secret *service;

    if (k == NULL)
        return failed(why);
    printf("%s: master key and %zu data key%s, sound\n", c->key_dir, keyring_size(k),
           keyring_size(k) == 1 ? "" : "s");
    keyring_free(k);
    service = keyfile_secret(c->service_key_file, why, sizeof why);
    if (service == NULL)
        return failed(why);
    secret_free(service);
    printf("%s: service key, sound\n", c->service_key_file);
    return EXIT_SUCCESS;
}

/* Ends with a look at what is there now, since existing files were not touched. */
static int create(const struct conf *c)
{
    char why[512];

    if (!keyring_create(c->key_dir, why, sizeof why) ||
        !keyfile_create_random(c->service_key_file, why, sizeof why))
        return failed(why);
    return verify(c);
}

static int run(const struct conf *c, const char *command)
{
    if (strcmp(command, "create") == 0)
        return create(c);
    return strcmp(command, "verify") == 0 ? verify(c) : usage();
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    struct conf *conf;
    int c, status;

    log_init("keyctl");
    process_close();
    while ((c = getopt(argc, argv, "c:")) != -1) {
        if (c != 'c')
            return usage();
        path = optarg;
    }
    if (optind != argc - 1)
        return usage();
    if (!secrets_init())
        return failed("libsodium does not start");
    conf = conf_load(conf_path(path));
    status = run(conf, argv[optind]);
    conf_free(conf);
    return status;
}
