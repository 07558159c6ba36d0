/// How problems are reported.
package enum ErrorFormat: String, CaseIterable {
    /// `FILE:LINE:COLUMN: message`
    case text
    /// One JSON object a line.
    case json
}
