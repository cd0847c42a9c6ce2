#include "jobs/settings_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

struct copying {
    const char *dir;
    char *why; /* empty: nothing failed so far */
    size_t why_len;
};

static void failed(struct copying *to, const char *path)
{
    if (*to->why == '\0')
        (void)snprintf(to->why, to->why_len, "%s: %s", path, strerror(errno));
}

/* The folders above the file. */
static bool folders_make(char *path, size_t from)
{
    bool ok = true;

    for (char *slash = strchr(path + from, '/'); ok && slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        ok = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
    }
    return ok;
}

static bool bytes_copy(int in, int out)
{
    ssize_t n;

    do
        n = sendfile(out, in, NULL, PIECE);
    while (n > 0);
    return n == 0 && fsync(out) == 0;
}

/* A file that two settings name is there already. */
static bool file_copy(int in, const char *to)
{
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = out >= 0 ? bytes_copy(in, out) : errno == EEXIST;

    if (out >= 0 && close(out) != 0)
        ok = false;
    return ok;
}

static void open_copy(struct copying *to, int in, const char *real)
{
    char path[PATH_MAX];
    struct stat st;

    if (fstat(in, &st) != 0)
        failed(to, real);
    else if (S_ISREG(st.st_mode) && snprintf(path, sizeof path, "%s%s", to->dir, real) < (int)sizeof path &&
             (!folders_make(path, strlen(to->dir) + 1) || !file_copy(in, path)))
        failed(to, path);
}

/* Missing files are left out, such as an optional key that is off. */
static void named_copy(void *arg, const char *path)
{
    struct copying *to = arg;
    char real[PATH_MAX];
    int in;

    if (realpath(path, real) == NULL)
        return;
    in = open(real, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        failed(to, real);
    else
        open_copy(to, in, real);
    if (in >= 0)
        (void)close(in);
}

bool settings_copy(const struct conf *c, const char *dir, char *why, size_t why_len)
{
    char settings[PATH_MAX];
    struct copying to = { settings, why, why_len };

    *why = '\0';
    if (snprintf(settings, sizeof settings, "%s/settings", dir) >= (int)sizeof settings)
        errno = ENAMETOOLONG;
    else if (mkdir(settings, 0700) == 0) {
        conf_each_file(c, named_copy, &to);
        return *why == '\0';
    }
    failed(&to, dir);
    return false;
}
