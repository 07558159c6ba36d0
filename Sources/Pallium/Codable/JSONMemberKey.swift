/// The name of a JSON member as a coder's key.
struct JSONMemberKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(stringValue: String) { self.init(stringValue) }

    /// Formats with numbered members, such as CBOR, are read with the number as name.
    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
