import PalliumCore
import PalliumJSON

/// The way in which a document breaks a law.
struct Violation {
    let schema: String
    let property: String?
    let problem: String

    init(schema: String, property: String? = nil, problem: String) {
        self.schema = schema
        self.property = property
        self.problem = problem
    }

    /// Describes an error where there should be none.
    init(_ error: ModelError, schema: String, _ text: String) {
        let first = error.problems[0]
        self.init(
            schema: first.schema ?? schema, property: first.property,
            problem: "\(text): \(ModelError.shorten(first.description, to: 400))")
    }

    /// Whether another document breaks the law in the same way.
    func isLike(_ other: Violation) -> Bool {
        UTF8Text.equal(schema, other.schema)
            && UTF8Text.equal(property ?? "", other.property ?? "")
            && (property == nil) == (other.property == nil)
    }
}
