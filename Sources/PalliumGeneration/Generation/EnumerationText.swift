import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Writes the Swift type of an enumeration.
struct EnumerationText {
    let name: String
    let enumeration: EnumerationSchema
    /// The key of the property that declares the enumeration.
    let key: String
    /// The names of the cases. Two texts that Swift considers equal have one name, as they can have one case only.
    private let caseNames: [String]

    init(name: String, enumeration: EnumerationSchema, key: String) {
        self.name = name
        self.enumeration = enumeration
        self.key = key
        caseNames = Self.names(of: enumeration)
    }

    /// Returns the names of the cases, in order.
    static func names(of enumeration: EnumerationSchema) -> [String] {
        var names = UniqueNames(separator: "_")
        // Texts are compared as Swift does it, not by their bytes.
        var known: [String: String] = [:]
        return enumeration.cases.enumerated().map { index, item in
            let text = item.rawValue.description
            let name = known[text] ?? names.take(SwiftName.enumerationCase(for: text) ?? "case\(index + 1)")
            known[text] = name
            return name
        }
    }

    /// Returns the lines of the declaration.
    func lines(_ access: SwiftGenerator.Access) -> [String] {
        var known: Set<UTF8Key> = []
        let cases = zip(caseNames, enumeration.cases.map(\.rawValue)).filter { known.insert(UTF8Key($0.0)).inserted }
        let head = "\(access.modifier)nonisolated enum \(name): \(rawType), PropertyEnumeration {"
        let isPlain = cases.allSatisfy { UTF8Text.equal($0, $1.description) }
        let line = "\(head) case \(cases.map { SwiftName.escaped($0.0) }.joined(separator: ", ")) }"
        let declaration: [String]
        if isPlain, !SourceText.isTooLong(line, level: 1) {
            declaration = [line]
        } else {
            declaration = [head] + cases.map { "    \(Self.line($0, $1))" } + ["}"]
        }
        return SourceText.documentation(documentation, level: 1)
            + SourceText.allowingLongNames(declaration, level: 1)
    }

    private static func line(_ name: String, _ raw: EnumerationSchema.RawValue) -> String {
        let declaration = "case \(SwiftName.escaped(name))"
        return switch raw {
        case .text(let text): UTF8Text.equal(name, text) ? declaration : "\(declaration) = \(SourceText.literal(text))"
        case .number(let number): "\(declaration) = \(number)"
        }
    }

    /// `Int` unless a number needs more bits than it has on small devices.
    private var rawType: String {
        guard enumeration.isNumeric else { return "String" }
        let isSmall = enumeration.cases.allSatisfy { item in
            if case .number(let number) = item.rawValue { Int32(exactly: number) != nil } else { true }
        }
        return isSmall ? "Int" : "Int64"
    }

    private var documentation: String {
        let rule =
            switch enumeration.unknown {
            case .fail: "Other values are refused."
            case .keep: "Other values are kept, and the accessor reads nil."
            case .fallback(let raw):
                "Other values become `\(zip(caseNames, enumeration.cases).first { $1.rawValue == raw }?.0 ?? "")`."
            }
        return "The values of `\(key)`. \(rule)"
    }
}
