#ifndef PALLIUM_MEMORY_H
#define PALLIUM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// Four operations that Swift has no words for.

/// Allocates an object of a Swift class with room for more than its stored properties, which are not initialised.
///
/// It has one reference. The runtime frees objects by their address, so their size may differ from the class's, as that
/// of a `ManagedBuffer` does.
void *_Nonnull pallium_allocate_object(const void *_Nonnull metadata, size_t size, size_t alignment_mask);

/// Loads an address with acquire ordering: what was written before the address was stored can be read.
///
/// It is declared to have no effects. Swift's own atomic load counts as an effect, so Swift would count a reference to the
/// object before it. The declaration is harmless because every later read depends on the loaded address.
__attribute__((pure)) static inline const void *_Nonnull pallium_load_address(
    const void *_Nonnull const *_Nonnull place) {
    return __atomic_load_n((const void *const *)place, __ATOMIC_ACQUIRE);
}

/// Asks the processor to load 256 bytes into its cache. This reads nothing, so any address will do.
static inline void pallium_prefetch(const void *_Nonnull start, size_t offset) {
    // Addresses are computed as integers, because those behind the end of a block are no pointers into it.
    uintptr_t address = (uintptr_t)start + offset;
    __builtin_prefetch((const void *)address);
    __builtin_prefetch((const void *)(address + 64));
    __builtin_prefetch((const void *)(address + 128));
    __builtin_prefetch((const void *)(address + 192));
}

/// Keeps up to this number of freed bytes for later blocks, in a process that goes on making large blocks.
///
/// Otherwise, glibc gives many blocks back to the system, which clears them before it lends them again. Other C
/// libraries decide for themselves.
void pallium_keep_freed_bytes(int count);

#endif
