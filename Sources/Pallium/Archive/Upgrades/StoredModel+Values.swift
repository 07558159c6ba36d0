import Foundation
import PalliumCore
import PalliumJSON

// Converts stored values to the input and from the output of transformers, and to JSON.
extension StoredModel.Value {
    /// Makes a stored value of a transformer's output; nil for a type that no stored value has.
    init?(_ value: any PropertyValue) {
        guard let value = Erased.value(value) else {
            self = .null
            return
        }
        switch value {
        case let value as Date: self = .date(value)
        case let value as URL: self = .url(value.absoluteString)
        case let value as UUID: self = .uuid(value)
        case let value as Data: self = .data(value)
        case let value as Decimal: self = .decimal(value)
        case let value as Double: self = .double(value)
        case let value as Float: self = .double(Double(value))
        case let value as any PropertyEnumeration: self = .enumeration(value._rawEnumerationValue)
        case let value as UInt64 where value > UInt64(Int64.max): self = .unsigned(value)
        case let value as UInt where value > UInt(Int.max): self = .unsigned(UInt64(value))
        case let values as [any PropertyValue]:
            let elements = values.compactMap { StoredModel.Value($0) }
            guard elements.count == values.count else { return nil }
            self = .array(elements)
        case let values as [String: any PropertyValue]:
            var entries: [Entry] = []
            for key in values.keys.sorted(by: UTF8Text.precedes) {
                guard let element = values[key].flatMap({ StoredModel.Value($0) }) else { return nil }
                entries.append(Entry(key, element))
            }
            self = .dictionary(entries)
        default:
            guard let json = JSONValue(scalar: value) else { return nil }
            self.init(json: json)
        }
    }

    /// The input for a transformer; nil is null.
    var transformerInput: (any PropertyValue)? {
        get throws(ModelError) {
            switch self {
            case .null: return nil
            case .bool(let value): return value
            case .integer(let value), .enumeration(.number(let value)): return value
            case .unsigned(let value): return value
            case .double(let value): return value
            case .decimal(let value): return value
            case .string(let text), .enumeration(.text(let text)): return text
            case .date(let date): return date
            case .url(let text): return URLText.strict(text) ?? text
            case .uuid(let uuid): return uuid
            case .data(let data): return data
            case .json(let json): return json.naturalScalar
            case .array, .dictionary, .model: return try json
            }
        }
    }

    /// How deep models and collections may be nested that are converted to JSON: deeper than real data, shallow enough
    /// for any stack.
    private static let maximumDepth = 100

    /// The value as JSON; collections by their elements, models by their keys.
    ///
    /// - Throws: ``ModelError`` for values that JSON does not have: a number that is not finite, cycles of models.
    var json: JSONValue {
        get throws(ModelError) { try json(models: true, depth: Self.maximumDepth) }
    }

    /// The value as JSON, with an empty object for each model; null if JSON does not have the value.
    var shallowJSON: JSONValue { (try? json(models: false, depth: Self.maximumDepth)) ?? .null }

    private func json(models: Bool, depth: Int) throws(ModelError) -> JSONValue {
        guard depth > 0 else {
            throw ModelError(
                .depthLimit, expected: "models of at most \(Self.maximumDepth) levels", found: "deeper ones, or a cycle"
            )
        }
        switch self {
        case .array(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try element.json(models: models, depth: depth - 1)) }
            return .array(values)
        case .dictionary(let entries):
            var object = JSONObject()
            for entry in entries {
                object.updateValue(try entry.value.json(models: models, depth: depth - 1), forKey: entry.key)
            }
            return .object(object)
        case .model(let reference):
            var object = JSONObject()
            guard models, let model = try reference.expanded() else { return .object(object) }
            for key in model.keys {
                do throws(ModelError) {
                    guard let value = try model[key]?.json(models: true, depth: depth - 1) else { continue }
                    object.updateValue(value, forKey: key)
                } catch { throw error.under(key: key) }
            }
            return .object(object)
        case .json(let json): return json
        case .date(let date): return try Self.text(of: date)
        case .url(let text): return .string(text)
        case .uuid(let uuid): return .string(uuid.uuidString)
        case .data(let data): return .string(Base64Text.encode(data))
        default:
            guard let value = try transformerInput else { return .null }
            guard let json = JSONValue(scalar: value) else {
                throw ModelError(
                    .notConvertible, expected: "a value that JSON has", found: ModelError.describe(value))
            }
            return json
        }
    }

    private static func text(of date: Date) throws(ModelError) -> JSONValue {
        guard let text = ISO8601Text.text(of: date.timeIntervalSinceReferenceDate) else {
            throw ModelError(
                .notConvertible, expected: "a date of the years 0000 to 9999", found: ModelError.describe(date))
        }
        return .string(text)
    }

    /// The text of a single value for people: as JSON, or in words if JSON does not have the value.
    package var shownText: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .date(let date): (try? json.description) ?? ModelError.describe(date)
        case .double(let number): (try? json.description) ?? "\(number)"
        default: (try? json.description) ?? summary
        }
    }

    /// The kind of value, for error messages.
    var summary: String {
        switch self {
        case .null: "null"
        case .bool: "a stored bool"
        case .integer, .unsigned: "a stored integer"
        case .double: "a stored number"
        case .decimal: "a stored decimal number"
        case .string: "a stored string"
        case .date: "a stored date"
        case .url: "a stored URL"
        case .uuid: "a stored UUID"
        case .data: "stored data"
        case .enumeration: "a stored enumeration case"
        case .json: "a stored JSON value"
        case .array: "stored elements"
        case .dictionary: "a stored dictionary"
        case .model: "a stored model"
        }
    }
}
