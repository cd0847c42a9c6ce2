/* Arithmetic to compare with: CBMC's own, of more bits than a sum or a digit more needs. */
#ifndef TESTS_PROOFS_WIDE_H
#define TESTS_PROOFS_WIDE_H

#include "codec/u256.h"

typedef unsigned __CPROVER_bitvector[264] wide;

static inline wide wide_of(struct u256 a)
{
    return (wide)a.limb[3] << 192 | (wide)a.limb[2] << 128 | (wide)a.limb[1] << 64 | (wide)a.limb[0];
}

#define WIDE_END ((wide)1 << 256)

#endif
