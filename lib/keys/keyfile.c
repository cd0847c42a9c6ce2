#include "keys/keyfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sodium.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/file.h"
#include "keys/inside.h"

enum { KEY_TEXT = 2 * SECRET_LEN + 1, FILE_MAX = 64 * 1024 }; /* hex digits and a newline */

static bool private_to_us(const struct stat *st, const char *path, char *why, size_t why_len)
{
    if (st->st_uid != geteuid())
        return why_not(why, why_len, "%s belongs to uid %u, not to uid %u that reads it", path, st->st_uid,
                       geteuid());
    if (st->st_mode & (S_IRWXG | S_IRWXO))
        return why_not(why, why_len, "%s has mode %04o: only its owner may have access", path,
                       st->st_mode & 07777u);
    return true;
}

bool keyfile_dir_private(int fd, const char *path, char *why, size_t why_len)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return why_not(why, why_len, "%s: %s", path, strerror(errno));
    return private_to_us(&st, path, why, why_len);
}

static bool write_new(const char *path, const char *text, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok;

    if (fd < 0)
        return false;
    ok = file_write(fd, text, n) && fsync(fd) == 0;
    return close(fd) == 0 && ok;
}

/* The directory is locked. link() never replaces a file, so not even one that is restored by hand in the
 * meantime is lost. */
static bool link_new(const char *path, const char *fresh, const char *text, size_t n)
{
    bool ok;
    int error;

    unlink(fresh); /* left by a crash */
    if (access(path, F_OK) == 0)
        return true;
    ok = write_new(fresh, text, n) && (link(fresh, path) == 0 || errno == EEXIST);
    error = errno;
    unlink(fresh);
    errno = error;
    return ok;
}

static int open_parent(const char *path)
{
    char copy[PATH_MAX];

    if (strlen(path) >= sizeof copy) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(copy, path, strlen(path) + 1);
    return open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool keyfile_create(const char *path, const char *text, size_t n, char *why, size_t why_len)
{
    char fresh[PATH_MAX];
    int dir = open_parent(path);
    bool ok = false;

    if (dir < 0)
        return why_not(why, why_len, "directory of %s: %s", path, strerror(errno));
    if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
        errno = ENAMETOOLONG;
    else if (flock(dir, LOCK_EX) == 0)
        ok = link_new(path, fresh, text, n) && fsync(dir) == 0;
    if (!ok)
        why_not(why, why_len, "%s: %s", path, strerror(errno));
    close(dir); /* unlocks */
    return ok;
}

/* Freed by keyfile_free; NULL: out of memory. */
static char *secret_text(const struct secret *s)
{
    char *text = s == NULL ? NULL : sodium_malloc(KEY_TEXT);

    if (text == NULL)
        return NULL;
    sodium_bin2hex(text, KEY_TEXT, s->bytes, sizeof s->bytes);
    text[KEY_TEXT - 1] = '\n';
    return text;
}

bool keyfile_create_random(const char *path, char *why, size_t why_len)
{
    struct secret *s = secret_random();
    char *text = secret_text(s);
    bool ok = text != NULL ? keyfile_create(path, text, KEY_TEXT, why, why_len)
                           : why_not(why, why_len, "%s: no memory for a key", path);

    sodium_free(text);
    secret_free(s);
    return ok;
}

int keyfile_lock(const char *path, bool alone, char *why, size_t why_len)
{
    int dir = open_parent(path);

    if (dir >= 0 && flock(dir, alone ? LOCK_EX : LOCK_SH) == 0)
        return dir;
    why_not(why, why_len, "directory of %s: %s", path, strerror(errno));
    if (dir >= 0)
        close(dir);
    return -1;
}

bool keyfile_move(const char *from, const char *to, char *why, size_t why_len)
{
    int dir = open_parent(to);
    bool ok = dir >= 0 && rename(from, to) == 0 && fsync(dir) == 0;

    if (!ok)
        why_not(why, why_len, "%s: %s", to, strerror(errno));
    if (dir >= 0)
        close(dir);
    return ok;
}

bool keyfile_put(const char *path, const char *text, size_t n, char *why, size_t why_len)
{
    char fresh[PATH_MAX];

    if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
        return why_not(why, why_len, "%s: %s", path, strerror(ENAMETOOLONG));
    unlink(fresh); /* left by a crash */
    if (!write_new(fresh, text, n) || FAULT("keyfile.written"))
        return why_not(why, why_len, "%s: %s", fresh, strerror(errno));
    return keyfile_move(fresh, path, why, why_len);
}

bool keyfile_put_secret(const char *path, const struct secret *s, char *why, size_t why_len)
{
    char *text = secret_text(s);
    bool ok = text != NULL ? keyfile_put(path, text, KEY_TEXT, why, why_len)
                           : why_not(why, why_len, "%s: no memory for a key", path);

    sodium_free(text);
    return ok;
}

bool keyfile_copy(const char *from, const char *to, char *why, size_t why_len)
{
    size_t n = 0;
    char *text;
    bool ok;

    if (access(to, F_OK) == 0)
        return why_not(why, why_len, "%s already exists", to);
    text = keyfile_read(from, FILE_MAX, &n, why, why_len);
    ok = text != NULL && keyfile_create(to, text, n, why, why_len);
    keyfile_free(text);
    return ok;
}

static bool read_exactly(int fd, char *p, size_t n)
{
    while (n > 0) {
        ssize_t got = read(fd, p, n);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            p += got;
            n -= (size_t)got;
        }
    }
    return true;
}

static char *read_open(int fd, const char *path, size_t max, size_t *n, char *why, size_t why_len)
{
    struct stat st;
    char *text;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        why_not(why, why_len, "%s is not a plain file", path);
        return NULL;
    }
    if (!private_to_us(&st, path, why, why_len))
        return NULL;
    if (st.st_size <= 0 || (size_t)st.st_size > max) {
        why_not(why, why_len, "%s has %lld bytes: not what was written", path, (long long)st.st_size);
        return NULL;
    }
    *n = (size_t)st.st_size;
    text = sodium_malloc(*n);
    if (text != NULL && read_exactly(fd, text, *n))
        return text;
    why_not(why, why_len, "%s cannot be read", path);
    sodium_free(text);
    return NULL;
}

char *keyfile_read(const char *path, size_t max, size_t *n, char *why, size_t why_len)
{
    /* O_NONBLOCK: a FIFO in its place must not block us. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char *text;

    if (fd < 0) {
        why_not(why, why_len, "%s: %s", path, strerror(errno));
        return NULL;
    }
    text = read_open(fd, path, max, n, why, why_len);
    close(fd);
    return text;
}

void keyfile_free(char *text)
{
    sodium_free(text);
}

static struct secret *secret_parse(const char *text, size_t n)
{
    struct secret *s = n == KEY_TEXT && text[n - 1] == '\n' ? secret_new() : NULL;
    size_t got = 0;

    if (s == NULL)
        return NULL;
    /* libsodium's parser takes constant time */
    if (sodium_hex2bin(s->bytes, sizeof s->bytes, text, n - 1, NULL, &got, NULL) == 0 && got == SECRET_LEN)
        return s;
    secret_free(s);
    return NULL;
}

struct secret *keyfile_secret(const char *path, char *why, size_t why_len)
{
    size_t n = 0;
    char *text = keyfile_read(path, KEY_TEXT, &n, why, why_len);
    struct secret *s;

    if (text == NULL)
        return NULL;
    s = secret_parse(text, n);
    keyfile_free(text);
    if (s == NULL)
        why_not(why, why_len, "%s is not 64 hex digits and a newline", path);
    return s;
}
