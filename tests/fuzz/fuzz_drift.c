/* Answers to known questions: any bytes, held against a description, and struck out in place. */
#include "drift/redact.h"
#include "drift/source.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const secrets[] = { "k3y/of+mine", NULL };
    struct arena *a = arena_new();
    char *text = arena_strndup(a, (const char *)data, size);

    for (const struct recorded_shape *s = recorded_shapes; s->source != NULL; s++)
        (void)shape_differs(a, s->members, text, size);
    redact_text(text, size, secrets);
    MUST(memmem(text, size, secrets[0], strlen(secrets[0])) == NULL);
    arena_free(a);
    return 0;
}
