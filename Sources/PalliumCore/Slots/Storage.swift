/// The types that requirements of ``PropertyValue`` and inlined accessors mention. They belong to the library.
public enum _Storage {}

// The names by which the library itself calls them.
@usableFromInline package typealias PropertySlot = _Storage.Slot
@usableFromInline package typealias ValueDescriptor = _Storage.Descriptor
@usableFromInline package typealias AccessorUse = _Storage.Use
