import PalliumJSON

/// A set of registered formats of text, which rules refer to by name.
///
///     try FormatRegistry.shared.register("colour") { $0.hasPrefix("#") && $0.utf8.count == 7 }
///     …
///     "background": .string.rules(.format("colour"))
///
/// A registry begins with `email`, `hostname`, `ipv4`, `ipv6`, `uri`, `uuid`, `date`, `date-time` and `time`. An
/// application uses ``shared``; tests and libraries make their own.
public final class FormatRegistry: Sendable {
    package typealias Format = @Sendable (String) -> Bool

    /// The application's registry.
    public static let shared = FormatRegistry()

    /// The formats, each made when a schema first names it: patterns take time to compile.
    private let formats: Lock<[UTF8Key: @Sendable () -> Format]>

    /// Makes a registry that holds the predefined formats.
    public init() { formats = Lock(PredefinedFormats.byName) }

    /// Adds a format: a function that returns whether a text has it. It must be fast for any text.
    ///
    /// - Throws: ``ModelError`` with the code `duplicateMember` when the name is taken. A name never changes its meaning,
    ///   because schemas keep the formats they were registered with.
    public func register(_ name: String, accepts: @escaping @Sendable (String) -> Bool) throws(ModelError) {
        let isTaken = formats.withLock { table in
            if table[UTF8Key(name)] != nil { return true }
            table[UTF8Key(name)] = { accepts }
            return false
        }
        if isTaken {
            throw ModelError(
                .duplicateMember, expected: "a new format name", found: "\(ModelError.quote(name)), which is taken")
        }
    }

    /// Returns the format with a name; nil when there is none.
    package func format(named name: String) -> Format? { formats.withLock { $0[UTF8Key(name)] }?() }

    /// The names, sorted.
    package var names: [String] { formats.withLock { $0.keys.map(\.text).sorted(by: UTF8Text.precedes) } }
}
