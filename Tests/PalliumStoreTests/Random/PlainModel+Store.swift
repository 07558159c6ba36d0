import Foundation
import Pallium

extension PlainModel {
    /// The model with references that are stubs.
    func model(_ schemas: PlainSchemas, _ registry: SchemaRegistry) throws -> DynamicModel {
        let model = try Self.empty(schema, registry)
        func made(_ value: PlainValue) throws -> DynamicModel? {
            switch value {
            case .model(let inner): return try inner.model(schemas, registry)
            case .reference(let identity):
                return try PlainModel(stub: identity, schemas).model(schemas, registry)
            default: return nil
            }
        }
        for (key, value) in values {
            if let value, let inner = try made(value) {
                try model.setValue(inner, forKey: key)
            } else if case .list(let elements) = value, schemas.kind(key, of: schema)?.isListOfModels == true {
                try model.setValue(try elements.compactMap(made), forKey: key)
            } else {
                try model.setValue(
                    value.flatMap { $0.empty(schemas.kind(key, of: schema)) ?? $0.property }, forKey: key)
            }
        }
        return model
    }

    /// A model of which nobody has set anything: its defaults are none that anybody has set.
    private static func empty(_ name: String, _ registry: SchemaRegistry) throws -> DynamicModel {
        let model = DynamicModel(schema: try registry.schema(named: name), registry: registry)
        for (key, value) in model.values where value != nil { try model.unset(key) }
        return model
    }

    /// What a reference says of a row.
    init(stub identity: PlainIdentity, _ schemas: PlainSchemas) {
        self.init(schema: identity.table)
        for (key, value) in zip(schemas.identity(of: identity.table), identity.parts) { values[key] = .some(value) }
    }

    /// Reads a model of a store, whose references may be stubs.
    init(_ model: DynamicModel, _ schemas: PlainSchemas) throws {
        self.init(schema: model.schema.name)
        for (key, kind) in schemas.kinds(of: schema) {
            switch try model.state(of: key) {
            case .unset, .defaulted: break
            case .null: values[key] = .some(nil)
            case .value:
                if case .set(let element) = kind {
                    // By key, a set is an array in the order of insertion.
                    let elements: [PlainValue] =
                        if case .integer = element {
                            (model[key, as: Set<Int>.self] ?? []).map { .integer($0) }
                        } else {
                            (model[key, as: Set<String>.self] ?? []).map { .text($0) }
                        }
                    values[key] = .some(.set(elements))
                } else {
                    values[key] = .some(try PlainValue(model.value(forKey: key), kind, schemas))
                }
            }
        }
    }
}

extension PlainKind {
    fileprivate var isListOfModels: Bool {
        switch self {
        case .list(.reference), .list(.model): true
        default: false
        }
    }
}

extension PlainValue {
    /// An empty collection of the type of a property; nil if the value is no empty collection.
    fileprivate func empty(_ kind: PlainKind?) -> (any PropertyValue)? {
        switch (self, kind) {
        case (.list(let values), .list(.integer)) where values.isEmpty: [Int]()
        case (.list(let values), .list(.double)) where values.isEmpty: [Double]()
        case (.list(let values), .list(.date)) where values.isEmpty: [Date]()
        case (.list(let values), .list(.decimal)) where values.isEmpty: [Decimal]()
        case (.set(let values), .set(.integer)) where values.isEmpty: Set<Int>()
        default: nil
        }
    }
}

extension PlainValue {
    /// Reads a value of a kind; nil if Swift has another type for it.
    fileprivate init?(_ value: (any PropertyValue)?, _ kind: PlainKind, _ schemas: PlainSchemas) throws {
        switch (value, kind) {
        case (let value as Bool, .bool): self = .bool(value)
        case (let value as any FixedWidthInteger, .integer): self = .integer(Int(value))
        case (let value as UInt, .unsigned): self = .unsigned(value)
        case (let value as UInt64, .unsigned): self = .unsigned(UInt(value))
        case (let value as Double, .double): self = .double(value)
        case (let value as String, .text), (let value as String, .cases): self = .text(value)
        case (let value as Date, .date): self = .date(value.timeIntervalSinceReferenceDate)
        case (let value as URL, .url): self = .url(value.absoluteString)
        case (let value as UUID, .uuid): self = .uuid(value)
        case (let value as Decimal, .decimal): self = .decimal(value)
        case (let model as DynamicModel, .model): self = .model(try PlainModel(model, schemas))
        case (let model as DynamicModel, .reference): self = .reference(try PlainIdentity(model, schemas))
        case (let values as [DynamicModel], .list(let element)):
            self = .list(try values.compactMap { try PlainValue($0, element, schemas) })
        case (let values as [String], .list): self = .list(values.map { .text($0) })
        case (let values as [Int], .list): self = .list(values.map { .integer($0) })
        case (let values as [Decimal], .list): self = .list(values.map { .decimal($0) })
        case (let values as [Double], .list): self = .list(values.map { .double($0) })
        case (let values as [Date], .list): self = .list(values.map { .date($0.timeIntervalSinceReferenceDate) })
        case (let values as [String: Int], .table): self = .table(values)
        default: return nil
        }
    }
}

extension PlainIdentity {
    /// Reads the identity of a model, which may be part of a cycle.
    init(_ model: DynamicModel, _ schemas: PlainSchemas) throws {
        let table = schemas.table(model.schema.name)
        let parts = try schemas.identity(of: table).compactMap { key in
            try schemas.kind(key, of: table).flatMap { try PlainValue(model.value(forKey: key), $0, schemas) }
        }
        self.init(table, parts)
    }
}
