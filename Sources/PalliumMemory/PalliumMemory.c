#include "PalliumMemory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Part of the Swift runtime, whose headers are not installed with the toolchain.
extern void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask);

void *pallium_allocate_object(const void *metadata, size_t size, size_t alignment_mask) {
    return swift_allocObject(metadata, size, alignment_mask);
}

void pallium_keep_freed_bytes(int count) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, count);
    mallopt(M_MMAP_THRESHOLD, count / 2);
#else
    (void)count;
#endif
}
