#include "keys/keyring.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "codec/hex.h"
#include "keys/inside.h"
#include "keys/keyfile.h"

enum { MAX_KEYS = 256, ID_DIGITS = 10, DATA_LINE = ID_DIGITS + 1 + 2 * WRAP_LEN + 1 };

struct keyring {
    size_t n;
    struct data_key keys[MAX_KEYS]; /* ids ascend */
};

struct paths {
    char master[PATH_MAX];
    char next[PATH_MAX];
    char data[PATH_MAX];
    char unused[PATH_MAX];
};

static bool paths_of(struct paths *p, const char *dir, char *why, size_t why_len)
{
    if (snprintf(p->master, sizeof p->master, "%s/master.key", dir) < (int)sizeof p->master &&
        snprintf(p->next, sizeof p->next, "%s/master.next", dir) < (int)sizeof p->next &&
        snprintf(p->data, sizeof p->data, "%s/data.keys", dir) < (int)sizeof p->data &&
        snprintf(p->unused, sizeof p->unused, "%s/unused", dir) < (int)sizeof p->unused)
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

/* Without its directory's entry on the disk, a key that seals wallets could be lost. */
static void sync_parent(const char *dir)
{
    char parent[PATH_MAX];
    int fd;

    if (snprintf(parent, sizeof parent, "%s/..", dir) >= (int)sizeof parent)
        return;
    fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return; /* not readable for us: the kernel writes it back in its own time */
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
    /* Checked before the master key: a concurrent creator makes the master key first. */
    data = access(p.data, F_OK) == 0;
    if (data && access(p.master, F_OK) != 0)
        return why_not(why, why_len, "%s exists but %s does not: restore the master key from its backup",
                       p.data, p.master);
    if (data)
        return true;
    return keyfile_create(p.unused, "\n", 1, why, why_len) && keyfile_create_random(p.master, why, why_len) &&
           make_data_keys(&p, why, why_len);
}

/* The mark's removal has to survive a power failure: if it may not, the keys count as used. */
bool keyring_take_unused(const char *dir)
{
    char why[1];
    struct paths p;
    bool ok;
    int lock;

    if (!paths_of(&p, dir, why, sizeof why))
        return false;
    lock = keyfile_lock(p.data, true, why, sizeof why);
    ok = lock >= 0 && unlink(p.unused) == 0 && fsync(lock) == 0;
    if (lock >= 0)
        close(lock);
    return ok;
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

static struct keyring *load_text(const struct paths *p, const struct secret *master, const char *text,
                                 size_t n, char *why, size_t why_len)
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

static struct keyring *load_under(const struct paths *p, const char *master_path, char *why, size_t why_len)
{
    struct secret *master = keyfile_secret(master_path, why, why_len);
    struct keyring *k = NULL;
    char *text = NULL;
    size_t n = 0;

    if (master != NULL)
        text = keyfile_read(p->data, (size_t)MAX_KEYS * DATA_LINE, &n, why, why_len);
    if (text != NULL)
        k = load_text(p, master, text, n, why, why_len);
    keyfile_free(text);
    secret_free(master);
    return k;
}

/* Under the lock. A rotation that was interrupted after it had replaced the data keys left its master key
 * under the other name. *current: the name that fits. */
static struct keyring *load_either(const struct paths *p, const char **current, char *why, size_t why_len)
{
    struct keyring *k = load_under(p, p->master, why, why_len);
    char other[1];

    *current = p->master;
    if (k != NULL || access(p->next, F_OK) != 0)
        return k;
    *current = p->next;
    return load_under(p, p->next, other, sizeof other);
}

struct keyring *keyring_load(const char *dir, char *why, size_t why_len)
{
    struct paths p;
    const char *current;
    struct keyring *k;
    int lock;

    if (!paths_of(&p, dir, why, why_len) || !dir_private(dir, why, why_len))
        return NULL;
    lock = keyfile_lock(p.data, false, why, why_len);
    if (lock < 0)
        return NULL;
    k = load_either(&p, &current, why, why_len);
    close(lock);
    return k;
}

/* ---- Rotation ---- */

/* Completes an interrupted rotation, or drops its key if nothing was sealed under it yet. */
static bool tidy_up(const struct paths *p, const char *current, char *why, size_t why_len)
{
    if (current == p->next)
        return keyfile_move(p->next, p->master, why, why_len);
    if (unlink(p->next) != 0 && errno != ENOENT)
        return why_not(why, why_len, "%s: %s", p->next, strerror(errno));
    return true;
}

static bool put_data_keys(const struct paths *p, const struct keyring *k, const struct secret *master,
                          char *why, size_t why_len)
{
    char text[MAX_KEYS * DATA_LINE + 1];
    size_t n = 0;

    for (size_t i = 0; i < k->n; i++) {
        if (!data_line(text + n, k->keys[i].id, k->keys[i].key, master))
            return why_not(why, why_len, "data key %u cannot be sealed", k->keys[i].id);
        n += strlen(text + n);
    }
    return keyfile_put(p->data, text, n, why, why_len);
}

/* The data keys change their master key in one rename, the second step: before it the old one opens them,
 * after it the new one. */
static bool rotate_locked(const struct paths *p, const struct keyring *k, char *why, size_t why_len)
{
    struct secret *fresh = secret_random();
    bool ok;

    if (fresh == NULL)
        return why_not(why, why_len, "no memory for a master key");
    ok = keyfile_put_secret(p->next, fresh, why, why_len) && !FAULT("keys.rotate.master") &&
         put_data_keys(p, k, fresh, why, why_len) && !FAULT("keys.rotate.data") &&
         keyfile_move(p->next, p->master, why, why_len) && !FAULT("keys.rotate.done");
    secret_free(fresh);
    return ok;
}

bool keyring_rotate(const char *dir, char *why, size_t why_len)
{
    struct paths p;
    const char *current;
    struct keyring *k;
    bool ok;
    int lock;

    if (!paths_of(&p, dir, why, why_len) || !dir_private(dir, why, why_len))
        return false;
    lock = keyfile_lock(p.data, true, why, why_len);
    if (lock < 0)
        return false;
    k = load_either(&p, &current, why, why_len);
    ok = k != NULL && tidy_up(&p, current, why, why_len) && rotate_locked(&p, k, why, why_len);
    keyring_free(k);
    close(lock);
    return ok;
}

static bool copy_keys(const struct paths *from, const struct paths *to, const char *current, char *why,
                      size_t why_len)
{
    return keyfile_copy(current, to->master, why, why_len) &&
           keyfile_copy(from->data, to->data, why, why_len);
}

bool keyring_backup(const char *dir, const char *to, char *why, size_t why_len)
{
    struct paths p, q;
    const char *current;
    struct keyring *k;
    bool ok;
    int lock;

    if (!paths_of(&p, dir, why, why_len) || !paths_of(&q, to, why, why_len) ||
        !dir_private(dir, why, why_len))
        return false;
    if (mkdir(to, 0700) != 0)
        return why_not(why, why_len, "%s: %s", to, strerror(errno));
    sync_parent(to);
    lock = keyfile_lock(p.data, false, why, why_len);
    if (lock < 0)
        return false;
    k = load_either(&p, &current, why, why_len);
    ok = k != NULL && copy_keys(&p, &q, current, why, why_len);
    keyring_free(k);
    close(lock);
    return ok;
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
