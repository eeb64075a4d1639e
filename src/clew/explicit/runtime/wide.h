/* wide.h: products of 128 bits, also for compilers that have no such integers.
 *
 *   product_of(a, b, high)    the low half of a * b; the other half in `high`
 */
#ifndef CLEW_WIDE_H
#define CLEW_WIDE_H

#include <stdint.h>

#ifdef __SIZEOF_INT128__
static inline uint64_t product_of(uint64_t a, uint64_t b, uint64_t *high)
{
    unsigned __int128 r = (unsigned __int128)a * b;
    *high = (uint64_t)(r >> 64);
    return (uint64_t)r;
}
#else
static inline uint64_t product_of(uint64_t a, uint64_t b, uint64_t *high)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t mid = ah * bl + (al * bl >> 32), more = al * bh + (uint32_t)mid;
    *high = ah * bh + (mid >> 32) + (more >> 32);
    return a * b;
}
#endif

#endif
