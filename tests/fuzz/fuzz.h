/* What every fuzz target defines: libFuzzer's entry, or that of run.c where there is no libFuzzer. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise ends the run, in release builds too. */
#define MUST(cond)                                                                                           \
    do {                                                                                                     \
        if (!(cond))                                                                                         \
            abort();                                                                                         \
    } while (0)

#endif
