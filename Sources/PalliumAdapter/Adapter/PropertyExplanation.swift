public import PalliumCore
import PalliumJSON

/// How an adapter reads and writes one property, after inheritance, key strategy and profile were applied.
public struct PropertyExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The key of the property.
    public let key: String
    /// The name of the schema that declares the property, or declared it last.
    public let schema: String
    /// The key paths in JSON; empty if the property is not in JSON.
    public let paths: [String]
    /// The key paths in one text: `a | b` reads the first that is present, `a + b` makes one value of both.
    public let path: String
    /// The kind of the values: `array of model Label`.
    public let kind: String
    /// The transformers, in the order in which they read.
    public let transformers: [TransformerName]
    /// Whether the property may be missing or null: `required`, `optional`, `default 0`.
    public let presence: String
    /// The rules, such as `minimum 1`.
    public let rules: [PropertySchema.Rule]
    /// The merge policy.
    public let merge: String
    /// The other modifiers, such as `label pii` and `readOnly`.
    public let modifiers: [String]

    /// The explanation in one line.
    public var description: String {
        var parts = ["\(schema).\(key): \(path)", kind]
        if !transformers.isEmpty { parts.append("by " + transformers.map(\.description).joined(separator: ", ")) }
        parts += [presence, "merged by \(merge)"]
        parts += rules.map(\.description) + modifiers
        return parts.joined(separator: "; ")
    }
}

extension JSONAdapter {
    /// Explains how the adapter reads and writes a property.
    ///
    ///     print(try adapter.explain("htmlURL"))
    ///     // Issue.htmlURL: html_url; url; optional; merged by replace
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` when the schema has no such property.
    public func explain(_ key: String) throws(ModelError) -> PropertyExplanation {
        let shape = DocumentShape(layout, profile: profile)
        guard let property = shape[key] else { throw layout.unknownKeyError(key) }
        return PropertyExplanation(property, of: layout)
    }

    /// Explains all properties, inherited ones first.
    public func explain() -> [PropertyExplanation] {
        DocumentShape(layout, profile: profile).properties.map { PropertyExplanation($0, of: layout) }
    }
}

extension PropertyExplanation {
    fileprivate init(_ place: DocumentShape.Property, of layout: ModelLayout) {
        let descriptor = place.descriptor
        let property = descriptor.property
        self.key = descriptor.key
        schema = descriptor.schema
        paths = place.paths.map(\.description)
        path = paths.isEmpty ? "not in JSON" : paths.joined(separator: place.combination == .allOf ? " + " : " | ")
        kind = Self.text(of: property)
        transformers = property.transformers
        presence = Self.presence(of: property)
        // Those of a property that is redeclared hold as well.
        let key = descriptor.key
        rules = layout.lineage.reversed().flatMap { $0.schema.property(key)?.rules ?? [] }
        merge = property.merge.map { policy in policy.name + (policy.by.map { " by \($0)" } ?? "") } ?? "replace"
        modifiers = property.modifiersInWords + (property.inverse.map { ["inverse \($0)"] } ?? [])
    }

    /// Recursion is as deep as the nesting of kinds.
    private static func text(of property: PropertySchema) -> String {
        let kind = property.kind
        return switch kind {
        case .model(let reference): "model \(reference)" + (property.isByIdentity ? " or its identity" : "")
        case .array(let element), .set(let element), .dictionary(let element):
            "\(kind.name) of \(text(of: element))"
                + (element.rules.isEmpty ? "" : " (\(element.rules.map(\.description).joined(separator: ", ")))")
        default: kind.name
        }
    }

    private static func presence(of property: PropertySchema) -> String {
        let null: String
        switch property.nullability {
        case .allowed?: null = ", null allowed"
        case .refused?: null = ", never null"
        case nil: null = ""
        }
        if property.isRequired { return "required" + null }
        guard let value = property.defaultValue else { return "optional" + null }
        let text =
            switch value {
            case .json(let json): (try? json.text()).map { ModelError.shorten($0, to: 32) } ?? json.summary
            case .value(let value): ModelError.describe(value)
            }
        let shown = property.isSensitive ? MaskedValue.text : text
        return "default \(shown)" + null
    }
}
