import Foundation
import Pallium

/// Schemas as the references see them: kinds by key, and who extends whom.
struct PlainSchemas: Sendable {
    struct Schema: Sendable {
        var parent: String?
        var identity: [String] = []
        var kinds: [String: PlainKind] = [:]
        /// The keys that a store has columns for.
        var columns: Set<String> = []
    }

    let schemas: [String: Schema]
    private let relations: [String: Relations]

    /// Reads the properties of schemas, which the tests wrote themselves.
    init(_ schemas: [ModelSchema]) {
        var plain: [String: Schema] = [:]
        let identified = Set(schemas.filter { !$0.identity.isEmpty }.map(\.name))
        for schema in schemas {
            var result = Schema(parent: schema.parent.map { "\($0)" }, identity: schema.identity)
            for property in schema.properties where property.schema.archive != .excluded && !property.schema.isWeak {
                result.kinds[property.key] = Self.kind(property.schema.kind, identified)
                if property.schema.index == .caseInsensitive {
                    result.columns.insert(PlainCondition.folded + property.key)
                } else if property.schema.index != nil || schema.identity.contains(property.key) {
                    result.columns.insert(property.key)
                }
            }
            plain[schema.name] = result
        }
        self.schemas = plain
        relations = Self.relations(plain)
    }

    private static func kind(_ kind: PropertyKind, _ identified: Set<String>) -> PlainKind? {
        switch kind {
        case .bool: .bool
        case .integer(.bits16): .integer(-32768...32767)
        case .integer: .integer(Int.min...Int.max)
        case .unsigned(.bits32): .integer(0...4_294_967_295)
        case .unsigned: .unsigned
        case .double: .double
        case .string: .text
        case .date: .date
        case .url: .url
        case .uuid: .uuid
        case .decimal: .decimal
        case .enumeration(let schema):
            .cases(
                schema.unknown == .keep
                    ? nil : schema.cases.compactMap { if case .text(let text) = $0.rawValue { text } else { nil } })
        case .array(let element): Self.kind(element.kind, identified).map { .list($0) }
        case .set(let element): Self.kind(element.kind, identified).map { .set($0) }
        case .dictionary: .table
        case .model(let reference):
            identified.contains("\(reference)") ? .reference("\(reference)") : .model("\(reference)")
        default: nil
        }
    }

    /// The schema and those that it extends.
    func lineage(_ name: String) -> [String] { relations[name]?.lineage ?? [name] }

    /// The schema that declares the identity.
    func table(_ name: String) -> String { lineage(name).last ?? name }

    /// The schema and those that extend it.
    func family(_ name: String) -> [String] { relations[name]?.family ?? [name] }

    /// The kind of a property of a schema, of one that it extends or one that extends it.
    func kind(_ key: String, of name: String) -> PlainKind? { relations[name]?.kinds[key] }

    func hasColumn(_ key: String, of name: String) -> Bool { relations[name]?.columns.contains(key) == true }

    /// What a schema has of those that it extends and those that extend it.
    private struct Relations: Sendable {
        var lineage: [String] = []
        var family: [String] = []
        var kinds: [String: PlainKind] = [:]
        var columns: Set<String> = []
    }

    private static func relations(_ schemas: [String: Schema]) -> [String: Relations] {
        func lineage(_ name: String) -> [String] { schemas[name]?.parent.map { [name] + lineage($0) } ?? [name] }
        var result: [String: Relations] = [:]
        for name in schemas.keys {
            var relations = Relations(lineage: lineage(name))
            relations.family = schemas.keys.sorted().filter { lineage($0).contains(name) }
            for other in relations.lineage + relations.family {
                relations.kinds.merge(schemas[other]?.kinds ?? [:]) { first, _ in first }
                relations.columns.formUnion(schemas[other]?.columns ?? [])
            }
            result[name] = relations
        }
        return result
    }

    /// The identity's keys, in order.
    func identity(of name: String) -> [String] { schemas[table(name)]?.identity ?? [] }

    /// All kinds that a model of a schema has.
    func kinds(of name: String) -> [(key: String, kind: PlainKind)] {
        lineage(name).reversed().flatMap { name in
            (schemas[name]?.kinds ?? [:]).sorted { $0.key < $1.key }.map { (key: $0.key, kind: $0.value) }
        }
    }

    func identity(of model: PlainModel) -> PlainIdentity {
        PlainIdentity(table(model.schema), identity(of: model.schema).compactMap { model[$0] })
    }
}
