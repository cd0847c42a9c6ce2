/* Numbers as the venue of perpetuals writes them: decimals in text, some with a sign. They stay text, so that
 * what is shown has the venue's own digits, and become amounts where something is computed of them. */
#ifndef PERPS_NUMBER_H
#define PERPS_NUMBER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/json_writer.h"
#include "model/amount.h"

enum {
    PERPS_PLACES = 8,        /* of prices, sizes and dollars; the venue has no more */
    PERPS_WORTH_PLACES = 16, /* of a price times a size */
    PERPS_SHARE_PLACES = 18, /* of a rate */
};

/* The member of a document whose numbers are texts (base/json_reader.h), without needless digits: "3",
 * "0.0000125". NULL when it is no decimal, or absurdly long. perps_signed takes "-1.5" too. */
const char *perps_number(struct arena *a, const json_t *row, const char *name);
const char *perps_signed(struct arena *a, const json_t *row, const char *name);
/* The member as a whole number up to `max`; false otherwise. */
bool perps_whole(unsigned *out, const json_t *row, const char *name, unsigned max);

/* These take what the ones above return. */
bool perps_is_zero(const char *number);
bool perps_is_positive(const char *number); /* false for NULL */
/* With PERPS_PLACES; false when it has more of them, or a sign. */
MUST_CHECK bool perps_amount(struct amount *out, const char *number);
MUST_CHECK bool perps_share(struct amount *out, const char *number); /* with PERPS_SHARE_PLACES */
/* The sum of numbers of any sign; NULL when it has too many digits. */
const char *perps_sum(struct arena *a, const char *x, const char *y);
/* x - y of numbers without a sign; 0 when it would be less. NULL when it has too many digits. */
const char *perps_difference(struct arena *a, const char *x, const char *y);
/* As a JSON number. */
void perps_number_write(struct json_writer *w, const char *key, const char *number);

#endif
