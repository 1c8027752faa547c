/* A hash of bytes: FNV-1a, 64 bits. It is the same on every machine. It does not resist forgery. */
#ifndef GMPSCOPE_BASE_HASH_H
#define GMPSCOPE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hash_bytes(const char *bytes, size_t len)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return h;
}

#endif
