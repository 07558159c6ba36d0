/// The mistakes that a reader or writer of schemas has found, and the schema and the property where it is.
package struct ProblemList: Sendable {
    package private(set) var all: [SchemaError.Problem] = []
    package var schema: String?
    package var property: String?

    package init() {}

    package var count: Int { all.count }

    /// Adds a mistake.
    ///
    /// - Parameter offset: The byte of the document that is wrong.
    package mutating func report(at offset: Int = 0, _ message: String, fix: String? = nil) {
        all.append(
            SchemaError.Problem(schema: schema, property: property, message: message, fix: fix, offset: offset))
    }

    /// Adds the mistake that a part occurs twice.
    package mutating func reportRepetition(at offset: Int = 0, of part: String, fix: String = "keep one") {
        report(at: offset, "\(part) occurs twice", fix: fix)
    }

    /// Throws the mistakes, if there are any.
    package func check() throws(SchemaError) {
        if !all.isEmpty { throw SchemaError(all) }
    }
}
