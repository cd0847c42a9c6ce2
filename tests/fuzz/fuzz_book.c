/* What the signer keeps of its time and of removed addresses: any bytes. What was read is what would be
 * written. */
#include <string.h>

#include "fuzz.h"
#include "signer/history_mark.h"
#include "signer/removals.h"

static void check_mark(const uint8_t *file, size_t n)
{
    uint8_t again[MARK_FILE_LEN] = { 0 };
    struct history_mark m, same;

    if (history_mark_read(&m, file, n) != LOOKUP_FOUND)
        return;
    MUST(n >= MARK_PLACE_LEN);
    history_mark_write(again + history_mark_place(&m), &m);
    MUST(history_mark_read(&same, again, sizeof again) == LOOKUP_FOUND);
    MUST(same.number == m.number && same.time_s == m.time_s && same.complete == m.complete);
}

static void check_removal(const char *line)
{
    char again[LINE_FILE_MAX];
    struct removal r;

    if (!removal_read(&r, line))
        return;
    removal_line(again, &r);
    MUST(r.until > 0 && strcmp(again, line) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[LINE_FILE_MAX] = { 0 };

    check_mark(data, size);
    memcpy(line, data, size < sizeof line ? size : sizeof line - 1);
    check_removal(line);
    return 0;
}
