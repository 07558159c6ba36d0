import PalliumJSON

/// All mistakes in a set of schemas, or in the accessors of a class.
///
/// Registering finds all mistakes before it registers anything. ``SchemaRegistry/verifyAccessors(of:_:samples:)`` finds
/// mistakes in accessors.
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One mistake.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The schema, if the mistake concerns one.
        public let schema: String?
        /// The key of the property, if the mistake concerns one.
        public let property: String?
        /// A description of the mistake.
        public let message: String
        /// A way to correct it.
        public let fix: String?
        /// The file, line and column, for schemas that were read from a document.
        public package(set) var source: String?
        /// The byte of the document that is wrong, as long as `source` does not say it; 0 for schemas in code.
        package private(set) var offset: Int
        /// The names of the members that lead from the property, or from the schema, to the mistake in a document.
        package let members: [String]

        /// Describes a mistake.
        package init(
            schema: String? = nil, property: String? = nil, message: String, fix: String? = nil, source: String? = nil,
            offset: Int = 0, members: [String] = []
        ) {
            self.schema = schema
            self.property = property
            self.message = message
            self.fix = fix
            self.source = source
            self.offset = offset
            self.members = members
        }

        /// Returns a way to correct an unknown name: the known one that is spelled almost alike, if there is one.
        package static func suggestion(for name: String, among known: [String]) -> String? {
            ModelError.nearest(to: name, among: known).map { "did you mean \(ModelError.quote($0))?" }
        }

        /// Returns the problem with its place, unless it has one.
        package func located(at source: String?) -> Self {
            var located = self
            located.source = located.source ?? source
            located.offset = 0
            return located
        }

        /// The mistake in one line, with its position and a way to correct it.
        public var description: String {
            var text = source.map { "\($0): " } ?? ""
            if let schema { text += property.map { "\(schema).\($0): " } ?? "\(schema): " }
            text += message
            if let fix { text += "; \(fix)" }
            return text
        }
    }

    /// The mistakes, in the order of the schemas and their properties; never empty.
    public let problems: [Problem]

    /// Collects mistakes.
    package init(_ problems: [Problem]) { self.problems = problems }

    /// The mistakes, one per line, each with its position and a way to correct it.
    public var description: String {
        problems.count == 1
            ? problems[0].description
            : "\(problems.count.counted("problem")) in schemas:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
