import Pallium

/// The public declarations of symbol graphs, each on one line.
struct DeclarationList {
    /// A scope and a declaration, or a type and a protocol.
    private(set) var lines: Set<String> = []
    /// The names of the types that are in no other type.
    private(set) var types: Set<String> = []

    /// Types that requirements and inlined accessors mention, and nobody uses.
    private static let machinery: Set = ["JSONDocument", "ModelStorage", "PropertyEnumerationRawValue"]

    /// Adds the declarations of a graph, without those that nobody can call.
    mutating func add(_ graph: JSONValue) {
        var paths: [String: String] = [:]
        for symbol in graph.objectValue?["symbols"]?.arrayValue ?? [] {
            guard let symbol = symbol.objectValue, !Self.isUnavailable(symbol),
                let path = symbol["pathComponents"]?.arrayValue?.compactMap(\.stringValue), let name = path.last
            else { continue }
            let text = (symbol["declarationFragments"]?.arrayValue ?? [])
                .compactMap { $0.objectValue?["spelling"]?.stringValue }.joined()
            lines.insert(
                "\(path.dropLast().joined(separator: ".")) | \(text.split(separator: "\n").joined(separator: " "))")
            if let identifier = symbol["identifier"]?.objectValue?["precise"]?.stringValue {
                paths[identifier] = path.joined(separator: ".")
            }
            let kind = symbol["kind"]?.objectValue?["identifier"]?.stringValue ?? ""
            let isType = ["class", "struct", "enum", "protocol", "actor"].contains { kind == "swift.\($0)" }
            if isType, path.count == 1, !Self.machinery.contains(name) { types.insert(name) }
        }
        for relationship in graph.objectValue?["relationships"]?.arrayValue ?? [] {
            guard let relationship = relationship.objectValue,
                relationship["kind"]?.stringValue == "conformsTo",
                let type = relationship["source"]?.stringValue.flatMap({ paths[$0] }),
                let conformance = relationship["targetFallback"]?.stringValue
                    ?? relationship["target"]?.stringValue.flatMap({ paths[$0] })
            else { continue }
            lines.insert("\(type): \(conformance)")
        }
    }

    /// Whether a declaration only tells the compiler what its name is now.
    private static func isUnavailable(_ symbol: JSONObject) -> Bool {
        (symbol["availability"]?.arrayValue ?? []).contains {
            $0.objectValue?["isUnconditionallyUnavailable"]?.boolValue == true
        }
    }
}
