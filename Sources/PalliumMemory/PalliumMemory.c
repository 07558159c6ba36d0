#include "PalliumMemory.h"

// Part of the Swift runtime, whose headers are not installed with the toolchain.
extern void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask);

void *pallium_allocate_object(const void *metadata, size_t size, size_t alignment_mask) {
    return swift_allocObject(metadata, size, alignment_mask);
}
