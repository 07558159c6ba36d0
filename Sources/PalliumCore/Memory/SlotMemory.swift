import PalliumJSON
import PalliumMemory

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Allocates memory for slots and their states with malloc.
///
/// Swift's raw allocation requests an alignment even where malloc's suffices, which doubles the cost. Models and lists that
/// are one block with their slots are objects, which the runtime allocates and frees.
///
/// Safety: other memory comes from malloc and goes to free. The caller that allocates it initialises the states.
package enum SlotMemory {
    /// Allocates slots and their states. They take 16 and 1 bytes each, aligned to 16 bytes, as malloc does for such
    /// sizes.
    @inline(__always)
    package static func allocate(slots count: Int) -> UnsafeMutableRawPointer {
        unsafe allocate(byteCount: max(count &* 17, 16))
    }

    @inline(__always)
    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        // Ends the program when there is no memory, as every allocation in Swift does.
        guard let memory = unsafe malloc(byteCount) else {
            outOfMemory(byteCount)
        }
        return unsafe memory
    }

    @inline(never)
    private static func outOfMemory(_ byteCount: Int) -> Never {
        trap("failed to allocate \(byteCount.counted("byte"))")
    }

    /// Allocates an object of a class with `byteCount` bytes for its stored properties and what stands behind them, none
    /// of which are initialised. It has one reference; the runtime frees it with all its bytes.
    @inline(__always)
    static func allocate(_ objectClass: AnyClass, byteCount: Int) -> UnsafeMutableRawPointer {
        unsafe pallium_allocate_object(metadata(of: objectClass), byteCount, 7)
    }

    /// A class is identified by the address of its metadata, which is never 0.
    @inline(__always)
    static func metadata(of objectClass: AnyClass) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(objectClass))).unsafelyUnwrapped
    }

    @inline(__always)
    package static func deallocate(_ memory: UnsafeMutableRawPointer) { unsafe free(memory) }
}
