#include "signer/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chain/evm/evm_addr.h"

/* A place of the file: number, day, chain (8 bytes each), token, sum, and what proves it whole, big-endian. A
 * token is the head of the SHA-256 of its text, after a word where only withdrawals count; in files of former
 * versions the bytes of its EVM address. */
enum {
    AT_DAY = 8,
    AT_CHAIN = 16,
    AT_TOKEN = 24,
    TOKEN_LEN = 20,
    AT_SUM = AT_TOKEN + TOKEN_LEN,
    AT_PROOF = AT_SUM + U256_BYTES,
    PROOF_LEN = 8,
    PLACE_LEN = 128, /* within one sector of every disk */
    FILE_MAX = LIMITS_MAX * 2 * PLACE_LEN,
    DAY_S = 86400,
    SEEN = 8192,
};
static const char WITHDRAWN[] = "withdrawn ";
_Static_assert(AT_PROOF + PROOF_LEN <= PLACE_LEN, "a place holds its members");

struct cell {
    uint64_t number; /* of writes: its parity says which place is next */
    struct u256 sum;
};

struct seen {
    uint8_t use[HASH_LEN / 2];
    uint8_t row;
    struct u256 amount;
};

struct ledger {
    int fd;
    uint64_t day;
    const struct limits *limits;
    struct cell cells[LIMITS_MAX]; /* as the limits' rows */
    struct seen seen[SEEN];        /* a later one overwrites an earlier one */
};

static void put_u64(uint8_t out[static 8], uint64_t v)
{
    for (size_t i = 0; i < 8; i++)
        out[i] = (uint8_t)(v >> (56 - 8 * i));
}

static uint64_t get_u64(const uint8_t in[static 8])
{
    uint64_t v = 0;

    for (size_t i = 0; i < 8; i++)
        v = v << 8 | in[i];
    return v;
}

static void place_digest(uint8_t proof[static HASH_LEN], const uint8_t place[static PLACE_LEN])
{
    sha256(proof, place, AT_PROOF);
}

static void token_mark(uint8_t out[static TOKEN_LEN], const struct limit *l)
{
    char text[sizeof WITHDRAWN + TRADE_ADDRESS_MAX];
    uint8_t hash[HASH_LEN];

    (void)snprintf(text, sizeof text, "%s%s", l->withdrawn ? WITHDRAWN : "", l->token);
    sha256(hash, text, strlen(text));
    memcpy(out, hash, TOKEN_LEN);
}

static void place_write(uint8_t out[static PLACE_LEN], const struct cell *c, uint64_t day,
                        const struct limit *l)
{
    uint8_t proof[HASH_LEN];

    memset(out, 0, PLACE_LEN);
    put_u64(out, c->number);
    put_u64(out + AT_DAY, day);
    put_u64(out + AT_CHAIN, l->chain_id);
    token_mark(out + AT_TOKEN, l);
    u256_to_be(out + AT_SUM, c->sum);
    place_digest(proof, out);
    memcpy(out + AT_PROOF, proof, PROOF_LEN);
}

static bool place_is_whole(const uint8_t place[static PLACE_LEN])
{
    uint8_t proof[HASH_LEN];

    place_digest(proof, place);
    return memcmp(proof, place + AT_PROOF, PROOF_LEN) == 0;
}

/* ---- Opening ---- */

static bool ledger_error(char *why, size_t why_len, const char *path)
{
    (void)snprintf(why, why_len, "%s: %s", path, strerror(errno));
    return false;
}

/* The places of the previous file, if there is one. */
static bool read_previous_file(uint8_t out[static FILE_MAX], size_t *n, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t got;

    *n = 0;
    if (fd < 0)
        return errno == ENOENT;
    got = read(fd, out, FILE_MAX);
    (void)close(fd);
    *n = got > 0 ? (size_t)got : 0;
    return got >= 0;
}

static bool place_is_of(const uint8_t place[static PLACE_LEN], const struct limit *l)
{
    uint8_t token[TOKEN_LEN];
    struct evm_addr former;

    if (get_u64(place + AT_CHAIN) != l->chain_id)
        return false;
    token_mark(token, l);
    return memcmp(place + AT_TOKEN, token, TOKEN_LEN) == 0 ||
           (!l->withdrawn && evm_addr_parse(&former, l->token) &&
            memcmp(place + AT_TOKEN, former.bytes, TOKEN_LEN) == 0);
}

/* The latest sum of the day that the previous file has for a limit. */
static void carry_over(struct ledger *g, size_t row, const uint8_t *p, size_t n)
{
    const struct limit *l = &g->limits->rows[row];
    uint64_t newest = 0;

    for (; n >= PLACE_LEN; p += PLACE_LEN, n -= PLACE_LEN) {
        if (!place_is_whole(p) || get_u64(p + AT_DAY) != g->day || get_u64(p) < newest || !place_is_of(p, l))
            continue;
        newest = get_u64(p);
        g->cells[row].sum = u256_from_be(p + AT_SUM);
    }
}

static void latest_day(struct ledger *g, const uint8_t *p, size_t n)
{
    for (; n >= PLACE_LEN; p += PLACE_LEN, n -= PLACE_LEN)
        if (place_is_whole(p) && get_u64(p + AT_DAY) > g->day)
            g->day = get_u64(p + AT_DAY);
}

static bool write_cell(struct ledger *g, size_t row)
{
    struct cell *c = &g->cells[row];
    uint8_t place[PLACE_LEN];
    off_t at = (off_t)((2 * row + (c->number & 1)) * PLACE_LEN);

    place_write(place, c, g->day, &g->limits->rows[row]);
    return pwrite(g->fd, place, sizeof place, at) == (ssize_t)sizeof place;
}

static bool write_cells(struct ledger *g)
{
    bool ok = true;

    for (size_t i = 0; i < g->limits->count; i++)
        ok = ok && write_cell(g, i);
    return ok && fsync(g->fd) == 0;
}

/* Written next to it, then renamed: a file that exists is whole. */
static bool make_file(struct ledger *g, const char *path)
{
    char fresh[PATH_MAX];

    if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
        return false;
    g->fd = open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    return g->fd >= 0 && write_cells(g) && rename(fresh, path) == 0;
}

struct ledger *ledger_open(const char *path, const struct limits *l, int64_t now_s, char *why, size_t why_len)
{
    static uint8_t former[FILE_MAX];
    struct ledger *g = calloc(1, sizeof *g);
    size_t n = 0;
    bool ok;

    if (g == NULL) {
        (void)ledger_error(why, why_len, path);
        return NULL;
    }
    g->fd = -1;
    g->limits = l;
    g->day = (uint64_t)(now_s / DAY_S);
    ok = read_previous_file(former, &n, path);
    latest_day(g, former, n);
    for (size_t i = 0; i < l->count; i++)
        carry_over(g, i, former, n);
    if (ok && make_file(g, path))
        return g;
    (void)ledger_error(why, why_len, path);
    ledger_close(g);
    return NULL;
}

void ledger_close(struct ledger *g)
{
    if (g == NULL)
        return;
    if (g->fd >= 0)
        (void)close(g->fd);
    free(g);
}

/* ---- Counting ---- */

static void begin_day(struct ledger *g, int64_t now_s)
{
    uint64_t today = (uint64_t)(now_s / DAY_S);

    if (today <= g->day)
        return;
    g->day = today;
    memset(g->seen, 0, sizeof g->seen);
    for (size_t i = 0; i < LIMITS_MAX; i++)
        g->cells[i].sum = U256_ZERO;
}

static size_t entry_row(const struct ledger *g, const struct ledger_entry *e)
{
    return (size_t)(e->limit - g->limits->rows);
}

static struct seen *seen_place(struct ledger *g, const struct ledger_entry *e)
{
    size_t at = (size_t)e->use[HASH_LEN - 1] << 8 | e->use[HASH_LEN - 2];

    return &g->seen[(at + 31 * entry_row(g, e)) % SEEN];
}

static bool is_repeat(const struct ledger *g, const struct seen *s, const struct ledger_entry *e)
{
    return s->row == entry_row(g, e) && memcmp(s->use, e->use, sizeof s->use) == 0;
}

/* The day's sum with it. */
static bool day_sum_with(struct u256 *sum, struct ledger *g, const struct ledger_entry *e)
{
    const struct seen *s = seen_place(g, e);
    struct u256 more = e->amount;

    if (is_repeat(g, s, e) && !u256_sub(&more, e->amount, s->amount))
        more = U256_ZERO; /* less than before */
    return u256_add(sum, g->cells[entry_row(g, e)].sum, more);
}

bool ledger_has_room(struct ledger *g, const struct ledger_entry *e, int64_t now_s)
{
    struct u256 sum;

    begin_day(g, now_s);
    return day_sum_with(&sum, g, e) && u256_cmp(sum, e->limit->day_max) <= 0;
}

static void remember_use(struct ledger *g, const struct ledger_entry *e)
{
    struct seen *s = seen_place(g, e);

    if (is_repeat(g, s, e) && u256_cmp(s->amount, e->amount) >= 0)
        return;
    memcpy(s->use, e->use, sizeof s->use);
    s->row = (uint8_t)entry_row(g, e);
    s->amount = e->amount;
}

bool ledger_count(struct ledger *g, const struct ledger_entry *e, int64_t now_s)
{
    struct cell *c = &g->cells[entry_row(g, e)];
    struct u256 sum;

    if (!ledger_has_room(g, e, now_s) || !day_sum_with(&sum, g, e))
        return false;
    c->sum = sum;
    c->number++;
    if (!write_cell(g, entry_row(g, e)))
        return false; /* counted in memory, though: the safe side */
    remember_use(g, e);
    return true;
}
