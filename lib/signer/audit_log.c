#include "signer/audit_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

enum { LOCK_TRIES = 1000, LOCK_PAUSE_US = 2000, TAIL = 2 * (AUDIT_CHAIN_LINE_MAX + 1), ROOM = 64 * 1024 };

struct audit_log {
    int fd;
    off_t size;
    uint8_t head[HASH_LEN];
    struct buf line;
};

/* The previous signer may still be shutting down. */
static bool lock_file(int fd)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        usleep(LOCK_PAUSE_US);
    }
    return false;
}

/* The hash of the last complete line of a file, and where it ends. There may be none. */
static bool read_last_line(int fd, uint8_t head[static HASH_LEN], off_t *end)
{
    char tail[TAIL];
    struct stat st;
    const char *last, *before;
    off_t from;
    ssize_t n;

    if (fstat(fd, &st) != 0)
        return false;
    from = st.st_size > TAIL ? st.st_size - TAIL : 0;
    n = pread(fd, tail, sizeof tail, from);
    if (n < 0 || n < st.st_size - from)
        return false;
    *end = 0;
    last = memrchr(tail, '\n', (size_t)n);
    if (last == NULL)
        return from == 0;
    before = memrchr(tail, '\n', (size_t)(last - tail));
    if (before == NULL && from > 0)
        return false; /* longer than any line of ours */
    before = before == NULL ? tail : before + 1;
    sha256(head, before, (size_t)(last - before));
    *end = from + (last + 1 - tail);
    return true;
}

/* Reads the head of the file that was moved away, if there is one. */
static bool read_previous_file(const char *path, uint8_t head[static HASH_LEN])
{
    char former[PATH_MAX];
    bool ok = true;
    off_t end;
    int fd;

    if (snprintf(former, sizeof former, "%s.1", path) >= (int)sizeof former)
        return true;
    fd = open(former, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT;
    ok = read_last_line(fd, head, &end);
    (void)close(fd);
    return ok;
}

static bool resume_file(struct audit_log *log, const char *path)
{
    struct stat st;

    if (log->fd < 0 || fstat(log->fd, &st) != 0 || !lock_file(log->fd) ||
        !read_last_line(log->fd, log->head, &log->size))
        return false;
    if (log->size < st.st_size)
        log_warn("audit_line_cut", "msg=\"incomplete last line cut off\" file=%s bytes=%lld", path,
                 (long long)(st.st_size - log->size));
    return ftruncate(log->fd, log->size) == 0 && (log->size > 0 || read_previous_file(path, log->head));
}

struct audit_log *audit_log_open(const char *path, char *why, size_t why_len)
{
    struct audit_log *log = calloc(1, sizeof *log);

    if (log != NULL) {
        *log = (struct audit_log){ .line = BUF_INIT(AUDIT_CHAIN_LINE_MAX + 1) };
        errno = 0;
        log->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (resume_file(log, path))
            return log;
    }
    (void)snprintf(why, why_len, "%s: %s", path,
                   errno == EWOULDBLOCK ? "another signer writes it"
                   : errno != 0         ? strerror(errno)
                                        : "not an audit file");
    audit_log_close(log);
    return NULL;
}

void audit_log_close(struct audit_log *log)
{
    if (log == NULL)
        return;
    if (log->fd >= 0)
        (void)close(log->fd);
    buf_free(&log->line);
    free(log);
}

/* A disk that takes a part of the line is full. */
static bool line_write(const struct audit_log *log)
{
    ssize_t n = write(log->fd, log->line.data, log->line.len);
    int fault = n < 0 ? errno : ENOSPC;

    if (n == (ssize_t)log->line.len)
        return true;
    if (ftruncate(log->fd, log->size) != 0)
        log_error("audit_not_written", "msg=\"the audit file ends with an incomplete line\" reason=\"%s\"",
                  strerror(errno));
    errno = fault;
    return false;
}

bool audit_log_add(struct audit_log *log, const char *members)
{
    uint8_t head[HASH_LEN];

    memcpy(head, log->head, sizeof head);
    buf_reset(&log->line);
    if (!audit_chain_append(&log->line, head, members))
        return false;
    buf_addc(&log->line, '\n');
    if (!line_write(log))
        return false;
    log->size += (off_t)log->line.len;
    memcpy(log->head, head, sizeof head);
    return true;
}

/* A file system that cannot reserve room reports EOPNOTSUPP: then the room is unknown, and counts as
 * enough. */
bool audit_log_has_room(const struct audit_log *log)
{
    return fallocate(log->fd, FALLOC_FL_KEEP_SIZE, log->size, ROOM) == 0 || errno == EOPNOTSUPP;
}

void audit_log_head(const struct audit_log *log, uint8_t head[static HASH_LEN])
{
    memcpy(head, log->head, HASH_LEN);
}

bool audit_log_verify(FILE *f, uint8_t head[static HASH_LEN], bool known, size_t *lines)
{
    char line[AUDIT_CHAIN_LINE_MAX + 2];

    for (*lines = 0; fgets(line, sizeof line, f) != NULL; (*lines)++) {
        size_t n = strlen(line);

        if (line[n - 1] != '\n' || (*lines == 0 && !known && !audit_chain_prev(head, line, n - 1)) ||
            !audit_chain_follows(head, line, n - 1))
            return false;
    }
    return ferror(f) == 0;
}
