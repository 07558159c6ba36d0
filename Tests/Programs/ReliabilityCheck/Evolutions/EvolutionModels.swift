import Foundation
import Pallium

/// Models of the library for plain ones, and the way back.
struct EvolutionModels {
    let program: EvolvedProgram
    let registry: SchemaRegistry
    /// The models with an identity, each an object once.
    private var objects: [EvolvedModel: DynamicModel] = [:]

    init(_ program: EvolvedProgram) throws {
        self.program = program
        registry = try program.registry()
    }

    func schema(_ lineage: Int) throws -> ModelSchema {
        try registry.schema(named: program.schemas[lineage]?.name ?? "")
    }

    // MARK: Making

    mutating func make(_ model: EvolvedModel) throws -> DynamicModel {
        if let object = objects[model] { return object }
        let object = DynamicModel(schema: try schema(model.lineage), registry: registry)
        for property in program.chain(model.lineage).flatMap(\.properties) {
            switch model.values[property.key] {
            case nil: try object.unset(property.key)
            case .null?: try object.setValue(nil, forKey: property.key)
            case .some(let value): try object.setValue(make(value, property.kind), forKey: property.key)
            }
        }
        if program.identity(model.lineage) != nil { objects[model] = object }
        return object
    }

    private mutating func make(_ value: EvolvedValue, _ kind: EvolvedKind) throws -> any PropertyValue {
        switch value {
        case .null: return JSONValue.null
        case .bool(let value): return value
        case .integer(let value): return value
        case .double(let value): return value
        case .decimal(let value): return value
        case .string(let value): return value
        case .date(let value): return value
        case .url(let value): return URL(string: value) ?? URL(fileURLWithPath: value)
        case .uuid(let value): return value
        case .data(let value): return value
        case .json(let value): return value
        case .model(let model): return try make(model)
        case .array(let elements):
            switch kind {
            case .array(.model): return try elements.compactMap(\.model).map { try make($0) }
            case .array(.integer): return elements.compactMap(\.integer)
            case .array(.date): return elements.compactMap { if case .date(let date) = $0 { date } else { nil } }
            case .set: return Set(elements.compactMap(\.text))
            default: return elements.compactMap(\.text)
            }
        case .dictionary(let elements):
            if case .dictionary(.model) = kind {
                return try elements.compactMapValues(\.model).mapValues { try make($0) }
            }
            return elements.compactMapValues(\.integer)
        }
    }

    // MARK: Reading

    /// The values of a model by key, or what is wrong with its schema.
    func values(of model: DynamicModel) throws -> EvolvedModel {
        guard let schema = program.schemas.values.first(where: { $0.name == model.schema.name }) else {
            return EvolvedModel(lineage: -1)
        }
        var result = EvolvedModel(lineage: schema.lineage)
        for property in program.chain(schema.lineage).flatMap(\.properties) {
            switch try model.state(of: property.key) {
            case .unset: break
            case .null: result.values[property.key] = .null
            case .value, .defaulted: result.values[property.key] = try value(of: property, model)
            }
        }
        return result
    }

    private func value(of property: EvolvedProperty, _ model: DynamicModel) throws -> EvolvedValue? {
        let key = property.key
        switch property.kind {
        case .bool: return model[key, as: Bool.self].map { .bool($0) }
        case .integer, .bit: return model[key, as: Int64.self].map { .integer($0) }
        case .small: return model[key, as: Int8.self].map { .integer(Int64($0)) }
        case .double: return model[key, as: Double.self].map { .double($0) }
        case .decimal: return model[key, as: Decimal.self].map { .decimal($0) }
        case .string, .enumeration: return model[key, as: String.self].map { .string($0) }
        case .date: return model[key, as: Date.self].map { .date($0) }
        case .url: return model[key, as: URL.self].map { .url($0.absoluteString) }
        case .uuid: return model[key, as: UUID.self].map { .uuid($0) }
        case .data: return model[key, as: Data.self].map { .data($0) }
        case .json: return model[key, as: JSONValue.self].map { .json($0) }
        case .model: return try model[key, as: DynamicModel.self].map { .model(try values(of: $0)) }
        case .array(.model):
            return try model[key, as: [DynamicModel].self].map { .array(try $0.map { .model(try values(of: $0)) }) }
        case .array(.integer): return model[key, as: [Int64].self].map { .array($0.map { .integer($0) }) }
        case .array(.date): return model[key, as: [Date].self].map { .array($0.map { .date($0) }) }
        case .array: return model[key, as: [String].self].map { .array($0.map { .string($0) }) }
        case .set:
            return model[key, as: Set<String>.self].map { texts in
                .array(texts.map { EvolvedValue.string($0) }.sorted { "\($0)" < "\($1)" })
            }
        case .dictionary(.model):
            return try model[key, as: [String: DynamicModel].self].map {
                .dictionary(try $0.mapValues { .model(try values(of: $0)) })
            }
        case .dictionary: return model[key, as: [String: Int64].self].map { .dictionary($0.mapValues { .integer($0) }) }
        }
    }
}
