#include "signer/settlers.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void settlers_add(struct buf *lines, uint64_t chain_id, const char *address)
{
    buf_addf(lines, "%" PRIu64 " %s\n", chain_id, address);
}

bool settlers_has(int fd, uint64_t chain_id, const char *address)
{
    struct buf line = BUF_INIT(128);
    char file[SETTLERS_MAX + 1];
    const char *p = file, *end;
    bool found = false;
    ssize_t n = pread(fd, file, SETTLERS_MAX, 0);

    settlers_add(&line, chain_id, address);
    for (end = p + (n > 0 ? n : 0); !found && p < end;) {
        const char *next = memchr(p, '\n', (size_t)(end - p));

        if (next == NULL)
            break;
        found = (size_t)(next + 1 - p) == line.len && memcmp(p, line.data, line.len) == 0;
        p = next + 1;
    }
    buf_free(&line);
    return found;
}
