import Foundation
import PalliumCore
import PalliumJSON

// Safety: slots with a value hold what their kinds say.
extension PropertySlot {
    /// The value as JSON by the rules of its kind alone: the reverse of how a schema document's default is read, or what a
    /// transformer gave as JSON. Null where there is no value.
    ///
    /// Recursion is bounded by the nesting of kinds.
    ///
    /// - Throws: ``ModelError`` with the code `notConvertible` for what JSON does not have, and for models and values of
    ///   your own types, which have no rules of the kind.
    func naturalJSON() throws(ModelError) -> JSONValue {
        try naturalJSON { element throws(ModelError) in try element.naturalJSON() }
    }

    /// - Parameter written: How elements of collections are written.
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
    /// The shortest text that reads back as the same single-precision number; nil for what JSON does not have.
    init?(single number: Double) { self.init(text: "\(Float(number))") }
}
