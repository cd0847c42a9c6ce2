#include "store/restore_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "codec/hex.h"
#include "store/migrate.h"
#include "store/trading_halts.h"

/* A database that knows other hosts, all of them silent for so long, did not just get one more. */
#define SILENT "INTERVAL 60 SECOND"

static const char OF_HOST[] = "SELECT epoch, at, accepted FROM db_epochs WHERE host = ?";
static const char NEWEST[] =
    "SELECT MAX(at), COALESCE(MAX(at) < UTC_TIMESTAMP(3) - " SILENT ", 0) FROM db_epochs";
static const char BEAT[] =
    "INSERT INTO db_epochs (host, epoch, at, programs) VALUES (?, ?, UTC_TIMESTAMP(3), ?)"
    " ON DUPLICATE KEY UPDATE epoch = VALUES(epoch), at = VALUES(at),"
    " programs = VALUES(programs), accepted = 0";
/* One that knows no host at all knows nothing. */
static const char OLDER[] = "INSERT INTO db_epochs (host, epoch, at, lost_from) SELECT ?, 0, k.at, k.at"
                            " FROM (SELECT COALESCE(?, CAST('2000-01-01' AS DATETIME(3))) AS at) k"
                            " ON DUPLICATE KEY UPDATE lost_from = VALUES(lost_from)";
static const char ACCEPT[] = "UPDATE db_epochs SET accepted = 1";
static const char LOST_FROM[] = "SELECT COALESCE(MAX(lost_from), MAX(at)) FROM db_epochs";

/* The file's text: "<host in hex> <epoch>\n", always as long. */
struct pulse {
    struct uuid host;
    uint64_t beats; /* 0: it is new */
};
enum { HOST_HEX = 2 * UUID_LEN, PULSE_LEN = HOST_HEX + 1 + 20 + 1 };

int restore_guard_open(const char *signer_dir)
{
    char path[PATH_MAX];

    if (mkdir(signer_dir, 0700) != 0 && errno != EEXIST)
        return -1;
    if (snprintf(path, sizeof path, "%s/" RESTORE_GUARD_FILE, signer_dir) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* A file that says nothing is a new host's. */
static void restore_guard_read(struct pulse *p, int fd)
{
    char text[PULSE_LEN + 1] = "", *end = text;
    bool whole = pread(fd, text, PULSE_LEN, 0) == PULSE_LEN;

    *p = (struct pulse){ .beats = whole ? strtoull(text + HOST_HEX, &end, 10) : 0 };
    if (!whole || *end != '\n' || !hex_decode(p->host.bytes, UUID_LEN, text, HOST_HEX))
        *p = (struct pulse){ .host = uuid_random() };
}

static bool restore_guard_write(const struct pulse *p, int fd)
{
    char text[PULSE_LEN + 1], host[HOST_HEX + 1];

    hex_encode(host, p->host.bytes, UUID_LEN);
    (void)snprintf(text, sizeof text, "%s %020" PRIu64 "\n", host, p->beats);
    return pwrite(fd, text, PULSE_LEN, 0) == PULSE_LEN && fdatasync(fd) == 0;
}

/* The database's record of the host, or of all hosts if it does not know this one. */
struct known {
    uint64_t beats;
    int64_t at_ms;
    bool older;
};

static bool known_read(struct known *k, struct db *db, const struct pulse *p)
{
    struct stmt *st = db_prepare(db, OF_HOST);
    enum lookup found;

    *k = (struct known){ .beats = 0 };
    bind_uuid(st, &p->host);
    found = db_one(st);
    if (found == LOOKUP_FOUND) {
        k->beats = col_u64(st, 0);
        k->at_ms = col_ms(st, 1);
        k->older = k->beats < p->beats && col_u64(st, 2) == 0;
    } else if (found == LOOKUP_NONE) {
        st = db_prepare(db, NEWEST);
        found = db_one(st);
        k->at_ms = col_ms(st, 0);
        k->older = p->beats > 0 || col_u64(st, 1) != 0;
    }
    return found == LOOKUP_FOUND;
}

/* Each time anew, as the dump may still be being loaded, until it is accepted. */
static bool stop_trading(struct db *db, const struct known *k, const struct pulse *p)
{
    enum lookup stopped = trading_halts_restored(db);
    struct stmt *st = db_prepare(db, OLDER);

    bind_uuid(st, &p->host);
    bind_ms(st, k->at_ms);
    if (stopped == LOOKUP_ERROR || db_exec(st) < 0)
        return false;
    if (stopped == LOOKUP_FOUND)
        return true;
    log_error("database_older",
              "msg=\"the database is older than this host: trading is stopped until agentctl reconcile\""
              " beats=%" PRIu64 " known=%" PRIu64,
              p->beats, k->beats);
    return trading_halts_set(db, HALT_ALL, HALT_RESTORED, true);
}

static bool count_beat(struct db *db, struct pulse *p, uint64_t known)
{
    struct stmt *st = db_prepare(db, BEAT);

    p->beats = (known > p->beats ? known : p->beats) + 1;
    bind_uuid(st, &p->host);
    bind_u64(st, p->beats);
    bind_u64(st, SCHEMA_VERSION);
    return db_exec(st) >= 0;
}

/* A new host that has found an older database begins with one beat, which that lacks. */
static bool beat_locked(struct db *db, int fd)
{
    struct pulse p;
    struct known k;

    restore_guard_read(&p, fd);
    if (!known_read(&k, db, &p))
        return false;
    if (k.older && p.beats == 0)
        p.beats = 1;
    return (k.older ? stop_trading(db, &k, &p) : count_beat(db, &p, k.beats)) && restore_guard_write(&p, fd);
}

bool restore_guard_beat(struct db *db, int fd)
{
    bool ok = flock(fd, LOCK_EX) == 0 && beat_locked(db, fd);

    (void)flock(fd, LOCK_UN);
    return ok;
}

bool restore_guard_host(int fd, struct uuid *out)
{
    struct pulse p;

    restore_guard_read(&p, fd);
    *out = p.host;
    return p.beats > 0;
}

bool restore_guard_accept(struct db *db)
{
    return db_exec(db_prepare(db, ACCEPT)) >= 0;
}

enum lookup restore_guard_lost_from(struct db *db, int64_t *ms)
{
    struct stmt *st = db_prepare(db, LOST_FROM);
    enum lookup found = db_one(st);

    if (found != LOOKUP_FOUND || col_null(st, 0))
        return found == LOOKUP_ERROR ? LOOKUP_ERROR : LOOKUP_NONE;
    *ms = col_ms(st, 0);
    return LOOKUP_FOUND;
}
