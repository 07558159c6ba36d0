public import PalliumJSON

/// The rule that chooses the schema of a JSON object among a schema and its descendants.
///
/// A cluster may name its own schema and descendants of it, nothing else. If the chosen descendant has a cluster of its
/// own, that cluster chooses next.
public enum ModelCluster: Sendable, Hashable {
    /// Chooses by the value of one member: a text, a number or a Boolean.
    case discriminator(path: String, models: [Entry], default: ModelReference?)
    /// Chooses by the first rule that holds.
    case rules([Rule], default: ModelReference?)
    /// Calls your function with the object. It returns a schema, or nil for none.
    case resolver(Resolver)

    /// A value of the discriminator and the schema it chooses.
    public struct Entry: Sendable, Hashable {
        /// A text, a number or a Boolean. The number 10 and the text "10" are different tags.
        package let tag: JSONValue
        /// The schema.
        package let model: ModelReference

        /// Pairs a text, a number or a Boolean with a schema.
        public init(_ tag: JSONValue, _ model: ModelReference) {
            self.tag = tag
            self.model = model
        }
    }

    /// Conditions that must all hold, and the schema they choose.
    public struct Rule: Sendable, Hashable {
        /// The conditions.
        package let conditions: [Condition]
        /// The schema.
        package let model: ModelReference

        /// Describes a rule.
        public init(_ conditions: [Condition], _ model: ModelReference) {
            self.conditions = conditions
            self.model = model
        }
    }

    /// A condition on a JSON object.
    public enum Condition: Sendable, Hashable {
        /// There is a value at the path, including null.
        case present(String)
        /// The value at the path equals this one.
        case equals(String, JSONValue)
        /// The value at the path is of this kind.
        case kind(String, JSONKind)
    }

    /// The six kinds of JSON values.
    public enum JSONKind: String, Sendable, Hashable, CaseIterable {
        case null, bool, number, string, array, object
    }

    /// Chooses by the value of one member: `.discriminator("type", ["circle": "Circle", 10: "Hello"])`.
    public static func discriminator(
        _ path: String, _ models: KeyValuePairs<JSONValue, ModelReference>, default: ModelReference? = nil
    ) -> ModelCluster {
        .discriminator(path: path, models: models.map { Entry($0.key, $0.value) }, default: `default`)
    }

    /// Chooses a class by the value of one member: `.discriminator("type", ["circle": Circle.self])`.
    @_disfavoredOverload  // As the initialisers of `ModelSchema`: mistakes in long literals stay cheap.
    public static func discriminator(
        _ path: String, _ classes: KeyValuePairs<JSONValue, DynamicModel.Type>, default: DynamicModel.Type? = nil
    ) -> ModelCluster {
        .discriminator(
            path: path, models: classes.map { Entry($0.key, .modelClass($0.value)) },
            default: `default`.map { .modelClass($0) })
    }

    /// Calls your function with the object, already validated as JSON. It returns a schema, or nil for none.
    public static func resolver(
        _ resolve: @escaping @Sendable (JSONObject) throws -> ModelReference?
    ) -> ModelCluster {
        .resolver(Resolver(resolve))
    }

    /// The key paths that the cluster reads, except those that only a resolver reads.
    package var paths: [String] {
        switch self {
        case .discriminator(let path, _, _): [path]
        case .rules(let rules, _): rules.flatMap(\.conditions).map(\.path)
        case .resolver: []
        }
    }

    /// Returns the cluster without its references to unknown schemas.
    package func limited(to isKnown: (ModelReference) -> Bool) -> ModelCluster {
        switch self {
        case .discriminator(let path, let models, let fallback):
            .discriminator(
                path: path, models: models.filter { isKnown($0.model) },
                default: fallback.flatMap { isKnown($0) ? $0 : nil })
        case .rules(let rules, let fallback):
            .rules(rules.filter { isKnown($0.model) }, default: fallback.flatMap { isKnown($0) ? $0 : nil })
        case .resolver: self
        }
    }

    /// The schemas the cluster can name, except those that only a resolver returns.
    package var references: [ModelReference] {
        switch self {
        case .discriminator(_, let models, let fallback): models.map(\.model) + (fallback.map { [$0] } ?? [])
        case .rules(let rules, let fallback): rules.map(\.model) + (fallback.map { [$0] } ?? [])
        case .resolver: []
        }
    }
}

extension ModelCluster {
    /// Your function that chooses a schema. It is equal to its copies alone.
    public struct Resolver: Sendable, Hashable {
        private let function: ComparedByIdentity<@Sendable (JSONObject) throws -> ModelReference?>
        package var resolve: @Sendable (JSONObject) throws -> ModelReference? { function.content }

        /// Wraps a closure.
        package init(_ resolve: @escaping @Sendable (JSONObject) throws -> ModelReference?) {
            function = ComparedByIdentity(resolve)
        }
    }
}

extension ModelCluster.Condition {
    /// The key path the condition is about.
    package var path: String {
        switch self {
        case .present(let path), .equals(let path, _), .kind(let path, _): path
        }
    }
}

extension JSONValue {
    /// Whether the value can be a discriminator: a text, a number or a Boolean.
    package var isTag: Bool { ![.null, .array, .object].contains(kind) }

    /// The text of a tag without its kind: 10 and "10" have the same.
    package var tagText: String { stringValue ?? description }

    /// The kind of the value.
    package var kind: ModelCluster.JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}
