import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Writes the definitions of schemas and of all that they refer to, and collects what a notation cannot express.
struct ContractWriter {
    /// The two meanings of a schema with a cluster.
    enum Role: Hashable {
        /// The model that the cluster chooses. For a schema without a cluster, the schema itself.
        case chosen
        /// The schema itself.
        case own
    }

    private struct Subject: Hashable {
        let layout: ObjectIdentifier
        let role: Role
    }

    let registry: SchemaRegistry
    let notation: ContractNotation
    let direction: ContractDirection
    let profile: String?
    private(set) var definitions = JSONObject()
    var problems = ProblemList()
    private var names: [Subject: String] = [:]
    private var freeNames = UniqueNames(separator: "_")
    private var requested: Set<Subject> = []
    /// The names of the definitions that are referred to more than once.
    private(set) var repeatedNames: Set<String> = []
    private var pending: [(layout: ModelLayout, role: Role, name: String)] = []
    /// The names of the definitions of texts.
    private var patternNames: [String: String] = [:]
    let clusters: DocumentClusters

    /// - Parameter registry: Its schemas keep their names, so those are reserved first.
    init(
        registry: SchemaRegistry, notation: ContractNotation, direction: ContractDirection, profile: String?
    ) {
        self.registry = registry
        clusters = DocumentClusters(registry, profile: profile)
        self.notation = notation
        self.direction = direction
        self.profile = profile
        for schema in registry.schemas {
            guard let layout = registry.layout(for: schema) else { continue }
            names[Subject(layout: ObjectIdentifier(layout), role: .chosen)] = freeName(schema.name)
        }
    }

    // MARK: Definitions

    /// Returns a reference to the definition of a layout, which is written later.
    mutating func reference(to layout: ModelLayout, _ role: Role = .chosen) -> JSONObject {
        // A schema without a cluster has one definition.
        let role = layout.schema.cluster == nil ? .chosen : role
        let subject = Subject(layout: ObjectIdentifier(layout), role: role)
        let name = names[subject] ?? freeName(layout.schema.name + (role == .own ? "_itself" : ""))
        names[subject] = name
        if requested.insert(subject).inserted {
            pending.append((layout, role, name))
        } else {
            repeatedNames.insert(name)
        }
        return reference(toName: name)
    }

    func reference(toName name: String) -> JSONObject {
        ["$ref": .string((notation == .openAPI ? "#/components/schemas/" : "#/$defs/") + name)]
    }

    /// Writes all requested definitions, and those that they refer to.
    mutating func finish() {
        // Definitions are written while others are requested, so this is no loop over a list.
        var next = 0
        while next < pending.count {
            let (layout, role, name) = pending[next]
            next += 1
            problems.schema = layout.schema.name
            problems.property = nil
            let isChoice = role == .chosen && layout.schema.cluster != nil
            definitions[name] = .object(isChoice ? choice(of: layout) : object(of: layout))
        }
    }

    /// The schemas that have been requested, in order.
    var requestedLayouts: [ModelLayout] { pending.map(\.layout) }

    /// Returns a reference to the definition of a form of text.
    mutating func reference(to pattern: TextPattern) -> JSONObject {
        if let name = patternNames[pattern.name] { return reference(toName: name) }
        let name = freeName(pattern.name)
        patternNames[pattern.name] = name
        var definition: JSONObject = ["description": .string(pattern.description), "type": "string"]
        definition["format"] = pattern.exactFormat.map { .string($0) }
        definition["pattern"] = .string(pattern.pattern)
        definition["maxLength"] = pattern.maximumLength.map { .number(JSONNumber($0)) }
        definitions[name] = .object(definition)
        return reference(toName: name)
    }

    /// Returns an unused name of letters, digits and underscores that resembles a text.
    private mutating func freeName(_ text: String) -> String {
        var name = ""
        for byte in text.utf8 {
            // Two bytes of one character are one underscore.
            if byte & 0xC0 == 0x80 { continue }
            if byte.isDigit, name.isEmpty { name = "_" }
            name.unicodeScalars.append(byte.isLetter || byte.isDigit ? Unicode.Scalar(byte) : "_")
        }
        if name.isEmpty { name = "_" }
        return freeNames.take(name)
    }
}

extension ContractWriter {
    /// Returns a description that also accepts null.
    static func nullable(_ description: JSONObject) -> JSONObject {
        if description.isEmpty { return description }
        if description.count == 1, description["description"] != nil { return description }
        let isPlain = ["$ref", "anyOf", "oneOf", "allOf", "const", "not", "if"].allSatisfy { description[$0] == nil }
        if isPlain, let type = description["type"], type.stringValue != nil {
            var result = description
            result["type"] = [type, "null"]
            if let cases = description["enum"]?.arrayValue { result["enum"] = .array(cases + [.null]) }
            return result
        }
        // What is for people stays outside.
        var inner = description
        var result = JSONObject()
        if let text = description["description"] {
            result["description"] = text
            inner["description"] = nil
        }
        result["anyOf"] = [.object(inner), ["type": "null"]]
        return result
    }

    /// Adds sentences to a description.
    static func add(_ sentences: [String], to description: inout JSONObject) {
        if sentences.isEmpty { return }
        let all = (description["description"]?.stringValue.map { [$0] } ?? []) + sentences
        var result: JSONObject = ["description": .string(all.joined(separator: " "))]
        for (name, value) in description where name != "description" { result[name] = value }
        description = result
    }
}
