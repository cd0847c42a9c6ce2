/* Yields a year, for people to look at: the one place of lending that uses floating point. */
#ifndef LEND_APY_H
#define LEND_APY_H

#include <stdint.h>

#include "codec/u256.h"

/* Both return millionths of a per cent, APY_MOST for more than that. */
enum { APY_PLACES = 6 };
#define APY_MOST UINT64_C(1000000000000000)

/* The APY of a simple rate a year, of 10^27, that is compounded each second. */
uint64_t apy_of_year(struct u256 rate);
/* The APY of a rate a second, of 10^18, that is compounded all the time. */
uint64_t apy_of_second(struct u256 rate);

#endif
