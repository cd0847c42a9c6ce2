/* The signer's note of its time and knowledge, in a small file with two places, of which the older one is
 * written: one of them is whole whenever the process dies. */
#ifndef SIGNER_HISTORY_MARK_H
#define SIGNER_HISTORY_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lookup.h"
#include "codec/uuid.h"

enum { MARK_PLACE_LEN = 128, MARK_FILE_LEN = 2 * MARK_PLACE_LEN };

struct history_mark {
    uint64_t number;     /* of writes: its parity says which place it has */
    struct uuid boot;    /* which start of the machine; zero: not known */
    int64_t boot_s;      /* seconds since then */
    int64_t time_s;      /* the signer's time at that moment */
    int64_t wallets_len; /* bytes of the file of wallets */
    bool complete;       /* that file has every wallet that was ever made with these keys */
};

size_t history_mark_place(const struct history_mark *m); /* where it is in the file */
void history_mark_write(uint8_t out[static MARK_PLACE_LEN], const struct history_mark *m);
/* The latest one of a file. LOOKUP_NONE: it is empty; LOOKUP_ERROR: damaged. */
enum lookup history_mark_read(struct history_mark *out, const uint8_t *file, size_t n);

#endif
