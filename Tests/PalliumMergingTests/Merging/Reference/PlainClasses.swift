import Pallium

/// A kind of a property in a schema that the reference of merging understands.
indirect enum PlainKind: Hashable, Sendable {
    case integer
    case double
    case text
    case json
    case model(String)
    case list(PlainKind)
    case set(PlainKind)
    case dictionary(PlainKind, hasNull: Bool)

    /// The class of the models that the property holds, directly or in a collection.
    var modelName: String? {
        switch self {
        case .model(let name): name
        case .list(let element), .set(let element), .dictionary(let element, _): element.modelName
        default: nil
        }
    }
}

/// The policies of the table in the article *Merging*.
enum PlainPolicy: Hashable, Sendable {
    case none, replace, keep, skipNull, max, min, union, append
    case newest(by: String)
    case recurse(removesMissing: Bool)
    case byIdentifier(key: String?, removesMissing: Bool, isRequired: Bool)
    /// The merger that adds up integers.
    case sum

    /// Whether a null of the source says no more than an absent member.
    var ignoresNull: Bool { [.skipNull, .max, .min, .union, .append].contains(self) }

    /// The name without what a policy goes by.
    var name: String {
        switch self {
        case .newest: "newest"
        case .recurse(let removes): removes ? "recurse, removing" : "recurse"
        case .byIdentifier(_, let removes, let isRequired):
            "byIdentifier" + (removes ? ", removing" : "") + (isRequired ? ", required" : "")
        default: "\(self)"
        }
    }
}

/// A property of a class, in a form that the reference can read and the library can register.
struct PlainProperty: Hashable, Sendable {
    let key: String
    let kind: PlainKind
    var policy = PlainPolicy.none
    var isRequired = false
    /// The default in JSON.
    var standard: JSONValue?
    /// Whether a property with a default takes null.
    var takesNullBesideDefault = false

    /// Whether null is a value of the property.
    var takesNull: Bool { !isRequired && (standard == nil || takesNullBesideDefault) }
}

/// A class of models.
struct PlainClass: Hashable, Sendable {
    let name: String
    var parent: String?
    /// The properties of its own; those of the parent come first.
    var properties: [PlainProperty]
    var identity: String?
    /// The classes that the member `kind` chooses, by their texts.
    var choices: [String: String] = [:]
    /// The class for objects that do not say what they are.
    var standardChoice: String?
}

/// All classes of a case.
struct PlainSchemas: Hashable, Sendable {
    static let discriminator = "kind"

    var classes: [String: PlainClass] = [:]
    let root = "Root"

    subscript(name: String) -> PlainClass {
        guard let found = classes[name] else { preconditionFailure("no class \(name)") }
        return found
    }

    /// All properties of a class, those of its parent first.
    func properties(of name: String) -> [PlainProperty] {
        (self[name].parent.map(properties) ?? []) + self[name].properties
    }

    func property(_ key: String, of name: String) -> PlainProperty? {
        properties(of: name).first { $0.key == key }
    }

    func identity(of name: String) -> String? { self[name].identity ?? self[name].parent.flatMap(identity) }

    /// The class that declares the identity of another one.
    func identityClass(of name: String) -> String {
        self[name].identity != nil ? name : self[name].parent.map(identityClass) ?? name
    }

    /// The identifier by which elements of a list are matched.
    func identifier(of property: PlainProperty) -> String? {
        guard case .byIdentifier(let key, _, _) = property.policy else { return nil }
        return key ?? property.kind.modelName.flatMap(identity)
    }

    /// The same without classes that a root cannot hold.
    var onlyUsed: PlainSchemas {
        let used = used
        var copy = self
        copy.classes = classes.filter { used.contains($0.key) }
        return copy
    }

    /// The classes that a root can hold.
    private var used: Set<String> {
        var used: Set<String> = [root]
        var count = 0
        while count < used.count {
            count = used.count
            for description in classes.values {
                let isHeld = used.contains { holder in
                    properties(of: holder).contains { $0.kind.modelName == description.name }
                }
                if isHeld || description.parent.map(used.contains) == true { used.insert(description.name) }
            }
        }
        return used
    }
}

// MARK: For the library

extension PlainSchemas {
    /// The schemas of all classes; their hooks after decoding write the model into a log.
    func modelSchemas(log: HookLog?) -> [ModelSchema] {
        classes.values.sorted { $0.name < $1.name }.map { description in
            var schema = ModelSchema(
                description.name, [:], extends: description.parent.map { ModelReference(stringLiteral: $0) },
                identity: description.identity.map { [$0] } ?? [])
            schema.properties = description.properties.map { ModelSchema.Property($0.key, $0.schema) }
            if !description.choices.isEmpty {
                schema.cluster = .discriminator(
                    path: Self.discriminator,
                    models: description.choices.sorted { $0.key < $1.key }.map { text, name in
                        ModelCluster.Entry(.string(text), ModelReference(stringLiteral: name))
                    },
                    default: description.standardChoice.map { ModelReference(stringLiteral: $0) })
            }
            // Descendants run the hooks of their parents, too.
            guard let log, description.parent == nil else { return schema }
            return schema.didDecode { log.add($0) }
        }
    }

    static let mergers = ["sum": Merger(Int.self) { ($0.target ?? 0) + ($0.source ?? 0) - ($0.base ?? 0) }]
}

extension PlainProperty {
    var schema: PropertySchema {
        var schema = kind.schema
        if isRequired { schema = schema.required }
        if let standard { schema = schema.default(json: standard) }
        if takesNullBesideDefault { schema = schema.nullable }
        return policy == .none ? schema : schema.merge(policy.policy)
    }
}

extension PlainKind {
    fileprivate var schema: PropertySchema {
        switch self {
        case .integer: .integer
        case .double: .double
        case .text: .string
        case .json: .jsonValue
        case .model(let name): .model(name)
        case .list(let element): .array(of: element.schema)
        case .set(let element): .set(of: element.schema)
        case .dictionary(let value, let hasNull): .dictionary(of: hasNull ? value.schema.nullable : value.schema)
        }
    }
}

extension PlainPolicy {
    fileprivate var policy: MergePolicy {
        switch self {
        case .newest(let key): .newest(by: key)
        case .recurse(let removes): removes ? .recurse(missing: .remove) : .recurse
        case .byIdentifier(let key, let removes, let isRequired):
            .byIdentifier(
                key, missing: removes ? .remove : .keep, identifiers: isRequired ? .required : .optional)
        case .union: .union
        case .append: .append
        case .max: .max
        case .min: .min
        default: MergePolicy(name)
        }
    }
}

/// The models whose hooks ran, in their order.
///
/// @unchecked: a case runs on one thread.
final class HookLog: @unchecked Sendable {
    private(set) var models: [DynamicModel] = []

    func add(_ model: DynamicModel) { models.append(model) }

    func clear() { models = [] }
}
