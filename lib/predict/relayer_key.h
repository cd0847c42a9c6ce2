/* The operator's credentials at Polymarket's relayer: a relayer API key and its address, or a builder's key,
 * secret and passphrase. */
#ifndef PREDICT_RELAYER_KEY_H
#define PREDICT_RELAYER_KEY_H

#include <stdbool.h>

#include "service/conf.h"

enum { RELAYER_WORD_MAX = 128 };

struct relayer_key {
    bool builder; /* has secret and passphrase; otherwise the address */
    char key[RELAYER_WORD_MAX + 1];
    char address[RELAYER_WORD_MAX + 1];
    char secret[RELAYER_WORD_MAX + 1]; /* base64 */
    char passphrase[RELAYER_WORD_MAX + 1];
};

/* The one that the settings name, NULL where there is none, or nothing is traded, or, with a warning
 * (service/conf.h), where the file gives none. Lives as long as the process. */
const struct relayer_key *relayer_key_of(const struct conf *conf);

#endif
