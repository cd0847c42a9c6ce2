#include "signer/address_history.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "keys/keyring.h"
#include "signer/hash_map.h"
#include "signer/history_mark.h"
#include "signer/removals.h"
#include "signer/wallet_file.h"

enum { TICK_S = 60, AHEAD_MAX_S = 60, ORDER_LIFE_S = 5 * 60, ORDER_EARLY_S = 60 };

/* The agents with wallets, as far as their file was read. */
struct seen {
    struct hash_map agents;
    long at;
    bool all; /* nothing in it could not be read or kept */
};

struct address_history {
    struct history_terms terms;
    struct history_clock clock;
    int fd, wallets; /* of the mark; of the file of wallets, to see its length */
    struct history_mark mark;
    struct seen seen;
    struct removals removals;
};

/* ---- Time ---- */

struct history_clock history_clock_own(void)
{
    struct history_clock c = { clock_seconds, clock_boot_seconds, { { 0 } } };
    char text[UUID_TEXT_LEN + 1] = "";
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

    if (f == NULL || fgets(text, sizeof text, f) == NULL || !uuid_parse(&c.boot, text))
        c.boot = (struct uuid){ { 0 } };
    if (f != NULL)
        (void)fclose(f);
    return c;
}

/* The mark's time, plus the time since the mark was made. */
static int64_t time_at(const struct address_history *b, int64_t boot_s)
{
    int64_t passed = boot_s - b->mark.boot_s;

    return b->mark.time_s + (passed > 0 ? passed : 0);
}

int64_t history_now(const struct address_history *b)
{
    return time_at(b, b->clock.boot_s());
}

int64_t history_ahead_s(const struct address_history *b)
{
    return history_now(b) - b->clock.wall_s();
}

static bool same_boot(const struct address_history *b)
{
    static const struct uuid unknown = { { 0 } };

    return memcmp(&b->mark.boot, &b->clock.boot, sizeof unknown) == 0 &&
           memcmp(&b->clock.boot, &unknown, sizeof unknown) != 0;
}

/* After a start of the machine only the wall clock shows how long it was off; the time never goes back. */
static void set_time(struct address_history *b)
{
    int64_t wall = b->clock.wall_s();

    if (same_boot(b))
        return;
    b->mark.time_s = wall > b->mark.time_s ? wall : b->mark.time_s;
    b->mark.boot_s = b->clock.boot_s();
    b->mark.boot = b->clock.boot;
}

/* ---- The mark ---- */

static bool path_of(char out[static PATH_MAX], const struct address_history *b, const char *name)
{
    return snprintf(out, PATH_MAX, "%s/%s", b->terms.dir, name) < PATH_MAX;
}

static enum lookup read_mark(struct address_history *b, const char *path)
{
    uint8_t file[MARK_FILE_LEN];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n;

    if (fd < 0)
        return errno == ENOENT ? LOOKUP_NONE : LOOKUP_ERROR;
    n = read(fd, file, sizeof file);
    (void)close(fd);
    return n < 0 ? LOOKUP_ERROR : history_mark_read(&b->mark, file, (size_t)n);
}

static int64_t wallets_length(const struct address_history *b)
{
    struct stat st;

    return fstat(b->wallets, &st) == 0 ? st.st_size : 0;
}

/* Into the older place. */
static bool write_mark(struct address_history *b)
{
    struct history_mark m = b->mark;
    uint8_t place[MARK_PLACE_LEN];

    m.number++;
    m.boot_s = b->clock.boot_s();
    m.time_s = time_at(b, m.boot_s);
    m.wallets_len = wallets_length(b);
    history_mark_write(place, &m);
    if (pwrite(b->fd, place, sizeof place, (off_t)history_mark_place(&m)) != (ssize_t)sizeof place)
        return false;
    b->mark = m;
    return true;
}

static bool keep_mark(struct address_history *b)
{
    return write_mark(b) && fdatasync(b->fd) == 0;
}

void history_tick(struct address_history *b)
{
    if (b->clock.boot_s() - b->mark.boot_s >= TICK_S)
        (void)write_mark(b);
}

/* ---- Agents with wallets ---- */

static void seen_add(struct seen *s, struct uuid agent)
{
    s->all = hash_map_raise(&s->agents, hash_map_key(agent.bytes, UUID_LEN), 1) && s->all;
}

/* A last line that is not complete may be in progress: it is read once it is. */
static void seen_read_lines(struct seen *s, FILE *f)
{
    struct wallet_record r;
    enum lookup found;

    while ((found = wallet_file_next(f, &r)) == LOOKUP_FOUND || (found == LOOKUP_ERROR && !feof(f))) {
        s->all = found == LOOKUP_FOUND && s->all;
        s->at = ftell(f);
        seen_add(s, r.ref.agent);
    }
    s->all = ferror(f) == 0 && s->at >= 0 && s->all;
}

/* Goes on where it ended last time. */
static void seen_read(struct seen *s, const char *path)
{
    FILE *f = fopen(path, "re");

    if (f != NULL && fseek(f, s->at, SEEK_SET) == 0)
        seen_read_lines(s, f);
    else
        s->all = s->at == 0 && errno == ENOENT && s->all;
    if (f != NULL)
        (void)fclose(f);
}

void history_see(struct address_history *b, struct uuid agent)
{
    if (b->mark.complete)
        seen_add(&b->seen, agent);
}

bool history_is_complete(const struct address_history *b)
{
    return b->mark.complete && b->seen.all;
}

bool history_is_new(const struct address_history *b, struct uuid agent)
{
    return history_is_complete(b) && hash_map_get(&b->seen.agents, hash_map_key(agent.bytes, UUID_LEN)) == 0;
}

/* ---- Opening ---- */

struct address_history *history_new(const struct history_terms *terms, const struct history_clock *clock)
{
    struct address_history *b = calloc(1, sizeof *b);
    char mark[PATH_MAX], wallets[PATH_MAX];

    if (b == NULL)
        return NULL;
    *b = (struct address_history){
        .terms = *terms, .clock = *clock, .fd = -1, .wallets = -1, .seen.all = true
    };
    b->removals.fd = -1;
    if (path_of(mark, b, HISTORY_FILE) && path_of(wallets, b, WALLET_FILE) &&
        read_mark(b, mark) == LOOKUP_FOUND && b->mark.complete)
        seen_read(&b->seen, wallets);
    return b;
}

/* Whether it knows of every wallet that was made with these keys. Once it does not, it never will. */
static bool knows_all(const struct address_history *b, enum lookup found)
{
    if (found == LOOKUP_NONE) /* the mark is taken in any case */
        return keyring_take_unused(b->terms.key_dir) && wallets_length(b) == 0 && b->terms.hosts == 1;
    return b->mark.complete && wallets_length(b) >= b->mark.wallets_len && b->terms.hosts == 1;
}

static bool open_files(struct address_history *b, const char *mark, const char *wallets, enum lookup found)
{
    b->wallets = open(wallets, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (b->wallets < 0)
        return false;
    b->mark.complete = knows_all(b, found);
    set_time(b);
    if (b->mark.complete)
        seen_read(&b->seen, wallets);
    /* Written next to it, then renamed: a file that exists is whole. */
    char fresh[PATH_MAX];

    if (snprintf(fresh, sizeof fresh, "%s.new", mark) >= (int)sizeof fresh)
        return false;
    b->fd = open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    return b->fd >= 0 && keep_mark(b) && fsync(b->fd) == 0 && rename(fresh, mark) == 0;
}

bool history_open(struct address_history *b, char *why, size_t why_len)
{
    char mark[PATH_MAX], wallets[PATH_MAX], removals[PATH_MAX];
    enum lookup found;

    errno = ENAMETOOLONG;
    if (!path_of(mark, b, HISTORY_FILE) || !path_of(wallets, b, WALLET_FILE) ||
        !path_of(removals, b, REMOVALS_FILE)) {
        (void)snprintf(why, why_len, "%s: %s", b->terms.dir, strerror(errno));
        return false;
    }
    errno = 0;
    found = read_mark(b, mark);
    if (found == LOOKUP_ERROR || !open_files(b, mark, wallets, found)) {
        (void)snprintf(why, why_len, "%s: %s", mark, errno != 0 ? strerror(errno) : "damaged");
        return false;
    }
    return removals_open(&b->removals, removals, history_now(b), why, why_len);
}

void history_free(struct address_history *b)
{
    if (b == NULL)
        return;
    if (b->fd >= 0) {
        (void)keep_mark(b);
        (void)close(b->fd);
    }
    if (b->wallets >= 0)
        (void)close(b->wallets);
    removals_close(&b->removals);
    hash_map_free(&b->seen.agents);
    free(b);
}

/* ---- Addresses ---- */

/* Several hosts compare their times, and one may have started with a wrong clock: of both clocks the one
 * counts that makes it longer. */
static int64_t time_to_begin(const struct address_history *b)
{
    int64_t now = history_now(b), wall = b->clock.wall_s();

    return b->terms.hosts > 1 && wall > now ? wall : now;
}

static int64_t time_to_end(const struct address_history *b)
{
    int64_t now = history_now(b), wall = b->clock.wall_s();

    return b->terms.hosts > 1 && wall < now ? wall : now;
}

/* A record is later than what was removed before, if need be by a second of the future. Never by more than a
 * few: a removal that another host takes covers what was admitted here by its time alone. */
enum history_admission history_admit(struct address_history *b, struct sealed_address *a, bool at_once)
{
    int64_t now = history_now(b), until = removals_until(&b->removals, &a->payee);

    a->made = now > until ? now : until + 1;
    a->not_before = at_once ? 0 : time_to_begin(b) + b->terms.delay_s;
    if (a->made > now + AHEAD_MAX_S)
        return HISTORY_LATER;
    return keep_mark(b) ? HISTORY_ADMITTED : HISTORY_FAILED;
}

/* Also those that were admitted with a second of the future, whichever record is shown. */
bool history_remove(struct address_history *b, const struct sealed_address *a)
{
    int64_t now = history_now(b), before = removals_until(&b->removals, &a->payee), until;

    if (before > now + AHEAD_MAX_S && before >= a->made)
        return true; /* nothing later was admitted */
    until = before + 1 > a->made ? before + 1 : a->made;
    return removals_add(&b->removals, &a->payee, until > now ? until : now) && keep_mark(b);
}

/* An age counts and not the time, as this clock is not the wall's. */
void history_order_times(const struct address_history *b, const struct allowlist_address *p, int64_t *first,
                         int64_t *last)
{
    int64_t wall = b->clock.wall_s(), age = history_now(b) - removals_until(&b->removals, p);

    *first = wall - (age < ORDER_LIFE_S ? age : ORDER_LIFE_S);
    *last = wall + ORDER_EARLY_S;
}

bool history_was_removed(const struct address_history *b, const struct allowlist_address *p)
{
    return removals_until(&b->removals, p) != b->removals.since;
}

enum address_state history_state(const struct address_history *b, const struct sealed_address *a,
                                 int64_t *wait_s)
{
    int64_t now = time_to_end(b);

    *wait_s = a->not_before > now ? a->not_before - now : 0;
    if (a->made <= removals_until(&b->removals, &a->payee))
        return ADDRESS_REMOVED;
    return *wait_s == 0 ? ADDRESS_COUNTS : ADDRESS_WAITS;
}
