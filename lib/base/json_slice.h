/* A value of JSON text as it stands there, byte for byte: for what has to be sent back as it came. */
#ifndef BASE_JSON_SLICE_H
#define BASE_JSON_SLICE_H

#include <stdbool.h>
#include <stddef.h>

struct json_slice {
    const char *text; /* not terminated */
    size_t len;
};

/* The member `name` of the object `in`, which points into it; false when there is none. Of equal names the
 * last one counts, and one that is written with escapes is not found. Accepts any bytes, and looks only for
 * where the value ends: whether that is JSON is for its reader to see. */
bool json_slice_member(struct json_slice *out, struct json_slice in, const char *name);

/* The length of the string that begins at `s`, with its quotation marks; n when it does not end before that.
 */
size_t json_string_len(const char *s, size_t n);

#endif
