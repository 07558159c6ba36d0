import Foundation
import Pallium

/// A property in one program.
struct EvolvedProperty: Sendable {
    var key: String
    var kind: EvolvedKind
    var isRequired = false
    /// The default, as in JSON and as a value.
    var fallback: EvolvedDefault?
    /// Another path in JSON than the key says. Such a property keeps its key and its values for ever.
    var path: String?
    /// Whether its dates are numbers in JSON.
    var isInSeconds = false
    var hook: EvolvedHook?
    /// Whether a step of an earlier program makes the key, so that the step to a program without the property must remove it.
    var isMade = false

    init(_ key: String, _ kind: EvolvedKind) {
        self.key = key
        self.kind = kind
    }

    /// Whether steps may use its values: they mean the same in all three forms.
    var isPlain: Bool { path == nil && !isInSeconds }

    func schema(_ names: [Int: String]) -> PropertySchema {
        var schema = kind.property(names)
        if isRequired { schema = schema.required }
        if let fallback { schema = schema.default(json: fallback.json) }
        if let path { schema = schema.json(path) }
        if isInSeconds { schema = schema.transformer(.unixSeconds) }
        if let hook { schema = schema.unarchived { stored in hook.value(of: key, stored) } }
        return schema
    }
}

/// A value as it stands in a schema or a step, and what it is.
struct EvolvedDefault: Sendable {
    let json: JSONValue
    let value: EvolvedValue
}

/// Code of a property that runs after the steps.
enum EvolvedHook: Sendable {
    /// Takes the value of another key if there is none.
    case fallback(String)
    case upper

    func value(of key: String, _ stored: FormerModel) -> FormerModel.Value? {
        switch self {
        case .fallback(let other): stored[key] ?? stored[other]
        case .upper: stored[key]?.text.map { .string($0.uppercased()) } ?? stored[key]
        }
    }

    func value(of key: String, _ values: [String: EvolvedValue]) -> EvolvedValue? {
        switch self {
        case .fallback(let other): values[key] ?? values[other]
        case .upper: values[key]?.text.map { .string($0.uppercased()) } ?? values[key]
        }
    }
}

/// A step between two versions.
struct EvolvedStep: Sendable {
    var from: Int
    var renamed: [String: String] = [:]
    var transformed: [String: [EvolvedTransformer]] = [:]
    var code: [EvolvedCode] = []
    var defaults: [String: EvolvedDefault] = [:]
    var removed: [String] = []
    var oldName: String?

    var schema: SchemaUpgrade {
        SchemaUpgrade(
            from: from, renamed: renamed, removed: removed, defaults: defaults.mapValues { $0.json },
            transformed: transformed.mapValues { $0.map { $0.name } }, oldSchemaName: oldName,
            convert: code.isEmpty ? nil : conversion)
    }

    private var conversion: @Sendable (inout FormerModel) throws -> Void {
        let code = code
        return { (model: inout FormerModel) throws -> Void in
            for part in code { try part.run(&model) }
        }
    }
}

/// A schema in one program.
struct EvolvedSchema: Sendable {
    let lineage: Int
    var name: String
    var parent: Int?
    var version = 1
    var isSnakeCase = false
    var identity: String?
    /// The member that says which descendant a model is, and the descendants by its values.
    var discriminator: (member: String, tags: [(String, Int)])?
    /// The key of the property that holds the discriminator.
    var tagKey: String?
    var properties: [EvolvedProperty] = []
    var steps: [EvolvedStep] = []
    /// Whether neither it nor its ancestors and descendants ever have code, so that misspelled renames are found.
    var isWithoutCode = false
    /// Whether a step renames or transforms the identity.
    var changesIdentity = false
    /// Whether a step throws without a value. A reference then stays as it is; the article does not say of which identity.
    var needsValues = false

    func property(_ key: String) -> EvolvedProperty? { properties.first { $0.key == key } }

    func schema(_ names: [Int: String]) -> ModelSchema {
        var schema = ModelSchema.named(
            name, properties: properties.map { ModelSchema.Property($0.key, $0.schema(names)) })
        schema.parent = parent.flatMap { names[$0] }.map { .named($0) }
        schema.version = version
        schema.keys = isSnakeCase ? .snakeCase : .identity
        schema.identity = identity.map { [$0] } ?? []
        schema.upgrades = steps.map(\.schema)
        if let discriminator {
            schema.cluster = .discriminator(
                path: discriminator.member,
                models: discriminator.tags.map { .init(.string($0.0), .named(names[$0.1] ?? "")) }, default: nil)
        }
        return schema
    }
}

/// The schemas of one program by lineage.
struct EvolvedProgram: Sendable {
    var schemas: [Int: EvolvedSchema] = [:]

    var names: [Int: String] { schemas.mapValues(\.name) }

    /// A schema and its ancestors, the oldest first.
    func chain(_ lineage: Int) -> [EvolvedSchema] {
        guard let schema = schemas[lineage] else { return [] }
        return (schema.parent.map(chain) ?? []) + [schema]
    }

    /// The key of the identity of a lineage; nil if it has none.
    func identity(_ lineage: Int) -> String? { chain(lineage).lazy.compactMap(\.identity).first }

    func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        for (evolved, transformer) in EvolvedTransformer.registered {
            try registry.transformers.register(transformer, as: evolved.name)
        }
        let names = names
        try registry.register(schemas.values.sorted { $0.lineage < $1.lineage }.map { $0.schema(names) })
        return registry
    }
}
