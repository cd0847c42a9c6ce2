/* A market of Morpho as its catalogue lists it. */
#ifndef MODEL_LEND_LISTING_H
#define MODEL_LEND_LISTING_H

#include <stdint.h>

#include "codec/hash.h"

struct lend_listing {
    uint8_t id[HASH_LEN];
    int64_t created_ms;   /* 0: not told */
    const char *warnings; /* a JSON array of {"type","level"} */
};

#endif
