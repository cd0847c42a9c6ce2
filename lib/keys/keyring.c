#include "keys/keyring.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/hex.h"
#include "keys/inside.h"
#include "keys/keyfile.h"

enum { MAX_KEYS = 256, ID_DIGITS = 10, DATA_LINE = ID_DIGITS + 1 + 2 * WRAP_LEN + 1 };

struct keyring {
    size_t n;
    struct data_key keys[MAX_KEYS]; /* ids ascend */
};

struct paths {
    char master[PATH_MAX];
    char data[PATH_MAX];
};

static bool paths_of(struct paths *p, const char *dir, char *why, size_t why_len)
{
    if (snprintf(p->master, sizeof p->master, "%s/master.key", dir) < (int)sizeof p->master &&
        snprintf(p->data, sizeof p->data, "%s/data.keys", dir) < (int)sizeof p->data)
        return true;
    return why_not(why, why_len, "the key directory's name is too long");
}

static bool dir_private(const char *dir, char *why, size_t why_len)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok;

    if (fd < 0)
        return why_not(why, why_len, "%s: %s", dir, strerror(errno));
    ok = keyfile_dir_private(fd, dir, why, why_len);
    close(fd);
    return ok;
}

/* A key that seals wallets must not be lost with its directory's entry. */
static void sync_parent(const char *dir)
{
    char parent[PATH_MAX];
    int fd;

    if (snprintf(parent, sizeof parent, "%s/..", dir) >= (int)sizeof parent)
        return;
    fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return; /* not readable for us: the system's own flushing has to do */
    fsync(fd);
    close(fd);
}

static bool make_dir(const char *dir, char *why, size_t why_len)
{
    if (mkdir(dir, 0700) == 0)
        sync_parent(dir);
    else if (errno != EEXIST)
        return why_not(why, why_len, "%s: %s", dir, strerror(errno));
    return dir_private(dir, why, why_len);
}

/* One line of data.keys. */
static bool data_line(char line[static DATA_LINE + 1], uint32_t id, const struct secret *key,
                      const struct secret *master)
{
    uint8_t wrapped[WRAP_LEN], bound[4];
    char hex[2 * WRAP_LEN + 1];

    put_be32(bound, id);
    if (!secret_wrap(wrapped, key, master, bound, sizeof bound))
        return false;
    hex_encode(hex, wrapped, sizeof wrapped);
    snprintf(line, DATA_LINE + 1, "%u %s\n", id, hex);
    return true;
}

static bool make_data_keys(const struct paths *p, char *why, size_t why_len)
{
    char line[DATA_LINE + 1];
    struct secret *master = keyfile_secret(p->master, why, why_len);
    struct secret *first = secret_random();
    bool ok = false;

    if (master == NULL)
        goto out;
    if (first == NULL || !data_line(line, 1, first, master))
        why_not(why, why_len, "no memory for a data key");
    else
        ok = keyfile_create(p->data, line, strlen(line), why, why_len);
out:
    secret_free(first);
    secret_free(master);
    return ok;
}

bool keyring_create(const char *dir, char *why, size_t why_len)
{
    struct paths p;
    bool data;

    if (!paths_of(&p, dir, why, why_len) || !make_dir(dir, why, why_len))
        return false;
    /* Looked at before the master key: a creator beside us makes the master key first. */
    data = access(p.data, F_OK) == 0;
    if (data && access(p.master, F_OK) != 0)
        return why_not(why, why_len, "%s is there but %s is not: put the master key back from its backup",
                       p.data, p.master);
    if (data)
        return true;
    return keyfile_create_random(p.master, why, why_len) && make_data_keys(&p, why, why_len);
}

/* Decimal without leading zeros, from 1. */
static bool read_id(uint32_t *id, const char **at, const char *end)
{
    const char *p = *at;
    uint64_t v = 0;

    while (p < end && p - *at < ID_DIGITS && *p >= '0' && *p <= '9')
        v = v * 10 + (uint64_t)(*p++ - '0');
    if (p == *at || **at == '0' || v > UINT32_MAX)
        return false;
    *id = (uint32_t)v;
    *at = p;
    return true;
}

static bool read_line(uint32_t *id, uint8_t wrapped[static WRAP_LEN], const char **at, const char *end)
{
    const char *p = *at;

    if (!read_id(id, &p, end) || end - p < 1 + 2 * WRAP_LEN + 1)
        return false;
    if (p[0] != ' ' || p[1 + 2 * WRAP_LEN] != '\n' || !hex_decode(wrapped, WRAP_LEN, p + 1, 2 * WRAP_LEN))
        return false;
    *at = p + 1 + 2 * WRAP_LEN + 1;
    return true;
}

static bool add_key(struct keyring *k, uint32_t id, const uint8_t wrapped[static WRAP_LEN],
                    const struct secret *master)
{
    uint8_t bound[4];
    struct secret *key;

    put_be32(bound, id);
    key = secret_unwrap(wrapped, master, bound, sizeof bound);
    if (key == NULL)
        return false;
    k->keys[k->n++] = (struct data_key){ .id = id, .key = key };
    return true;
}

static bool add_keys(struct keyring *k, const char *path, const char *text, size_t n,
                     const struct secret *master, char *why, size_t why_len)
{
    const char *at = text, *end = text + n;
    uint8_t wrapped[WRAP_LEN];
    uint32_t id, last = 0;

    while (at < end) {
        if (k->n == MAX_KEYS || !read_line(&id, wrapped, &at, end) || id <= last)
            return why_not(why, why_len, "%s: line %zu is damaged", path, k->n + 1);
        if (!add_key(k, id, wrapped, master))
            return why_not(why, why_len, "%s: line %zu was not sealed under this master key", path, k->n + 1);
        last = id;
    }
    return true;
}

static struct keyring *load(const struct paths *p, const struct secret *master, const char *text, size_t n,
                            char *why, size_t why_len)
{
    struct keyring *k = calloc(1, sizeof *k);

    if (k == NULL) {
        why_not(why, why_len, "no memory for the keys");
        return NULL;
    }
    if (add_keys(k, p->data, text, n, master, why, why_len))
        return k;
    keyring_free(k);
    return NULL;
}

struct keyring *keyring_load(const char *dir, char *why, size_t why_len)
{
    struct paths p;
    struct secret *master;
    struct keyring *k = NULL;
    char *text;
    size_t n = 0;

    if (!paths_of(&p, dir, why, why_len) || !dir_private(dir, why, why_len))
        return NULL;
    master = keyfile_secret(p.master, why, why_len);
    if (master == NULL)
        return NULL;
    text = keyfile_read(p.data, (size_t)MAX_KEYS * DATA_LINE, &n, why, why_len);
    if (text != NULL)
        k = load(&p, master, text, n, why, why_len);
    keyfile_free(text);
    secret_free(master);
    return k;
}

void keyring_free(struct keyring *k)
{
    if (k == NULL)
        return;
    for (size_t i = 0; i < k->n; i++)
        secret_free(k->keys[i].key);
    free(k);
}

size_t keyring_size(const struct keyring *k)
{
    return k->n;
}

const struct data_key *keyring_newest(const struct keyring *k)
{
    return &k->keys[k->n - 1]; /* a loaded keyring has at least one */
}

const struct data_key *keyring_find(const struct keyring *k, uint32_t id)
{
    for (size_t i = 0; i < k->n; i++) {
        if (k->keys[i].id == id)
            return &k->keys[i];
    }
    return NULL;
}
