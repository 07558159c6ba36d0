/// The form of JSON text that is written.
public struct JSONWritingOptions: Sendable, Hashable {
    /// One member or element a line, indented by two spaces; `"key": value`; empty containers stay `[]` and `{}`.
    public var isPretty = false

    /// Members in the order of the UTF-8 bytes of their names instead of their own order.
    public var sortsKeys = false

    /// `\/` instead of `/`, for text that is put into HTML.
    public var escapesSlashes = false

    /// The largest number of containers that may be open at once. It is the same as for reading, so that everything
    /// that was read can be written.
    public var maximumDepth = JSONReadingOptions.defaultDepth

    /// Compact text.
    public init() {}
}
