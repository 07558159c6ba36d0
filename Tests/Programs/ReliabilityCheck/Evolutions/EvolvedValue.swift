import Foundation
import Pallium

/// A value of a model as the reference sees it: plain Swift, without a schema.
indirect enum EvolvedValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    /// A string, or the case of an enumeration.
    case string(String)
    case date(Date)
    case url(String)
    case uuid(UUID)
    case data(Data)
    case json(JSONValue)
    case array([EvolvedValue])
    case dictionary([String: EvolvedValue])
    case model(EvolvedModel)

    var text: String? {
        switch self {
        case .string(let text), .url(let text): text
        default: nil
        }
    }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var model: EvolvedModel? { if case .model(let model) = self { model } else { nil } }
    var elements: [EvolvedValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The models in the value.
    var models: [EvolvedModel] {
        switch self {
        case .model(let model): [model]
        case .array(let elements): elements.flatMap(\.models)
        case .dictionary(let elements): elements.values.flatMap(\.models)
        default: []
        }
    }
}

/// A model as the reference sees it: values by key, where a property without one is unset.
struct EvolvedModel: Hashable, Sendable {
    /// Which schema it has, whatever the schema is called in a program.
    var lineage: Int
    var values: [String: EvolvedValue] = [:]
    /// The versions by lineage that are not those of the present program.
    var versions: [Int: Int] = [:]
}

extension EvolvedModel: CustomStringConvertible {
    /// The lineage and the values in the order of their keys.
    var description: String {
        let values = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "#\(lineage)(\(values.joined(separator: ", ")))"
    }
}

extension EvolvedValue: CustomStringConvertible {
    /// The value as people write it.
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "double \(value)"
        case .decimal(let value): "decimal \(value)"
        case .string(let value): value.debugDescription
        case .date(let value): "date \(value.timeIntervalSinceReferenceDate)"
        case .url(let value): "<\(value)>"
        case .uuid(let value): "\(value)"
        case .data(let value): "data \(value.base64EncodedString())"
        case .json(let value): "json \(value)"
        case .array(let elements): "\(elements)"
        case .dictionary(let elements):
            "[\(elements.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
        case .model(let model): "\(model)"
        }
    }
}

/// The kind of a property of which values are made.
indirect enum EvolvedKind: Hashable, Sendable {
    /// Texts that a transformer of a later program takes.
    enum Texts: Hashable, Sendable, CaseIterable {
        case words, digits, day, moment, uuid, url, decimal, base64
    }

    case bool, integer, bit, small, double, decimal, date, url, uuid, data, enumeration, json
    case string(Texts)
    case array(EvolvedKind), set(EvolvedKind), dictionary(EvolvedKind)
    case model(Int)

    static let cases = ["open", "closed", "stuck"]

    /// The lineages of the models that a value can hold.
    var lineage: Int? {
        switch self {
        case .model(let lineage): lineage
        case .array(let element), .set(let element), .dictionary(let element): element.lineage
        default: nil
        }
    }

    /// Whether values of the kind may become those of the kind `json`, and the reference knows which. In a row, a date
    /// becomes a number.
    var becomesJSON: Bool {
        switch self {
        case .bool, .integer, .bit, .small, .url, .uuid, .data, .enumeration, .string: true
        case .array(let element), .dictionary(let element): element.becomesJSON
        case .double, .decimal, .date, .json, .set, .model: false
        }
    }

    /// The property, in a program where lineages have these names.
    func property(_ names: [Int: String]) -> PropertySchema {
        switch self {
        case .bool: .bool
        case .integer, .bit: .integer
        case .small: .integer(as: Int8.self)
        case .double: .double
        case .decimal: .decimal
        case .date: .date
        case .url: .url
        case .uuid: .uuid
        case .data: .data
        case .enumeration: .enumeration("open", "closed", "stuck")
        case .json: .jsonValue
        case .string: .string
        case .array(let element): .array(of: element.property(names))
        case .set(let element): .set(of: element.property(names))
        case .dictionary(let element): .dictionary(of: element.property(names))
        case .model(let lineage): .model(names[lineage] ?? "")
        }
    }
}
