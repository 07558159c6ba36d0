package import PalliumJSON

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
    package func naturalJSON() throws(ModelError) -> JSONValue {
        try naturalJSON { element throws(ModelError) in try element.naturalJSON() }
    }

    /// Converts the value with a function for the elements of collections.
    ///
    /// - Parameter written: Converts an element of a collection.
    package func naturalJSON(
        element written: (PropertySlot) throws(ModelError) -> JSONValue
    ) throws(ModelError) -> JSONValue {
        guard hasValue else { return .null }
        switch description.kind {
        case .array, .set:
            let list = self.list
            var elements: [JSONValue] = []
            for index in 0..<list.count { elements.append(try written(list.slot(at: index))) }
            return .array(elements)
        case .dictionary:
            let list = self.dictionary
            var members = JSONObject()
            for index in 0..<list.count { members[list.keys[index]] = try written(list.slot(at: index)) }
            return .object(members)
        case .date:
            // Values are compared in this form, and the spelling of a date does not count.
            let text = ISO8601Text.text(of: SpelledDate(seconds: load(Double.self)))
            guard let text else { throw unwritable }
            return .string(text)
        default:
            guard let json = description.traits.write(self) else { throw unwritable }
            return json
        }
    }

    private var unwritable: ModelError {
        ModelError(
            .notConvertible, description, expected: "a value that JSON can hold",
            found: ModelDescription.scalar(self, textLength: 64))
    }
}
