import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads the schemas that a contract describes, and collects everything that schemas cannot say.
///
///     $defs ──┬─ objects, oneOf with discriminator ──▶ models, read one after another
///     root ───┘  other definitions ──▶ values, put in where they are referred to
///
/// Objects inside of others wait in a queue, so recursion only goes through lists, dictionaries and references, and is
/// bounded by ``maximumDepth``. Each definition is read once.
struct ContractReader {
    /// The values that a schema of a contract allows.
    struct Value {
        var property: PropertySchema
        var acceptsNull = false
        /// How deep element types are nested.
        var levels = 0
        /// How large the property is as text, roughly.
        var size = 1
    }

    /// A model, with the offsets for messages.
    struct Model {
        var schema: ModelSchema
        let offset: Int
        var propertyOffsets: [UTF8Key: Int] = [:]
        /// The values of the properties, by key.
        var values: [UTF8Key: Value] = [:]

        var places: SchemaPlaces {
            SchemaPlaces(offset: offset, properties: propertyOffsets)
        }
    }

    /// The use of a definition while it is read.
    private enum State {
        case reading
        case read(Value?)
    }

    /// How many references, lists and alternatives can be nested.
    static let maximumDepth = 64

    let registry: SchemaRegistry
    let notation: ContractNotation
    /// Whether null and an absent member are taken as the same.
    let takesNullAsAbsent: Bool

    var problems: [DocumentProblem] = []
    var models: [Model] = []
    /// The positions of models by name.
    var positions: [UTF8Key: Int] = [:]
    /// The schema that is being read, for messages.
    var schemaName: String?
    var propertyKey: String?
    /// The parents of models, from `allOf` and from the choices that list them.
    var parents: [UTF8Key: (name: String, offset: Int)] = [:]
    /// Where objects refuse other members, and where they allow them.
    var closedOffsets: [Int] = []
    var openOffsets: [Int] = []
    /// The name of the model at the root; nil if the root is none.
    var rootName: String?

    private(set) var definitions: [UTF8Key: LocatedJSON] = [:]
    /// Whether the type of a definition allows null, for those that are models.
    private(set) var nullableModels: [UTF8Key: Bool] = [:]
    private var states: [UTF8Key: State] = [:]
    private var pending: [(name: String, schema: LocatedJSON)] = []
    private var names = UniqueNames()
    /// How large the values are that were put in for references.
    private var expandedSize = 0

    init(registry: SchemaRegistry, notation: ContractNotation, takesNullAsAbsent: Bool) {
        self.registry = registry
        self.notation = notation
        self.takesNullAsAbsent = takesNullAsAbsent
    }

    mutating func report(_ offset: Int, _ message: String, fix: String? = nil) {
        problems.append(
            DocumentProblem(offset: offset, schema: schemaName, property: propertyKey, message: message, fix: fix))
    }

    // MARK: Definitions

    /// Takes the definitions, which may refer to one another, and reserves the names of models.
    mutating func take(_ members: [LocatedJSON.Member]) {
        for member in members {
            guard definitions.updateValue(member.value, forKey: UTF8Key(member.name)) == nil else {
                report(
                    member.nameOffset, "the definition \(ModelError.quote(member.name)) occurs twice", fix: "keep one")
                continue
            }
            names.insert(member.name)
            if Self.isModel(member.value) {
                nullableModels[UTF8Key(member.name)] = Self.objectAcceptsNull(member.value)
            }
        }
    }

    /// Reads all definitions, also those to which nothing refers, and then the objects inside of others.
    mutating func readDefinitions(in order: [LocatedJSON.Member]) {
        for member in order {
            schemaName = ModelError.shorten(member.name, to: 64)
            if Self.isModel(member.value) {
                readModel(named: member.name, member.value)
            } else {
                _ = value(ofDefinition: member.name, at: member.nameOffset, depth: 0)
            }
        }
        readPending()
    }

    /// Reads the objects inside of others.
    mutating func readPending() {
        // Each may add others, so this is no loop over a list.
        var next = 0
        while next < pending.count {
            let (name, schema) = pending[next]
            next += 1
            schemaName = ModelError.shorten(name, to: 64)
            readModel(named: name, schema)
        }
        pending = []
        schemaName = nil
    }

    /// Whether a schema describes a model: an object with known members, or a choice among such objects.
    static func isModel(_ schema: LocatedJSON) -> Bool {
        schema["properties"] != nil || schema["allOf"] != nil
            || schema["oneOf"] != nil && schema["discriminator"] != nil
    }

    /// Reserves a name for an object inside of another, which is read later.
    mutating func later(_ schema: LocatedJSON, named name: String) -> String {
        let isShort = name.utf8.count <= SchemaReader.maximumNameLength - 8
        let name = names.take(isShort ? name : "Object")
        pending.append((name, schema))
        return name
    }

    /// Reserves the name of the root.
    ///
    /// - Returns: Whether it was free.
    mutating func reserve(_ name: String) -> Bool { names.insert(name) }

    // MARK: References

    /// Returns the name of the definition that a reference means; nil after a report.
    mutating func definitionName(of reference: LocatedJSON) -> String? {
        guard let text = reference.text else {
            report(reference.offset, "$ref: expected text but found \(reference.summary)")
            return nil
        }
        let prefixes = notation == .openAPI ? ["#/components/schemas/"] : ["#/$defs/", "#/components/schemas/"]
        if notation != .openAPI, UTF8Text.equal(text, "#"), let rootName { return rootName }
        for prefix in prefixes where text.utf8.starts(with: prefix.utf8) {
            let rest = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            guard !rest.utf8.contains(UInt8(ascii: "/")), let name = Self.unescaped(rest) else { break }
            if definitions[UTF8Key(name)] != nil { return name }
            // With many definitions, one search for each wrong reference would be quadratic.
            let candidates = definitions.count <= ModelError.maximumCandidates ? definitions.keys.map(\.text) : []
            report(
                reference.offset, "$ref: there is no definition \(ModelError.quote(name))",
                fix: DocumentProblem.suggestion(for: name, among: candidates.sorted(by: UTF8Text.precedes)))
            return nil
        }
        report(
            reference.offset, "$ref: expected a definition of this document but found \(reference.summary)",
            fix: "refer to \(prefixes[0])NAME")
        return nil
    }

    /// Undoes the escapes of URI fragments and of JSON Pointer (RFC 6901); nil for malformed ones.
    private static func unescaped(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        var result: [UInt8] = []
        rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): result.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): result.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    /// Returns the values that a definition allows; nil if it is wrong, which has been reported.
    mutating func value(ofDefinition name: String, at offset: Int, depth: Int) -> Value? {
        // References to references are followed in a loop, since there may be many.
        var names: [String] = []
        var name = name
        var result: Value?
        while true {
            if let rootName, UTF8Text.equal(name, rootName), definitions[UTF8Key(name)] == nil {
                result = Value(property: .model(name))
                break
            }
            guard let schema = definitions[UTF8Key(name)] else { break }
            switch states[UTF8Key(name)] {
            case .read(let value)?:
                result = value
            case .reading?:
                report(
                    offset, "$ref: the definition \(ModelError.quote(name)) leads to itself, without an object between")
            case nil where nullableModels[UTF8Key(name)] != nil:
                result = Value(property: .model(name), acceptsNull: nullableModels[UTF8Key(name)] ?? false)
                states[UTF8Key(name)] = .read(result)
            case nil:
                names.append(name)
                states[UTF8Key(name)] = .reading
                if let next = onlyReference(of: schema) {
                    guard let target = definitionName(of: next) else { break }
                    name = target
                    continue
                }
                result = readValue(schema, named: name, depth: depth + 1)
            }
            break
        }
        for name in names { states[UTF8Key(name)] = .read(result) }
        // A small document could refer to a large value many times.
        let isSmall = expandedSize <= LocatedJSON.maximumDocumentBytes
        expandedSize += result?.size ?? 0
        if expandedSize <= LocatedJSON.maximumDocumentBytes { return result }
        if isSmall {
            report(
                offset,
                "$ref: with all references put in, the document has more than "
                    + "\(LocatedJSON.maximumDocumentBytes >> 20) MiB", fix: "refer to smaller definitions")
        }
        return nil
    }

    /// Returns the reference of a schema that is nothing else.
    private func onlyReference(of schema: LocatedJSON) -> LocatedJSON? {
        guard case .object(let members) = schema.content else { return nil }
        let assertions = members.filter { !ContractKeywords.isAnnotation($0.name) }
        guard assertions.count == 1, UTF8Text.equal(assertions[0].name, "$ref") else { return nil }
        return assertions[0].value
    }

    /// Whether the type of an object allows null.
    private static func objectAcceptsNull(_ schema: LocatedJSON) -> Bool {
        (schema["type"]?.elements ?? []).contains { $0.text.map { UTF8Text.equal($0, "null") } ?? false }
    }
}
