/// The name of a JSON member as a coder's key.
struct JSONMemberKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(stringValue: String) { self.init(stringValue) }

    /// Makes a key of a numbered member, as in CBOR, with the number as its name.
    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
