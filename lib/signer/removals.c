#include "signer/removals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

/* ---- Lines ---- */

static const char SINCE[] = "since ";

/* "<seconds> <agent> <family> <address>" */
void removal_line(char out[static LINE_FILE_MAX], const struct removal *r)
{
    char agent[UUID_TEXT_LEN + 1];

    uuid_text(agent, r->payee.agent);
    (void)snprintf(out, LINE_FILE_MAX, "%" PRId64 " %s %s %s\n", r->until, agent,
                   chain_type_text(r->payee.type), r->payee.address);
}

static bool family_read(enum chain_type *out, const char *text)
{
    for (*out = CHAIN_EVM; *out <= CHAIN_TON; (*out)++)
        if (strcmp(text, chain_type_text(*out)) == 0)
            return true;
    return false;
}

/* A line that differs from our own writing of it is not ours. */
bool removal_read(struct removal *out, const char *line)
{
    char until[20 + 1], agent[UUID_TEXT_LEN + 1], family[15 + 1], again[LINE_FILE_MAX];

    memset(out, 0, sizeof *out);
    if (sscanf(line, "%20s %36s %15s %80s", until, agent, family, out->payee.address) != 4)
        return false;
    out->until = strtoll(until, NULL, 10);
    if (out->until <= 0 || !uuid_parse(&out->payee.agent, agent) || !family_read(&out->payee.type, family))
        return false;
    removal_line(again, out);
    return strcmp(line, again) == 0;
}

static void since_line(char out[static LINE_FILE_MAX], int64_t since)
{
    (void)snprintf(out, LINE_FILE_MAX, "%s%" PRId64 "\n", SINCE, since);
}

static bool since_read(int64_t *out, const char *line)
{
    char again[LINE_FILE_MAX];

    if (strncmp(line, SINCE, sizeof SINCE - 1) != 0)
        return false;
    *out = strtoll(line + sizeof SINCE - 1, NULL, 10);
    since_line(again, *out);
    return *out >= 0 && strcmp(line, again) == 0;
}

/* ---- The file ---- */

static uint64_t address_key(const struct allowlist_address *p)
{
    uint8_t what[UUID_LEN + 1 + WALLET_ADDR_MAX] = { 0 };

    memcpy(what, p->agent.bytes, UUID_LEN);
    what[UUID_LEN] = (uint8_t)p->type;
    memcpy(what + UUID_LEN + 1, p->address, strnlen(p->address, WALLET_ADDR_MAX));
    return hash_map_key(what, sizeof what);
}

static bool begin_file(struct removals *r, int64_t now_s)
{
    char line[LINE_FILE_MAX];

    r->since = now_s;
    since_line(line, now_s);
    log_info("removals_begun", "msg=\"addresses that were registered before count no more\" since=%" PRId64,
             now_s);
    return line_file_add(r->fd, line, strlen(line));
}

static bool take_line(struct removals *r, const char *line)
{
    struct removal one;

    if (r->since < 0)
        return since_read(&r->since, line);
    return removal_read(&one, line) && hash_map_raise(&r->until, address_key(&one.payee), one.until);
}

/* Each line counts: one that cannot be read may be the one that matters. *bad: its number. */
static bool read_lines(struct removals *r, FILE *f, size_t *bad)
{
    char line[LINE_FILE_MAX];

    for (size_t n = 1; fgets(line, sizeof line, f) != NULL; n++)
        if (!take_line(r, line)) {
            *bad = n;
            return false;
        }
    return ferror(f) == 0;
}

static bool read_file(struct removals *r, const char *path, size_t *bad)
{
    FILE *f = fopen(path, "re");
    bool ok = f != NULL && read_lines(r, f, bad);

    if (f != NULL)
        (void)fclose(f);
    return ok;
}

bool removals_open(struct removals *r, const char *path, int64_t now_s, char *why, size_t why_len)
{
    size_t bad = 0;

    *r = (struct removals){ .fd = line_file_open(path), .since = -1 };
    if (r->fd >= 0 && read_file(r, path, &bad) && (r->since >= 0 || begin_file(r, now_s)))
        return true;
    if (bad > 0)
        (void)snprintf(why, why_len, "%s: line %zu is none of the signer's", path, bad);
    else
        (void)snprintf(why, why_len, "%s: %s", path, strerror(errno));
    removals_close(r);
    return false;
}

void removals_close(struct removals *r)
{
    hash_map_free(&r->until);
    if (r->fd >= 0)
        (void)close(r->fd);
    r->fd = -1;
}

int64_t removals_until(const struct removals *r, const struct allowlist_address *p)
{
    int64_t until = hash_map_get(&r->until, address_key(p));

    return until > r->since ? until : r->since;
}

/* A removal counts once it is on the disk, so that none is reported that could be lost; room for it comes
 * first. */
bool removals_add(struct removals *r, const struct allowlist_address *p, int64_t until)
{
    enum { LEAST = 1 };
    struct removal one = { .until = until, .payee = *p };
    uint64_t key = address_key(p);
    char line[LINE_FILE_MAX];

    if (!hash_map_raise(&r->until, key, LEAST)) {
        errno = ENOMEM;
        return false;
    }
    removal_line(line, &one);
    return line_file_add(r->fd, line, strlen(line)) && hash_map_raise(&r->until, key, until);
}
