/// The formats of reported problems.
package enum ErrorFormat: String, CaseIterable {
    /// `FILE:LINE:COLUMN: message`
    case text
    /// One JSON object a line.
    case json
}
