import Foundation
package import PalliumJSON

// Converts stored values to the input and from the output of transformers, and to JSON.
//
// Safety: a temporary slot has the descriptor that is held beside it.
extension FormerModel.Value {
    /// Makes a stored value of a Swift value; nil for a type that no stored value has.
    package init?(_ value: any PropertyValue) {
        guard let value = Erased.value(value) else {
            self = .null
            return
        }
        switch value {
        case let value as Double: self = .double(value)
        case let value as Float: self = .double(Double(value))
        case let value as Decimal: self = .decimal(value)
        case let value as Date: self = .date(value)
        case let value as Duration: self = .duration(value)
        case let value as URL: self = .url(value.absoluteString)
        case let value as UUID: self = .uuid(value)
        case let value as Data: self = .data(value)
        case let value as any PropertyEnumeration: self = .enumeration(value._rawEnumerationValue)
        case let value as UInt64 where value > UInt64(Int64.max): self = .unsigned(value)
        case let value as UInt where value > UInt(Int.max): self = .unsigned(UInt64(value))
        case let values as [any PropertyValue]:
            let elements = values.compactMap { FormerModel.Value($0) }
            guard elements.count == values.count else { return nil }
            self = .array(elements)
        case let values as [String: any PropertyValue]:
            var entries: [Entry] = []
            for key in values.keys.sorted(by: UTF8Text.precedes) {
                guard let element = values[key].flatMap({ FormerModel.Value($0) }) else { return nil }
                entries.append(Entry(key, element))
            }
            self = .dictionary(entries)
        default:
            guard let json = JSONValue(scalar: value) else { return nil }
            self.init(json: json)
        }
    }

    /// Returns the input for a transformer that takes a type; nil is null.
    ///
    /// A value that was JSON, or is a collection, becomes one of the type if its JSON stands for one.
    ///
    /// - Parameter datesAreNumbers: Whether a number may stand for a date: for the seconds since 2001.
    package func input(
        for type: any PropertyValue.Type, datesAreNumbers: Bool
    ) throws(ModelError) -> (any PropertyValue)? {
        guard let natural = try naturalInput else { return nil }
        let type = Erased.type(type)
        guard Swift.type(of: natural) != type, let kind = type._naturalKind, !PropertySchema(kind).holdsModels else {
            return natural
        }
        let json = try json
        if datesAreNumbers, type == Date.self, case .number(let number) = json {
            return Date(timeIntervalSinceReferenceDate: number.double)
        }
        let descriptor = ValueDescriptor(
            schema: "", key: "", path: "", property: PropertySchema(kind), isElement: false)
        return PropertySlot.withTemporary(for: descriptor) { slot in
            guard (try? slot.store(json: json, transformers: nil)) != nil, slot.hasValue else { return natural }
            return type._load(slot)
        }
    }

    private var naturalInput: (any PropertyValue)? {
        get throws(ModelError) {
            switch self {
            case .url(let text): return URLText.strict(text) ?? text
            case .json(let json): return json.naturalScalar
            case .array, .dictionary, .model: return try json
            default: return scalar
            }
        }
    }

    /// How deep models and collections may be nested that are converted to JSON: deeper than real data, shallow enough
    /// for any stack.
    private static let maximumDepth = 100

    /// The value as JSON; collections by their elements, models by their keys.
    ///
    /// - Throws: ``ModelError`` for values that JSON does not have: a number that is not finite, cycles of models.
    package var json: JSONValue {
        get throws(ModelError) { try json(models: true, depth: Self.maximumDepth) }
    }

    /// The value as JSON, with an empty object for each model; null if JSON does not have the value.
    package var shallowJSON: JSONValue { (try? json(models: false, depth: Self.maximumDepth)) ?? .null }

    private func json(models: Bool, depth: Int) throws(ModelError) -> JSONValue {
        guard depth > 0 else {
            throw ModelError(
                .depthLimit, expected: "models of at most \(Self.maximumDepth.counted("level"))",
                found: "deeper ones, or a cycle"
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
        case .url(let text): return .string(text)
        default:
            guard let scalar else { return .null }
            let codec = type(of: scalar)._naturalKind?.traits.text
            guard let json = codec == nil ? JSONValue(scalar: scalar) : codec?.text(scalar).map({ .string($0) }) else {
                throw ModelError(
                    .notConvertible, expected: codec?.writable ?? "a value that JSON has",
                    found: ModelError.describe(scalar))
            }
            return json
        }
    }

    /// The text of a single value for people: as JSON, or in words if JSON does not have the value.
    package var shownText: String {
        switch self {
        case .data(let data): "\(data.count.counted("byte"))"
        case .double(let number): (try? json.description) ?? "\(number)"
        default: (try? json.description) ?? scalar.map { ModelError.describe($0) } ?? summary
        }
    }

    /// The kind of value, for error messages.
    package var summary: String {
        switch self {
        case .null: "null"
        case .url: "a stored URL"
        case .enumeration: "a stored enumeration case"
        case .json: "a stored JSON value"
        case .array: "stored elements"
        case .dictionary: "a stored dictionary"
        case .model: "a stored model"
        default: scalar.flatMap { type(of: $0)._naturalKind?.traits.storedExpectation } ?? "a stored value"
        }
    }
}

extension KindTraits {
    /// A value of the kind in an archive, for error messages: "a stored UUID", "stored data".
    fileprivate var storedExpectation: String {
        guard let space = expectation.firstIndex(of: " ") else { return "stored \(expectation)" }
        return "a stored\(expectation[space...])"
    }
}
