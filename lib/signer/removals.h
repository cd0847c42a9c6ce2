/* The addresses that agents have removed: a file of lines (signer/line_file.h) that only the signer writes. A
 * record that was made before its address was removed opens nothing any more, even if the database still has
 * it. The first line says since when the file tells all removals: records made before that open nothing
 * either, so a signer that lost its file, or that joins others without theirs, revives no address. */
#ifndef SIGNER_REMOVALS_H
#define SIGNER_REMOVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signer/address_record.h"
#include "signer/hash_map.h"
#include "signer/line_file.h"

#define REMOVALS_FILE "removed-addresses" /* in signer_dir */

struct removals {
    int fd;
    int64_t since;
    struct hash_map until; /* by address: its latest removal */
};

/* Begins the file where there is none. False with a reason. Times are the signer's
 * (signer/address_history.h). */
bool removals_open(struct removals *r, const char *path, int64_t now_s, char *why, size_t why_len);
void removals_close(struct removals *r);

/* Records of it that were made then, or earlier, open nothing. */
int64_t removals_until(const struct removals *r, const struct allowlist_address *p);
/* False, with errno, when it is not on the disk. */
bool removals_add(struct removals *r, const struct allowlist_address *p, int64_t until);

/* One line, with its end. */
struct removal {
    int64_t until;
    struct allowlist_address payee;
};
void removal_line(char out[static LINE_FILE_MAX], const struct removal *r);
bool removal_read(struct removal *out, const char *line);

#endif
