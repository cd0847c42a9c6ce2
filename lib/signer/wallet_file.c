#include "signer/wallet_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "codec/hex.h"

/* "<milliseconds since 1970> <wallet> <agent> <kind> <address> <hex of the sealed key>" */
enum { LINE_MAX_LEN = 512, SEALED_HEX = 2 * SEALED_LEN };

/* A name that was made is not lost with the power. */
static bool sync_directory(const char *path)
{
    char dir[PATH_MAX];
    bool ok;
    int fd;

    (void)snprintf(dir, sizeof dir, "%s", path);
    fd = open(dirname(dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* Where the last complete line ends. */
static bool find_end(int fd, off_t *end)
{
    char tail[LINE_MAX_LEN];
    struct stat st;
    const char *last;
    off_t from;
    ssize_t n;

    if (fstat(fd, &st) != 0)
        return false;
    from = st.st_size > LINE_MAX_LEN ? st.st_size - LINE_MAX_LEN : 0;
    n = pread(fd, tail, sizeof tail, from);
    last = n > 0 ? memrchr(tail, '\n', (size_t)n) : NULL;
    *end = last == NULL ? 0 : from + (last + 1 - tail);
    return n >= 0 && (last != NULL || from == 0); /* longer than any line of ours: another file */
}

int wallet_file_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    off_t end;

    if (fd < 0 || (find_end(fd, &end) && ftruncate(fd, end) == 0 && (end > 0 || sync_directory(path))))
        return fd;
    (void)close(fd);
    return -1;
}

bool wallet_file_add(int fd, const struct wallet_record *r)
{
    char line[LINE_MAX_LEN], wallet[UUID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1], sealed[SEALED_HEX + 1];
    struct stat st;
    int n, why;

    uuid_text(wallet, r->ref.wallet);
    uuid_text(agent, r->ref.agent);
    hex_encode(sealed, r->sealed, SEALED_LEN);
    n = snprintf(line, sizeof line, "%" PRId64 " %s %s %d %s %s\n", r->created_ms, wallet, agent,
                 (int)r->ref.kind, r->ref.address, sealed);
    if (n >= (int)sizeof line || fstat(fd, &st) != 0)
        return false;
    if (file_write(fd, line, (size_t)n) && fdatasync(fd) == 0)
        return true;
    why = errno;
    (void)!ftruncate(fd, st.st_size);
    errno = why;
    return false;
}

static bool parse_line(struct wallet_record *out, const char *line)
{
    char created[20 + 1], kind[1 + 1], *created_end;
    char wallet[UUID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1], sealed[SEALED_HEX + 1];
    int end = 0;

    if (sscanf(line, "%20s %36s %36s %1s %80s %154s%n", created, wallet, agent, kind, out->ref.address,
               sealed, &end) != 6 ||
        line[end] != '\n')
        return false;
    out->created_ms = strtoll(created, &created_end, 10);
    out->ref.kind = (enum wallet_kind)(*kind - '0');
    return *created_end == '\0' && (out->ref.kind == WALLET_EVM || out->ref.kind == WALLET_SOLANA) &&
           uuid_parse(&out->ref.wallet, wallet) && uuid_parse(&out->ref.agent, agent) &&
           hex_decode(out->sealed, SEALED_LEN, sealed, strlen(sealed));
}

enum found wallet_file_next(FILE *f, struct wallet_record *out)
{
    char line[LINE_MAX_LEN];

    memset(out, 0, sizeof *out);
    if (fgets(line, sizeof line, f) == NULL)
        return FOUND_NONE;
    return parse_line(out, line) ? FOUND_ONE : FOUND_FAILED;
}
