/* The signer's own record of the wallets that it has made: a file of lines (signer/line_file.h), one for each
 * with its sealed key as the database has it. A line is on the disk before its wallet is answered, so that
 * `keyctl import` can bring back what an older dump of the database lacks. Without the keys in key_dir it
 * opens nothing. */
#ifndef SIGNER_WALLET_FILE_H
#define SIGNER_WALLET_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/lookup.h"
#include "model/wallet_ref.h"

#define WALLET_FILE "wallets" /* in signer_dir */

struct wallet_record {
    struct wallet_ref ref;
    uint8_t sealed[SEALED_LEN];
    int64_t created_ms;
};

/* To a file that line_file_open() has opened. False, with errno, when it is not on the disk: then the wallet
 * may not be answered. */
bool wallet_file_add(int fd, const struct wallet_record *r);

/* The next line. LOOKUP_NONE at the end, and when the file cannot be read (ferror); LOOKUP_ERROR for a line
 * that is none of ours: what follows it can still be read. */
enum lookup wallet_file_next(FILE *f, struct wallet_record *out);

#endif
