/// Elements at a fixed address, which are read and written without counting references.
///
/// Safety: every index is compared with the count. Whoever makes an array frees it, and promises that nobody uses it
/// afterwards.
@frozen
@usableFromInline
@safe
package struct FixedArray<Element> {
    @usableFromInline let start: UnsafeMutablePointer<Element>
    @usableFromInline package let count: Int

    /// Allocates memory for some elements.
    package init(_ elements: some Collection<Element>) {
        count = elements.count
        unsafe start = .allocate(capacity: max(count, 1))
        let (_, end) = unsafe UnsafeMutableBufferPointer(start: start, count: count).initialize(from: elements)
        precondition(end == count)
    }

    /// Releases the elements and frees their memory.
    @unsafe
    package func deallocate() {
        unsafe start.deinitialize(count: count)
        unsafe start.deallocate()
    }

    /// The element at an index. Invariant: an index is below the count.
    @inlinable
    package subscript(index: Int) -> Element {
        // An invariant, checked for every element.
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe start[index]
        }
        @inline(__always) nonmutating set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            unsafe start[index] = newValue
        }
    }
}

/// Elements at a fixed address that end with their owner.
package final class FixedArrayOwner<Element> {
    package let elements: FixedArray<Element>

    package init(_ elements: some Collection<Element>) { self.elements = FixedArray(elements) }

    deinit { unsafe elements.deallocate() }
}
