package import PalliumJSON

/// The form of the documents that an adapter reads and writes.
package enum JSONForm: Hashable, Sendable {
    /// The form that the schema describes, or one of its profiles.
    case mapped(profile: UTF8Key?)
    /// The library's own form: see `StoredForm`.
    case stored

    package init(profile: String? = nil) { self = .mapped(profile: profile.map { UTF8Key($0) }) }

    package var profile: String? {
        switch self {
        case .mapped(let profile): profile?.text
        case .stored: nil
        }
    }
}
