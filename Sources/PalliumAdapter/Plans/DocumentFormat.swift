package import PalliumJSON

/// The format of the documents that an adapter reads and writes.
package enum DocumentFormat: Hashable, Sendable {
    /// The format that the schema describes, or one of its profiles.
    case mapped(profile: UTF8Key?)
    /// The library's own format: see `StoredFormat`.
    case stored

    package init(profile: String? = nil) { self = .mapped(profile: profile.map { UTF8Key($0) }) }

    package var profile: String? {
        switch self {
        case .mapped(let profile): profile?.text
        case .stored: nil
        }
    }
}
