import Foundation
import PalliumCore
import PalliumJSON

// Converts slots to JSON by the rules of their kinds alone.
//
// Safety: slots with a value hold the type of their kinds.
extension PropertySlot {
    /// The value as JSON by the rules of its kind alone; null if there is no value.
    ///
    /// It reverses how the default of a schema document is read, and how JSON from a transformer is read.
    ///
    /// Recursion is bounded by the nesting of kinds.
    ///
    /// - Throws: ``ModelError`` with the code `notConvertible` for values that JSON does not have, and for models and
    ///   values of your own types, which have no rules of the kind.
    func naturalJSON() throws(ModelError) -> JSONValue {
        try naturalJSON { element throws(ModelError) in try element.naturalJSON() }
    }

    /// Converts the value with a function for the elements of collections.
    ///
    /// - Parameter written: Converts an element of a collection.
    func naturalJSON(
        element written: (PropertySlot) throws(ModelError) -> JSONValue
    ) throws(ModelError) -> JSONValue {
        guard hasValue else { return .null }
        switch description.property.kind {
        case .bool: return .bool(Bool._load(self))
        case .integer: return .number(JSONNumber(load(Int64.self)))
        case .unsigned: return .number(JSONNumber(load(UInt64.self)))
        case .double: return try number(JSONNumber(written: load(Double.self)))
        case .float: return try number(JSONNumber(single: load(Double.self)))
        case .decimal: return try number(DecimalText.write(Decimal._load(self)).flatMap { JSONNumber(text: $0) })
        case .string: return .string(String._load(self))
        case .date:
            guard let text = ISO8601Text.text(of: load(Double.self)) else { throw unwritable }
            return .string(text)
        case .url: return .string(unsafe SlotOperations.urlText(pointer, slotState))
        case .uuid: return .string(UUID._load(self).uuidString)
        case .data: return .string(Base64Text.encode(Data._load(self)))
        case .enumeration:
            switch enumerationRawValue {
            case .text(let text): return .string(text)
            case .number(let number): return .number(JSONNumber(number))
            }
        case .array, .set:
            let list = unsafe SlotOperations.box(SlotList.self, pointer)
            var elements: [JSONValue] = []
            for index in 0..<list.count { elements.append(try written(list.slot(at: index))) }
            return .array(elements)
        case .dictionary:
            let list = unsafe SlotOperations.box(SlotDictionary.self, pointer)
            var members = JSONObject()
            for index in 0..<list.count { members[list.keys[index]] = try written(list.slot(at: index)) }
            return .object(members)
        case .json: return JSONValue._load(self)
        case .model, .custom: throw unwritable
        }
    }

    private func number(_ number: JSONNumber?) throws(ModelError) -> JSONValue {
        guard let number else { throw unwritable }
        return .number(number)
    }

    private var unwritable: ModelError {
        ModelError(
            .notConvertible, description, expected: "a value that JSON can hold",
            found: ModelDescription.scalar(self, textLength: 64))
    }
}

extension JSONNumber {
    /// Makes the shortest number that reads back as the same `Float`; nil for NaN and infinity.
    init?(single number: Double) { self.init(text: "\(Float(number))") }
}
