/* Brings wallets back that an older dump of the database lacks, from the signer's file of wallets. */
#ifndef JOBS_WALLET_IMPORT_H
#define JOBS_WALLET_IMPORT_H

#include <stdint.h>
#include <stdio.h>

#include "keys/keyring.h"
#include "store/db.h"

struct wallet_import {
    unsigned added, there;
    unsigned former; /* made before the dump and not in it: their agents were deleted */
    unsigned agents; /* made for those that the dump does not know, each printed */
    unsigned bad;    /* lines that are none, or do not open with these keys; each printed */
};

/* Those made before `since_ms` are left alone unless they are there. Each is opened first, so that what is
 * brought back can sign. NULL, or why not. */
const char *wallet_import(struct db *db, const struct keyring *keys, FILE *f, int64_t since_ms,
                          struct wallet_import *out);

#endif
