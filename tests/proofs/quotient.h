/* In the place of u256_mul, u256_div and u256_muldiv, which are too much for the solver: any numbers, and
 * what was asked for. That products and quotients are right, and rounded down, is tested. Included before
 * what calls them. */
#ifndef TESTS_PROOFS_QUOTIENT_H
#define TESTS_PROOFS_QUOTIENT_H

#include "codec/u256.h"

#include "proof.h"

static struct {
    struct u256 a, b, by, quotient, rest;
    bool fits;
} asked;

static bool equal(struct u256 a, struct u256 b)
{
    return a.limb[0] == b.limb[0] && a.limb[1] == b.limb[1] && a.limb[2] == b.limb[2] &&
           a.limb[3] == b.limb[3];
}

/* The product is the next dividend, and nothing else. */
static bool product_any(struct u256 *out, struct u256 a, struct u256 b)
{
    ANY(struct u256, product);
    ANY(bool, product_fits);

    asked.a = a;
    asked.b = b;
    *out = product;
    return product_fits;
}

static bool quotient_any(struct u256 *quotient, struct u256 *rest, struct u256 a, struct u256 by)
{
    ANY(struct u256, q);
    ANY(struct u256, r);

    (void)a;
    asked.by = by;
    asked.quotient = *quotient = q;
    asked.rest = r;
    if (rest != NULL)
        *rest = r;
    return !u256_is_zero(by);
}

static bool muldiv_any(struct u256 *out, struct u256 a, struct u256 b, struct u256 d)
{
    ANY(bool, fits);

    asked.a = a;
    asked.b = b;
    asked.fits = fits;
    return quotient_any(out, NULL, a, d) && fits;
}

#define u256_mul    product_any
#define u256_div    quotient_any
#define u256_muldiv muldiv_any

#endif
