#include "operator/backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"

enum { HOUR_S = 3600, MINUTE_S = 60 };

/* The begin of the dump of this name (conf/backup names them so once they are whole); -1: it is none. The
 * name has it, as copying changes a file's own time. */
static int64_t dump_begun(const char *name)
{
    struct tm tm = { .tm_isdst = 0 };
    const char *end = strptime(name, "%Y%m%dT%H%M%SZ", &tm);

    return end != NULL && strcmp(end, ".sql.gz") == 0 ? (int64_t)timegm(&tm) : -1;
}

/* -1: there is none. */
static int64_t newest_of(DIR *dumps)
{
    int64_t newest = -1;
    struct dirent *entry;
    struct stat st;

    while ((entry = readdir(dumps)) != NULL) {
        int64_t begun = dump_begun(entry->d_name);

        if (begun > newest && fstatat(dirfd(dumps), entry->d_name, &st, 0) == 0 && S_ISREG(st.st_mode) &&
            st.st_size > 0)
            newest = begun;
    }
    return newest;
}

/* ---- keys and dumps apart ---- */

static const char *lies_with(const struct conf *conf, const struct stat *dumps, const char *keys)
{
    struct stat st;

    if (stat(keys, &st) != 0 || st.st_dev != dumps->st_dev)
        return NULL;
    if (st.st_ino == dumps->st_ino)
        return "in one folder";
    return strcmp(conf->backup_beside_keys, "allow") == 0 ? NULL : "on one file system";
}

/* Below the folder of the keys, too. */
static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    return strncmp(path, folder, n) == 0 && (path[n] == '/' || folder[n - 1] == '/');
}

/* The reason why dumps and keys are not apart; NULL: they are apart. */
static const char *together(const struct conf *conf, DIR *dumps)
{
    struct stat st;

    if (fstat(dirfd(dumps), &st) != 0)
        return NULL;
    if (is_below(conf->backup_dir, conf->key_dir) || is_below(conf->key_dir, conf->backup_dir) ||
        is_below(conf->service_key_file, conf->backup_dir))
        return "in one folder";
    return lies_with(conf, &st, conf->key_dir);
}

/* ---- in words ---- */

static const char *age_text(struct arena *a, int64_t age_s)
{
    if (age_s < HOUR_S)
        return arena_printf(a, "%" PRId64 " min", age_s / MINUTE_S);
    return arena_printf(a, "%" PRId64 " h", age_s / HOUR_S);
}

static const char *dumps_text(const struct conf *conf, struct arena *a, DIR *dumps, bool *ok)
{
    const char *with = together(conf, dumps), *text;
    int64_t begun = newest_of(dumps), age_s = clock_seconds() - begun;

    age_s = age_s < 0 ? 0 : age_s;
    *ok = begun >= 0 && age_s <= (int64_t)conf->backup_age_h * HOUR_S && with == NULL;
    text = begun < 0 ? arena_printf(a, "no whole dump is in %s", conf->backup_dir)
                     : arena_printf(a, "the newest whole dump is %s old", age_text(a, age_s));
    return with == NULL
               ? text
               : arena_printf(a, "%s; dumps and keys lie %s: both together open all wallets", text, with);
}

const char *operator_backup(const struct conf *conf, struct arena *a, bool *ok)
{
    DIR *dumps;
    const char *text;

    *ok = true;
    if (*conf->backup_dir == '\0')
        return "none is made here: backup_dir is empty";
    dumps = opendir(conf->backup_dir);
    if (dumps == NULL && errno == EACCES)
        return NULL;
    *ok = false;
    if (dumps == NULL)
        return arena_printf(a, "%s: %s", conf->backup_dir, strerror(errno));
    text = dumps_text(conf, a, dumps, ok);
    (void)closedir(dumps);
    return text;
}
