package import Testing

/// Says which rows of the conformance table a test or suite covers.
///
///     @Test(.row("C257", "C258")) func readsURLs() { … }
package struct ConformanceRow: TestTrait, SuiteTrait {
    /// The rows, as they are numbered in the table.
    package let ids: [String]
}

extension Trait where Self == ConformanceRow {
    /// The rows that the test covers.
    package static func row(_ ids: String...) -> Self { ConformanceRow(ids: ids) }
}
