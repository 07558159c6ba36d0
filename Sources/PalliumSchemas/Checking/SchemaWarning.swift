/// Something in a schema that can be registered but is probably not meant.
struct SchemaWarning {
    /// The key of the property, if it concerns one.
    let property: String?
    let text: String
    let fix: String

    init(_ text: String, property: String? = nil, fix: String) {
        self.property = property
        self.text = text
        self.fix = fix
    }
}
