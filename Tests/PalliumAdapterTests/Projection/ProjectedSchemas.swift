import Foundation
import Pallium

/// Schema documents, and what is left of them for a selection: a slow reference for projected adapters, which says what the
/// article says. The properties that are not selected are gone, and their members are ignored.
final class ProjectedSchemas {
    /// Selected keys of a model, with those of the models inside; nil for everything.
    struct Keys: CustomStringConvertible {
        var children: [String: Keys?] = [:]

        init() {}

        /// - Parameter paths: Keys with dots, but without backslashes.
        init(_ paths: [String]) {
            for path in paths { add(path.split(separator: ".").map(String.init)[...]) }
        }

        private mutating func add(_ steps: ArraySlice<String>) {
            guard let key = steps.first else { return }
            if steps.count == 1 { return children[key] = .some(nil) }
            var inner = Keys()
            if let known = children[key] {
                // The whole property is selected already.
                guard let known else { return }
                inner = known
            }
            inner.add(steps.dropFirst())
            children[key] = inner
        }

        var description: String {
            let texts = children.map { key, inner in key + (inner.map { "\($0)" } ?? "") }
            return "{\(texts.sorted().joined(separator: ","))}"
        }
    }

    private let documents: [String: JSONObject]
    private let registry: SchemaRegistry
    private var names: [String: String] = [:]
    private var made: [JSONValue] = []

    /// - Parameter documents: All schema documents of the registry.
    init(_ documents: [JSONObject], registry: SchemaRegistry) {
        self.documents = Dictionary(uniqueKeysWithValues: documents.map { ($0["name"]?.stringValue ?? "", $0) })
        self.registry = registry
    }

    /// An adapter for what is left of a schema.
    static func adapter(
        _ documents: [JSONObject], _ schema: String, keys: Keys, registry: SchemaRegistry, options: JSONAdapterOptions
    ) throws -> JSONAdapter<DynamicModel> {
        let reference = ProjectedSchemas(documents, registry: registry)
        let name = try reference.name(of: schema, keys)
        let registry = SchemaRegistry(transformers: registry.transformers)
        try registry.load(Data(try JSONValue.array(reference.made).text().utf8))
        return try JSONAdapter(schema: registry.schema(named: name), registry: registry, options: options)
    }

    /// The name of what is left of a schema; makes it at the first request.
    private func name(of schema: String, _ keys: Keys?) throws -> String {
        let id = schema + (keys.map { "\($0)" } ?? "")
        if let name = names[id] { return name }
        let name = keys == nil ? schema : "\(schema)_\(names.count)"
        names[id] = name
        var document = documents[schema] ?? JSONObject()
        document["name"] = .string(name)
        document["identity"] = nil
        if let parent = document["extends"]?.stringValue {
            document["extends"] = .string(try self.name(of: parent, keys))
        }
        if var cluster = document["cluster"]?.objectValue {
            var models = JSONObject()
            for (text, model) in cluster["models"]?.objectValue ?? JSONObject() {
                models[text] = .string(try self.name(of: model.stringValue ?? "", keys))
            }
            if cluster["models"] != nil { cluster["models"] = .object(models) }
            if let rules = cluster["rules"]?.arrayValue {
                cluster["rules"] = .array(try rules.map { try renamed($0, keys) })
            }
            if let model = cluster["default"]?.stringValue {
                cluster["default"] = .string(try self.name(of: model, keys))
            }
            document["cluster"] = .object(cluster)
        }
        try reduceProperties(of: &document, schema, keys)
        made.append(.object(document))
        return name
    }

    private func reduceProperties(of document: inout JSONObject, _ schema: String, _ keys: Keys?) throws {
        let explained = try JSONAdapter(schema: registry.schema(named: schema), registry: registry).explain()
        let selectedPaths = explained.filter { keys == nil || keys?.children[$0.key] != nil }.flatMap(\.paths)
        var properties = JSONObject()
        var ignored = document["ignored"]?.arrayValue ?? []
        for (key, property) in document["properties"]?.objectValue ?? JSONObject() {
            let inner = keys.map { $0.children[key] } ?? .some(nil)
            if let inner {
                properties[key] = try renamed(property, inner)
                continue
            }
            for path in explained.first(where: { $0.key == key })?.paths ?? [] {
                let member = JSONValue.string(Self.skipped(path, selectedPaths))
                if !ignored.contains(member) { ignored.append(member) }
            }
        }
        document["properties"] = .object(properties)
        if !ignored.isEmpty { document["ignored"] = .array(ignored) }
        let rules = (document["rules"]?.arrayValue ?? []).filter { rule in
            let named =
                ["required", "exactlyOneOf", "before", "notAfter"].flatMap { rule[$0]?.arrayValue ?? [] }.compactMap(
                    \.stringValue) + (rule["when"]?.objectValue?.keys.map { $0 } ?? [])
            return keys == nil || named.allSatisfy { keys?.children[$0] != nil }
        }
        document["rules"] = rules.isEmpty ? nil : .array(rules)
    }

    /// The object that is skipped for a path: the outermost one in which nothing is selected.
    private static func skipped(_ path: String, _ selected: [String]) -> String {
        // Array steps do not skip.
        let members = path.prefix { $0 != "[" }.split(separator: ".").map(String.init)
        for count in 1..<members.count {
            let prefix = members[..<count].joined(separator: ".")
            if !selected.contains(where: { $0.hasPrefix(prefix + ".") || $0.hasPrefix(prefix + "[") }) { return prefix }
        }
        return members.joined(separator: ".")
    }

    /// A property, element or rule whose models are what is left of theirs.
    private func renamed(_ property: JSONValue, _ keys: Keys?) throws -> JSONValue {
        guard var object = property.objectValue else { return property }
        if let model = object["model"]?.stringValue { object["model"] = .string(try name(of: model, keys)) }
        if let element = object["of"] { object["of"] = try renamed(element, keys) }
        return .object(object)
    }
}
